"""How much of everything the store holds, counted in one query."""

from sqlalchemy import func, select
from sqlmodel import Session

from core.storage.article_rows import ArticleRow, ArticleVersionRow, CaseVersionRow
from core.storage.dialogue_rows import DialogueRow
from core.storage.evaluation_rows import EvaluationRow, JudgementRow, TargetResultRow
from core.storage.review_design_tables import ConsentRow
from core.storage.review_tables import AssignmentRow, ItemVerdictTable, RatingRowTable, ReviewEventTable, StudyRow


def counts(session: Session) -> dict[str, int]:
    """Give the number of articles, cases, released cases, dialogues, evaluations, judgements, studies, assignments.

    `has_demonstration` is True when an article of the demonstration study is among them.

    `article_versions` and `case_versions` count every version stored. A case counts by its newest version; `committed`
    counts assignments whose ratings are in.
    """
    newest = (
        select(CaseVersionRow.case_id, func.max(CaseVersionRow.version).label("version"))
        .group_by(CaseVersionRow.case_id)
        .subquery()
    )
    released = (
        select(func.count())
        .select_from(CaseVersionRow)
        .join(newest, (newest.c.case_id == CaseVersionRow.case_id) & (newest.c.version == CaseVersionRow.version))
        .where(CaseVersionRow.is_released)
    )
    columns = {
        "articles": select(func.count()).select_from(ArticleRow),
        "article_versions": select(func.count()).select_from(ArticleVersionRow),
        "case_versions": select(func.count()).select_from(CaseVersionRow),
        "cases": select(func.count()).select_from(newest),
        "released": released,
        "dialogues": select(func.count()).select_from(DialogueRow),
        "evaluations": select(func.count()).select_from(EvaluationRow),
        "judgements": select(func.count()).select_from(JudgementRow),
        "studies": select(func.count()).select_from(StudyRow),
        "assignments": select(func.count()).select_from(AssignmentRow),
        "committed": select(func.count()).select_from(AssignmentRow).where(AssignmentRow.committed_at.is_not(None)),
    }
    row = session.execute(select(*(query.scalar_subquery().label(name) for name, query in columns.items()))).one()
    marked = select(ArticleVersionRow.article_id).where(ArticleVersionRow.is_demonstration).limit(1)
    return dict(row._mapping) | {"has_demonstration": session.execute(marked).first() is not None}


def marks(session: Session) -> tuple[int, ...]:
    """Give numbers that grow whenever anything is added that a result rests on; quick for a store of any size."""
    columns = (
        select(func.max(TargetResultRow.id)),
        select(func.count()).select_from(JudgementRow),
        select(func.max(RatingRowTable.id)),
        select(func.max(ReviewEventTable.id)),
        select(func.max(ItemVerdictTable.id)),
        select(func.count()).select_from(DialogueRow),
        select(func.count()).select_from(ArticleVersionRow),
        select(func.count()).select_from(CaseVersionRow),
        select(func.count()).select_from(StudyRow),
        select(func.count()).select_from(ConsentRow),
    )
    row = session.execute(select(*(query.scalar_subquery().label(f"n{at}") for at, query in enumerate(columns)))).one()
    return tuple(value or 0 for value in row)
