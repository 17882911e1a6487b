"""The large study: the same for a seed, marked as synthetic in every row, and refused where a study is."""

import pytest
from sqlmodel import func, select

from core.domain.items import Level
from core.errors import InvalidInput
from core.services.dialogues import get_dialogue, list_dialogues
from core.services.evaluating import list_evaluations, newest_evaluation
from core.services.large import make_large
from core.services.workspace import open_workspace
from core.settings import Settings
from core.storage.article_rows import ArticleVersionRow
from core.storage.dialogue_rows import DialogueRow
from core.storage.evaluation_rows import EvaluationRow, JudgementRow, MatchRow, Pairing, TargetResultRow
from core.storage.review_tables import ReviewerRow, StudyRow


def made(folder, seed=3):
    settings = Settings(
        data_folder=folder,
        database_url=f"sqlite:///{folder / 'study.sqlite'}",
        image_folder=folder / "images",
        models_file=folder / "none.toml",
        load_demo=False,
    )
    workspace = open_workspace(settings)
    return workspace, make_large(workspace, cases=4, models=2, reviewers=3, ratings=45, seed=seed)


def test_the_same_seed_makes_the_same_study(tmp_path) -> None:
    (one, first), (other, second) = made(tmp_path / "a"), made(tmp_path / "b")
    assert first == second
    assert (first.cases, first.dialogues, first.judgements, first.ratings) == (4, 12, 24, 45)
    for row in list_dialogues(one):
        assert get_dialogue(one, row.id) == get_dialogue(other, row.id)
    _, third = made(tmp_path / "c", seed=4)
    assert third.match_rows != first.match_rows


def test_every_row_says_that_it_is_demonstration_material(tmp_path) -> None:
    workspace, _ = made(tmp_path / "a")
    with workspace.store.read() as session:
        for table in (ArticleVersionRow, DialogueRow, EvaluationRow, JudgementRow, ReviewerRow, StudyRow):
            n = session.exec(select(func.count()).select_from(table)).one()
            marked = session.exec(select(func.count()).select_from(table).where(table.is_demonstration)).one()
            assert n == marked > 0, table.__tablename__
        assert all("Synthetic" in title for title in session.exec(select(ArticleVersionRow.title)))


def test_counts_in_columns_are_those_of_the_documents(tmp_path) -> None:
    workspace, whole = made(tmp_path / "a")
    evaluation = newest_evaluation(workspace, list_evaluations(workspace)[0].dialogue_id)
    with workspace.store.read() as session:
        rows = session.exec(select(TargetResultRow).where(TargetResultRow.evaluation_id == evaluation.id)).all()
        assert session.exec(select(func.count()).select_from(MatchRow)).one() == whole.match_rows
        lenient = select(func.count()).select_from(MatchRow).where(MatchRow.pairing == Pairing.LENIENT)
        assert session.exec(lenient).one() > 0
    for row in rows:
        counts = evaluation.result(row.target, row.figure_id or None).counts(Level.LENIENT)
        assert counts is None or (counts.tp, counts.tp + counts.fn) == (row.tp_lenient, row.n_reference)


def test_a_study_with_articles_is_never_filled(tmp_path) -> None:
    workspace, _ = made(tmp_path / "a")
    with pytest.raises(InvalidInput):
        make_large(workspace, cases=1, models=1, reviewers=1, ratings=0)
    with pytest.raises(InvalidInput):
        make_large(workspace, cases=0)
