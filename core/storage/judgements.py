"""Judgements: the document whole, and a row for each dimension's score."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert
from sqlmodel import Session, func, select

from core.domain.instrument import Dimension
from core.domain.judgement import Judgement
from core.errors import Conflict, NotFound
from core.storage.dialogue_rows import DialogueRow
from core.storage.evaluation_columns import judged_score_rows, judgement_columns
from core.storage.evaluation_rows import EvaluationRow, JudgedScoreRow, JudgementRow
from core.storage.text import from_document


@dataclass(frozen=True)
class StoredJudgedScore:
    """One dimension of one judgement.

    Attributes:
        setting: the dialogue's column in tables.
        repeat: of the judge, from 0.
        score: 1-5; None when unscored.
        unscored_reason: empty when there is a score.
        made_at: UTC.
    """

    judgement_id: str
    evaluation_id: str
    dialogue_id: str
    case_id: str
    case_version: int
    setting: str
    judge: str
    mode: str
    instrument_version: str
    repeat: int
    is_demonstration: bool
    dimension: Dimension
    score: int | None
    unscored_reason: str
    justification: str
    made_at: datetime


@dataclass(frozen=True)
class StoredScore:
    """One dimension of one judgement without its words.

    Attributes:
        repeat: of the judge, from 0.
        score: 1-5; None when unscored.
        unscored_reason: empty when there is a score.
        made_at: UTC.
    """

    judgement_id: str
    evaluation_id: str
    dialogue_id: str
    judge: str
    mode: str
    instrument_version: str
    repeat: int
    dimension: Dimension
    score: int | None
    unscored_reason: str
    made_at: datetime


def save_judgement(session: Session, judgement: Judgement) -> None:
    """Store a judgement. Every dimension gets a row: one the judge did not speak of is unscored (`not_given`).

    Raises:
        NotFound: its evaluation is not stored.
        Conflict: a judgement of this id is stored already.
    """
    if session.get(EvaluationRow, judgement.evaluation_id) is None:
        raise NotFound(f"The judgement is about evaluation {judgement.evaluation_id!r}, which is not stored.")
    if session.get(JudgementRow, judgement.id) is not None:
        raise Conflict(f"A judgement with the id {judgement.id!r} is stored already.", "It was left as it is.")
    session.add(JudgementRow(**judgement_columns(judgement)))
    session.flush()
    session.execute(insert(JudgedScoreRow), judged_score_rows(judgement))


def get_judgement(session: Session, judgement_id: str) -> Judgement:
    """Give a judgement.

    Raises:
        NotFound: there is none of this id.
    """
    row = session.get(JudgementRow, judgement_id)
    if row is None:
        raise NotFound(f"There is no judgement {judgement_id!r}.")
    return from_document(Judgement, row.document)


def count_judgements(session: Session) -> int:
    """Give how many judgements the store holds."""
    return session.exec(select(func.count()).select_from(JudgementRow)).one()


def has_judgement(session: Session, judgement_id: str) -> bool:
    """True when a judgement of this id is stored."""
    return session.exec(select(JudgementRow.id).where(JudgementRow.id == judgement_id)).first() is not None


def judgements_of(session: Session, dialogue_id: str) -> tuple[Judgement, ...]:
    """Give all judgements of a dialogue, oldest first."""
    documents = session.exec(
        select(JudgementRow.document)
        .where(JudgementRow.dialogue_id == dialogue_id)
        .order_by(JudgementRow.made_at, JudgementRow.id)
    )
    return tuple(from_document(Judgement, document) for document in documents)


def list_judges(session: Session) -> tuple[str, ...]:
    """Give the names of all judges with a judgement, by name."""
    return tuple(session.exec(select(JudgementRow.judge).distinct().order_by(JudgementRow.judge)))


def list_judged_scores(session: Session, judge: str | None = None) -> tuple[StoredJudgedScore, ...]:
    """Give every judged score by case, dialogue and time, of one judge when named."""
    query = (
        select(
            JudgementRow.id,
            JudgementRow.evaluation_id,
            JudgementRow.dialogue_id,
            DialogueRow.case_id,
            DialogueRow.case_version,
            DialogueRow.setting,
            JudgementRow.judge,
            JudgementRow.mode,
            JudgementRow.instrument_version,
            JudgementRow.repeat,
            JudgementRow.is_demonstration,
            JudgedScoreRow.dimension,
            JudgedScoreRow.score,
            JudgedScoreRow.unscored_reason,
            JudgedScoreRow.justification,
            JudgementRow.made_at,
        )
        .join(DialogueRow, DialogueRow.id == JudgementRow.dialogue_id)
        .join(JudgedScoreRow, JudgedScoreRow.judgement_id == JudgementRow.id)
    )
    if judge is not None:
        query = query.where(JudgementRow.judge == judge)
    rows = session.exec(query.order_by(DialogueRow.case_id, DialogueRow.id, JudgementRow.made_at, JudgementRow.id))
    return tuple(StoredJudgedScore(*row) for row in rows)


def list_scores(session: Session, judge: str | None = None) -> tuple[StoredScore, ...]:
    """Give every judged score without its words, oldest judgement first, of one judge when named."""
    query = select(
        JudgementRow.id,
        JudgementRow.evaluation_id,
        JudgementRow.dialogue_id,
        JudgementRow.judge,
        JudgementRow.mode,
        JudgementRow.instrument_version,
        JudgementRow.repeat,
        JudgedScoreRow.dimension,
        JudgedScoreRow.score,
        JudgedScoreRow.unscored_reason,
        JudgementRow.made_at,
    ).join(JudgedScoreRow, JudgedScoreRow.judgement_id == JudgementRow.id)
    if judge is not None:
        query = query.where(JudgementRow.judge == judge)
    return tuple(StoredScore(*row) for row in session.exec(query.order_by(JudgementRow.made_at, JudgementRow.id)))


def get_judgements(session: Session, judgement_ids: Iterable[str]) -> tuple[Judgement, ...]:
    """Give the judgements of these ids, in no order; unknown ids are left out."""
    wanted = list(judgement_ids)
    found: list[Judgement] = []
    for start in range(0, len(wanted), 500):
        query = select(JudgementRow.document).where(JudgementRow.id.in_(wanted[start : start + 500]))
        found += [from_document(Judgement, document) for document in session.exec(query)]
    return tuple(found)
