"""Report pairs and their evaluations: stored once, read by pair, by evaluator, newest first."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, func, select

from core.domain.reports import PairEvaluation, ReportFacts, ReportPair
from core.errors import NotFound
from core.storage.report_tables import ReportEvaluationRow, ReportFactsRow, ReportPairRow
from core.storage.text import from_document, to_document

_PAIR_FIELDS = (
    "id",
    "pair",
    "dataset",
    "modality",
    "model",
    "reference",
    "prediction",
    "source",
    "is_demonstration",
)


_NOT_EVALUATED = (None, None, None, None, None, None, "", None)


@dataclass(frozen=True)
class PairListing:
    """One pair without its texts, with its newest evaluation by one evaluator.

    Attributes:
        evaluation_id: None when this evaluator has not evaluated it.
        f1_open, f1_closed: 0-1; None when not evaluated or unscored.
        disease_f1, attribute_f1: open reading; attribute None also without aligned attribute questions.
        unscored_reason: empty when scored or not evaluated.
    """

    id: str
    pair: str
    dataset: str
    modality: str
    model: str
    is_demonstration: bool
    evaluation_id: str | None
    f1_open: float | None
    f1_closed: float | None
    disease_f1: float | None
    attribute_f1: float | None
    n_facts: int | None
    unscored_reason: str
    evaluated_at: datetime | None


def add_pairs(session: Session, pairs: Sequence[ReportPair], at: datetime) -> None:
    """Store new pairs in order."""
    first = (session.exec(select(func.max(ReportPairRow.position))).one() or 0) + 1
    session.add_all(
        ReportPairRow(**pair.model_dump(), position=first + number, imported_at=at) for number, pair in enumerate(pairs)
    )
    session.flush()


def get_pair(session: Session, pair_id: str) -> ReportPair:
    """Give a pair.

    Raises:
        NotFound: no pair has this id.
    """
    row = session.get(ReportPairRow, pair_id)
    if row is None:
        raise NotFound(f"There is no report pair {pair_id!r}.", "Choose one from the list of report pairs.")
    return _pair(row)


def get_pairs(session: Session, ids: Iterable[str]) -> dict[str, ReportPair]:
    """Give the stored pairs among ids: id -> pair; those not stored are absent."""
    wanted, found = list(ids), {}
    for start in range(0, len(wanted), 500):
        rows = session.exec(select(ReportPairRow).where(ReportPairRow.id.in_(wanted[start : start + 500])))
        found |= {row.id: _pair(row) for row in rows}
    return found


def list_pairs(session: Session, evaluator: str) -> tuple[PairListing, ...]:
    """Give all pairs in order of import with their newest evaluation by `evaluator`."""
    row, pair = ReportEvaluationRow, ReportPairRow
    results = session.exec(
        select(
            row.pair_id,
            row.id,
            row.f1_open,
            row.f1_closed,
            row.disease_f1_open,
            row.attribute_f1_open,
            row.n_facts,
            row.unscored_reason,
            row.made_at,
        )
        .where(row.evaluator == evaluator)
        .order_by(row.pair_id, row.made_at, row.id.desc())
    )
    # Joined here: SQLite would compare every pair with every evaluation. The last of a pair's rows is its newest.
    newest = {pair_id: tuple(result) for pair_id, *result in results}
    pairs = session.exec(
        select(pair.id, pair.pair, pair.dataset, pair.modality, pair.model, pair.is_demonstration).order_by(
            pair.position
        )
    )
    return tuple(PairListing(*found, *newest.get(found[0], _NOT_EVALUATED)) for found in pairs)


def list_evaluators(session: Session, pair_id: str | None = None) -> tuple[str, ...]:
    """Give the names of all evaluators with a stored evaluation (of one pair), by name."""
    query = select(ReportEvaluationRow.evaluator).distinct().order_by(ReportEvaluationRow.evaluator)
    if pair_id is not None:
        query = query.where(ReportEvaluationRow.pair_id == pair_id)
    return tuple(session.exec(query))


def get_facts(session: Session, facts_id: str) -> ReportFacts | None:
    """Give stored facts; None when this reader has not read this text yet."""
    document = session.exec(select(ReportFactsRow.document).where(ReportFactsRow.id == facts_id)).first()
    return None if document is None else from_document(ReportFacts, document)


def add_facts(session: Session, facts: ReportFacts, reader: str) -> None:
    """Store facts; those stored before under the same id stay as they are."""
    if session.get(ReportFactsRow, facts.id) is None:
        session.add(
            ReportFactsRow(
                id=facts.id,
                text_sha256=facts.text_sha256,
                reader=reader,
                n_facts=len(facts.facts),
                made_at=facts.made_by.at,
                document=to_document(facts),
            )
        )
        session.flush()


def add_evaluation(session: Session, evaluation: PairEvaluation) -> None:
    """Store an evaluation as a new row."""
    score = evaluation.score
    is_attributed = score is not None and not score.open.attribute.is_vacuous
    session.add(
        ReportEvaluationRow(
            id=evaluation.id,
            pair_id=evaluation.pair_id,
            reference_facts_id=evaluation.reference_facts.id,
            evaluator=evaluation.evaluator,
            f1_open=score.open.f1 if score else None,
            f1_closed=score.closed.f1 if score else None,
            disease_f1_open=score.open.disease.f1 if score else None,
            attribute_f1_open=score.open.attribute.f1 if score and is_attributed else None,
            n_facts=evaluation.n_facts,
            unscored_reason=evaluation.unscored.reason if evaluation.unscored else "",
            made_at=evaluation.at,
            document=to_document(evaluation),
        )
    )


def newest_evaluation(session: Session, pair_id: str, evaluator: str) -> PairEvaluation | None:
    """Give the newest evaluation of a pair by one evaluator; None when there is none."""
    query = (
        select(ReportEvaluationRow.document)
        .where(ReportEvaluationRow.pair_id == pair_id, ReportEvaluationRow.evaluator == evaluator)
        .order_by(ReportEvaluationRow.made_at.desc(), ReportEvaluationRow.id)
    )
    document = session.exec(query).first()
    return None if document is None else from_document(PairEvaluation, document)


def read_evaluations(session: Session, ids: Sequence[str]) -> Iterator[PairEvaluation]:
    """Give stored evaluations one by one, in the order of their ids as given."""
    for evaluation_id in ids:
        document = session.exec(
            select(ReportEvaluationRow.document).where(ReportEvaluationRow.id == evaluation_id)
        ).one()
        yield from_document(PairEvaluation, document)


def _pair(row: ReportPairRow) -> ReportPair:
    return ReportPair(**{name: getattr(row, name) for name in _PAIR_FIELDS})
