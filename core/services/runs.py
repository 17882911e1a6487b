"""Runs: the record of what was started, by whom, and how each part of it went."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

from core.domain.run import Run, RunState, RunTask, TaskState
from core.errors import AppError, NotReady
from core.services.workspace import Workspace
from core.storage import articles
from core.storage import runs as store

__all__ = ["RunRecorder", "StepFault", "get_run", "list_runs", "start_run"]

COMMAND_LINE = "command line"
DEMONSTRATION = "demonstration study"
_LOG = logging.getLogger(__name__)


class StepFault(AppError):
    """A step stopped by an exception nobody foresaw."""


def list_runs(workspace: Workspace, limit: int = 100) -> tuple[Run, ...]:
    """Give the newest runs with their tasks, newest first."""
    with workspace.store.read() as session:
        return store.list_runs(session, limit)


def get_run(workspace: Workspace, run_id: str) -> Run:
    """Give a run with its tasks.

    Raises:
        NotFound: there is none of this id.
    """
    with workspace.store.read() as session:
        return store.get_run(session, run_id)


def wants_demonstration(workspace: Workspace) -> bool:
    """True when the demonstration study has to be loaded: the study is empty, or loading it was interrupted."""
    with workspace.store.read() as session:
        is_empty = articles.count_articles(session) == 0
        states = {run.state for run in store.list_runs(session) if run.title == DEMONSTRATION}
    return RunState.FINISHED not in states and (is_empty or bool(states))


@dataclass
class TaskOutcome:
    """Where a task leaves the id of what it made."""

    result_id: str = ""


@dataclass(frozen=True)
class RunRecorder:
    """Writes down how a run goes. Every change is stored at once, so a killed run shows what it had reached.

    Attributes:
        workspace: the study.
        run_id: the run.
    """

    workspace: Workspace
    run_id: str

    @contextmanager
    def task(self, case_id: str, step: str) -> Iterator[TaskOutcome]:
        """Record a step of a case: running inside the block, then done, or skipped or failed with its reason.

        NotReady means skipped, every other AppError failed; both are raised again. Any other exception is a fault of
        ours: failed too, raised as StepFault. An interruption leaves the task waiting, to be taken up when the run
        goes on.
        """
        outcome = TaskOutcome()
        self._set(case_id, step, TaskState.RUNNING)
        try:
            yield outcome
        except NotReady as error:
            self._set(case_id, step, TaskState.SKIPPED, str(error))
            raise
        except AppError as error:
            self._set(case_id, step, TaskState.FAILED, str(error))
            raise
        except Exception as error:
            # One article on which we stumble must not take the others with it.
            _LOG.debug("%s: %s", case_id, step, exc_info=True)
            fault = StepFault(f"A fault of CaseRounds stopped this step ({error!r}).", "Please report it.")
            self._set(case_id, step, TaskState.FAILED, str(fault))
            raise fault from error
        except BaseException:
            self._set(case_id, step, TaskState.WAITING)
            raise
        self._set(case_id, step, TaskState.DONE, result_id=outcome.result_id)

    def skip(self, case_id: str, step: str, reason: str) -> None:
        """Record that a step was not tried, and why."""
        self._set(case_id, step, TaskState.SKIPPED, reason)

    def _set(self, case_id: str, step: str, state: TaskState, reason: str = "", result_id: str = "") -> None:
        with self.workspace.store.write() as session:
            store.set_task(session, self.run_id, case_id, step, state, datetime.now(UTC), reason, result_id)


@contextmanager
def start_run(
    workspace: Workspace,
    title: str,
    models: Mapping[str, str],
    tasks: tuple[tuple[str, str], ...] = (),
    settings: Mapping[str, str | int | float | bool | None] | None = None,
    person: str = COMMAND_LINE,
) -> Iterator[RunRecorder]:
    """Record a run from its start to its end; an interruption (Ctrl-C) pauses it.

    Args:
        workspace: the study.
        title: what it does, for people.
        models: role -> registry name.
        tasks: (case id, step) planned now; more can be added on the way.
        settings: whatever else the result depends on.
        person: who started it.
    """
    run_id = f"run-{uuid4().hex[:16]}"
    run = Run(
        id=run_id,
        title=title,
        models=dict(models),
        settings=dict(settings or {}),
        state=RunState.RUNNING,
        person=person,
        started_at=datetime.now(UTC),
        tasks=tuple(
            RunTask(run_id=run_id, case_id=case_id, step=step, state=TaskState.WAITING) for case_id, step in tasks
        ),
    )
    with workspace.store.write() as session:
        store.save_run(session, run)
    state = RunState.PAUSED
    try:
        yield RunRecorder(workspace, run_id)
        state = RunState.FINISHED
    except Exception:
        state = RunState.FINISHED
        raise
    finally:
        with workspace.store.write() as session:
            store.set_run_state(session, run_id, state, datetime.now(UTC))
