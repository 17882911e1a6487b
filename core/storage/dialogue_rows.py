"""Table of dialogues."""

from datetime import datetime

from sqlalchemy import Column, ForeignKeyConstraint, Index, Text
from sqlmodel import Field

from core.domain.dialogue import DialogueKind
from core.storage.append_only import refuse_changes
from core.storage.base import Base, UtcDateTime, enum_type


class DialogueRow(Base, table=True):
    """One staged dialogue of one case version. Nothing updates it."""

    __tablename__ = "dialogue"
    __table_args__ = (
        ForeignKeyConstraint(["case_id", "case_version"], ["case_version.case_id", "case_version.version"]),
        Index("ix_dialogue_case_id_case_version", "case_id", "case_version"),
    )

    id: str = Field(primary_key=True, max_length=64)
    case_id: str = Field(max_length=64)
    case_version: int
    kind: DialogueKind = Field(sa_column=Column(enum_type(DialogueKind), nullable=False))
    setting: str = Field(index=True)
    repeat: int
    plan_sha256: str = Field(max_length=64)
    is_demonstration: bool
    engine: str
    model: str
    n_turns: int
    n_failed: int
    has_synthesis: bool = Field(description="the synthesis turn has an answer")
    made_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    document: str = Field(sa_column=Column(Text, nullable=False))


refuse_changes(DialogueRow.__table__)
