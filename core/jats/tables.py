"""Tables as readable rows: label and caption, one line a row, cells parted by ` | `, footnotes below."""

from lxml import etree

from core.jats.citation_marks import without_citation_marks
from core.jats.inline import BREAK, LINE, Writer, visible, whole_text

_CELL = " | "
_SPAN_LIMIT = 200
_FOOT = ("table-wrap-foot", "fn-group", "fn", "attrib", "legend")


def write_table(writer: Writer, wrap: etree._Element) -> bool:
    """Write a `table-wrap`, `table-wrap-group` or `array` as lines.

    A cell that spans rows is repeated in each of them, so that every line can be read alone; a cell that spans
    columns is written once.

    Returns:
        False when the table has no rows of its own, which is how a table that is only a picture looks.
    """
    has_rows = False
    head: list[str] = []
    if wrap.text:
        writer.pieces.append(wrap.text)
    for child in wrap:
        if child.tag == "label":
            head.append(_flat(writer, child))
        elif child.tag in ("caption", "title"):
            head.append(_flat(writer, child))
        else:
            _write_head(writer, head)
            has_rows |= _write_member(writer, child)
        if child.tail:
            writer.pieces.append(child.tail)
    _write_head(writer, head)
    return has_rows


def _write_member(writer: Writer, child: etree._Element) -> bool:
    if child.tag == "table" and child.find("tgroup") is not None:
        return _write_cals(writer, child)
    if child.tag in ("table-wrap", "table"):
        writer.pieces.append(LINE)
        written = write_table(writer, child) if child.tag == "table-wrap" else _write_rows(writer, child)
        writer.pieces.append(LINE)
        return written
    if child.tag == "alternatives":
        table = child.find("table")
        _stray(writer, child.text)
        for inner in child:
            if inner is not table and whole_text(inner).strip():
                writer.ledger.leave_out("other renditions", whole_text(inner))
            _stray(writer, inner.tail)
        return table is not None and _write_rows(writer, table)
    if child.tag in ("tbody", "thead", "tr"):
        return _write_rows(writer, child)
    if child.tag in _FOOT:
        _write_foot(writer, child)
        return False
    if child.tag in ("oasis-table", "tgroup"):
        return _write_cals(writer, child)
    writer.block(child)
    return False


def _write_head(writer: Writer, head: list[str]) -> None:
    texts = [text for text in head if text.strip()]
    head.clear()
    if not texts:
        return
    writer.pieces.append(LINE)
    writer.pieces.append(texts[0])
    for text in texts[1:]:
        if writer.pieces[-1].rstrip()[-1:] not in ".:":
            writer.add(":")
        writer.pieces.append(" " + text)
    writer.pieces.append(LINE)


def _write_foot(writer: Writer, foot: etree._Element) -> None:
    if foot.tag in ("fn", "attrib"):
        writer.pieces.append(LINE)
        writer.pieces.append(_flat(writer, foot))
        writer.pieces.append(LINE)
        return
    if foot.text:
        writer.pieces.append(foot.text)
    for child in foot:
        _write_foot(writer, child) if child.tag in _FOOT else writer.block(child)
        if child.tail:
            writer.pieces.append(child.tail)


def _flat(writer: Writer, element: etree._Element) -> str:
    """Give the text of an element as one line."""
    return " ".join(part.strip() for part in writer.apart(element).split(LINE) if part.strip())


def _cell_text(writer: Writer, cell: etree._Element) -> str:
    if not len(cell):
        return " ".join(cell.text.split()) if cell.text else ""
    kept, writer.pieces = writer.pieces, []
    try:
        writer.content(cell)
        raw = "".join(writer.pieces).replace(BREAK, LINE)
    finally:
        writer.pieces = kept
    lines = [part.strip() for part in raw.split(LINE) if part.strip()]
    text = lines[0] if lines else ""
    for line in lines[1:]:
        if any(map(str.isdigit, text)) and any(map(str.isdigit, line)) and text[-1] not in ",;:-(":
            text += ";"
            writer.ledger.added += 1
        text += " " + line
    return text


def _write_rows(writer: Writer, table: etree._Element) -> bool:
    waiting: dict[int, tuple[int, str]] = {}
    written = False
    for row in _rows(writer, table):
        cells: list[str] = []
        column = 0
        for cell in row:
            if cell.tail and not cell.tail.isspace():
                _stray(writer, cell.tail)
            if cell.tag not in ("td", "th"):
                _stray(writer, whole_text(cell))
                continue
            if waiting:
                column = _repeat_spanning(writer, waiting, cells, column)
            text = _cell_text(writer, cell)
            cells.append(text)
            columns = _span(cell, "colspan")
            rows = _span(cell, "rowspan")
            if rows > 1:
                waiting[column] = (rows - 1, _unmarked(text))
                for further in range(column + 1, column + columns):
                    waiting[further] = (rows - 1, "")
            column += columns
        if waiting:
            _repeat_spanning(writer, waiting, cells, column)
        written |= _write_row(writer, cells)
    return written


def _repeat_spanning(writer: Writer, waiting: dict[int, tuple[int, str]], cells: list[str], column: int) -> int:
    """Add the cells that reach down into this row from `column` on, and give the next free column."""
    while column in waiting:
        left, text = waiting.pop(column)
        if left > 1:
            waiting[column] = (left - 1, text)
        cells.append(text)
        writer.ledger.added += visible(text)
        column += 1
    return column


def _rows(writer: Writer, table: etree._Element) -> list[etree._Element]:
    """Give the rows of a table itself, not of one inside a cell; text between rows is written where it stands."""
    if table.tag == "tr":
        _stray(writer, table.text)
        return [table]
    rows: list[etree._Element] = []
    _stray(writer, table.text)
    for child in table:
        if child.tag in ("thead", "tbody", "tfoot", "tr"):
            rows.extend(_rows(writer, child))
        elif child.tag not in ("colgroup", "col"):
            writer.block(child)
        _stray(writer, child.tail)
    return rows


def _stray(writer: Writer, text: str | None) -> None:
    """Write text that stands where a table has no place for it, on a line of its own."""
    if text and text.strip():
        writer.pieces.extend((LINE, text, LINE))


def _write_cals(writer: Writer, table: etree._Element) -> bool:
    """Write a table of the CALS exchange model (`row` and `entry`)."""
    written = False
    stray = visible(whole_text(table))
    for row in table.iter("row"):
        cells = list(row.iterchildren("entry"))
        stray -= sum(visible(whole_text(cell)) for cell in cells)
        written |= _write_row(writer, [_cell_text(writer, cell) for cell in cells])
    if stray > 0:
        writer.ledger.aside["stray text"] += stray
        writer.ledger.aside_visible += stray
    return written


def _write_row(writer: Writer, cells: list[str]) -> bool:
    filled = [cell for cell in cells if cell]
    if not filled:
        return False
    line = filled[0]
    if len(filled) > 1:
        line = _CELL.join(cells)
        writer.ledger.added += len(cells) - 1
    writer.pieces += (LINE, line, LINE)
    return True


def _unmarked(text: str) -> str:
    return "".join(char for char in without_citation_marks(text)[0] if char > "\x08")


def _span(cell: etree._Element, name: str) -> int:
    value = cell.get(name)
    if value is None or value == "1":
        return 1
    try:
        return min(max(int(value), 1), _SPAN_LIMIT)
    except ValueError:
        return 1
