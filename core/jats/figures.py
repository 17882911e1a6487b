"""The article's own figures: which elements they are, label, caption, renditions, order."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from core.jats.inline import whole_text
from core.jats.xml import attribute

_OUTSIDE = frozenset({"front", "sub-article", "response", "front-stub"})
_THUMBNAIL = ("thumb", "thumbnail", "icon", "small")
_EXTENSION_RANK = {
    "jpg": 0,
    "jpeg": 0,
    "png": 0,
    "webp": 1,
    "tif": 2,
    "tiff": 2,
    "bmp": 3,
    "svg": 4,
    "pdf": 5,
    "eps": 5,
    "gif": 6,
}
_NUMBER = re.compile(r"^\D*?(\d+)")
_SUPPLEMENT = re.compile(r"supplement\D*(\d+)", re.IGNORECASE)
_PANEL_LABEL = re.compile(r"^\W*(?:panel\s*)?[A-Za-z]\W*$", re.IGNORECASE)


@dataclass(frozen=True)
class Rendition:
    """One file of a graphic: its address as written, and whether the article calls it a thumbnail."""

    href: str
    is_thumbnail: bool = False


@dataclass
class FigureDraft:
    """A figure while it is read.

    Attributes:
        element_ids: ids by which the text may cite it.
        graphics: for each picture its renditions, the preferred first.
        caption_blocks: elements of the caption in order; empty when there is none.
        other_captions: captions in further languages: language -> elements.
    """

    element_ids: list[str]
    label: str
    graphics: list[list[Rendition]]
    caption_blocks: list[etree._Element]
    other_captions: dict[str, list[etree._Element]] = field(default_factory=dict)
    has_media: bool = False


def own_figures(article: etree._Element, language: str) -> Iterator[FigureDraft]:
    """Give the figures of the article itself in document order.

    Figures of sub-articles, responses and abstracts are not the article's; a `graphic` outside any `fig` (table
    pictures, equations, portraits, page scans) is no figure. Two `fig` of a `fig-group` in different languages of
    which one has no graphic are one figure; a `fig-group` whose members are lettered or unlabelled panels is one too.
    """
    seen: set[etree._Element] = set()
    for branch in article:
        if branch.tag in _OUTSIDE:
            continue
        for element in branch.iter("fig", "fig-group"):
            if element in seen or _is_outside(element, branch):
                continue
            if element.tag == "fig-group":
                members = list(element.iter("fig"))
                merged = _translations(element, members, language) or _panels(element, members)
                if merged is not None:
                    seen.update(members)
                    yield merged
                continue
            yield _figure(element)


def in_label_order(figures: list[FigureDraft]) -> tuple[list[FigureDraft], str]:
    """Give the figures with each kind of label (`Figure`, `Scheme` ...) in the order of its numbers, and what changed.

    Unnumbered figures, and other kinds, keep their places. The second value is empty when document order stands.
    """
    slots: dict[str, list[int]] = {}
    keys: dict[int, tuple[int, int]] = {}
    for place, figure in enumerate(figures):
        number = label_number(figure.label)
        if number is None:
            continue
        kind = re.sub(r"[^a-z]", "", figure.label.lower().split(str(number))[0])
        supplement = _SUPPLEMENT.search(figure.label)
        slots.setdefault(kind, []).append(place)
        keys[place] = (number, int(supplement.group(1)) if supplement else 0)
    ordered = list(figures)
    for places in slots.values():
        for place, source in zip(places, sorted(places, key=lambda place: keys[place]), strict=True):
            ordered[place] = figures[source]
    if ordered == figures:
        return figures, ""
    was = ", ".join(figure.label or "(no label)" for figure in figures)
    return ordered, f"Figures stand in the order of their labels; the article's elements stand in the order {was}."


def label_number(label: str) -> int | None:
    """Give the first number of a label (`Fig. 2` gives 2); None when it has none."""
    match = _NUMBER.match(label)
    return int(match.group(1)) if match else None


def clean_label(label: str) -> str:
    """Give a label as printed: white space collapsed, closing punctuation and empty brackets off."""
    return " ".join(label.split()).rstrip(" .:;,-\u2013\u2014|")


def _is_outside(element: etree._Element, branch: etree._Element) -> bool:
    parent = element.getparent()
    while parent is not None and parent is not branch:
        if parent.tag in _OUTSIDE or parent.tag in ("bio", "abstract"):
            return True
        parent = parent.getparent()
    return False


def _figure(element: etree._Element) -> FigureDraft:
    label = element.find("label")
    blocks: list[etree._Element] = []
    for child in element:
        if child.tag == "caption":
            blocks.extend(block for block in child if block.tag not in ("fig", "fig-group"))
        elif child.tag in ("p", "attrib", "title", "legend"):
            blocks.append(child)
    blocks.extend(_loose_text(element, blocks))
    ids = [element.get("id") or ""]
    ids.extend(node.get("id") or "" for node in element.iter("caption", "graphic", "label"))
    has_media = next(element.iter("media"), None) is not None
    return FigureDraft([i for i in ids if i], _label(label), _graphics(element), blocks, has_media=has_media)


def _loose_text(element: etree._Element, blocks: list[etree._Element]) -> list[etree._Element]:
    """Give text that stands directly in a figure as a block of its own; nothing when label and caption repeat it."""
    text = " ".join(
        part.strip() for part in (element.text, *(child.tail for child in element)) if part and part.strip()
    )
    if not text:
        return []
    label = element.find("label")
    told = "".join(whole_text(node) for node in ([label] if label is not None else []) + blocks)
    if "".join(filter(str.isalnum, text)) in "".join(filter(str.isalnum, told)):
        return []
    block = etree.Element("p")
    block.text = text
    return [block]


def _label(label: etree._Element | None) -> str:
    return clean_label(whole_text(label)) if label is not None else ""


def _graphics(element: etree._Element) -> list[list[Rendition]]:
    """Give the pictures that belong to this figure and not to one inside it."""
    found: list[list[Rendition]] = []

    def collect(parent: etree._Element) -> None:
        for child in parent:
            if child.tag == "graphic":
                _add(found, [child])
            elif child.tag == "alternatives":
                _add(found, [node for node in child if node.tag == "graphic"])
            elif child.tag not in ("fig", "fig-group", "table-wrap", "inline-formula", "disp-formula"):
                collect(child)

    collect(element)
    return found


def _add(found: list[list[Rendition]], graphics: list[etree._Element]) -> None:
    renditions = []
    for graphic in graphics:
        href = attribute(graphic, "href").strip()
        if href:
            hints = (graphic.get("content-type") or "", graphic.get("specific-use") or "")
            renditions.append(Rendition(href, any(word in hint.lower() for hint in hints for word in _THUMBNAIL)))
    if not renditions:
        return
    renditions.sort(
        key=lambda rendition: (rendition.is_thumbnail, _EXTENSION_RANK.get(extension_of(rendition.href), 0))
    )
    for present in found:
        if {_stem(rendition.href) for rendition in present} & {_stem(rendition.href) for rendition in renditions}:
            present.extend(rendition for rendition in renditions if rendition not in present)
            present.sort(
                key=lambda rendition: (rendition.is_thumbnail, _EXTENSION_RANK.get(extension_of(rendition.href), 0))
            )
            return
    found.append(renditions)


def extension_of(href: str) -> str:
    """Give a known image extension in lower case; empty when the name ends in anything else (`.001`, `.g001`)."""
    extension = href.rpartition(".")[2].lower()
    return extension if "." in href and extension in _EXTENSION_RANK else ""


def _stem(href: str) -> str:
    extension = extension_of(href)
    return href[: -len(extension) - 1] if extension else href


def _translations(group: etree._Element, members: list[etree._Element], language: str) -> FigureDraft | None:
    languages = [_language(member) for member in members]
    if len(members) < 2 or len(set(languages)) != len(members) or not all(languages):
        return None
    drafts = [_figure(member) for member in members]
    with_graphics = [draft for draft in drafts if draft.graphics]
    if len(with_graphics) != 1:
        return None
    main = next((i for i, code in enumerate(languages) if code == language), drafts.index(with_graphics[0]))
    draft = drafts[main]
    others = {
        languages[i]: other.caption_blocks for i, other in enumerate(drafts) if i != main and other.caption_blocks
    }
    return FigureDraft(
        [i for i in (group.get("id") or "", *(i for one in drafts for i in one.element_ids)) if i],
        draft.label,
        with_graphics[0].graphics,
        draft.caption_blocks,
        others,
    )


def _language(element: etree._Element) -> str:
    for key, value in element.items():
        if key.rpartition("}")[2] == "lang":
            return value
    return ""


def _panels(group: etree._Element, members: list[etree._Element]) -> FigureDraft | None:
    """Read a group with a label of its own over unlabelled or lettered members as one figure."""
    label, caption = group.find("label"), group.find("caption")
    if label is None or not whole_text(label).strip():
        return None
    drafts = [_figure(member) for member in members]
    if not all(not draft.label or _PANEL_LABEL.match(draft.label) for draft in drafts):
        return None
    blocks = list(caption) if caption is not None else []
    for member in members:
        blocks.extend(block for block in member if block.tag in ("label", "caption", "p", "attrib"))
    return FigureDraft(
        [i for i in (group.get("id") or "", *(i for draft in drafts for i in draft.element_ids)) if i],
        _label(label),
        [graphic for draft in drafts for graphic in draft.graphics],
        blocks,
    )
