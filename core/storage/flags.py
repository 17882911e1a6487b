"""Which evaluations a person should look at, found by the notes in their documents without opening them."""

from dataclasses import dataclass

from sqlalchemy import case, or_
from sqlmodel import Session, select

from core.storage.dialogue_rows import DialogueRow
from core.storage.evaluation_rows import EvaluationRow

TENSION, AGAINST, DROPPED, CONFLICT, NOT_CHOSEN, WARNED = (
    "assignment_tension",
    "contradiction_with_match",
    "unknown_id",
    "level_conflict",
    "not_chosen",
    "warning",
)
FLAGS = (TENSION, AGAINST, DROPPED, CONFLICT, NOT_CHOSEN, WARNED)


@dataclass(frozen=True)
class FlaggedEvaluation:
    """One evaluation with at least one of FLAGS, in their order."""

    evaluation_id: str
    dialogue_id: str
    case_id: str
    setting: str
    flags: tuple[str, ...]


def flagged_evaluations(session: Session) -> tuple[FlaggedEvaluation, ...]:
    """Give every evaluation with a flag, by case and setting.

    A text of an answer cannot look like a note: inside a document its quotes are escaped.
    """
    document = EvaluationRow.document
    tests = [document.like(f'%"kind":"{flag}"%') for flag in FLAGS[:-1]] + [~document.like('%"warnings":[]%')]
    query = (
        select(
            EvaluationRow.id,
            EvaluationRow.dialogue_id,
            DialogueRow.case_id,
            DialogueRow.setting,
            *(case((test, 1), else_=0) for test in tests),
        )
        .join(DialogueRow, DialogueRow.id == EvaluationRow.dialogue_id)
        .where(or_(*tests))
        .order_by(DialogueRow.case_id, DialogueRow.setting, EvaluationRow.made_at)
    )
    return tuple(
        FlaggedEvaluation(*row[:4], tuple(flag for flag, is_set in zip(FLAGS, row[4:], strict=True) if is_set))
        for row in map(tuple, session.execute(query))
    )
