"""Runs: many cases through one step or all of them, with the state and reason of every part."""

from enum import StrEnum

from pydantic import Field

from core.domain.record import Record, UtcTime


class RunState(StrEnum):
    """Where a run stands. `paused` can go on; `finished` says nothing about its tasks' success."""

    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"


class TaskState(StrEnum):
    """Where a task stands. `skipped`: its precondition does not hold, for example a case that is not released."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


class RunTask(Record):
    """One step of one case inside a run."""

    run_id: str
    case_id: str
    step: str = Field(description="import, extract, reference, run, evaluate or judge")
    state: TaskState
    reason: str = Field(default="", description="why it failed or was skipped, one sentence; empty otherwise")
    result_id: str = Field(default="", description="id of what it made, for example a dialogue; empty without one")
    started_at: UtcTime | None = None
    ended_at: UtcTime | None = None


class Run(Record):
    """One start of a run by a person."""

    id: str
    title: str = Field(description="what it does, for people: `pipeline`, `rules baseline over 12 cases`")
    models: dict[str, str] = Field(default_factory=dict, description="role -> registry name")
    settings: dict[str, str | int | float | bool | None] = Field(default_factory=dict)
    state: RunState
    person: str = Field(description="who started it; `command line` when no one signed in")
    started_at: UtcTime
    ended_at: UtcTime | None = None
    tasks: tuple[RunTask, ...] = ()

    def n(self, state: TaskState) -> int:
        """Count tasks in a state."""
        return sum(task.state is state for task in self.tasks)
