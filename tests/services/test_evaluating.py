"""A judge or matcher that fails leaves things unscored, with the reason; a second try is another row."""

import json
from dataclasses import replace

import pytest

from core.domain.case import LeakPolicy
from core.domain.instrument import Dimension
from core.domain.items import Target
from core.errors import ModelUnavailable, NotFound
from core.services import evaluating, extracting, importing, models, results, running, script_rows
from core.services.dialogues import get_dialogue
from core.services.workspace import Workspace, open_workspace
from core.storage import ledger
from tests.services import small_article

CASE = "PMC900001"
REGISTRY = """
[models."Recorded judge"]
engine = "recorded"
images = true
recording = "replies.jsonl"
"""


@pytest.fixture
def study(workspace, tmp_path) -> Workspace:
    (tmp_path / "models.toml").write_text(REGISTRY)
    (tmp_path / "replies.jsonl").write_text("")
    workspace = open_workspace(replace(workspace.settings, models_file=tmp_path / "models.toml", load_demo=False))
    importing.import_upload(workspace, small_article.files())
    extracting.extract(workspace, CASE, LeakPolicy.AUTO)
    return workspace


def record(tmp_path, *replies: dict) -> None:
    (tmp_path / "replies.jsonl").write_text("".join(json.dumps(reply) + "\n" for reply in replies))


def test_a_judge_that_gives_nothing_is_unscored_and_no_number(study) -> None:
    dialogue = running.run_case(study, "rules", CASE)
    evaluation = evaluating.evaluate(study, dialogue.id)
    judgement = evaluating.judge(study, evaluation.id, "Recorded judge")
    assert all(judgement.score(dimension) is None for dimension in Dimension)
    (score,) = {(s.score, s.unscored_reason) for s in results.judge_scores(study, "Recorded judge")}
    assert score == (None, "not_recorded")
    # The same failure again adds no row.
    assert evaluating.judge(study, evaluation.id, "Recorded judge").id == judgement.id


def test_a_judge_that_can_answer_at_the_second_try_is_another_row(study, tmp_path) -> None:
    dialogue = running.run_case(study, "rules", CASE)
    evaluation = evaluating.evaluate(study, dialogue.id)
    first = evaluating.judge(study, evaluation.id, "Recorded judge")
    answer = {name.value: {"score": 2, "justification": "Little of it is supported."} for name in Dimension}
    record(tmp_path, {"role": "judge", "subject": f"{CASE}/{dialogue.id}/judge/summary", "answer": answer})
    second = evaluating.judge(study, evaluation.id, "Recorded judge")
    assert {second.score(dimension) for dimension in Dimension} == {2}
    assert second.id != first.id
    assert len(evaluating.judgements_of(study, dialogue.id)) == 2
    assert evaluating.judge(study, evaluation.id, "Recorded judge").id == second.id


def test_every_request_is_in_the_ledger_good_or_bad(study, tmp_path) -> None:
    dialogue = running.run_case(study, "rules", CASE)
    evaluation = evaluating.evaluate(study, dialogue.id)
    record(tmp_path, {"role": "judge", "subject": f"{CASE}/{dialogue.id}/judge/summary", "text": "not JSON"})
    judgement = evaluating.judge(study, evaluation.id, "Recorded judge")
    assert {judgement.score(dimension) for dimension in Dimension} == {None}
    with study.store.read() as session:
        (attempt,) = ledger.list_attempts(session)
    assert attempt.outcome != "accepted"
    assert attempt.facts.raw_text == "not JSON"
    (spent,) = models.spending(study)
    assert (spent.model, spent.n_attempts, spent.n_accepted, spent.cost_usd) == ("Recorded judge", 1, 0, None)


def test_a_dialogue_whose_every_turn_failed_is_stored_without_text_and_scored_as_nothing(study) -> None:
    dialogue = running.run_case(study, "Recorded judge", CASE)
    assert all(turn.response is None and turn.problem for turn in get_dialogue(study, dialogue.id).turns)
    evaluation = evaluating.evaluate(study, dialogue.id)
    diagnosis = evaluation.result(Target.FINAL_DIAGNOSIS)
    assert diagnosis.unscored.reason == "turn_failed"
    judgement = evaluating.judge(study, evaluation.id)
    assert all(judgement.score(dimension) is None for dimension in Dimension)
    row = script_rows.result_row(study, evaluation.id, judgement.id)
    assert row["targets"]["final_diagnosis"]["f1"] is None
    assert row["coverage"]["answered"] == 0


def test_a_matcher_that_gives_nothing_leaves_the_target_unscored(study) -> None:
    dialogue = running.run_case(study, "rules", CASE)
    evaluation = evaluating.evaluate(study, dialogue.id, matcher="Recorded judge")
    reasoning = evaluation.result(Target.DIAGNOSTIC_REASONING)
    assert reasoning.unscored.reason == "not_recorded"
    assert reasoning.reference_items


def test_an_unknown_judge_is_named(study) -> None:
    dialogue = running.run_case(study, "rules", CASE)
    evaluation = evaluating.evaluate(study, dialogue.id)
    with pytest.raises(ModelUnavailable, match="nobody"):
        evaluating.judge(study, evaluation.id, "nobody")
    with pytest.raises(NotFound):
        evaluating.evaluate(study, "dlg-none")


def test_judge_and_test_model_of_one_family_are_warned_about() -> None:
    assert evaluating.same_family_warning("gpt-5.1", "o4-mini")
    assert evaluating.same_family_warning("gpt-5.1", "claude-haiku-4-5") is None
