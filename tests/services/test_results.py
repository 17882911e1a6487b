"""Scores from stored columns are exactly those that the documents give."""

import pytest

from core.scoring.scores import dialogue_scores
from core.services import results
from core.services.dialogues import get_dialogue
from core.services.evaluating import get_evaluation, list_evaluations
from core.services.large import make_large
from core.services.overview import overview
from core.services.workspace import open_workspace
from core.settings import Settings
from core.storage.judgements import judgements_of


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    settings = Settings(
        data_folder=folder,
        database_url=f"sqlite:///{folder / 'study.sqlite'}",
        image_folder=folder / "images",
        models_file=folder / "none.toml",
        load_demo=False,
    )
    workspace = open_workspace(settings)
    make_large(workspace, cases=6, models=2, reviewers=2, ratings=20, seed=1)
    return workspace


@pytest.mark.parametrize("with_annotations", [True, False])
def test_columns_give_what_the_documents_give(study, with_annotations) -> None:
    ((evaluator),) = results.list_evaluators(study)
    judge = results.list_judges(study)[0]
    found = {one.dialogue_id: one for one in results.scores(study, judge, evaluator, with_annotations)}
    assert len(found) == 18
    for listing in list_evaluations(study):
        with study.store.read() as session:
            judged = [j for j in judgements_of(session, listing.dialogue_id) if j.judge == judge]
        expected = dialogue_scores(
            get_dialogue(study, listing.dialogue_id),
            get_evaluation(study, listing.id),
            judged,
            with_annotations=with_annotations,
        )
        one = found[listing.dialogue_id]
        assert [(u.target, u.figure_id, u.strict, u.lenient, u.unscored_reason) for u in one.units] == [
            (u.target, u.figure_id, u.strict, u.lenient, u.unscored_reason) for u in expected.units
        ]
        assert (one.fvcu, one.fvcu_reason, one.has_judge) == (expected.fvcu, expected.fvcu_reason, True)


def test_the_overview_counts_what_is_stored(study) -> None:
    now = overview(study)
    assert (now.articles, now.cases, now.released, now.dialogues) == (6, 6, 6, 18)
    assert (now.evaluations, now.judgements, now.committed, now.assignments) == (18, 36, 4, 8)
