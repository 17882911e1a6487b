"""Tables of runs, their tasks, and the ledger of calls."""

from datetime import datetime

from sqlalchemy import JSON, CheckConstraint, Column, Index, Text, UniqueConstraint
from sqlmodel import Field

from core.domain.run import RunState, TaskState
from core.storage.append_only import refuse_changes
from core.storage.base import Base, UtcDateTime, enum_type


class RunRow(Base, table=True):
    """One start of a run."""

    __tablename__ = "run"

    id: str = Field(primary_key=True, max_length=64)
    title: str
    models: dict = Field(sa_column=Column(JSON, nullable=False))
    settings: dict = Field(sa_column=Column(JSON, nullable=False))
    state: RunState = Field(sa_column=Column(enum_type(RunState), nullable=False))
    person: str
    started_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False, index=True))
    ended_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))


class RunTaskRow(Base, table=True):
    """One step of one case inside a run. Its state changes while it runs; what it makes are rows elsewhere."""

    __tablename__ = "run_task"
    __table_args__ = (
        UniqueConstraint("run_id", "case_id", "step"),
        CheckConstraint("(state IN ('failed', 'skipped')) = (reason <> '')", name="reason"),
    )

    id: int | None = Field(default=None, primary_key=True)
    run_id: str = Field(foreign_key="run.id", max_length=64)
    case_id: str = Field(max_length=200)
    step: str = Field(max_length=24)
    state: TaskState = Field(sa_column=Column(enum_type(TaskState), nullable=False))
    reason: str = ""
    result_id: str = Field(default="", max_length=64)
    started_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    ended_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))


class RunControlRow(Base, table=True):
    """What people want of a run that workers do."""

    __tablename__ = "run_control"

    run_id: str = Field(primary_key=True, foreign_key="run.id", max_length=64)
    kind: str = Field(max_length=16)
    wish: str = Field(max_length=8)
    round: int
    taken_round: int
    budget_usd: float | None = None
    note: str = ""
    deferred_until: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))


class RunCaseRow(Base, table=True):
    """A case of such a run; it has ended when every step was tried."""

    __tablename__ = "run_case"

    run_id: str = Field(primary_key=True, foreign_key="run.id", max_length=64)
    case_id: str = Field(primary_key=True, max_length=200)
    place: int
    ended_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))


class WorkerRow(Base, table=True):
    """A process that takes work, and its heartbeat."""

    __tablename__ = "worker"

    id: str = Field(primary_key=True, max_length=100)
    beats: int
    process: int
    started_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    beat_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))


class CallAttemptRow(Base, table=True):
    """One request of one call to a model, good or bad. No key is ever in a row."""

    __tablename__ = "call_attempt"
    __table_args__ = (Index("ix_call_attempt_call_key_outcome", "call_key", "outcome"),)

    id: int | None = Field(default=None, primary_key=True)
    call_key: str = Field(max_length=64)
    request_key: str = Field(index=True, max_length=64)
    attempt: int
    role: str = Field(max_length=24)
    subject: str
    engine: str = Field(max_length=16)
    model: str = Field(index=True)
    outcome: str = Field(max_length=24)
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    latency_s: float
    run_id: str = Field(default="", index=True, max_length=64, sa_column_kwargs={"server_default": ""})
    sent_id: str | None = Field(default=None, index=True, unique=True, max_length=100)
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    document: str = Field(sa_column=Column(Text, nullable=False))


refuse_changes(CallAttemptRow.__table__)
