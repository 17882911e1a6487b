"""Drafts, committed ratings, opinions, verdicts and the log of review. All rows here are only ever added."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, func, select

from core.domain.instrument import Dimension
from core.domain.review import (
    CommittedRating,
    Draft,
    DraftContent,
    ItemVerdict,
    JustificationView,
    Rating,
    ReviewEvent,
    ReviewMode,
    TurnAnswer,
)
from core.storage.dialogue_rows import DialogueRow
from core.storage.review_tables import (
    AssignmentRow,
    DraftRow,
    ItemVerdictTable,
    JustificationViewTable,
    RatingRowTable,
    ReviewerRow,
    ReviewEventTable,
    StudyRow,
    TurnAnswerTable,
)


def add_draft(session: Session, draft: Draft) -> None:
    """Store one save of a field."""
    session.add(DraftRow(**draft.model_dump(exclude={"value"}), value=json.dumps(draft.value)))
    session.flush()


def current_drafts(session: Session, assignment_ids: Sequence[str]) -> dict[str, dict[tuple[int, str], Draft]]:
    """Give assignment id -> (turn, field) -> newest draft, for every asked assignment (empty where none)."""
    found: dict[str, dict[tuple[int, str], Draft]] = {assignment_id: {} for assignment_id in assignment_ids}
    newest = (
        select(func.max(DraftRow.id))
        .where(DraftRow.assignment_id.in_(list(assignment_ids)))
        .group_by(DraftRow.assignment_id, DraftRow.turn, DraftRow.field)
    )
    for row in session.exec(select(DraftRow).where(DraftRow.id.in_(newest))):
        found[row.assignment_id][(row.turn, row.field)] = _draft(row)
    return found


def newest_draft(session: Session, assignment_id: str, turn: int, field: str) -> Draft | None:
    """Give a field's newest draft; None when it was never saved."""
    row = session.exec(
        select(DraftRow)
        .where(DraftRow.assignment_id == assignment_id, DraftRow.turn == turn, DraftRow.field == field)
        .order_by(DraftRow.revision.desc())
        .limit(1)
    ).first()
    return _draft(row) if row else None


def has_nonce(session: Session, assignment_id: str, turn: int, field: str, nonce: str) -> bool:
    """True when this very save has been stored before, whatever came after it."""
    return (
        session.exec(
            select(DraftRow.id).where(
                DraftRow.assignment_id == assignment_id,
                DraftRow.turn == turn,
                DraftRow.field == field,
                DraftRow.nonce == nonce,
            )
        ).first()
        is not None
    )


def _draft(row: DraftRow) -> Draft:
    value: DraftContent = json.loads(row.value)
    return Draft(**row.model_dump(exclude={"id", "value"}), value=tuple(value) if isinstance(value, list) else value)


def add_ratings(session: Session, ratings: Iterable[CommittedRating]) -> None:
    """Store committed ratings or amendments."""
    session.add_all(RatingRowTable(**rating_columns(committed)) for committed in ratings)
    session.flush()


def rating_columns(committed: CommittedRating) -> dict:
    """Give all columns of a committed rating."""
    rating = committed.rating
    return {
        **committed.model_dump(exclude={"rating"}),
        **rating.model_dump(exclude={"evidence"}),
        "evidence": "\n".join(rating.evidence),
    }


def ratings_of(session: Session, assignment_ids: Sequence[str] | None = None) -> tuple[CommittedRating, ...]:
    """Give committed ratings with all their amendments, of these assignments or of all, in order of entry."""
    query = select(RatingRowTable)
    if assignment_ids is not None:
        query = query.where(RatingRowTable.assignment_id.in_(list(assignment_ids)))
    return tuple(_rating(row) for row in session.exec(query.order_by(RatingRowTable.id)))


def ratings_of_study(session: Session, study_id: str) -> tuple[CommittedRating, ...]:
    """Give a study's committed ratings with all their amendments, in order of entry."""
    rows = session.exec(
        select(RatingRowTable)
        .join(AssignmentRow, AssignmentRow.id == RatingRowTable.assignment_id)
        .where(AssignmentRow.study_id == study_id)
        .order_by(RatingRowTable.id)
    )
    return tuple(_rating(row) for row in rows)


def _rating(row: RatingRowTable) -> CommittedRating:
    return CommittedRating(
        assignment_id=row.assignment_id,
        revision=row.revision,
        rating=Rating(
            dimension=row.dimension,
            score=row.score,
            missing=row.missing,
            reason=row.reason,
            confidence=row.confidence,
            evidence=tuple(row.evidence.split("\n")) if row.evidence else (),
        ),
        amendment_reason=row.amendment_reason,
        evidence_shown=row.evidence_shown,
        instrument_version=row.instrument_version,
        committed_at=row.committed_at,
    )


@dataclass(frozen=True)
class FirstRating:
    """One dimension of one dialogue as a reviewer first committed it.

    Attributes:
        reviewer: pseudonym.
        score: 1-5; None when the reviewer gave none.
        reviewer_id: whose it is.
        is_demonstration: the study is.
    """

    case_id: str
    dialogue_id: str
    setting: str
    reviewer: str
    dimension: Dimension
    score: int | None
    reviewer_id: str
    is_demonstration: bool


def first_ratings(session: Session, mode: ReviewMode, study_id: str | None = None) -> tuple[FirstRating, ...]:
    """Give the ratings as first committed in studies of one mode, of one study when named, in order of entry."""
    query = (
        select(
            DialogueRow.case_id,
            DialogueRow.id,
            DialogueRow.setting,
            ReviewerRow.pseudonym,
            RatingRowTable.dimension,
            RatingRowTable.score,
            ReviewerRow.id,
            StudyRow.is_demonstration,
        )
        .join(AssignmentRow, AssignmentRow.id == RatingRowTable.assignment_id)
        .join(StudyRow, StudyRow.id == AssignmentRow.study_id)
        .join(ReviewerRow, ReviewerRow.id == AssignmentRow.reviewer_id)
        .join(DialogueRow, DialogueRow.id == AssignmentRow.dialogue_id)
        .where(RatingRowTable.revision == 1, AssignmentRow.committed_at.is_not(None), StudyRow.mode == mode)
    )
    if study_id is not None:
        query = query.where(StudyRow.id == study_id)
    return tuple(FirstRating(*row) for row in session.exec(query.order_by(RatingRowTable.id)))


def add_turn_answers(session: Session, assignment_id: str, answers: Iterable[TurnAnswer], at: datetime) -> None:
    """Store the committed answers about turns and about the whole dialogue."""
    session.add_all(TurnAnswerTable(**turn_answer_columns(assignment_id, answer, at)) for answer in answers)
    session.flush()


def turn_answer_columns(assignment_id: str, answer: TurnAnswer, at: datetime) -> dict:
    """Give all columns of a committed answer."""
    return {
        "assignment_id": assignment_id,
        "turn": answer.turn,
        "field": answer.field,
        "choices": "\n".join(answer.values),
        "text": answer.text,
        "committed_at": at,
    }


def turn_answers_of(
    session: Session, assignment_ids: Sequence[str] | None = None
) -> tuple[tuple[str, TurnAnswer, datetime], ...]:
    """Give (assignment id, answer, when committed), of these assignments or of all."""
    query = select(TurnAnswerTable)
    if assignment_ids is not None:
        query = query.where(TurnAnswerTable.assignment_id.in_(list(assignment_ids)))
    rows = session.exec(query.order_by(TurnAnswerTable.id))
    return tuple(
        (
            row.assignment_id,
            TurnAnswer(
                turn=row.turn,
                field=row.field,
                values=tuple(row.choices.split("\n")) if row.choices else (),
                text=row.text,
            ),
            row.committed_at,
        )
        for row in rows
    )


def add_view(session: Session, view: JustificationView) -> None:
    """Store an opinion on a justification; an earlier one stays beside it."""
    session.add(JustificationViewTable(**view.model_dump()))
    session.flush()


def views_of(session: Session, assignment_id: str) -> dict[tuple[str, Dimension], JustificationView]:
    """Give (judgement id, dimension) -> newest opinion."""
    rows = session.exec(
        select(JustificationViewTable)
        .where(JustificationViewTable.assignment_id == assignment_id)
        .order_by(JustificationViewTable.revision)
    )
    return {
        (row.judgement_id, row.dimension): JustificationView.model_validate(row.model_dump(exclude={"id"}))
        for row in rows
    }


def add_verdict(session: Session, verdict: ItemVerdict) -> None:
    """Store a verdict on a row of a match table; an earlier one stays beside it."""
    session.add(ItemVerdictTable(**verdict.model_dump(exclude={"figure_id"}), figure_id=verdict.figure_id or ""))
    session.flush()


def verdicts_of(session: Session, assignment_ids: Sequence[str]) -> tuple[ItemVerdict, ...]:
    """Give the newest verdict of every row these assignments have judged, in order of entry."""
    rows = session.exec(
        select(ItemVerdictTable)
        .where(ItemVerdictTable.assignment_id.in_(list(assignment_ids)))
        .order_by(ItemVerdictTable.revision, ItemVerdictTable.id)
    )
    newest = {
        (row.assignment_id, row.evaluation_id, row.target, row.figure_id, row.row): ItemVerdict.model_validate(
            row.model_dump(exclude={"id", "figure_id"}) | {"figure_id": row.figure_id or None}
        )
        for row in rows
    }
    return tuple(newest.values())


def add_event(session: Session, event: ReviewEvent) -> None:
    """Append a line to the log."""
    session.add(ReviewEventTable(**event.model_dump()))
    session.flush()


def events_of(session: Session, assignment_id: str | None = None) -> tuple[ReviewEvent, ...]:
    """Give the log, oldest first, of one assignment or all of it."""
    query = select(ReviewEventTable)
    if assignment_id is not None:
        query = query.where(ReviewEventTable.assignment_id == assignment_id)
    rows = session.exec(query.order_by(ReviewEventTable.id))
    return tuple(ReviewEvent.model_validate(row.model_dump(exclude={"id"})) for row in rows)
