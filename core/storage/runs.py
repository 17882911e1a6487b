"""Runs and their tasks."""

from collections.abc import Iterator
from datetime import datetime

from sqlmodel import Session, select

from core.domain.run import Run, RunState, RunTask, TaskState
from core.errors import NotFound
from core.storage.run_rows import RunRow, RunTaskRow


def save_run(session: Session, run: Run) -> None:
    """Store a new run with its tasks."""
    session.add(RunRow(**run.model_dump(exclude={"tasks"})))
    session.flush()
    for task in run.tasks:
        session.add(RunTaskRow(**task.model_dump()))
    session.flush()


def set_run_state(session: Session, run_id: str, state: RunState, at: datetime) -> None:
    """Record where a run stands; `at` becomes its end when it is finished."""
    row = _run(session, run_id)
    row.state = state
    row.ended_at = at if state is RunState.FINISHED else None
    session.add(row)


def set_task(
    session: Session, run_id: str, case_id: str, step: str, state: TaskState, at: datetime, reason="", result_id=""
) -> None:
    """Record where a task stands; a task the run does not have yet is added."""
    row = session.exec(
        select(RunTaskRow).where(RunTaskRow.run_id == run_id, RunTaskRow.case_id == case_id, RunTaskRow.step == step)
    ).first() or RunTaskRow(run_id=run_id, case_id=case_id, step=step, state=state)
    row.state, row.reason, row.result_id = state, reason, result_id
    if state is TaskState.RUNNING:
        row.started_at, row.ended_at = at, None
    elif state is not TaskState.WAITING:
        row.started_at, row.ended_at = row.started_at or at, at
    session.add(row)


def get_run(session: Session, run_id: str) -> Run:
    """Give a run with its tasks in the order they were added.

    Raises:
        NotFound: there is none of this id.
    """
    return _with_tasks(session, _run(session, run_id))


def list_runs(session: Session, limit: int = 100) -> tuple[Run, ...]:
    """Give the newest runs with their tasks, newest first."""
    rows = session.exec(select(RunRow).order_by(RunRow.started_at.desc(), RunRow.id.desc()).limit(limit)).all()
    ids = [row.id for row in rows]
    tasks: dict[str, list[RunTask]] = {run_id: [] for run_id in ids}
    for task in _tasks(session, RunTaskRow.run_id.in_(ids)):
        tasks[task.run_id].append(task)
    return tuple(Run(**row.model_dump(), tasks=tuple(tasks[row.id])) for row in rows)


def failures(session: Session, case_id: str) -> tuple[RunTask, ...]:
    """Give the tasks of a case that failed or were skipped, newest first."""
    rows = session.exec(
        select(RunTaskRow).where(RunTaskRow.case_id == case_id, RunTaskRow.reason != "").order_by(RunTaskRow.id.desc())
    )
    return tuple(_task(row) for row in rows)


def _run(session: Session, run_id: str) -> RunRow:
    row = session.get(RunRow, run_id)
    if row is None:
        raise NotFound(f"There is no run {run_id!r}.")
    return row


def _with_tasks(session: Session, row: RunRow) -> Run:
    return Run(**row.model_dump(), tasks=tuple(_tasks(session, RunTaskRow.run_id == row.id)))


def _tasks(session: Session, which) -> Iterator[RunTask]:  # noqa: ANN001 - a condition of SQLAlchemy
    # A run over a study has thousands: read as columns, and not checked again, they take a tenth of the time.
    names = tuple(RunTask.model_fields)
    columns = (getattr(RunTaskRow, name) for name in names)
    for values in session.exec(select(*columns).where(which).order_by(RunTaskRow.id)):
        yield RunTask.model_construct(**dict(zip(names, values, strict=True)))


def _task(row: RunTaskRow) -> RunTask:
    return RunTask(**row.model_dump(exclude={"id"}))
