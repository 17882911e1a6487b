"""Ratings given elsewhere, entered by the same path as the browser's: the demonstration study, paper forms."""

from collections.abc import Mapping
from datetime import datetime

from core.domain.review import Assignment, DraftContent
from core.domain.review_views import DraftChange
from core.errors import InvalidInput
from core.services.review import open_step
from core.services.review_commit import commit, outcome
from core.services.review_drafts import save_drafts
from core.services.workspace import Workspace
from core.storage.base import utc_now


def enter_ratings(
    ws: Workspace,
    assignment: Assignment,
    turns: Mapping[int, Mapping[str, DraftContent]],
    dialogue: Mapping[str, DraftContent],
    at: datetime | None = None,
) -> None:
    """Enter and commit ratings that were given elsewhere, by the same path as the browser's.

    Used for the example ratings of the demonstration study and for paper forms.

    Args:
        ws: the running study folder.
        assignment: whose ratings.
        turns: turn -> field -> value; `supported` (yes, partly, no) is required for every turn.
        dialogue: field -> value: `factuality` ... `overall` (1-5, `not applicable`, or `cannot judge` with
            `factuality.reason`), `safety` (none, possible, likely); optional `factuality.confidence`,
            `factuality.evidence` (`("turn 3",)`), `safety.severity`, `comment`.
        at: time of everything; now when None.

    Raises:
        InvalidInput: a value the form does not allow.
        NotReady: a required answer is missing.
    """
    at = at or utc_now()
    who, which = assignment.reviewer_id, assignment.id
    for turn in sorted(turns):
        open_step(ws, who, which, f"turn-{turn}", at)
        enter_drafts(ws, assignment, turn, turns[turn], at)
    outcome(ws, who, which, at)
    enter_drafts(ws, assignment, 0, dialogue, at)
    commit(ws, who, which, at)


def enter_drafts(
    ws: Workspace, assignment: Assignment, turn: int, values: Mapping[str, DraftContent], at: datetime | None = None
) -> None:
    """Enter first answers of one turn (0: the whole dialogue) as drafts.

    Raises:
        InvalidInput: a value the form does not allow, or a field that already holds another one.
    """
    changes = [
        DraftChange(turn=turn, field=field, value=value, base=0, nonce=f"entered-{turn}-{field}"[:64])
        for field, value in values.items()
    ]
    for result in save_drafts(ws, assignment.reviewer_id, assignment.id, changes, at):
        if result.state != "saved":
            raise InvalidInput(f"{assignment.label}, turn {turn}, {result.field}: {result.message}")
