"""The ledger of calls: every request to a model with what came back, so that nothing is paid for twice."""

from dataclasses import dataclass, fields
from datetime import datetime

from sqlmodel import Session, func, select

from core.domain.model_call import AttemptRecord
from core.domain.run import RunTotals
from core.errors import NotFound
from core.storage.run_rows import CallAttemptRow
from core.storage.text import from_document, to_document

ACCEPTED = "accepted"


@dataclass(frozen=True)
class Spending:
    """What one model has cost so far.

    Attributes:
        n_attempts: requests, good and bad.
        n_accepted: of these with a usable answer.
        cost_usd: sum over requests with a price; None when none has one.
        n_unpriced: requests without a price.
    """

    model: str
    n_attempts: int
    n_accepted: int
    cost_usd: float | None
    n_unpriced: int


@dataclass(frozen=True)
class CallListing:
    """One request in a list; what was sent and received is read only when it is opened."""

    id: int
    at: datetime
    run_id: str
    role: str
    subject: str
    model: str
    attempt: int
    outcome: str
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    latency_s: float


def save_attempt(session: Session, attempt: AttemptRecord) -> None:
    """Store one request; a durable request that two runs waited for was paid once and is stored once."""
    facts = attempt.facts
    if attempt.sent_id and is_stored(session, attempt.sent_id):
        return
    session.add(
        CallAttemptRow(
            call_key=attempt.call_key,
            request_key=attempt.request_key,
            attempt=attempt.attempt,
            role=attempt.role,
            subject=attempt.subject,
            engine=attempt.engine,
            model=attempt.model,
            outcome=attempt.outcome,
            input_tokens=facts.usage.input_tokens,
            output_tokens=facts.usage.output_tokens,
            cost_usd=facts.cost_usd,
            latency_s=facts.latency_s,
            run_id=attempt.run_id,
            sent_id=attempt.sent_id or None,
            at=attempt.at,
            document=to_document(attempt),
        )
    )
    session.flush()


def is_stored(session: Session, sent_id: str) -> bool:
    """True when the outcome of this durable request is in the ledger."""
    return session.exec(select(CallAttemptRow.id).where(CallAttemptRow.sent_id == sent_id)).first() is not None


def n_sent(session: Session, prefix: str) -> int:
    """Count the stored requests whose durable id is `prefix`, a dot and a number."""
    sent_id = CallAttemptRow.sent_id
    # A range, which the index answers; LIKE would read every row. The slash follows the dot.
    query = select(func.count()).where(sent_id > f"{prefix}.", sent_id < f"{prefix}/")
    return session.exec(query.select_from(CallAttemptRow)).one()


def accepted_attempt(session: Session, call_key: str) -> AttemptRecord | None:
    """Give the newest accepted answer of exactly this call; None when it has to be made."""
    document = session.exec(
        select(CallAttemptRow.document)
        .where(CallAttemptRow.call_key == call_key, CallAttemptRow.outcome == ACCEPTED)
        .order_by(CallAttemptRow.id.desc())
        .limit(1)
    ).first()
    return from_document(AttemptRecord, document) if document else None


def list_attempts(session: Session, model: str | None = None, limit: int | None = None) -> tuple[AttemptRecord, ...]:
    """Give requests, newest first, of one model when named."""
    query = select(CallAttemptRow.document).order_by(CallAttemptRow.id.desc())
    if model is not None:
        query = query.where(CallAttemptRow.model == model)
    if limit is not None:
        query = query.limit(limit)
    return tuple(from_document(AttemptRecord, document) for document in session.exec(query))


def attempts_about(session: Session, models: set[str], case_ids: set[str]) -> tuple[AttemptRecord, ...]:
    """Give the requests to these models about these cases, oldest first; subjects begin with the case's id."""
    query = select(CallAttemptRow.document, CallAttemptRow.subject).where(CallAttemptRow.model.in_(models))
    rows = session.exec(query.order_by(CallAttemptRow.id))
    return tuple(
        from_document(AttemptRecord, document) for document, subject in rows if subject.split("/")[0] in case_ids
    )


def list_calls(
    session: Session,
    run_id: str = "",
    model: str = "",
    outcome: str = "",
    limit: int = 200,
) -> tuple[CallListing, ...]:
    """Give the newest requests, newest first, of a run, model or outcome where these are named.

    Args:
        session: of the store.
        run_id: empty for every run.
        model: registry name; empty for every model.
        outcome: `accepted`, `failed` for everything else, or one reason; empty for all.
        limit: how many at most.
    """
    row = CallAttemptRow
    query = select(*(getattr(row, field.name) for field in fields(CallListing)))
    if run_id:
        query = query.where(row.run_id == run_id)
    if model:
        query = query.where(row.model == model)
    if outcome == "failed":
        query = query.where(row.outcome != ACCEPTED)
    elif outcome:
        query = query.where(row.outcome == outcome)
    return tuple(CallListing(*values) for values in session.exec(query.order_by(row.id.desc()).limit(limit)))


def asked_models(session: Session) -> tuple[str, ...]:
    """Give the models that were ever asked, by name; answered from the index, however long the ledger is."""
    return tuple(session.exec(select(CallAttemptRow.model).distinct().order_by(CallAttemptRow.model)))


def get_call(session: Session, call_id: int) -> AttemptRecord:
    """Give one request with what was sent and received.

    Raises:
        NotFound: there is none of this id.
    """
    document = session.exec(select(CallAttemptRow.document).where(CallAttemptRow.id == call_id)).first()
    if document is None:
        raise NotFound(f"There is no call {call_id} in the ledger.")
    return from_document(AttemptRecord, document)


def reasons_of_run(session: Session, run_id: str) -> dict[str, int]:
    """Give outcome -> number of requests of a run, accepted ones left out; frequent ones first."""
    row = CallAttemptRow
    found = session.exec(
        select(row.outcome, func.count())
        .where(row.run_id == run_id, row.outcome != ACCEPTED)
        .group_by(row.outcome)
        .order_by(func.count().desc(), row.outcome)
    )
    return dict(found.all())


def mean_output_tokens(session: Session, role: str, model: str) -> float | None:
    """Give the mean length of a model's accepted answers in a role; None when there is none with a count."""
    row = CallAttemptRow
    query = select(func.avg(row.output_tokens))
    return session.exec(query.where(row.model == model, row.role == role, row.outcome == ACCEPTED)).one()


def run_totals(session: Session, run_id: str) -> RunTotals:
    """Give what the calls of a run came to; zeros when it made none."""
    row = CallAttemptRow
    found = session.exec(
        select(
            func.count(),
            func.count().filter(row.outcome == ACCEPTED),
            func.coalesce(func.sum(row.input_tokens), 0),
            func.coalesce(func.sum(row.output_tokens), 0),
            func.coalesce(func.sum(row.cost_usd), 0.0),
            func.count().filter(row.cost_usd.is_(None), row.output_tokens.is_not(None)),
        ).where(row.run_id == run_id)
    ).one()
    return RunTotals(**dict(zip(RunTotals.model_fields, found, strict=True)))


def spending(session: Session) -> tuple[Spending, ...]:
    """Give what each model has cost, by name."""
    row = CallAttemptRow
    found = session.exec(
        select(
            row.model,
            func.count(),
            func.count().filter(row.outcome == ACCEPTED),
            func.sum(row.cost_usd),
            func.count().filter(row.cost_usd.is_(None)),
        )
        .group_by(row.model)
        .order_by(row.model)
    )
    return tuple(Spending(*values) for values in found)
