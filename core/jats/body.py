"""The body as parts in reading order: sections with path and role, tables, boxes, declarations, captions of extras."""

from dataclasses import dataclass, field

from lxml import etree

from core.domain.article import PartKind, SectionRole
from core.jats.figures import clean_label
from core.jats.inline import LINE, Ledger, Links, Writer, collapsed, split_citations, visible, whole_text
from core.jats.roles import plain_title, role_of_section, role_of_title
from core.jats.tables import write_table
from core.jats.xml import attribute

_ASIDE_ROLES = {
    SectionRole.DECLARATION: (PartKind.DECLARATION, "declarations"),
    SectionRole.LEARNING_POINTS: (PartKind.BOX, "key points"),
}
_TABLES = ("table-wrap", "table-wrap-group", "array")
_EXTRAS = ("supplementary-material", "media")
_FIGURES = ("fig", "fig-group")
_TITLES = frozenset({"title", "label"})
_FLOATS = frozenset({*_TABLES, *_EXTRAS, *_FIGURES, "boxed-text", "graphic"})
_NOTES = frozenset({"fn", "fn-group", "notes"})


@dataclass
class Draft:
    """A part while it is written: `text` is final, `cited` names the figures of each citation range in it."""

    id: str
    kind: PartKind
    role: SectionRole
    path: tuple[str, ...]
    text: str = ""
    citations: list[tuple[int, int, tuple[str, ...]]] = field(default_factory=list)
    aside: str = ""
    in_body: bool = True

    def extend(self, marked: str, cited: list[tuple[str, ...]]) -> None:
        """Append lines whose figure citations are still marked; `cited` names their figures in order."""
        if not marked:
            return
        plain, ranges = split_citations(marked)
        offset = len(self.text) + 1 if self.text else 0
        self.text = f"{self.text}\n{plain}" if self.text else plain
        self.citations.extend(
            (offset + start, offset + end, figures) for (start, end), figures in zip(ranges, cited, strict=False)
        )


@dataclass(frozen=True)
class _Place:
    """Where in the article text stands, and what the parts made of it are; an empty id is the body's own."""

    path: tuple[str, ...]
    role: SectionRole | None
    part_id: str
    kind: PartKind
    aside: str
    in_body: bool


class PartsReader:
    """Turns the elements of one article into drafts of parts, and keeps the books on their characters."""

    def __init__(self, links: Links, ledger: Ledger, warnings: list[str]) -> None:
        self.links = links
        self.ledger = ledger
        self.warnings = warnings
        self.drafts: list[Draft] = []
        self._numbers: dict[str, int] = {}

    def read_body(self, body: etree._Element) -> None:
        """Read the body: paragraphs outside any section make parts with an empty path."""
        self._blocks(body, _Place((), None, "", PartKind.SECTION, "", True))

    def read_back(self, element: etree._Element, title: str, kind: PartKind) -> None:
        """Read something that follows the body into parts of that kind, in a path that starts with its title."""
        name = plain_title(title)
        role = role_of_title(name) if name else None
        if role is SectionRole.LEARNING_POINTS:
            kind = PartKind.BOX
        elif role is SectionRole.DECLARATION:
            # Abbreviations are no declaration: the leak audit reads them.
            kind = (
                PartKind.BACK
                if name.lower().startswith(("abbrev", "list of abbrev", "append"))
                else PartKind.DECLARATION
            )
        else:
            role = SectionRole.DECLARATION if kind is PartKind.DECLARATION else SectionRole.OTHER
        path = (name,) if name else ()
        self._blocks(element, _Place(path, role, self._next("b"), kind, "back matter", False))

    def read_float(self, element: etree._Element) -> None:
        """Read a float that stands outside the body; its role is settled by the section that cites it."""
        self._float(element, (), SectionRole.OTHER, in_body=False)

    def caption_text(self, elements: list[etree._Element], part_id: str, path: tuple[str, ...] = ()) -> Draft | None:
        """Give a caption part from its elements, each on lines of its own; None when they hold no text."""
        writer = Writer(self.links, self.ledger)
        for element in elements:
            writer.block(element)
        text, _ = split_citations(writer.take())
        for element in writer.floats:
            if element.tag in _EXTRAS:
                self._extra(element, path, False)
        if not text:
            return None
        return Draft(part_id, PartKind.CAPTION, SectionRole.OTHER, path, text, aside="captions")

    def _next(self, prefix: str) -> str:
        self._numbers[prefix] = number = self._numbers.get(prefix, 0) + 1
        return f"{prefix}{number}"

    def _blocks(self, parent: etree._Element, place: _Place) -> None:
        """Read the children of a body or section; the text after a subsection makes a further part, in its place."""
        writer = Writer(self.links, self.ledger)
        if parent.text:
            writer.pieces.append(parent.text)
        stretches = sections = 0
        for child in parent:
            tag = child.tag
            if tag == "sec" or (tag == "app" and not place.in_body):
                stretches += self._stretch(writer, place, stretches)
                sections += 1
                self._section(child, place, sections)
            elif tag in _TITLES:
                if place.in_body:
                    self.ledger.leave_out("section titles", whole_text(child))
            elif tag in _FLOATS:
                writer.pieces.append(LINE)
                writer.floats.append(child)
            elif tag in ("ref-list", "sec-meta"):
                if place.in_body:
                    self.ledger.leave_out("references" if tag == "ref-list" else "permissions", whole_text(child))
            elif tag in _NOTES:
                writer.notes(child)
            else:
                writer.block(child)
            if child.tail:
                writer.pieces.append(child.tail)
        self._stretch(writer, place, stretches)

    def _stretch(self, writer: Writer, place: _Place, count: int) -> int:
        """Make a part of what the writer holds, then read its floats; give the number of parts made (0 or 1)."""
        marked, floats, cited = writer.take(), writer.floats, writer.cited
        writer.floats, writer.cited = [], []
        tables = [element for element in floats if element.tag in _TABLES] if place.kind is not PartKind.SECTION else []
        made = bool(marked or tables)
        if made:
            # The first stretch bears the section's own id; stretches between and after subsections add a letter.
            further = "" if count == 0 else chr(ord("a") + count) if count < 26 else f"z{count}"
            draft = Draft(
                (place.part_id or "s0") + further, place.kind, place.role or SectionRole.OTHER, place.path,
                aside=place.aside, in_body=place.in_body,
            )  # fmt: skip
            self.drafts.append(draft)
            draft.extend(marked, cited)
            for table in tables:
                self._inline_float(draft, table)
            if not draft.text:
                self.drafts.remove(draft)
        for element in floats:
            if element not in tables:
                self._float(element, place.path, place.role or SectionRole.OTHER, place.in_body)
        return int(made)

    def _section(self, section: etree._Element, around: _Place, number: int) -> None:
        title_element = section.find("title")
        title = plain_title(self._title_text(title_element)) if title_element is not None else ""
        role = role_of_section(title, section.get("sec-type") or "", around.role)
        kind, aside = around.kind, around.aside
        if kind is PartKind.SECTION and role in _ASIDE_ROLES:
            kind, aside = _ASIDE_ROLES[role]
        part_id = f"{around.part_id}.{number}" if around.part_id else f"s{number}"
        path = (*around.path, title) if title else around.path
        self._blocks(section, _Place(path, role, part_id, kind, aside, around.in_body))

    def _title_text(self, title: etree._Element) -> str:
        writer = Writer(self.links, Ledger())
        writer.content(title)
        return split_citations(writer.take())[0].replace("\n", " ")

    def _inline_float(self, draft: Draft, element: etree._Element) -> None:
        """Write a table into the running text of a part that is set aside as a whole."""
        writer = Writer(self.links, self.ledger)
        write_table(writer, element)
        draft.extend(writer.take(), writer.cited)
        self._floats(writer, draft.path, draft.role, draft.in_body)

    def _floats(self, writer: Writer, path: tuple[str, ...], role: SectionRole, in_body: bool) -> None:
        for element in writer.floats:
            self._float(element, path, role, in_body)

    def _float(self, element: etree._Element, path: tuple[str, ...], role: SectionRole, in_body: bool) -> None:
        tag = element.tag
        if tag in _FIGURES:
            if in_body:
                self._book_figure(element)
            else:
                for table in element.iter(*_TABLES):
                    self._table(table, path, role, False)
        elif tag in _TABLES:
            self._table(element, path, role, in_body)
        elif tag in ("boxed-text", "fn", "fn-group"):
            self._box(element, path, in_body, "boxes" if tag == "boxed-text" else "footnotes")
        elif tag in _EXTRAS:
            self._extra(element, path, in_body)
        elif tag == "floats-wrap":
            for child in element:
                self._float(child, path, role, in_body)
                if in_body and child.tail and child.tail.strip():
                    self.ledger.leave_out("stray text", child.tail)
            if in_body and element.text and element.text.strip():
                self.ledger.leave_out("stray text", element.text)
        elif whole_text(element).strip() and in_body:
            self.ledger.leave_out("alternative texts", whole_text(element))

    def _book_figure(self, element: etree._Element) -> None:
        """Book a figure's own text; its caption becomes a part when the figures are read."""
        tables = list(element.iter(*_TABLES))
        text = whole_text(element)
        self.ledger.leave_out("captions", text)
        for table in tables:
            # A figure that wraps a table: its rows are text of the article and are kept beside the caption.
            self.ledger.aside["captions"] -= collapsed(whole_text(table))
            self.ledger.aside_visible -= visible(whole_text(table))
            self._table(table, (), SectionRole.OTHER, True)

    def _table(self, element: etree._Element, path: tuple[str, ...], role: SectionRole, in_body: bool) -> None:
        writer = Writer(self.links, self.ledger)
        has_rows = write_table(writer, element)
        draft = Draft(self._next("t"), PartKind.TABLE, role, path, in_body=in_body)
        draft.extend(writer.take(), writer.cited)
        if draft.text:
            self.drafts.append(draft)
        if not has_rows:
            name = draft.text.split("\n")[0][:80] or "A table"
            self.warnings.append(f"{name}: the table is a picture, its values are not in the text.")
        self._floats(writer, path, role, in_body)

    def _box(self, element: etree._Element, path: tuple[str, ...], in_body: bool, name: str) -> None:
        writer = Writer(self.links, self.ledger)
        writer.content(element) if element.tag == "boxed-text" else writer.notes(element)
        kind = PartKind.BOX if name == "boxes" else PartKind.BACK
        draft = Draft(
            self._next("box" if name == "boxes" else "fn"), kind, SectionRole.OTHER, path, aside=name, in_body=in_body
        )
        pending, writer.floats = writer.floats, []
        draft.extend(writer.take(), writer.cited)
        for inner in pending:
            if inner.tag in _TABLES or inner.tag in ("fn", "fn-group"):
                self._inline_float(draft, inner) if inner.tag in _TABLES else self._float(
                    inner, path, draft.role, in_body
                )
            else:
                self._float(inner, path, draft.role, in_body)
        if draft.text:
            self.drafts.append(draft)

    def _extra(self, element: etree._Element, path: tuple[str, ...], in_body: bool) -> None:
        """Read a supplementary file or film: its caption is stored, its file is named in a warning."""
        href = attribute(element, "href")
        if href:
            label = element.find("label")
            name = clean_label(whole_text(label)) if label is not None else ""
            self.warnings.append(f"{name or 'Supplementary file'}: {href} is not a figure and is not imported.")
        writer = Writer(self.links, self.ledger)
        writer.content(element)
        text, _ = split_citations(writer.take())
        if text:
            part_id = self._next("supp") + ".caption"
            self.drafts.append(
                Draft(part_id, PartKind.CAPTION, SectionRole.OTHER, path, text, aside="captions", in_body=in_body)
            )
        self._floats(writer, path, SectionRole.OTHER, in_body)
