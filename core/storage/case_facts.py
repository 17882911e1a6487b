"""The newest version of every case and article, one after the other: for jobs whose results are kept."""

from collections.abc import Iterator

from sqlmodel import Session, func, select

from core.domain.article import CaseReport
from core.domain.case import CaseRepresentation
from core.storage.article_rows import ArticleVersionRow, CaseVersionRow
from core.storage.text import from_document


def newest_cases(session: Session) -> Iterator[CaseRepresentation]:
    """Give the newest version of every case, by id."""
    row = CaseVersionRow
    newest = select(row.case_id, func.max(row.version).label("version")).group_by(row.case_id).subquery()
    query = select(row.document).join(newest, (newest.c.case_id == row.case_id) & (newest.c.version == row.version))
    for document in session.exec(query.order_by(row.case_id)):
        yield from_document(CaseRepresentation, document)


def newest_articles(session: Session) -> Iterator[CaseReport]:
    """Give the newest version of every article, by id."""
    row = ArticleVersionRow
    newest = select(row.article_id, func.max(row.version).label("version")).group_by(row.article_id).subquery()
    query = select(row.document).join(
        newest, (newest.c.article_id == row.article_id) & (newest.c.version == row.version)
    )
    for document in session.exec(query.order_by(row.article_id)):
        yield from_document(CaseReport, document)
