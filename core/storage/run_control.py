"""Runs that workers do: what people want of them, which cases are open, and who works."""

from datetime import datetime

from sqlmodel import Session, func, select

from core.domain.run import RunControl, RunState, WorkerState
from core.errors import NotFound
from core.storage.run_rows import RunCaseRow, RunControlRow, RunRow, WorkerRow


def save_control(session: Session, control: RunControl, case_ids: tuple[str, ...]) -> None:
    """Store what a new run is to do."""
    session.add(RunControlRow(**control.model_dump()))
    session.flush()
    for place, case_id in enumerate(case_ids):
        session.add(RunCaseRow(run_id=control.run_id, case_id=case_id, place=place))
    session.flush()


def find_control(session: Session, run_id: str) -> RunControl | None:
    """Give what is wanted of a run; None for one that no worker does."""
    row = session.get(RunControlRow, run_id)
    return RunControl(**row.model_dump()) if row else None


def get_control(session: Session, run_id: str) -> RunControl:
    """Give what is wanted of a run.

    Raises:
        NotFound: no worker does such a run.
    """
    found = find_control(session, run_id)
    if found is None:
        raise NotFound(f"There is no run {run_id!r} that workers do.")
    return found


def set_control(session: Session, control: RunControl) -> None:
    """Store a change of what is wanted."""
    row = session.get(RunControlRow, control.run_id)
    for name, value in control.model_dump(exclude={"run_id"}).items():
        setattr(row, name, value)
    session.add(row)
    session.flush()


def controls_in_state(session: Session, state: RunState) -> tuple[RunControl, ...]:
    """Give the runs that workers do and that stand so, oldest first."""
    query = select(RunControlRow).join(RunRow, RunRow.id == RunControlRow.run_id).where(RunRow.state == state)
    rows = session.exec(query.order_by(RunRow.started_at, RunRow.id))
    return tuple(RunControl(**row.model_dump()) for row in rows)


def open_cases(session: Session, run_id: str) -> tuple[str, ...]:
    """Give the cases of a run that have not ended, in their order."""
    query = select(RunCaseRow.case_id).where(RunCaseRow.run_id == run_id, RunCaseRow.ended_at.is_(None))
    return tuple(session.exec(query.order_by(RunCaseRow.place)))


def count_cases(session: Session, run_id: str) -> int:
    """Give the number of cases of a run."""
    return session.exec(select(func.count()).select_from(RunCaseRow).where(RunCaseRow.run_id == run_id)).one()


def set_case_end(session: Session, run_id: str, case_id: str, at: datetime | None) -> None:
    """Record that a case has ended, or with None that it is open again."""
    row = session.get(RunCaseRow, (run_id, case_id))
    row.ended_at = at
    session.add(row)
    session.flush()


def beat(session: Session, worker: WorkerState) -> None:
    """Store a worker's heartbeat."""
    session.merge(WorkerRow(**worker.model_dump()))
    session.flush()


def drop_worker(session: Session, worker_id: str) -> None:
    """Forget a worker that has ended."""
    row = session.get(WorkerRow, worker_id)
    if row is not None:
        session.delete(row)


def list_workers(session: Session) -> tuple[WorkerState, ...]:
    """Give all workers that are not known to have ended, by id."""
    return tuple(WorkerState(**row.model_dump()) for row in session.exec(select(WorkerRow).order_by(WorkerRow.id)))


def last_ends(session: Session, run_id: str, limit: int = 20) -> tuple[datetime, ...]:
    """Give when the cases that ended last did so, newest first."""
    query = select(RunCaseRow.ended_at).where(RunCaseRow.run_id == run_id, RunCaseRow.ended_at.is_not(None))
    return tuple(session.exec(query.order_by(RunCaseRow.ended_at.desc()).limit(limit)))
