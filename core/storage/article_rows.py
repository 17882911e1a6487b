"""Tables of articles and case versions."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Column, ForeignKeyConstraint, Text
from sqlmodel import Field

from core.storage.append_only import refuse_changes
from core.storage.base import Base, UtcDateTime


class ArticleRow(Base, table=True):
    """An article by its id. Its versions are rows of their own."""

    __tablename__ = "article"

    id: str = Field(primary_key=True, max_length=64)
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))


class ArticleVersionRow(Base, table=True):
    """One import of an article. Nothing updates it."""

    __tablename__ = "article_version"
    __table_args__ = (CheckConstraint("version >= 1", name="version"),)

    article_id: str = Field(primary_key=True, foreign_key="article.id", max_length=64)
    version: int = Field(primary_key=True)
    source: str
    source_sha256: str = Field(max_length=64, index=True)
    title: str
    article_type: str
    licence: str
    n_figures: int
    n_images: int
    is_demonstration: bool = False
    imported_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    document: str = Field(sa_column=Column(Text, nullable=False))


class CaseVersionRow(Base, table=True):
    """One version of a case representation. A correction is another row."""

    __tablename__ = "case_version"
    __table_args__ = (
        ForeignKeyConstraint(
            ["article_id", "article_version"], ["article_version.article_id", "article_version.version"]
        ),
        CheckConstraint("version >= 1", name="version"),
        CheckConstraint("eligibility IN ('eligible', 'ineligible', 'waiting')", name="eligibility"),
    )

    case_id: str = Field(primary_key=True, max_length=64)
    version: int = Field(primary_key=True)
    article_id: str = Field(index=True, max_length=64)
    article_version: int
    eligibility: str = Field(max_length=12)
    reasons: str = Field(description="why it is not eligible, one to a line")
    is_released: bool
    final_diagnosis: str = Field(description="as reported, one to a line")
    n_open_leaks: int
    made_by: str
    made_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    document: str = Field(sa_column=Column(Text, nullable=False))


class FigureConfirmationRow(Base, table=True):
    """A person looked at a figure and says that no answer is written into its pixels."""

    __tablename__ = "figure_confirmation"

    id: int | None = Field(default=None, primary_key=True)
    case_id: str = Field(index=True, max_length=64)
    figure_id: str = Field(max_length=64)
    image_sha256: str = Field(max_length=64)
    is_clean: bool
    person: str
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))


refuse_changes(ArticleVersionRow.__table__, CaseVersionRow.__table__, FigureConfirmationRow.__table__)
