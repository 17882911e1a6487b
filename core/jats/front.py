"""Front matter: identifiers, title, authors, journal, dates, abstracts, keywords, kind of article."""

import re
from dataclasses import dataclass

from lxml import etree

from core.domain.article import Identifiers, PartKind, SectionRole
from core.jats.body import Draft
from core.jats.inline import Ledger, Links, Writer, split_citations, whole_text
from core.jats.xml import attribute

_PMCID = re.compile(r"^\s*(?:PMC)?(\d+)(?:\.\d+)?\s*$", re.IGNORECASE)
_DOI = re.compile(r"(10\.\d{4,9}/\S+)")
_MONTHS = {name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_NOT_PUBLICATION = (
    "received",
    "accepted",
    "rev-recd",
    "rev-request",
    "retraction",
    "corrected",
    "pmc-release",
    "nihms-submitted",
)


@dataclass(frozen=True)
class Front:
    """What the front matter says; empty where it says nothing."""

    identifiers: Identifiers
    title: str
    article_type: str
    subjects: tuple[str, ...]
    journal: str
    authors: tuple[str, ...]
    published_on: str
    language: str
    meta: etree._Element | None


def read_front(article: etree._Element) -> Front:
    """Read the front matter of an article; every field is empty when the article has none."""
    front = article.find("front")
    meta = front.find("article-meta") if front is not None else None
    journal = front.find("journal-meta") if front is not None else None
    return Front(
        identifiers=_identifiers(meta),
        title=_title(meta),
        article_type=(article.get("article-type") or "").strip(),
        subjects=tuple(dict.fromkeys(_flat(node) for node in _iter(meta, "subject") if _flat(node))),
        journal=next((_flat(node) for node in _iter(journal, "journal-title") if _flat(node)), ""),
        authors=_authors(meta),
        published_on=_published_on(meta),
        language=(attribute(article, "lang")).strip(),
        meta=meta,
    )


def front_parts(front: Front, links: Links) -> list[Draft]:
    """Give title, abstracts and keywords as parts; the abstract without a type comes first and is called `abstract`."""
    drafts: list[Draft] = []
    if front.title:
        drafts.append(Draft("title", PartKind.TITLE, SectionRole.OTHER, (), front.title, in_body=False))
    if front.meta is None:
        return drafts
    abstracts = [*front.meta.iterchildren("abstract"), *front.meta.iterchildren("trans-abstract")]
    abstracts.sort(key=lambda node: (node.tag != "abstract", bool(node.get("abstract-type"))))
    for number, abstract in enumerate(abstracts, 1):
        writer = Writer(links, Ledger())
        for child in abstract:
            writer.block(child)
        text, _ = split_citations(writer.take())
        kind = abstract.get("abstract-type") or (
            attribute(abstract, "lang") if abstract.tag == "trans-abstract" else ""
        )
        part_id = "abstract" if number == 1 else f"abstract{number}"
        if text:
            path = ("Abstract", kind) if kind else ("Abstract",)
            drafts.append(Draft(part_id, PartKind.ABSTRACT, SectionRole.OTHER, path, text, in_body=False))
    words = [_flat(node) for group in front.meta.iterchildren("kwd-group") for node in group.iter("kwd")]
    if any(words):
        drafts.append(
            Draft("keywords", PartKind.KEYWORDS, SectionRole.OTHER, (), "; ".join(w for w in words if w), in_body=False)
        )
    return drafts


def _iter(element: etree._Element | None, tag: str) -> list[etree._Element]:
    return list(element.iter(tag)) if element is not None else []


def _flat(element: etree._Element) -> str:
    return " ".join(whole_text(element).split())


def _identifiers(meta: etree._Element | None) -> Identifiers:
    found: dict[str, str] = {}
    if meta is not None:
        for node in meta.iterchildren("article-id"):
            found.setdefault((node.get("pub-id-type") or "").lower(), _flat(node))
    pmcid = None
    for kind in ("pmcid", "pmc", "pmcaid"):
        match = _PMCID.match(found.get(kind, ""))
        if match and kind != "pmcaid":
            pmcid = f"PMC{match.group(1)}"
            break
    doi = _DOI.search(found.get("doi", ""))
    pmid = found.get("pmid", "")
    return Identifiers(pmcid=pmcid, pmid=pmid if pmid.isdigit() else None, doi=doi.group(1) if doi else None)


def _title(meta: etree._Element | None) -> str:
    group = meta.find("title-group") if meta is not None else None
    if group is None:
        return ""
    texts = []
    for tag in ("article-title", "subtitle"):
        node = group.find(tag)
        if node is None:
            continue
        writer = Writer(Links(frozenset(), frozenset()), Ledger())
        writer.content(node)
        text = split_citations(writer.take())[0].replace("\n", " ")
        text = re.sub(r"\s*[*†‡§]+$", "", text)
        texts.extend([text] if text else [])
    return ": ".join(plain for plain in (text.rstrip(":") if len(texts) > 1 else text for text in texts))


def _authors(meta: etree._Element | None) -> tuple[str, ...]:
    if meta is None:
        return ()
    names: list[str] = []
    for contributor in meta.iter("contrib"):
        if (contributor.get("contrib-type") or "author") != "author":
            continue
        name = next(contributor.iter("name"), None)
        if name is not None:
            given, surname = name.find("given-names"), name.find("surname")
            names.append(" ".join(_flat(part) for part in (given, surname) if part is not None and _flat(part)))
        else:
            whole = next(contributor.iter("string-name", "collab"), None)
            names.append(_flat(whole) if whole is not None else "")
    return tuple(name for name in names if name)


def _published_on(meta: etree._Element | None) -> str:
    """Give the earliest publication date; of two that agree as far as they go, the more exact one."""
    if meta is None:
        return ""
    dates: list[tuple[int, ...]] = []
    for node in meta.iterchildren("pub-date"):
        kind = f"{node.get('pub-type') or ''} {node.get('date-type') or ''}"
        if any(word in kind for word in _NOT_PUBLICATION):
            continue
        date = _date(node)
        if date:
            dates.append(date)
    if not dates:
        return ""
    dates.sort(key=lambda date: date + (99,) * (3 - len(date)))
    year, *rest = dates[0]
    return "-".join([f"{year:04d}", *(f"{number:02d}" for number in rest)])


def _date(node: etree._Element) -> tuple[int, ...]:
    year, month, day = (_flat(part) if (part := node.find(tag)) is not None else "" for tag in ("year", "month", "day"))
    if not re.fullmatch(r"\d{4}", year):
        return ()
    month_number = int(month) if month.isdigit() else _MONTHS.get(month[:3].lower(), 0)
    if not 1 <= month_number <= 12:
        return (int(year),)
    if day.isdigit() and 1 <= int(day) <= 31:
        return (int(year), month_number, int(day))
    return (int(year), month_number)
