"""Tables of report pairs, the facts of reference reports, and evaluations. Results are never changed, only added."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Column, Index, Text, UniqueConstraint
from sqlmodel import Field

from core.storage.append_only import refuse_changes
from core.storage.base import Base, UtcDateTime


class ReportPairRow(Base, table=True):
    """A reference report and a model's report of the same study."""

    __tablename__ = "report_pair"
    __table_args__ = (UniqueConstraint("dataset", "pair", "model"),)

    id: str = Field(primary_key=True, max_length=64)
    pair: str = Field(max_length=200)
    dataset: str = Field(max_length=200)
    modality: str = Field(default="", max_length=100)
    model: str = Field(max_length=200, index=True)
    reference: str = Field(sa_column=Column(Text, nullable=False))
    prediction: str = Field(sa_column=Column(Text, nullable=False))
    source: str = ""
    is_demonstration: bool = False
    position: int = Field(description="order of import")
    imported_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))


class ReportFactsRow(Base, table=True):
    """The facts of a reference report as one reader read them; shared by all pairs with this reference."""

    __tablename__ = "report_facts"

    id: str = Field(primary_key=True, max_length=64)
    text_sha256: str = Field(max_length=64)
    reader: str
    n_facts: int
    made_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    document: str = Field(sa_column=Column(Text, nullable=False))


class ReportEvaluationRow(Base, table=True):
    """One evaluation of a pair; its numbers in both readings, or the reason why there are none."""

    __tablename__ = "report_evaluation"
    __table_args__ = (
        CheckConstraint(
            "(unscored_reason = '') = (f1_open IS NOT NULL AND f1_closed IS NOT NULL)", name="score_or_reason"
        ),
        CheckConstraint("f1_open BETWEEN 0 AND 1 AND f1_closed BETWEEN 0 AND 1", name="range"),
        Index("ix_report_evaluation_pair_id_evaluator", "pair_id", "evaluator"),
    )

    id: str = Field(primary_key=True, max_length=64)
    pair_id: str = Field(foreign_key="report_pair.id", max_length=64)
    reference_facts_id: str = Field(max_length=64)
    evaluator: str = Field(index=True)
    f1_open: float | None = None
    f1_closed: float | None = None
    disease_f1_open: float | None = None
    attribute_f1_open: float | None = Field(default=None, description="none without aligned attribute questions")
    n_facts: int
    unscored_reason: str = ""
    made_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    document: str = Field(sa_column=Column(Text, nullable=False))


refuse_changes(ReportFactsRow.__table__, ReportEvaluationRow.__table__)
