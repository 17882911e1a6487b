"""Runs: many cases through one step or all of them, with the state and reason of every part."""

from enum import StrEnum
from typing import Literal

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


Wish = Literal["go", "pause", "cancel"]


class RunControl(Record):
    """What people want of a run that workers do, and what workers have to say about it. Read before every call."""

    run_id: str
    kind: Literal["dialogues", "pipeline"] = Field(description="only the test model's dialogues, or every step")
    wish: Wish = "go"
    round: int = Field(default=1, ge=1, description="counts starts, resumptions and retries; work of older ones stops")
    taken_round: int = Field(default=0, ge=0, description="the last round that a worker has put into its queue")
    budget_usd: float | None = Field(default=None, gt=0, description="cap on what the run may cost; None: no cap")
    note: str = Field(default="", description="why it is paused or waits, one sentence; empty otherwise")
    deferred_until: UtcTime | None = Field(default=None, description="a provider asked to wait until then")


class WorkerState(Record):
    """A process that takes work from the queues, as others see it."""

    id: str = Field(description="stable over restarts: host and slot")
    beats: int = Field(ge=0, description="grows while the process lives; a clock may jump, a count does not")
    process: int = Field(description="process id on its host")
    started_at: UtcTime
    beat_at: UtcTime


class RunTotals(Record):
    """What the calls of one run came to."""

    n_attempts: int = 0
    n_accepted: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = Field(default=0.0, ge=0, description="sum over requests with a known price")
    n_unpriced: int = Field(default=0, description="answered requests whose price is not known")
