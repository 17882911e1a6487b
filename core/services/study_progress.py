"""How far a study is, how long it takes, and what reviewers report: for the lead, without a single score."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.domain.review import Assignment
from core.review.completeness import value_of
from core.services.workspace import Workspace
from core.storage.dialogues import turn_counts
from core.storage.review_activity import activity_of
from core.storage.review_repository import current_drafts
from core.storage.review_studies import get_study, list_assignments, list_reviewers

PAUSE_S = 120
"""A longer gap between two recorded actions counts as idle as a whole."""
FAST_S_PER_TURN = 10
"""Less active time a turn than this is marked as too fast to have read it."""


@dataclass(frozen=True)
class Times:
    """Time spent on a dialogue.

    Attributes:
        active_s, idle_s: seconds from the first to the last recorded action, gaps up to `PAUSE_S` active, others idle.
    """

    active_s: float
    idle_s: float


@dataclass(frozen=True)
class ReviewerProgress:
    """One reviewer's progress in a study.

    Attributes:
        reviewer_id, name: who.
        n_assigned, n_committed, n_in_progress, n_set_aside: dialogues.
        active_s, idle_s: seconds over all dialogues.
        median_active_s: of the committed dialogues; None without any.
        n_too_fast: committed dialogues with less than `FAST_S_PER_TURN` seconds of active time a turn.
        last_at: the last recorded action; None before the first.
    """

    reviewer_id: str
    name: str
    n_assigned: int
    n_committed: int
    n_in_progress: int
    n_set_aside: int
    active_s: float
    idle_s: float
    median_active_s: float | None
    n_too_fast: int
    last_at: datetime | None


@dataclass(frozen=True)
class Report:
    """What a reviewer tells the lead about a dialogue: a reason for setting it aside, or a marked problem."""

    label: str
    reviewer: str
    what: str


def times(moments: Sequence[datetime]) -> Times:
    """Give active and idle seconds between recorded actions, in any order; fewer than two give zero."""
    ordered = sorted(moments)
    gaps = [(later - earlier).total_seconds() for earlier, later in zip(ordered, ordered[1:], strict=False)]
    return Times(active_s=sum(gap for gap in gaps if gap <= PAUSE_S), idle_s=sum(gap for gap in gaps if gap > PAUSE_S))


def progress(ws: Workspace, study_id: str) -> tuple[ReviewerProgress, ...]:
    """Give one line per reviewer of a study, in the order they were added; empty while nobody is assigned.

    Raises:
        NotFound: no such study.
    """
    with ws.store.read() as session:
        get_study(session, study_id)
        assignments = list_assignments(session, study_id=study_id)
        moments = activity_of(session, [a.id for a in assignments])
        people = list_reviewers(session)
        dialogues = {a.dialogue_id for a in assignments if a.is_committed}
        sizes = turn_counts(session, dialogues)
    lines = []
    for person in people:
        mine = [a for a in assignments if a.reviewer_id == person.id]
        if mine:
            lines.append(_line(person.id, person.name, mine, moments, sizes))
    return tuple(lines)


def _line(
    reviewer_id: str,
    name: str,
    mine: Sequence[Assignment],
    moments: dict[str, list[datetime]],
    sizes: dict[str, int],
) -> ReviewerProgress:
    spent = {a.id: times(_until_commit(a, moments[a.id])) for a in mine}
    done = [a for a in mine if a.is_committed]
    active = [spent[a.id].active_s for a in done]
    seen = [moment for a in mine for moment in moments[a.id]]
    return ReviewerProgress(
        reviewer_id=reviewer_id,
        name=name,
        n_assigned=len(mine),
        n_committed=len(done),
        n_in_progress=sum(bool(moments[a.id]) and not a.is_committed and not a.skipped_because for a in mine),
        n_set_aside=sum(bool(a.skipped_because) and not a.is_committed for a in mine),
        active_s=sum(t.active_s for t in spent.values()),
        idle_s=sum(t.idle_s for t in spent.values()),
        median_active_s=statistics.median(active) if active else None,
        n_too_fast=sum(spent[a.id].active_s < FAST_S_PER_TURN * sizes[a.dialogue_id] for a in done),
        last_at=max(seen, default=None),
    )


def _until_commit(assignment: Assignment, moments: Sequence[datetime]) -> list[datetime]:
    """What is done after the commit, reading the judge's results, is not time of rating."""
    end = assignment.committed_at
    return [moment for moment in moments if end is None or moment <= end]


def reports(ws: Workspace, study_id: str) -> tuple[Report, ...]:
    """Give why dialogues were set aside and which problems were marked, by label; empty when there are none.

    Raises:
        NotFound: no such study.
    """
    with ws.store.read() as session:
        get_study(session, study_id)
        assignments = list_assignments(session, study_id=study_id)
        drafts = current_drafts(session, [a.id for a in assignments])
        names = {r.id: r.name for r in list_reviewers(session)}
    found = []
    for assignment in assignments:
        common = {"label": assignment.label, "reviewer": names[assignment.reviewer_id]}
        if assignment.skipped_because:
            found.append(Report(**common, what=f"set aside: {assignment.skipped_because}"))
        for problem in value_of(drafts[assignment.id], 0, "does_not_follow") or ():
            found.append(Report(**common, what=problem))
    return tuple(sorted(found, key=lambda report: (int(report.label.rsplit(" ", 1)[-1]), report.reviewer)))
