"""Everything a study has measured, as tidy tables: one at a time or bundled with their data dictionary."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import NotFound
from core.export.bundle import Row, as_csv, data_dictionary, write_bundle
from core.export.tables import TABLES, ExportTable
from core.services.export_rows import ExportRows
from core.services.progress import Progress, silent
from core.services.workspace import Workspace
from core.storage.counts import count_measured

__all__ = ["TableSummary", "dictionary_csv", "export_bundle", "export_table", "list_tables"]


@dataclass(frozen=True)
class TableSummary:
    """One table of an export: its name, what a row is, its columns, and how many rows it has now."""

    name: str
    row_is: str
    columns: tuple[str, ...]
    n_rows: int


def list_tables(workspace: Workspace) -> tuple[TableSummary, ...]:
    """Give every table with its present number of rows, in the order of the flow."""
    with workspace.store.read() as session:
        counted = count_measured(session)
    rows = ExportRows(workspace)
    return tuple(
        TableSummary(
            table.name,
            table.row_is,
            table.names,
            counted[table.name] if table.name in counted else sum(1 for _ in rows.of(table.name)),
        )
        for table in TABLES
    )


def export_table(workspace: Workspace, name: str) -> bytes:
    """Give one table as CSV in UTF-8 (with a byte order mark); only its header when it has no rows.

    Raises:
        NotFound: there is no table of this name.
    """
    table = _table(name)
    return as_csv(table, ExportRows(workspace).of(name))


def dictionary_csv() -> bytes:
    """Give the description of every column of every table as CSV."""
    return data_dictionary()


def export_bundle(workspace: Workspace, path: Path, progress: Progress = silent) -> Path:
    """Write a zip with every table, the data dictionary and the licence notices, and give its path.

    Reviewers stand in it by pseudonym only. Full texts of articles are not in it; items and sentences quote them, so
    each article's licence is in every row and in the read-me.
    """
    rows = ExportRows(workspace)
    tables = {table.name: _told(rows, table.name, number, progress) for number, table in enumerate(TABLES)}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bundle(path, tables, _notices(rows))
    return path


def _told(rows: ExportRows, name: str, number: int, progress: Progress) -> Iterator[Row]:
    progress(number, len(TABLES), name)
    yield from rows.of(name)


def _notices(rows: ExportRows) -> list[str]:
    notices = []
    for case_id, (report, _, _) in rows.reports.items():
        licence = report.licence
        if not licence.code:
            notices.append(f"{case_id}: the article states no licence. Ask its publisher before you pass texts on.")
        elif licence.forbids_adaptation or licence.forbids_commercial_use:
            limits = [
                text
                for forbids, text in (
                    (licence.forbids_adaptation, "no adaptations may be passed on"),
                    (licence.forbids_commercial_use, "no commercial use"),
                )
                if forbids
            ]
            notices.append(f"{case_id} is {licence.code}: {', '.join(limits)}. {licence.url}".strip())
    return notices


def _table(name: str) -> ExportTable:
    for table in TABLES:
        if table.name == name:
            return table
    raise NotFound(f"There is no table {name!r}.", f"Tables: {', '.join(table.name for table in TABLES)}.")
