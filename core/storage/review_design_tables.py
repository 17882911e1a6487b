"""Tables of a study's layout, consent, own pairings, unblinding and adjudication. Their rows are only ever added."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Column, ForeignKey, String, Text, UniqueConstraint
from sqlmodel import Field

from core.domain.items import Target
from core.domain.review_design import ConsentStep, ItemMode, ReferenceShown
from core.storage.append_only import refuse_changes
from core.storage.base import Base, UtcDateTime, enum_type


def _time() -> Column:
    return Column(UtcDateTime, nullable=False)


class StudyDesignRow(Base, table=True):
    """How a study was laid out; a study made before this table has none and takes the defaults."""

    __tablename__ = "study_design"
    __table_args__ = (
        CheckConstraint("overlap >= 1", name="overlap"),
        CheckConstraint("item_sample_percent BETWEEN 1 AND 100", name="item_sample_percent"),
    )

    study_id: str = Field(primary_key=True, foreign_key="study.id", max_length=64)
    blinding_seed: int | None = None
    overlap: int | None = None
    item_mode: ItemMode = Field(sa_column=Column(enum_type(ItemMode), nullable=False))
    item_sample_percent: int = 20
    reference_shown: ReferenceShown = Field(sa_column=Column(enum_type(ReferenceShown), nullable=False))
    cloned_from: str = Field(default="", max_length=64)


class StudyUnblindingRow(Base, table=True):
    """Who looked at the settings of a study, when and why."""

    __tablename__ = "study_unblinding"

    id: int | None = Field(default=None, primary_key=True)
    study_id: str = Field(foreign_key="study.id", max_length=64, index=True)
    at: datetime = Field(sa_column=_time())
    who: str = Field(max_length=80)
    why: str = Field(sa_column=Column(Text, nullable=False))


class ConsentRow(Base, table=True):
    """A reviewer's consent, withdrawal, and what the lead decided then."""

    __tablename__ = "reviewer_consent"

    id: int | None = Field(default=None, primary_key=True)
    reviewer_id: str = Field(foreign_key="reviewer.id", max_length=64, index=True)
    at: datetime = Field(sa_column=_time())
    step: ConsentStep = Field(sa_column=Column(enum_type(ConsentStep), nullable=False))
    text_version: str = Field(default="", max_length=20)
    reason: str = Field(default="", sa_column=Column(Text, nullable=False))


class ItemPairingRow(Base, table=True):
    """A reviewer's own pairs of one target, as saved or as committed."""

    __tablename__ = "item_pairing"
    __table_args__ = (
        UniqueConstraint("assignment_id", "evaluation_id", "target", "figure_id", "revision"),
        CheckConstraint("revision >= 1", name="revision"),
    )

    id: int | None = Field(default=None, primary_key=True)
    assignment_id: str = Field(sa_column=Column(String(64), ForeignKey("assignment.id"), nullable=False, index=True))
    evaluation_id: str = Field(foreign_key="evaluation.id", max_length=64)
    target: Target = Field(sa_column=Column(enum_type(Target), nullable=False))
    figure_id: str = Field(default="", max_length=64, description="empty outside image findings")
    revision: int
    pairs: str = Field(sa_column=Column(Text, nullable=False), description="JSON")
    is_committed: bool = False
    at: datetime = Field(sa_column=_time())


class AdjudicationRow(Base, table=True):
    """A settled answer."""

    __tablename__ = "adjudication"
    __table_args__ = (
        UniqueConstraint("study_id", "dialogue_id", "question", "revision"),
        CheckConstraint("reason <> ''", name="reason"),
    )

    id: int | None = Field(default=None, primary_key=True)
    study_id: str = Field(foreign_key="study.id", max_length=64, index=True)
    dialogue_id: str = Field(foreign_key="dialogue.id", max_length=64)
    question: str = Field(max_length=20)
    revision: int
    answer: str = Field(max_length=40)
    reason: str = Field(sa_column=Column(Text, nullable=False))
    adjudicator: str = Field(max_length=80)
    order: str = Field(
        sa_column=Column("shown_order", Text, nullable=False), description="assignment ids, one to a line"
    )
    at: datetime = Field(sa_column=_time())


refuse_changes(
    *(kind.__table__ for kind in (StudyDesignRow, StudyUnblindingRow, ConsentRow, ItemPairingRow, AdjudicationRow))
)
