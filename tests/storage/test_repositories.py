"""Records go in and come back equal; new versions are new rows; listings need no document."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from core.domain.instrument import Dimension
from core.domain.items import Target
from core.domain.run import Run, RunState, RunTask, TaskState
from core.errors import Conflict, NotFound
from core.storage import articles, cases, dialogues, evaluations, judgements, runs
from core.storage.evaluation_rows import Pairing
from tests.storage.small_records import AT, case, dialogue, evaluation, judgement, reference_set, report


@pytest.fixture
def filled(store):
    with store.write() as session:
        articles.save_article(session, report(), AT)
        cases.save_case(session, "PMC1", case())
        dialogues.save_dialogue(session, dialogue())
        evaluations.save_reference_set(session, reference_set())
        evaluations.save_evaluation(session, evaluation(), matcher="rules baseline")
        judgements.save_judgement(session, judgement())
    return store


def test_every_record_comes_back_equal(filled) -> None:
    with filled.read() as session:
        assert articles.get_article(session, "PMC1") == report()
        assert cases.get_case(session, "PMC1") == case()
        assert dialogues.get_dialogue(session, "d1") == dialogue()
        assert evaluations.get_reference_set(session, "r1") == reference_set()
        assert evaluations.get_evaluation(session, "e1") == evaluation()
        assert judgements.get_judgement(session, "j1") == judgement()


def test_the_same_article_again_adds_nothing(filled) -> None:
    with filled.write() as session:
        saved = articles.save_article(session, report(), AT)
    assert (saved.version, saved.is_first, saved.is_changed) == (1, False, False)


def test_a_changed_article_is_a_new_version_beside_the_old(filled) -> None:
    with filled.write() as session:
        saved = articles.save_article(session, report(title="Wheeze, corrected"), AT)
    assert (saved.version, saved.is_first, saved.is_changed) == (2, False, True)
    with filled.read() as session:
        assert [a.title for a in articles.list_articles(session)] == ["Wheeze, corrected"]
        assert articles.get_article(session, "PMC1", 1).title == "Wheeze in a bakery"
        assert articles.count_articles(session) == 1


def test_a_correction_based_on_an_old_version_is_a_conflict(filled) -> None:
    with filled.write() as session:
        cases.save_case(session, "PMC1", case(version=2))
    with pytest.raises(Conflict, match="newer version"), filled.write() as session:
        cases.save_case(session, "PMC1", case(version=2))
    with filled.read() as session:
        assert [v.version for v in cases.case_versions(session, "PMC1")] == [1, 2]
        assert [c.version for c in cases.list_cases(session)] == [2]


def test_a_dialogue_needs_its_case_version(filled) -> None:
    with pytest.raises(NotFound, match="not stored"), filled.write() as session:
        dialogues.save_dialogue(session, dialogue("d2", case_id="PMC9"))


def test_a_dialogue_is_stored_once(filled) -> None:
    with pytest.raises(Conflict), filled.write() as session:
        dialogues.save_dialogue(session, dialogue())


def test_match_rows_tell_pairs_missing_extra_and_contradictions_apart(filled) -> None:
    with filled.read() as session:
        rows = {(r.pairing, r.reference_id, r.output_id) for r in evaluations.list_match_rows(session)}
        missing = evaluations.list_match_rows(session, Pairing.MISSING)
    # The contradiction stands beside its items' missing and extra rows: it changes no count.
    assert rows == {
        ("lenient", "R1", "G1"),
        ("contradiction", "R2", "G2"),
        ("missing", "R2", ""),
        ("extra", "", "G2"),
    }
    assert [row.reference_id for row in missing] == ["R2"]


def test_unscored_targets_have_a_reason_and_no_counts(filled) -> None:
    with filled.read() as session:
        diagnosis, reasoning = evaluations.list_counts(session)
    assert (diagnosis.tp_strict, diagnosis.tp_lenient, diagnosis.n_reference, diagnosis.n_output) == (0, 1, 2, 2)
    assert reasoning.target is Target.DIAGNOSTIC_REASONING
    assert (reasoning.tp_strict, reasoning.tp_lenient, reasoning.unscored_reason) == (None, None, "truncated")


def test_every_dimension_has_a_score_or_a_reason(filled) -> None:
    with filled.read() as session:
        scores = {s.dimension: (s.score, s.unscored_reason) for s in judgements.list_judged_scores(session)}
    assert scores == {
        Dimension.FACTUALITY: (4, ""),
        Dimension.VALIDITY: (None, "refused"),
        Dimension.COHERENCE: (None, "not_given"),
        Dimension.UTILITY: (None, "not_given"),
        Dimension.OVERALL: (None, "not_given"),
    }


@pytest.mark.parametrize("score", ["0", "6", "NULL"])
def test_a_score_outside_1_to_5_or_without_reason_is_refused_by_the_database(filled, score) -> None:
    with pytest.raises(IntegrityError), filled.write() as session:
        session.exec(
            text(
                "INSERT INTO judged_score (judgement_id, dimension, score, unscored_reason, justification) "
                f"VALUES ('j1', 'overall', {score}, '', '')"
            )
        )


def test_counts_that_do_not_add_up_are_refused_by_the_database(filled) -> None:
    with pytest.raises(IntegrityError), filled.write() as session:
        session.exec(
            text(
                "INSERT INTO target_result (evaluation_id, target, figure_id, n_reference, n_output, tp_strict, "
                "tp_lenient, unscored_reason) VALUES ('e1', 'image_findings', 'fig1', 1, 3, 0, 2, '')"
            )
        )


def test_a_task_keeps_its_state_and_reason(store) -> None:
    task = RunTask(run_id="run1", case_id="PMC1", step="run", state=TaskState.WAITING)
    with store.write() as session:
        runs.save_run(
            session, Run(id="run1", title="t", state=RunState.RUNNING, person="p", started_at=AT, tasks=(task,))
        )
        runs.set_task(session, "run1", "PMC1", "run", TaskState.RUNNING, AT)
        runs.set_task(session, "run1", "PMC1", "run", TaskState.FAILED, AT, reason="the model refused")
        runs.set_run_state(session, "run1", RunState.FINISHED, AT)
    with store.read() as session:
        run = runs.get_run(session, "run1")
        assert [t.reason for t in runs.failures(session, "PMC1")] == ["the model refused"]
    assert run.state is RunState.FINISHED
    assert run.n(TaskState.FAILED) == 1
    assert run.tasks[0].started_at == run.tasks[0].ended_at == AT
