"""How many rows the measured tables hold, without reading them."""

from sqlmodel import Session, func, select

from core.storage.article_rows import ArticleRow
from core.storage.dialogue_rows import DialogueRow
from core.storage.evaluation_rows import ItemRow, JudgedScoreRow, MatchRow, TargetResultRow


def count_measured(session: Session) -> dict[str, int]:
    """Give the number of rows of each exported table that needs no join, by the table's name in the export."""

    def n(table: type) -> int:
        return session.exec(select(func.count()).select_from(table)).one()

    return {
        "articles": n(ArticleRow),
        "dialogues": n(DialogueRow),
        "turns": session.exec(select(func.coalesce(func.sum(DialogueRow.n_turns), 0))).one(),
        "atomic_scores": n(TargetResultRow),
        "items": n(ItemRow),
        "matches": n(MatchRow),
        "judge_scores": n(JudgedScoreRow),
        "coverage": n(DialogueRow),
    }
