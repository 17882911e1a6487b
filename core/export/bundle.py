"""Writes tidy tables as CSV and bundles them with their data dictionary."""

import csv
import io
import zipfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import TextIO

from core.export.tables import TABLES, ExportTable

Cell = str | int | float | bool | datetime | Enum | tuple | None
Row = Mapping[str, Cell]

_MARK = b"\xef\xbb\xbf"
COMPRESSION = 1
"""Of the zip: tables shrink to a twentieth even so, and a higher level takes several times as long."""

# A cell that begins like this would be run as a formula by spreadsheet programs.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

_README = """CaseRounds export
=================

Each CSV file is a tidy table in UTF-8: one row per thing, one column per property. `data_dictionary.csv` describes
every column of every table. An empty cell is an absent value (not rated, not scored, not stated), never a zero.

Rows with is_demonstration = true rest on material written by hand for the demonstration study: no output of a named
model and no judgement of real clinicians. Rows with is_rules_baseline = true come from a deterministic baseline.

A text that begins with = + - or @ is written with an apostrophe before it, so that no spreadsheet program runs it.

Licences
--------
The licence of each article stands in every row that rests on it (article_licence) and in articles.csv.
"""


def as_csv(table: ExportTable, rows: Iterable[Row]) -> bytes:
    """Give a table as CSV in UTF-8 with a byte order mark (Excel reads it as UTF-8 only then).

    Raises:
        KeyError: a row lacks a column of the table or has one that is not described.
    """
    out = io.StringIO()
    _write(out, table, rows)
    return _MARK + out.getvalue().encode("utf-8")


def _write(out: TextIO, table: ExportTable, rows: Iterable[Row]) -> None:
    writer = csv.writer(out, lineterminator="\r\n")
    names = table.names
    writer.writerow(names)
    known, n = frozenset(names), len(names)
    for row in rows:
        # The count alone tells whether a row that has every name also has others.
        if len(row) != n or not known.issuperset(row):
            wrong = sorted(row.keys() ^ known)
            raise KeyError(f"a row of {table.name} does not fit its description: {', '.join(wrong)}")
        # Most of a million rows' cells are plain texts: they are written as they are without a call for each.
        writer.writerow(
            [
                value if type(value) is str and value[:1] not in _FORMULA else _cell(value)
                for value in map(row.__getitem__, names)
            ]
        )


def data_dictionary() -> bytes:
    """Give the description of every column of every table as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(["table", "row_is", "column", "description", "values"])
    for table in TABLES:
        for column in table.columns:
            writer.writerow([table.name, table.row_is, column.name, column.description, column.values])
    return _MARK + out.getvalue().encode("utf-8")


def write_bundle(path: Path, tables: Mapping[str, Iterable[Row]], licence_notices: Iterable[str]) -> None:
    """Write a zip of all tables, the data dictionary and a read-me with the licence notices.

    The file appears under its name only when complete.

    Args:
        path: the zip file.
        tables: rows by table name; every table of `TABLES` must be there, with no rows when there are none.
        licence_notices: one sentence per article whose licence asks for care; they go into the read-me.
    """
    part = path.with_name(path.name + ".part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=COMPRESSION) as archive:
            for table in TABLES:
                with archive.open(f"{table.name}.csv", "w", force_zip64=True) as file:
                    # Row by row: the matches of a large study are never in memory at once.
                    file.write(_MARK)
                    out = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=False)
                    _write(out, table, tables[table.name])
                    out.flush()
                    out.detach()
            archive.writestr("data_dictionary.csv", data_dictionary())
            archive.writestr("README.txt", _README + "".join(f"- {notice}\n" for notice in licence_notices))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _cell(value: Cell) -> str:
    if type(value) is str:
        return "'" + value if value.startswith(_FORMULA) else value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Enum):
        return _cell(value.value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, tuple):
        return _text("; ".join(_cell(part) for part in value))
    if isinstance(value, float):
        return repr(value)
    return _text(value) if isinstance(value, str) else str(value)


def _text(value: str) -> str:
    return "'" + value if value.startswith(_FORMULA) else value
