"""Reference sets and atomic evaluations: the document whole, and its counts, items and match rows beside it."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert
from sqlmodel import Session, func, select

from core.domain.items import Evaluation, ReferenceSet, Target
from core.errors import Conflict, NotFound
from core.storage.dialogue_rows import DialogueRow
from core.storage.evaluation_columns import evaluation_columns, reference_set_columns, result_rows
from core.storage.evaluation_rows import (
    EvaluationRow,
    ItemRow,
    MatchRow,
    Pairing,
    ReferenceSetRow,
    TargetResultRow,
)
from core.storage.text import from_document


@dataclass(frozen=True)
class EvaluationListing:
    """One evaluation without its items.

    Attributes:
        setting: the dialogue's column in tables.
        dialogue_made_at: UTC.
        made_at: UTC.
    """

    id: str
    dialogue_id: str
    reference_set_id: str
    case_id: str
    case_version: int
    setting: str
    repeat: int
    decomposer: str
    matcher: str
    is_demonstration: bool
    dialogue_made_at: datetime
    made_at: datetime


@dataclass(frozen=True)
class StoredCounts:
    """Counts of one target (and figure) of one evaluation; None where it is unscored.

    Attributes:
        figure_id: empty for diagnosis and reasoning.
        unscored_reason: empty when there are counts.
    """

    evaluation_id: str
    target: Target
    figure_id: str
    n_reference: int
    n_output: int
    tp_strict: int | None
    tp_lenient: int | None
    unscored_reason: str


@dataclass(frozen=True)
class StoredItem:
    """One atomic item of one evaluation."""

    evaluation_id: str
    target: Target
    figure_id: str
    side: str
    item_id: str
    text: str
    sentence: str
    is_annotation: bool
    count: int


@dataclass(frozen=True)
class StoredMatchRow:
    """One row of a match table. `pairing`: strict, lenient, missing, extra or contradiction."""

    evaluation_id: str
    target: Target
    figure_id: str
    pairing: str
    reference_id: str
    output_id: str
    reason: str


def save_reference_set(session: Session, reference_set: ReferenceSet) -> None:
    """Store a reference set. NotFound or Conflict come from the database's own constraints as IntegrityError."""
    session.add(ReferenceSetRow(**reference_set_columns(reference_set)))
    session.flush()


def find_reference_sets(session: Session, case_id: str, case_version: int, decomposer: str) -> tuple[ReferenceSet, ...]:
    """Give the reference sets of a case version by a decomposer, newest first."""
    documents = session.exec(
        select(ReferenceSetRow.document)
        .where(
            ReferenceSetRow.case_id == case_id,
            ReferenceSetRow.case_version == case_version,
            ReferenceSetRow.decomposer == decomposer,
        )
        .order_by(ReferenceSetRow.made_at.desc(), ReferenceSetRow.id.desc())
    )
    return tuple(from_document(ReferenceSet, document) for document in documents)


def get_reference_set(session: Session, reference_set_id: str) -> ReferenceSet:
    """Give a reference set.

    Raises:
        NotFound: there is none of this id.
    """
    row = session.get(ReferenceSetRow, reference_set_id)
    if row is None:
        raise NotFound(f"There is no reference set {reference_set_id!r}.")
    return from_document(ReferenceSet, row.document)


def save_evaluation(session: Session, evaluation: Evaluation, matcher: str) -> None:
    """Store an evaluation with its counts, items and match rows.

    Args:
        session: a writing session.
        evaluation: as scored; its setting `decomposer` names what split the dialogue's texts.
        matcher: registry name of the matcher, or `rules baseline`.

    Raises:
        NotFound: its dialogue is not stored.
        Conflict: an evaluation of this id is stored already.
    """
    dialogue = session.get(DialogueRow, evaluation.dialogue_id)
    if dialogue is None:
        raise NotFound(f"The evaluation is about dialogue {evaluation.dialogue_id!r}, which is not stored.")
    if session.get(EvaluationRow, evaluation.id) is not None:
        raise Conflict(f"An evaluation with the id {evaluation.id!r} is stored already.", "It was left as it is.")
    session.add(EvaluationRow(**evaluation_columns(evaluation, matcher, dialogue.is_demonstration)))
    session.flush()
    for table, rows in result_rows(evaluation).items():
        if rows:
            session.execute(insert(table), rows)


def get_evaluation(session: Session, evaluation_id: str) -> Evaluation:
    """Give an evaluation.

    Raises:
        NotFound: there is none of this id.
    """
    document = session.exec(select(EvaluationRow.document).where(EvaluationRow.id == evaluation_id)).first()
    if document is None:
        raise NotFound(f"There is no evaluation {evaluation_id!r}.")
    return from_document(Evaluation, document)


def count_evaluations(session: Session) -> int:
    """Give how many evaluations the store holds."""
    return session.exec(select(func.count()).select_from(EvaluationRow)).one()


def has_evaluation(session: Session, evaluation_id: str) -> bool:
    """True when an evaluation of this id is stored."""
    return session.exec(select(EvaluationRow.id).where(EvaluationRow.id == evaluation_id)).first() is not None


def newest_evaluation(session: Session, dialogue_id: str) -> Evaluation | None:
    """Give the newest evaluation of a dialogue; None when it has none."""
    document = session.exec(
        select(EvaluationRow.document)
        .where(EvaluationRow.dialogue_id == dialogue_id)
        .order_by(EvaluationRow.made_at.desc(), EvaluationRow.id.desc())
        .limit(1)
    ).first()
    return from_document(Evaluation, document) if document else None


def list_evaluations(session: Session, dialogue_id: str | None = None) -> tuple[EvaluationListing, ...]:
    """Give evaluations by case and time, of one dialogue when named; without their items."""
    query = select(
        EvaluationRow.id,
        EvaluationRow.dialogue_id,
        EvaluationRow.reference_set_id,
        DialogueRow.case_id,
        DialogueRow.case_version,
        DialogueRow.setting,
        DialogueRow.repeat,
        EvaluationRow.decomposer,
        EvaluationRow.matcher,
        EvaluationRow.is_demonstration,
        DialogueRow.made_at.label("dialogue_made_at"),
        EvaluationRow.made_at,
    ).join(DialogueRow, DialogueRow.id == EvaluationRow.dialogue_id)
    if dialogue_id is not None:
        query = query.where(EvaluationRow.dialogue_id == dialogue_id)
    rows = session.exec(query.order_by(DialogueRow.case_id, EvaluationRow.made_at, EvaluationRow.id))
    return tuple(EvaluationListing(*row) for row in rows)


def list_evaluators(session: Session) -> tuple[tuple[str, str], ...]:
    """Give the pairs (decomposer, matcher) of all evaluations, by name."""
    query = select(EvaluationRow.decomposer, EvaluationRow.matcher).distinct()
    return tuple(sorted((row[0], row[1]) for row in session.exec(query)))


def list_settings(session: Session) -> tuple[str, ...]:
    """Give the settings that have an evaluated dialogue, by name."""
    query = select(DialogueRow.setting).distinct().where(DialogueRow.id.in_(select(EvaluationRow.dialogue_id)))
    return tuple(sorted(session.exec(query)))


def list_counts(session: Session) -> tuple[StoredCounts, ...]:
    """Give the counts of every target of every evaluation, in the order they were stored."""
    rows = session.exec(_select(TargetResultRow, StoredCounts).order_by(TargetResultRow.id))
    return tuple(StoredCounts(*row) for row in rows)


def list_items(session: Session) -> tuple[StoredItem, ...]:
    """Give every item of every evaluation, in the order they were stored."""
    rows = session.exec(_select(ItemRow, StoredItem).order_by(ItemRow.id))
    return tuple(StoredItem(*row) for row in rows)


def list_match_rows(session: Session, pairing: Pairing | None = None) -> tuple[StoredMatchRow, ...]:
    """Give every row of every match table, narrowed to one pairing when named."""
    query = _select(MatchRow, StoredMatchRow)
    if pairing is not None:
        query = query.where(MatchRow.pairing == pairing)
    return tuple(StoredMatchRow(*row) for row in session.exec(query.order_by(MatchRow.id)))


def _select(row, view):  # noqa: ANN001, ANN202 - a table class and the view of its columns
    return select(*(getattr(row, name) for name in view.__dataclass_fields__))
