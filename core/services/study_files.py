"""A study's assignments as a CSV file, out and in again."""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core.errors import InvalidInput
from core.services.assigning import assign_pairs
from core.services.workspace import Workspace
from core.storage.base import utc_now
from core.storage.dialogues import list_dialogues
from core.storage.review_studies import get_study, list_assignments, list_reviewers

COLUMNS = ("reviewer", "label", "position", "dialogue_id", "state")
MAX_BYTES = 5_000_000


@dataclass(frozen=True)
class Entered:
    """What came of an assignment file.

    Attributes:
        n_new: assignments that were added.
        n_known: lines whose assignment was there already; they change nothing.
    """

    n_new: int
    n_known: int


def assignments_csv(ws: Workspace, study_id: str) -> str:
    """Give a study's assignments as CSV: reviewer, label, position, dialogue_id, state. Only the heading when empty.

    For the lead: a dialogue's id may tell its setting.

    Raises:
        NotFound: no such study.
    """
    with ws.store.read() as session:
        get_study(session, study_id)
        names = {r.id: r.name for r in list_reviewers(session)}
        rows = [
            (
                _harmless(names[a.reviewer_id]),
                a.label,
                a.position,
                a.dialogue_id,
                "committed" if a.is_committed else "set aside" if a.skipped_because else "open",
            )
            for a in list_assignments(session, study_id=study_id)
        ]
    file = io.StringIO()
    csv.writer(file).writerows([COLUMNS, *rows])
    return file.getvalue()


def _harmless(text: str) -> str:
    # A spreadsheet would run a cell that begins like this as a formula.
    return f"'{text}" if text[:1] in "=+-@\t\r" else text


def enter_assignments(ws: Workspace, study_id: str, text: str, at: datetime | None = None) -> Entered:
    """Add the assignments of a CSV file with the columns `reviewer` (name) and `dialogue_id`; others are ignored.

    Nothing is taken away and no label or place changes. All lines are entered, or none.

    Raises:
        NotFound: no such study.
        InvalidInput: the study is locked, a column is missing, a name or dialogue is unknown (with its line), or a
            reviewer of a blinded study has one of the dialogues in an open review.
    """
    if len(text.encode()) > MAX_BYTES:
        raise InvalidInput("The file is larger than 5 MB.", "Split it.")
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    absent = [name for name in ("reviewer", "dialogue_id") if name not in (reader.fieldnames or ())]
    if absent:
        raise InvalidInput(
            f"The file has no column {' and no column '.join(absent)}.", "Export the assignments to see the columns."
        )
    with ws.store.write() as session:
        study = get_study(session, study_id)
        if study.locked_at is not None:
            raise InvalidInput("This study is locked.", "Clone it, and enter the file there.")
        people = {_harmless(r.name).lower(): r.id for r in list_reviewers(session)}
        dialogues = {d.id for d in list_dialogues(session)}
        wanted: dict[str, list[str]] = {}
        for number, row in enumerate(reader, start=2):
            reviewer_id, dialogue_id = _pair(row, number, people, dialogues)
            if dialogue_id not in wanted.setdefault(reviewer_id, []):
                wanted[reviewer_id].append(dialogue_id)
        if not wanted:
            raise InvalidInput("The file has no line below its heading.", "Add one line per assignment.")
        n_new = assign_pairs(session, study, wanted, at or utc_now())
    return Entered(n_new=n_new, n_known=sum(map(len, wanted.values())) - n_new)


def _pair(
    row: Mapping[str, str | None], number: int, people: Mapping[str, str], dialogues: set[str]
) -> tuple[str, str]:
    name, dialogue_id = (row["reviewer"] or "").strip(), (row["dialogue_id"] or "").strip()
    if name.lower() not in people:
        raise InvalidInput(f"Line {number}: there is no reviewer {name!r}.", "Add the reviewer first.")
    if dialogue_id not in dialogues:
        raise InvalidInput(f"Line {number}: no dialogue {dialogue_id!r} is stored.", "Take the ids from an export.")
    return people[name.lower()], dialogue_id
