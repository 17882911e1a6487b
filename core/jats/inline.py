"""The text of paragraphs and whatever stands inside them, with its figure citations marked."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from lxml import etree

from core.jats.citation_marks import CLOSE, OPEN, without_citation_marks
from core.jats.formulas import mathml_text, tex_text
from core.jats.scripts import subscript, superscript

LINE = "\x07"
"""Stands for a line break while text is collected; XML cannot hold it, white space in the source is no line break."""
BREAK = "\x08"
"""Stands for a `break` element: white space in prose, a line in a table cell."""
CITE, CITED = "\x01", "\x02"
"""Start and end of a figure citation while text is collected."""

_CONTROL = re.compile("[\x01-\x08]")


def visible(text: str) -> int:
    """Give the number of characters that are not white space."""
    return sum(map(len, text.split()))


def collapsed(text: str) -> int:
    """Give the number of characters when each run of white space counts as one and none at the ends."""
    return len(" ".join(text.split()))


def whole_text(element: etree._Element) -> str:
    """Give every text inside an element, in order, as it stands in the source."""
    return str(_STRING(element)) if len(element) else element.text or ""


_STRING = etree.XPath("string()", smart_strings=False)


@dataclass
class Ledger:
    """What became of each visible character of a text: the books from which a loss would show.

    Attributes:
        aside: name of what was set aside -> characters of it, white space collapsed.
        aside_visible: visible characters of the source that went into no part at all.
        added: visible characters in parts that the source does not have (bullets, cell separators, carets).
    """

    aside: Counter[str] = field(default_factory=Counter)
    aside_visible: int = 0
    added: int = 0

    def leave_out(self, name: str, text: str) -> None:
        """Book a text that goes into no part."""
        plain = " ".join(text.split())
        self.aside[name] += len(plain)
        self.aside_visible += len(plain) - plain.count(" ")


@dataclass(frozen=True)
class Links:
    """What the ids of an article stand for."""

    figures: frozenset[str]
    references: frozenset[str]


class Writer:
    """Collects the text of blocks; `floats` are the figures, tables and boxes met on the way, left out of the text."""

    def __init__(self, links: Links, ledger: Ledger) -> None:
        self.links = links
        self.ledger = ledger
        self.pieces: list[str] = []
        self.cited: list[tuple[str, ...]] = []
        self.floats: list[etree._Element] = []

    def block(self, element: etree._Element) -> None:
        """Write an element on lines of its own."""
        self.pieces.append(LINE)
        handler = _HANDLERS.get(element.tag)
        if handler is None:
            self.content(element)
        else:
            handler(self, element)
        self.pieces.append(LINE)

    def notes(self, element: etree._Element) -> None:
        """Write footnotes and groups of them in place, each on lines of its own."""
        if element.text:
            self.pieces.append(element.text)
        for child in element:
            if child.tag in ("fn", "fn-group", "notes"):
                self.notes(child)
            else:
                self.block(child)
            if child.tail:
                self.pieces.append(child.tail)

    def content(self, element: etree._Element) -> None:
        """Write the text and children of an element."""
        pieces = self.pieces
        if element.text:
            pieces.append(element.text)
        for child in element:
            handler = _HANDLERS.get(child.tag)
            if handler is not None:
                handler(self, child)
            elif len(child):
                self.content(child)
            elif text := child.text:
                pieces.append(text)
            if tail := child.tail:
                pieces.append(tail)

    def apart(self, element: etree._Element) -> str:
        """Give the text of an element without writing it; floats and citations in it are kept in order."""
        if not len(element):
            return element.text or ""
        kept, self.pieces = self.pieces, []
        try:
            self.content(element)
            return "".join(self.pieces)
        finally:
            self.pieces = kept

    def mark(self, text: str) -> None:
        """Write a text as the mark of a bibliographic citation."""
        if inner := text.count(CITE):
            del self.cited[-inner:]
        if not text.isprintable():
            text = _CONTROL.sub(" ", text)
        self.pieces.append(f"{OPEN}{text}{CLOSE}")

    def add(self, text: str) -> None:
        """Write characters that the source does not have."""
        self.ledger.added += visible(text)
        self.pieces.append(text)

    def take(self) -> str:
        """Give the collected text as lines, citation marks removed, figure citations still marked, and start anew."""
        raw = "".join(self.pieces).replace(BREAK, " ")
        self.pieces = []
        if OPEN in raw:
            raw, removed = without_citation_marks(raw)
            self.ledger.aside["citation marks"] += removed
            self.ledger.aside_visible += removed
        lines = [" ".join(line.split()) for line in raw.split(LINE) if line]
        return "\n".join(filter(None, lines))


def split_citations(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Give the text without its marks, and start and end of each figure citation in it, in order."""
    if CITE not in text:
        return text, []
    pieces: list[str] = []
    starts: list[int] = []
    ranges: list[tuple[int, int]] = []
    at = length = 0
    for match in _CONTROL.finditer(text):
        piece = text[at : match.start()]
        pieces.append(piece)
        length += len(piece)
        at = match.end()
        if match.group() == CITE:
            starts.append(length)
            ranges.append((length, length))
        elif match.group() == CITED and starts:
            ranges[len(starts) - 1] = (starts[-1], length)
    pieces.append(text[at:])
    return "".join(pieces), ranges


def _leave_out(name: str) -> Callable[[Writer, etree._Element], None]:
    def handler(writer: Writer, element: etree._Element) -> None:
        text = whole_text(element)
        if text:
            writer.ledger.leave_out(name, text)

    return handler


def _float(writer: Writer, element: etree._Element) -> None:
    writer.floats.append(element)
    writer.pieces.append(" ")


def _lines(writer: Writer, element: etree._Element) -> None:
    writer.pieces.append(LINE)
    writer.content(element)
    writer.pieces.append(LINE)


def _break(writer: Writer, element: etree._Element) -> None:
    writer.pieces.append(BREAK)
    writer.content(element)


def _sup(writer: Writer, element: etree._Element) -> None:
    text = writer.apart(element)
    if OPEN in text:
        rest = re.sub(f"{OPEN}[^{CLOSE}]*{CLOSE}", "", text)
        is_mark = not any(char.isalpha() for char in rest)
        if is_mark:
            writer.mark(text)
        else:
            writer.pieces.append(text)
        return
    if CITE in text or LINE in text:
        writer.pieces.append(text)
        return
    written = superscript(text)
    writer.ledger.added += len(written) - len(text)
    writer.pieces.append(written)


def _sub(writer: Writer, element: etree._Element) -> None:
    text = writer.apart(element)
    writer.pieces.append(text if CITE in text or OPEN in text else subscript(text))


def _xref(writer: Writer, element: etree._Element) -> None:
    kind = element.get("ref-type") or ""
    rids = element.get("rid", "").split()
    figures = () if kind == "bibr" else tuple(rid for rid in rids if rid in writer.links.figures)
    if figures or kind == "fig":
        writer.cited.append(figures)
        writer.pieces.append(CITE)
        writer.content(element)
        writer.pieces.append(CITED)
    elif kind == "bibr" or (not kind and rids and all(rid in writer.links.references for rid in rids)):
        text = writer.apart(element)
        if text.strip():
            writer.mark(text)
    else:
        writer.content(element)


def _formula(writer: Writer, element: etree._Element, text: str) -> None:
    writer.ledger.added += visible(text) - visible(whole_text(element))
    if text:
        writer.pieces.append(text)


def _math(writer: Writer, element: etree._Element) -> None:
    _formula(writer, element, mathml_text(element))


def _tex(writer: Writer, element: etree._Element) -> None:
    source = whole_text(element)
    text = tex_text(source)
    writer.ledger.aside["formula source"] += max(0, collapsed(source) - len(text))
    _formula(writer, element, text)


_RICHEST = ("math", "tex-math", "textual-form", "table", "chem-struct", "array", "p")


def _alternatives(writer: Writer, element: etree._Element) -> None:
    """Write one rendition of several: readable text first, pictures only when there is nothing else."""
    children = list(element)
    order = {tag: rank for rank, tag in enumerate(_RICHEST)}
    chosen = min(children, key=lambda child: order.get(child.tag, len(order)), default=None)
    if element.text:
        writer.pieces.append(element.text)
    for child in children:
        if child is chosen:
            _handle(writer, child)
        elif whole_text(child).strip():
            writer.ledger.leave_out("other renditions", whole_text(child))
        if child.tail:
            writer.pieces.append(child.tail)


def _list(writer: Writer, element: etree._Element) -> None:
    ordered = element.get("list-type") in ("order", "ordered")
    number = 0
    if element.text:
        writer.pieces.append(element.text)
    for child in element:
        if child.tag == "list-item":
            number += 1
            _list_item(writer, child, f"{number}. " if ordered else "• ")
        else:
            writer.block(child)
        if child.tail:
            writer.pieces.append(child.tail)


def _list_item(writer: Writer, item: etree._Element, mark: str) -> None:
    """Write an item on a line of its own; a label that says something replaces the mark, a printed bullet does not."""
    writer.pieces.append(LINE)
    label = item.find("label")
    text = " ".join(writer.apart(label).split()) if label is not None else ""
    if len(text) == 1 and not text.isalnum() and text >= " ":
        writer.ledger.leave_out("labels", text)
        text = ""
    if text:
        writer.pieces.append(text + " ")
    else:
        writer.add(mark)
    if item.text:
        writer.pieces.append(item.text)
    first = True
    for inner in item:
        if inner is not label:
            if first and inner.tag in ("p", "title"):
                writer.content(inner)
            else:
                _handle(writer, inner)
            first = False
        if inner.tail:
            writer.pieces.append(inner.tail)
    writer.pieces.append(LINE)


def _handle(writer: Writer, element: etree._Element) -> None:
    handler = _HANDLERS.get(element.tag)
    if handler is None:
        writer.content(element)
    else:
        handler(writer, element)


def _def_item(writer: Writer, element: etree._Element) -> None:
    writer.pieces.append(LINE)
    if element.text:
        writer.pieces.append(element.text)
    for position, child in enumerate(element):
        if child.tag == "def" and position:
            writer.add(": ")
        if child.tag in ("term", "def"):
            writer.pieces.append(writer.apart(child).replace(LINE, " "))
        else:
            _handle(writer, child)
        if child.tail:
            writer.pieces.append(child.tail)
    writer.pieces.append(LINE)


def _cell(writer: Writer, element: etree._Element) -> None:
    writer.content(element)
    writer.pieces.append(" ")


def _labelled(writer: Writer, element: etree._Element) -> None:
    writer.content(element)
    writer.pieces.append(" ")


_HANDLERS: dict[str, Callable[[Writer, etree._Element], None]] = {
    "sup": _sup,
    "sub": _sub,
    "xref": _xref,
    "math": _math,
    "tex-math": _tex,
    "alternatives": _alternatives,
    "list": _list,
    "def-item": _def_item,
    "disp-formula": _lines,
    "label": _labelled,
    "break": _break,
    "td": _cell,
    "th": _cell,
    **dict.fromkeys(
        (
            "p", "title", "disp-quote", "def-list", "verse-group", "verse-line", "statement", "speech", "attrib",
            "subtitle", "def-head", "term-head", "disp-formula-group", "preformat", "code", "sec", "question", "answer",
            "question-wrap", "explanation", "tr",
        ),
        _lines,
    ),
    **dict.fromkeys(
        (
            "fig", "fig-group", "table-wrap", "table-wrap-group", "boxed-text", "supplementary-material", "media",
            "graphic", "fn", "fn-group", "array", "floats-wrap",
        ),
        _float,
    ),
    "inline-graphic": _leave_out("alternative texts"),
    "inline-media": _leave_out("alternative texts"),
    "inline-supplementary-material": lambda writer, element: writer.content(element),
    "object-id": _leave_out("identifiers"),
    "index-term": _leave_out("index terms"),
    "private-char": _leave_out("alternative texts"),
    "alt-text": _leave_out("alternative texts"),
    "long-desc": _leave_out("alternative texts"),
    "permissions": _leave_out("permissions"),
    "sec-meta": _leave_out("permissions"),
}  # fmt: skip
