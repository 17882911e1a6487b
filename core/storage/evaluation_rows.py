"""Tables of reference sets, evaluations with their items and match rows, and judgements."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, Column, ForeignKeyConstraint, Index, Text, UniqueConstraint
from sqlmodel import Field

from core.domain.instrument import Dimension
from core.domain.items import Side, Target
from core.storage.append_only import refuse_changes
from core.storage.base import Base, UtcDateTime, enum_type


class Pairing(StrEnum):
    """What a row of the match table says. A contradiction row stands beside the missing and extra rows of its items."""

    STRICT = "strict"
    LENIENT = "lenient"
    MISSING = "missing"
    EXTRA = "extra"
    CONTRADICTION = "contradiction"


class ReferenceSetRow(Base, table=True):
    """Reference items of one case version as one decomposer gave them, shared by all its evaluations."""

    __tablename__ = "reference_set"
    __table_args__ = (
        ForeignKeyConstraint(["case_id", "case_version"], ["case_version.case_id", "case_version.version"]),
        Index("ix_reference_set_case_id_case_version", "case_id", "case_version"),
    )

    id: str = Field(primary_key=True, max_length=64)
    case_id: str = Field(max_length=64)
    case_version: int
    decomposer: str
    n_items: int
    n_unscored: int
    made_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    document: str = Field(sa_column=Column(Text, nullable=False))


class EvaluationRow(Base, table=True):
    """The atomic evaluation of one dialogue."""

    __tablename__ = "evaluation"

    id: str = Field(primary_key=True, max_length=64)
    dialogue_id: str = Field(foreign_key="dialogue.id", index=True, max_length=64)
    reference_set_id: str = Field(foreign_key="reference_set.id", index=True, max_length=64)
    decomposer: str
    matcher: str
    is_demonstration: bool
    made_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    document: str = Field(sa_column=Column(Text, nullable=False))


class TargetResultRow(Base, table=True):
    """Counts of one target (and figure) of an evaluation; none of them when it is unscored."""

    __tablename__ = "target_result"
    __table_args__ = (
        UniqueConstraint("evaluation_id", "target", "figure_id", name="uq_target_result_place"),
        CheckConstraint(
            "(unscored_reason = '') = (tp_strict IS NOT NULL AND tp_lenient IS NOT NULL)", name="counts_or_reason"
        ),
        CheckConstraint(
            "tp_strict >= 0 AND tp_lenient >= tp_strict AND tp_lenient <= n_reference AND tp_lenient <= n_output",
            name="counts",
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    evaluation_id: str = Field(foreign_key="evaluation.id", max_length=64)
    target: Target = Field(sa_column=Column(enum_type(Target), nullable=False))
    figure_id: str = Field(default="", max_length=64, description="empty for diagnosis and reasoning")
    n_reference: int
    n_output: int
    tp_strict: int | None = None
    tp_lenient: int | None = None
    unscored_reason: str = ""


class ItemRow(Base, table=True):
    """One atomic item as it stood in an evaluation."""

    __tablename__ = "item"
    __table_args__ = (
        UniqueConstraint("evaluation_id", "target", "figure_id", "side", "item_id", name="uq_item_place"),
    )

    id: int | None = Field(default=None, primary_key=True)
    evaluation_id: str = Field(foreign_key="evaluation.id", max_length=64)
    target: Target = Field(sa_column=Column(enum_type(Target), nullable=False))
    figure_id: str = Field(default="", max_length=64)
    side: Side = Field(sa_column=Column(enum_type(Side), nullable=False))
    item_id: str = Field(max_length=16)
    text: str
    sentence: str
    is_annotation: bool
    count: int


class MatchRow(Base, table=True):
    """One row of a match table: a pair, a missing reference item, an extra output item, or a contradiction."""

    __tablename__ = "match_row"
    __table_args__ = (
        UniqueConstraint(
            "evaluation_id", "target", "figure_id", "reference_id", "output_id", "pairing", name="uq_match_row_pair"
        ),
        CheckConstraint(
            "(pairing = 'missing') = (output_id = '') AND (pairing = 'extra') = (reference_id = '')", name="sides"
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    evaluation_id: str = Field(foreign_key="evaluation.id", max_length=64)
    target: Target = Field(sa_column=Column(enum_type(Target), nullable=False))
    figure_id: str = Field(default="", max_length=64)
    pairing: Pairing = Field(sa_column=Column(enum_type(Pairing), nullable=False, index=True))
    reference_id: str = Field(default="", max_length=16)
    output_id: str = Field(default="", max_length=16)
    reason: str = ""


class JudgementRow(Base, table=True):
    """One judge's judgement of one dialogue."""

    __tablename__ = "judgement"

    id: str = Field(primary_key=True, max_length=64)
    evaluation_id: str = Field(foreign_key="evaluation.id", index=True, max_length=64)
    dialogue_id: str = Field(foreign_key="dialogue.id", index=True, max_length=64)
    judge: str = Field(index=True)
    mode: str = Field(max_length=16)
    instrument_version: str = Field(max_length=16)
    repeat: int
    is_demonstration: bool
    made_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    document: str = Field(sa_column=Column(Text, nullable=False))


class JudgedScoreRow(Base, table=True):
    """One dimension of a judgement: a score 1-5, or a reason why there is none."""

    __tablename__ = "judged_score"
    __table_args__ = (
        CheckConstraint("score BETWEEN 1 AND 5", name="score"),
        CheckConstraint("(score IS NULL) = (unscored_reason <> '')", name="score_or_reason"),
    )

    judgement_id: str = Field(primary_key=True, foreign_key="judgement.id", max_length=64)
    dimension: Dimension = Field(sa_column=Column(enum_type(Dimension), primary_key=True))
    score: int | None = None
    unscored_reason: str = ""
    justification: str = ""


refuse_changes(
    ReferenceSetRow.__table__,
    EvaluationRow.__table__,
    TargetResultRow.__table__,
    ItemRow.__table__,
    MatchRow.__table__,
    JudgementRow.__table__,
    JudgedScoreRow.__table__,
)
