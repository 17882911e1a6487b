"""What a file is as a publication: an article with a body of its own, a review, a retraction notice, retracted."""

import re

from lxml import etree

from core.errors import ImportRefused
from core.jats.front import Front
from core.jats.metadata import CloudMetadata
from core.jats.package import Package

_REVIEW_TYPES = frozenset(
    "reviewer-report referee-report editor-report decision-letter author-comment aggregated-review-documents "
    "review-tool-report peer-review".split()
)
_RETRACTION_NOTICE = re.compile(
    r"^\W*(?:notice of retraction|retraction(?: note| notice)?\s*(?::|to\b|of\s*:|note\b|notice\b|$))", re.IGNORECASE
)
_RETRACTED = re.compile(r"^\W*(?:retracted(?: article)?|withdrawn)\s*[:\])\u2013\u2014-]", re.IGNORECASE)
_NO_FULL_TEXT = re.compile(rb"<!--[^>]*does not allow downloading of the full text")


def refuse_what_is_no_article(
    package: Package, article: etree._Element, front: Front, body: etree._Element | None, data: bytes
) -> None:
    """Raise ImportRefused for a review, a retraction notice and an article without a body of its own."""
    name = package.base_name
    kind = front.article_type.lower()
    if kind in _REVIEW_TYPES:
        raise ImportRefused(f"{name} is a reviewer's comment ({kind}), not an article.", "Import the article itself.")
    if kind == "retraction" or (
        kind not in ("case-report", "research-article") and _RETRACTION_NOTICE.match(front.title)
    ):
        raise ImportRefused(f"{name} is a retraction notice, not a case report.", "Leave it out.")
    if body is not None and any(text.strip() for text in body.itertext()):
        return
    if _NO_FULL_TEXT.search(data):
        raise ImportRefused(
            f"{name} has no body: its publisher does not allow the full text to be downloaded as XML.",
            "Choose an article of the PMC Open Access subset.",
        )
    if any(next(further.iter("body"), None) is not None for further in article.iter("sub-article", "response")):
        raise ImportRefused(
            f"{name} has no body of its own; the text in it belongs to its sub-articles "
            "(reviews, replies or translations).",
            "Get the version of the article with its full text.",
        )
    if next(article.iter("graphic"), None) is not None:
        raise ImportRefused(
            f"{name} has no body: only scanned pages or pictures are given, no text.",
            "Choose an article with full text.",
        )
    raise ImportRefused(f"{name} has no body: only the front matter is there.", "Get the full-text XML of the article.")


def is_retracted(article: etree._Element, front: Front, metadata: CloudMetadata | None) -> bool | None:
    """Say whether the article has been retracted; None when neither PMC, title nor related articles say so."""
    if metadata is not None and metadata.is_retracted is not None:
        return metadata.is_retracted
    if _RETRACTED.match(front.title) or front.article_type.lower() in ("retracted-article", "retracted"):
        return True
    meta = front.meta
    if meta is not None and any(
        node.get("related-article-type") in ("retraction-forward", "retraction")
        for node in meta.iter("related-article")
    ):
        return True
    return None
