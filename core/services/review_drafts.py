"""Saving what a reviewer enters, change by change."""

from collections.abc import Sequence
from datetime import datetime

from core.domain.review import Draft
from core.domain.review_views import DraftChange, SaveResult
from core.review.form import DIMENSION_FIELDS, fields_of, problem_with, turn_questions
from core.services.review_access import Opened, open_assignment
from core.services.workspace import Workspace
from core.storage.base import Session, utc_now
from core.storage.review_repository import add_draft, has_nonce, newest_draft


def save_drafts(
    ws: Workspace,
    reviewer_id: str,
    assignment_id: str,
    changes: Sequence[DraftChange],
    at: datetime | None = None,
) -> tuple[SaveResult, ...]:
    """Store what a reviewer entered, each change as a row, and say what became of each.

    A change sent twice is stored once. One that was made on an older revision than the stored one, and not by the same
    browser in one go, is a conflict: nothing is overwritten. One that the form does not allow is refused with a
    sentence.

    Raises:
        NotFound: not this reviewer's, or gone.
    """
    at = at or utc_now()
    with ws.store.write() as session:
        opened = open_assignment(session, reviewer_id, assignment_id, lock=True)
        return tuple(_save(session, opened, change, at) for change in changes)


def _save(session: Session, opened: Opened, change: DraftChange, at: datetime) -> SaveResult:
    assignment_id = opened.assignment.id
    result = {"turn": change.turn, "field": change.field, "nonce": change.nonce}
    if has_nonce(session, assignment_id, change.turn, change.field, change.nonce):
        return SaveResult(state="saved", **result)
    refusal = _refusal(opened, change)
    if refusal:
        return SaveResult(state="refused", message=refusal, **result)
    stored = newest_draft(session, assignment_id, change.turn, change.field)
    revision = stored.revision if stored else 0
    if stored and stored.value == change.value:
        return SaveResult(state="saved", **result)
    if revision != change.base and not (stored and stored.nonce in change.after):
        return SaveResult(state="conflict", message="A newer value was saved in another window.", **result)
    add_draft(
        session,
        Draft(
            assignment_id=assignment_id,
            turn=change.turn,
            field=change.field,
            revision=revision + 1,
            nonce=change.nonce,
            value=change.value,
            saved_at=at,
        ),
    )
    return SaveResult(state="saved", **result)


def _refusal(opened: Opened, change: DraftChange) -> str:
    if opened.assignment.is_committed:
        return "These ratings are committed; use an amendment."
    if opened.study.locked_at is not None:
        return "The study is closed; nothing more can be entered."
    if change.turn > opened.n_turns:
        return "This turn does not exist."
    if not opened.is_open_review:
        if change.turn > opened.assignment.furthest_turn:
            return "This turn has not been shown yet."
        if change.turn == 0 and opened.assignment.outcome_shown_at is None and change.field in DIMENSION_FIELDS:
            return "Scores come after the last turn rating and the reported diagnosis."
    if change.turn == 0:
        questions = opened.dialogue_questions
    else:
        questions = turn_questions(opened.dialogue.turns[change.turn - 1].staged.stage, opened.study.length)
    question = fields_of(questions).get(change.field)
    return problem_with(question, change.value) if question else "This question is not part of the form."
