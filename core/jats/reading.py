"""From a package to a stored case report: parts, figures with their images, licence, and what was set aside."""

import hashlib
import re
from collections import Counter
from dataclasses import dataclass, field, replace

from lxml import etree

from core.domain.article import (
    CaseReport,
    Figure,
    Graphic,
    Identifiers,
    Part,
    PartKind,
    SetAside,
)
from core.errors import ImportRefused
from core.jats.body import Draft, PartsReader
from core.jats.citations import Cited, find_citations
from core.jats.figures import FigureDraft, in_label_order, own_figures
from core.jats.front import Front, front_parts, read_front
from core.jats.graphics import find_graphics
from core.jats.inline import Ledger, Links, whole_text
from core.jats.licences import read_licence
from core.jats.metadata import CloudMetadata, read_metadata
from core.jats.package import Package
from core.jats.panels import find_panels
from core.jats.patients import find_patients
from core.jats.settling import place_floating_tables, settle_roles
from core.jats.standing import is_retracted, refuse_what_is_no_article
from core.jats.xml import parse_article

_REFERENCE_IDS = etree.XPath("descendant::ref/@id", smart_strings=False)
_PMCID_IN_NAME = re.compile(r"(?<![A-Za-z0-9])(PMC\d{3,})(?:\.\d+)?(?![A-Za-z0-9])")


@dataclass(frozen=True)
class ReadArticle:
    """One article as read.

    Attributes:
        report: the case report to be stored.
        images: sha256 -> bytes of every image that a figure of the report refers to.
        version: version number of the PMC cloud service; None when the source names none.
        metadata: PMC's own JSON for this article; None when there is none.
    """

    report: CaseReport
    images: dict[str, bytes] = field(default_factory=dict)
    version: int | None = None
    metadata: CloudMetadata | None = None


def read_article(package: Package) -> ReadArticle:
    """Read one article whole.

    Raises:
        ImportRefused: the package cannot be read, is no JATS article, has no body of its own, is a reviewer's
            comment or a retraction notice. Everything else that is unusual is a warning of the report.
    """
    if package.problem is not None:
        raise package.problem
    data = package.read_xml()
    try:
        return _read(package, data)
    except RecursionError as error:
        raise ImportRefused(
            f"{package.base_name} cannot be read as XML: its elements are nested too deep.",
            "Check the file, or download the article again.",
        ) from error


def _read(package: Package, data: bytes) -> ReadArticle:
    article = parse_article(data, package.base_name)
    front = read_front(article)
    metadata, warnings = _metadata(package, front, data)
    body = article.find("body")
    refuse_what_is_no_article(package, article, front, body, data)
    identifiers = _identifiers(front.identifiers, metadata, package.source, warnings)

    figures, order_note = in_label_order(list(own_figures(article, front.language)))
    links = Links(
        frozenset(one for figure in figures for one in figure.element_ids),
        frozenset(_REFERENCE_IDS(article)),
    )
    ledger = Ledger()
    reader = PartsReader(links, ledger, warnings)
    reader.read_body(body)
    body_drafts = list(reader.drafts)
    reader.ledger = Ledger()
    body_chars, set_aside = _books(body, body_drafts, ledger, warnings)
    _read_outside(article, reader)
    settle_roles(reader.drafts)
    place_floating_tables(reader.drafts)

    several = find_patients(reader.drafts, front.title)
    if several.warning:
        warnings.append(several.warning)
    cited = find_citations(reader.drafts, figures)
    found = find_graphics(package, figures, metadata)
    warnings.extend(found.warnings)
    captions: list[Draft] = []
    records: list[Figure] = []
    for number, (figure, citation, graphics) in enumerate(zip(figures, cited, found.graphics, strict=True), 1):
        record, parts = _figure(f"fig{number}", figure, citation, graphics, reader)
        records.append(record)
        captions.extend(parts)
    if order_note:
        warnings.append(order_note)
    warnings.extend(_figure_warnings(figures, records))
    _warn_about_relatives(article, warnings)

    drafts = front_parts(front, links) + reader.drafts + captions
    report = CaseReport(
        id=identifiers.pmcid or _made_id(identifiers, data),
        identifiers=identifiers,
        title=front.title,
        article_type=front.article_type,
        subjects=front.subjects,
        journal=front.journal,
        authors=front.authors,
        published_on=front.published_on,
        language=front.language,
        licence=read_licence(front.meta, metadata.license_code if metadata else ""),
        is_retracted=is_retracted(article, front, metadata),
        parts=tuple(
            Part(id=draft.id, kind=draft.kind, role=draft.role, path=draft.path, text=draft.text) for draft in drafts
        ),
        figures=tuple(records),
        body_chars=body_chars,
        kept_chars=body_chars - sum(one.chars for one in set_aside),
        set_aside=set_aside,
        patients=several.patients,
        warnings=tuple(dict.fromkeys(warnings)),
        source=package.source,
        source_sha256=hashlib.sha256(data).hexdigest(),
    )
    return ReadArticle(report, found.images, metadata.version if metadata else None, metadata)


def _metadata(package: Package, front: Front, data: bytes) -> tuple[CloudMetadata | None, list[str]]:
    warnings: list[str] = []
    stem = package.base_name.rpartition(".")[0].lower()
    jsons = [file for file in package.files.values() if file.extension == "json" and file.size < 4_000_000]
    jsons.sort(key=lambda file: file.base_name.rpartition(".")[0].lower() != stem)
    for file in jsons:
        metadata = read_metadata(file.read())
        if metadata is None:
            continue
        if front.identifiers.pmcid and metadata.pmcid != front.identifiers.pmcid:
            warnings.append(f"{file.base_name} speaks of {metadata.pmcid}, not of this article; it was left out.")
            continue
        expected = metadata.md5.get(package.base_name.lower())
        if expected and hashlib.md5(data, usedforsecurity=False).hexdigest() != expected:
            warnings.append(
                f"The checksum of {package.base_name} differs from the one in {file.base_name}: download it again."
            )
        if metadata.is_open_access is False:
            warnings.append("PMC lists this article as outside its Open Access subset.")
        return metadata, warnings
    return None, warnings


def _identifiers(found: Identifiers, metadata: CloudMetadata | None, source: str, warnings: list[str]) -> Identifiers:
    if found.pmcid:
        return found
    if metadata is not None:
        return found.model_copy(update={"pmcid": metadata.pmcid})
    named = _PMCID_IN_NAME.findall(source)
    if named:
        warnings.append(f"The article names no PMCID; {named[-1]} is taken from the name of its file or folder.")
        return found.model_copy(update={"pmcid": named[-1]})
    return found


def _made_id(identifiers: Identifiers, data: bytes) -> str:
    seed = f"doi:{identifiers.doi.lower()}".encode() if identifiers.doi else data
    return f"art-{hashlib.sha256(seed).hexdigest()[:12]}"


def _books(
    body: etree._Element, drafts: list[Draft], ledger: Ledger, warnings: list[str]
) -> tuple[int, tuple[SetAside, ...]]:
    """Close the books on the body's characters: all of them are in a part, set aside by name, or reported as lost."""
    words = whole_text(body).split()
    shown = sum(map(len, words))
    body_chars = shown + max(0, len(words) - 1)
    aside: Counter[str] = Counter(ledger.aside)
    placed = 0
    for draft in drafts:
        # Parts hold no white space but single blanks and line breaks.
        placed += len(draft.text) - draft.text.count(" ") - draft.text.count("\n")
        if draft.aside:
            aside[draft.aside] += len(draft.text) - draft.text.count("\n")
    lost = shown - (placed - ledger.added + ledger.aside_visible)
    if lost:
        warnings.append(f"{abs(lost)} characters of the body could not be accounted for; please report this article.")
        aside["not accounted for"] += max(0, lost)
    excess = sum(aside.values()) - body_chars
    if excess > 0:
        # Parts that are set aside gain bullets and blanks between blocks, which the source does not have.
        aside[max(aside, key=lambda name: aside[name])] -= excess
    return body_chars, tuple(SetAside(name=name, chars=chars) for name, chars in aside.items() if chars > 0)


def _read_outside(article: etree._Element, reader: PartsReader) -> None:
    """Read floats and back matter; references are not part of the report."""
    for branch in article:
        if branch.tag in ("floats-group", "floats-wrap"):
            for element in branch:
                reader.read_float(element)
        elif branch.tag == "back":
            for element in branch:
                if element.tag == "ref-list":
                    continue
                title = element.find("title")
                name = " ".join(whole_text(title).split()) if title is not None else ""
                kind = PartKind.DECLARATION if element.tag in ("ack", "notes", "fn-group") else PartKind.BACK
                reader.read_back(element, name, kind)


def _figure(
    figure_id: str, draft: FigureDraft, cited: Cited, graphics: tuple[Graphic, ...], reader: PartsReader
) -> tuple[Figure, list[Draft]]:
    parts: list[Draft] = []
    caption = reader.caption_text(draft.caption_blocks, f"{figure_id}.caption") if draft.caption_blocks else None
    if caption is not None:
        parts.append(replace(caption, in_body=False))
    for language, blocks in draft.other_captions.items():
        other = reader.caption_text(blocks, f"{figure_id}.caption.{language}")
        if other is not None:
            parts.append(replace(other, in_body=False))
    figure = Figure(
        id=figure_id,
        label=draft.label,
        caption_part=caption.id if caption else None,
        graphics=graphics,
        panels=find_panels(caption.text) if caption else (),
        citations=cited.spans,
        first_cited_in=cited.first_cited_in,
        citation_rank=cited.rank,
    )
    return figure, parts


def _figure_warnings(drafts: list[FigureDraft], figures: list[Figure]) -> list[str]:
    warnings = []
    for draft, figure in zip(drafts, figures, strict=True):
        name = figure.label or figure.id
        if not figure.graphics:
            warnings.append(f"{name} has no picture{', only a film' if draft.has_media else ''}.")
        warnings.extend(
            f"{name}: the picture {graphic.href} is {graphic.problem}."
            for graphic in figure.graphics
            if graphic.problem
        )
        if figure.caption_part is None:
            warnings.append(f"{name} has no caption.")
    return warnings


def _warn_about_relatives(article: etree._Element, warnings: list[str]) -> None:
    kinds = Counter(
        element.get("article-type") or element.get("response-type") or element.tag
        for element in article
        if element.tag in ("sub-article", "response")
    )
    for kind, count in kinds.items():
        what = kind.replace("-", " ")
        warnings.append(
            f"Left out: {count} sub-article{'s' if count > 1 else ''} ({what}), not part of the article itself."
        )
