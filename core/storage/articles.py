"""Articles: every import of an article is a version; the same content is stored once."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, func, select

from core.domain.article import CaseReport
from core.errors import NotFound
from core.storage.article_rows import ArticleRow, ArticleVersionRow
from core.storage.text import from_document, to_document


@dataclass(frozen=True)
class SavedArticle:
    """What storing an article did.

    Attributes:
        version: the version that now holds the content, from 1.
        is_first: True when the article was not there before.
        is_changed: False when the newest version already had exactly this content, and no row was added.
    """

    version: int
    is_first: bool
    is_changed: bool


@dataclass(frozen=True)
class ArticleListing:
    """One article's newest version, without its text.

    Attributes:
        n_figures: figures of the article itself.
        n_images: figures of which every graphic has its image.
        imported_at: UTC.
    """

    id: str
    version: int
    title: str
    article_type: str
    licence: str
    source: str
    n_figures: int
    n_images: int
    is_demonstration: bool
    imported_at: datetime


def save_article(session: Session, report: CaseReport, at: datetime, is_demonstration: bool = False) -> SavedArticle:
    """Store a report as the newest version of its article, unless that is what is stored already."""
    article = session.get(ArticleRow, report.id, with_for_update=True)
    newest = _newest(session, report.id)
    document = to_document(report)
    if newest is not None and newest.document == document:
        return SavedArticle(version=newest.version, is_first=False, is_changed=False)
    if article is None:
        session.add(ArticleRow(id=report.id, created_at=at))
        session.flush()
    version = newest.version + 1 if newest else 1
    session.add(ArticleVersionRow(**article_columns(report, version, at, is_demonstration), document=document))
    session.flush()
    return SavedArticle(version=version, is_first=article is None, is_changed=True)


def article_columns(report: CaseReport, version: int, at: datetime, is_demonstration: bool) -> dict:
    """Give what a version of an article has in columns of its own, beside its document."""
    return {
        "article_id": report.id,
        "version": version,
        "source": report.source,
        "source_sha256": report.source_sha256,
        "title": report.title,
        "article_type": report.article_type,
        "licence": report.licence.code,
        "n_figures": len(report.figures),
        "n_images": sum(bool(f.graphics) and all(g.image for g in f.graphics) for f in report.figures),
        "is_demonstration": is_demonstration,
        "imported_at": at,
    }


def get_article(session: Session, article_id: str, version: int | None = None) -> CaseReport:
    """Give an article, the newest version unless one is named.

    Raises:
        NotFound: no such article or version.
    """
    row = _newest(session, article_id) if version is None else session.get(ArticleVersionRow, (article_id, version))
    if row is None:
        raise NotFound(f"There is no article {article_id!r}" + (f" in version {version}." if version else "."))
    return from_document(CaseReport, row.document)


def article_version(session: Session, article_id: str) -> int | None:
    """Give the number of the newest version; None when the article is not stored."""
    return session.exec(
        select(func.max(ArticleVersionRow.version)).where(ArticleVersionRow.article_id == article_id)
    ).one()


def is_demonstration(session: Session, article_id: str) -> bool:
    """True when the article was written for the demonstration study; False also when it is not stored."""
    newest = session.exec(
        select(ArticleVersionRow.is_demonstration)
        .where(ArticleVersionRow.article_id == article_id)
        .order_by(ArticleVersionRow.version.desc())
        .limit(1)
    ).first()
    return bool(newest)


def list_articles(session: Session) -> tuple[ArticleListing, ...]:
    """Give the newest version of every article, by id, without their texts."""
    row, newest = ArticleVersionRow, _newest_versions()
    columns = (
        row.article_id,
        row.version,
        row.title,
        row.article_type,
        row.licence,
        row.source,
        row.n_figures,
        row.n_images,
        row.is_demonstration,
        row.imported_at,
    )
    found = session.exec(
        select(*columns)
        .join(newest, (newest.c.article_id == row.article_id) & (newest.c.version == row.version))
        .order_by(row.article_id)
    )
    return tuple(ArticleListing(*values) for values in found)


def count_articles(session: Session) -> int:
    """Give how many articles the store holds."""
    return session.exec(select(func.count()).select_from(ArticleRow)).one()


def images_named(session: Session) -> set[str]:
    """Give the hashes of all images that any version of any article names."""
    named: set[str] = set()
    for document in session.exec(select(ArticleVersionRow.document)):
        report = from_document(CaseReport, document)
        named |= {g.image.sha256 for f in report.figures for g in f.graphics if g.image}
    return named


def _newest_versions():  # noqa: ANN202 - a subquery of SQLAlchemy
    return (
        select(ArticleVersionRow.article_id, func.max(ArticleVersionRow.version).label("version"))
        .group_by(ArticleVersionRow.article_id)
        .subquery()
    )


def _newest(session: Session, article_id: str) -> ArticleVersionRow | None:
    return session.exec(
        select(ArticleVersionRow)
        .where(ArticleVersionRow.article_id == article_id)
        .order_by(ArticleVersionRow.version.desc())
        .limit(1)
    ).first()
