"""The ledger of calls: every request to a model with what came back, so that nothing is paid for twice."""

from dataclasses import dataclass

from sqlmodel import Session, func, select

from core.domain.model_call import AttemptRecord
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


def save_attempt(session: Session, attempt: AttemptRecord) -> None:
    """Store one request."""
    facts = attempt.facts
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
            at=attempt.at,
            document=to_document(attempt),
        )
    )
    session.flush()


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
