"""Tables of review. What a reviewer commits is never updated or deleted: the database itself refuses it."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, String, Text, UniqueConstraint
from sqlmodel import Field

from core.domain.instrument import Dimension
from core.domain.items import Target
from core.domain.review import Confidence, Length, Missing, ReviewMode, View
from core.storage.append_only import refuse_changes
from core.storage.base import Base, UtcDateTime, enum_type


def _time(*, nullable: bool = False) -> Column:
    return Column(UtcDateTime, nullable=nullable)


class StudyRow(Base, table=True):
    """A review study."""

    __tablename__ = "study"

    id: str = Field(primary_key=True, max_length=64)
    name: str = Field(max_length=120, unique=True)
    mode: ReviewMode = Field(sa_column=Column(enum_type(ReviewMode), nullable=False))
    length: Length = Field(sa_column=Column(enum_type(Length), nullable=False))
    instrument_version: str
    order_seed: int
    created_at: datetime = Field(sa_column=_time())
    locked_at: datetime | None = Field(default=None, sa_column=_time(nullable=True))
    is_demonstration: bool = False


class ReviewerRow(Base, table=True):
    """A reviewer."""

    __tablename__ = "reviewer"

    id: str = Field(primary_key=True, max_length=64)
    name: str = Field(max_length=80, unique=True)
    pseudonym: str = Field(max_length=40, unique=True)
    specialty: str = ""
    years: int | None = None
    role: str = ""
    created_at: datetime = Field(sa_column=_time())
    is_demonstration: bool = False


class AssignmentRow(Base, table=True):
    """One dialogue for one reviewer. Only the place reached changes, and the commit time once."""

    __tablename__ = "assignment"
    __table_args__ = (
        UniqueConstraint("study_id", "dialogue_id", "reviewer_id"),
        UniqueConstraint("study_id", "reviewer_id", "position"),
        CheckConstraint("furthest_turn >= 1", name="furthest_turn"),
    )

    id: str = Field(primary_key=True, max_length=64)
    study_id: str = Field(foreign_key="study.id", max_length=64, index=True)
    dialogue_id: str = Field(foreign_key="dialogue.id", max_length=64, index=True)
    reviewer_id: str = Field(foreign_key="reviewer.id", max_length=64, index=True)
    label: str = Field(max_length=40)
    position: int
    furthest_turn: int = 1
    at_step: str = Field(default="turn-1", max_length=20)
    outcome_shown_at: datetime | None = Field(default=None, sa_column=_time(nullable=True))
    committed_at: datetime | None = Field(default=None, sa_column=_time(nullable=True))
    skipped_because: str = ""


def _assignment() -> Column:
    return Column(String(64), ForeignKey("assignment.id"), nullable=False, index=True)


class DraftRow(Base, table=True):
    """One save of one field; the highest revision counts."""

    __tablename__ = "draft"
    __table_args__ = (
        UniqueConstraint("assignment_id", "turn", "field", "revision"),
        UniqueConstraint("assignment_id", "turn", "field", "nonce"),
        CheckConstraint("turn >= 0", name="turn"),
        CheckConstraint("revision >= 1", name="revision"),
    )

    id: int | None = Field(default=None, primary_key=True)
    assignment_id: str = Field(sa_column=_assignment())
    turn: int
    field: str = Field(max_length=60)
    revision: int
    nonce: str = Field(max_length=64)
    value: str = Field(sa_column=Column(Text, nullable=False), description="JSON")
    saved_at: datetime = Field(sa_column=_time())


class RatingRowTable(Base, table=True):
    """A committed answer for one dimension, or an amendment of it."""

    __tablename__ = "rating"
    __table_args__ = (
        UniqueConstraint("assignment_id", "turn", "dimension", "revision"),
        CheckConstraint("score BETWEEN 1 AND 5", name="score"),
        CheckConstraint("(score IS NULL) <> (missing IS NULL)", name="score_or_missing"),
        CheckConstraint("missing <> 'cannot judge' OR reason <> ''", name="cannot_judge_reason"),
        CheckConstraint("revision = 1 OR amendment_reason <> ''", name="amendment_reason"),
        CheckConstraint("revision >= 1", name="revision"),
    )

    id: int | None = Field(default=None, primary_key=True)
    assignment_id: str = Field(sa_column=_assignment())
    turn: int = Field(default=0, description="0: the whole dialogue")
    dimension: Dimension = Field(sa_column=Column(enum_type(Dimension), nullable=False))
    revision: int = 1
    score: int | None = None
    missing: Missing | None = Field(default=None, sa_column=Column(enum_type(Missing), nullable=True))
    reason: str = Field(default="", sa_column=Column(Text, nullable=False))
    confidence: Confidence | None = Field(default=None, sa_column=Column(enum_type(Confidence), nullable=True))
    evidence: str = Field(default="", description="one to a line")
    amendment_reason: str = Field(default="", sa_column=Column(Text, nullable=False))
    evidence_shown: str
    instrument_version: str
    committed_at: datetime = Field(sa_column=_time())


class TurnAnswerTable(Base, table=True):
    """A committed answer about a turn, or about the whole dialogue (turn 0)."""

    __tablename__ = "turn_answer"
    __table_args__ = (
        UniqueConstraint("assignment_id", "turn", "field", "revision"),
        CheckConstraint("turn >= 0", name="turn"),
    )

    id: int | None = Field(default=None, primary_key=True)
    assignment_id: str = Field(sa_column=_assignment())
    turn: int
    field: str = Field(max_length=60)
    revision: int = 1
    choices: str = Field(default="", description="one to a line")
    text: str = Field(default="", sa_column=Column(Text, nullable=False))
    committed_at: datetime = Field(sa_column=_time())


class JustificationViewTable(Base, table=True):
    """Agree, partly, disagree with a judge's justification."""

    __tablename__ = "justification_view"
    __table_args__ = (UniqueConstraint("assignment_id", "judgement_id", "dimension", "revision"),)

    id: int | None = Field(default=None, primary_key=True)
    assignment_id: str = Field(sa_column=_assignment())
    judgement_id: str = Field(foreign_key="judgement.id", max_length=64)
    dimension: Dimension = Field(sa_column=Column(enum_type(Dimension), nullable=False))
    revision: int
    view: View = Field(sa_column=Column(enum_type(View), nullable=False))
    given_at: datetime = Field(sa_column=_time())


class ItemVerdictTable(Base, table=True):
    """A verdict on one row of a match table."""

    __tablename__ = "item_verdict"
    __table_args__ = (UniqueConstraint("assignment_id", "evaluation_id", "target", "figure_id", "row", "revision"),)

    id: int | None = Field(default=None, primary_key=True)
    assignment_id: str = Field(sa_column=_assignment())
    evaluation_id: str = Field(foreign_key="evaluation.id", max_length=64)
    target: Target = Field(sa_column=Column(enum_type(Target), nullable=False))
    figure_id: str = Field(default="", max_length=64, description="empty outside image findings")
    row: str = Field(max_length=80)
    revision: int
    verdict: str = Field(max_length=60)
    output_id: str = Field(default="", sa_column=Column(String(80), nullable=False, server_default=""))
    attribute: str = Field(default="", sa_column=Column(String(20), nullable=False, server_default=""))
    mode: str = Field(max_length=20)
    given_at: datetime = Field(sa_column=_time())


class ReviewEventTable(Base, table=True):
    """The log of the studies; only ever appended to."""

    __tablename__ = "review_event"
    __table_args__ = (Index("ix_review_event_assignment_id_at", "assignment_id", "at"),)

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_column=_time())
    actor: str = Field(max_length=64)
    assignment_id: str | None = Field(default=None, max_length=64, foreign_key="assignment.id")
    what: str = Field(max_length=60)
    old: str = Field(default="", sa_column=Column(Text, nullable=False))
    new: str = Field(default="", sa_column=Column(Text, nullable=False))
    reason: str = Field(default="", sa_column=Column(Text, nullable=False))
    instrument_version: str = ""
    app_version: str = ""
    is_revealed: bool = False


refuse_changes(
    *(
        kind.__table__
        for kind in (
            DraftRow,
            RatingRowTable,
            TurnAnswerTable,
            JustificationViewTable,
            ItemVerdictTable,
            ReviewEventTable,
        )
    )
)
