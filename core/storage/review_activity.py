"""When reviewers did something, from the log and the saves."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, select

from core.storage.review_tables import DraftRow, ReviewEventTable


def activity_of(session: Session, assignment_ids: Sequence[str]) -> dict[str, list[datetime]]:
    """Give assignment id -> moments (UTC) of every logged action and saved change, oldest first; empty where none."""
    ids = list(assignment_ids)
    found: dict[str, list[datetime]] = {assignment_id: [] for assignment_id in ids}
    logged = select(ReviewEventTable.assignment_id, ReviewEventTable.at).where(ReviewEventTable.assignment_id.in_(ids))
    saved = select(DraftRow.assignment_id, DraftRow.saved_at).where(DraftRow.assignment_id.in_(ids))
    for query in (logged, saved):
        for assignment_id, at in session.exec(query):
            found[assignment_id].append(at)
    return {assignment_id: sorted(moments) for assignment_id, moments in found.items()}
