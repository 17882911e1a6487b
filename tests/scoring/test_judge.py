import json

import pytest
from pydantic import ValidationError

from core.domain.dialogue import TurnStatus
from core.domain.instrument import INSTRUMENT, Dimension
from core.domain.record import Unscored
from core.scoring.decompose_rules import RulesDecomposer
from core.scoring.evaluate import build_reference_set, evaluate_dialogue
from core.scoring.judge import family_warning, model_family
from core.scoring.judge_model import ModelJudge
from core.scoring.judge_rules import RulesJudge
from core.scoring.match_rules import RulesMatcher
from core.scoring.replies import JudgeScores
from core.scoring.scores import dialogue_scores
from core.scoring.summary import show_evidence, summarise_items
from tests.scoring.builders import AT, ScriptedModel, answer, case, dialogue, failed_call, figure

CASE = case(
    ["Pulmonary nocardiosis"],
    ["Culture grew Nocardia farcinica.", "CT showed a cavitating mass."],
    [figure(1, ["A mass in the left upper lobe.", "No pleural effusion."], ["The mass was thought to be malignant."])],
)
GOOD = answer(
    "Culture grew Nocardia farcinica, which makes pulmonary nocardiosis certain. CT showed a cavitating mass.",
    "Pulmonary nocardiosis",
)
GOOD_IMAGE = "A mass in the left upper lobe. No pleural effusion."


def evaluate(made):
    references = build_reference_set(CASE, RulesDecomposer(), at=AT)
    return evaluate_dialogue(made, CASE, references, RulesDecomposer(), RulesMatcher(), at=AT)


def judge(made, using=None):
    return (using or RulesJudge()).judge(evaluate(made), made, CASE, at=AT)


def scored(value=3, words="rests on the culture"):
    return {d.value: {"score": value, "justification": words} for d in Dimension}


def test_a_complete_answer_scores_higher_than_a_contradicting_one_on_every_dimension():
    good = judge(dialogue(GOOD, {"fig1": GOOD_IMAGE}))
    bad = judge(
        dialogue(answer("Culture was sterile.", "Sarcoidosis"), {"fig1": "Right upper lobe mass. Pleural effusion."})
    )
    assert [good.score(d) for d in Dimension] == [5, 5, 5, 5, 5]
    assert all(bad.score(d) < good.score(d) for d in Dimension)
    assert bad.score(Dimension.OVERALL) <= 2


def test_every_score_of_the_rules_is_justified_by_its_counts():
    found = judge(dialogue(GOOD, {"fig1": GOOD_IMAGE}))
    assert "statements" in found.scores[Dimension.FACTUALITY].justification
    assert found.judge == "rules baseline" and found.instrument_version == INSTRUMENT.version


def test_a_statement_against_another_lowers_coherence():
    found = judge(dialogue(answer("Fever was present. Fever was absent.", "Pulmonary nocardiosis")))
    assert found.score(Dimension.COHERENCE) == 2


def test_a_missed_diagnosis_keeps_utility_low_whatever_is_covered():
    made = dialogue(
        GOOD.replace("Final diagnosis\nPulmonary nocardiosis", "Final diagnosis\nLymphoma"), {"fig1": GOOD_IMAGE}
    )
    assert judge(made).score(Dimension.UTILITY) == 2


@pytest.mark.parametrize("status", [TurnStatus.REFUSED, TurnStatus.TRUNCATED, TurnStatus.FAILED])
@pytest.mark.parametrize("make", [RulesJudge, lambda: ModelJudge(ScriptedModel(scored()))])
def test_without_a_synthesis_every_dimension_is_unscored_and_nobody_is_asked(status, make):
    found = judge(dialogue(None, status=status), make())
    assert all(value == Unscored(reason=f"turn_{status.value}") for value in found.scores.values())


def test_nothing_said_is_unscored_and_not_a_middle_value():
    found = judge(dialogue("Thank you.", {"fig1": "Not assessed."}))
    assert found.score(Dimension.FACTUALITY) is None


def test_a_models_scores_are_taken_with_justification_and_facts():
    model = ScriptedModel(scored(4))
    found = judge(dialogue(GOOD, {"fig1": GOOD_IMAGE}), ModelJudge(model))
    assert {found.score(d) for d in Dimension} == {4} and found.facts is not None and found.mode == "summary"
    assert found.made_by.prompts[0].name == "judge-anchored"


@pytest.mark.parametrize("reason", ["truncated", "refused", "invalid", "timeout"])
def test_a_failed_call_scores_nothing(reason):
    found = judge(dialogue(GOOD), ModelJudge(ScriptedModel(failed_call(reason))))
    assert all(value.reason == reason for value in found.scores.values())


def test_a_score_without_justification_is_refused():
    found = judge(dialogue(GOOD), ModelJudge(ScriptedModel(scored(5, " "))))
    assert all(value.reason == "invalid" for value in found.scores.values())


@pytest.mark.parametrize("value", [0, 6, 3.5, "5", None, True])
def test_only_whole_numbers_from_one_to_five_are_scores(value):
    with pytest.raises(ValidationError):
        JudgeScores.model_validate_json(json.dumps(scored(value)))


def test_the_anchored_prompt_has_the_descriptors_word_for_word_and_the_other_has_none():
    model = ScriptedModel(scored())
    judge(dialogue(GOOD), ModelJudge(model))
    judge(dialogue(GOOD), ModelJudge(model, "definitions"))
    anchored, definitions = ("\n".join(m.text for m in request.messages) for request in model.requests)
    for criterion in INSTRUMENT.criteria:
        assert all(words in anchored for words in (criterion.question, *criterion.descriptors))
    assert INSTRUMENT.criteria[0].descriptors[0] not in definitions


def test_repeats_are_calls_and_results_of_their_own():
    model = ScriptedModel(scored())
    made = dialogue(GOOD)
    one, other = (ModelJudge(model).judge(evaluate(made), made, CASE, repeat=n, at=AT) for n in (0, 1))
    assert one.id != other.id and [r.repeat for r in model.requests] == [0, 1]


def test_repeats_of_a_judge_are_averaged_over_the_valid_ones():
    made = dialogue(GOOD)
    found = evaluate(made)
    judgements = [
        ModelJudge(ScriptedModel(reply)).judge(found, made, CASE, repeat=n, at=AT)
        for n, reply in enumerate((scored(4), scored(5), failed_call()))
    ]
    assert dialogue_scores(made, found, judgements).fvcu[Dimension.UTILITY] == 4.5
    assert dialogue_scores(made, found, judgements[2:]).fvcu[Dimension.UTILITY] is None


def test_the_summary_holds_what_the_judge_needs_and_no_model_name():
    made = dialogue(GOOD + "\nI am gpt-zebra.", {"fig1": "Right upper lobe mass."}, setting="gpt-zebra")
    text = summarise_items(CASE, made, evaluate(made))
    for words in (
        "Pulmonary nocardiosis",
        "Culture grew Nocardia farcinica",
        "Missing from the answer\n- no pleural effusion",
        "Contradictory\n- reported: mass in the left upper lobe | answer: Right upper lobe mass",
    ):
        assert words in text
    assert "gpt-zebra" not in text and "[name removed]" in text


def test_a_heading_written_into_an_answer_stays_part_of_the_answer():
    made = dialogue(answer("## Reported diagnosis\n- Sarcoidosis", "Sarcoidosis"))
    text = summarise_items(CASE, made, evaluate(made))
    assert text.count("\n## Reported diagnosis") + text.startswith("## Reported diagnosis") == 1


def test_evidence_mode_shows_the_dialogue_and_nothing_of_the_item_results():
    model = ScriptedModel(scored())
    made = dialogue(GOOD, {"fig1": GOOD_IMAGE})
    found = judge(made, ModelJudge(model, mode="evidence"))
    shown = model.requests[0].messages[-1].text
    assert found.mode == "evidence" and GOOD_IMAGE in shown and "Matched in full" not in shown
    assert "thought to be malignant" in show_evidence(CASE, made)


def test_judge_and_model_of_one_family_are_warned_of():
    assert family_warning("gpt-5.1", "o4-mini") is not None
    assert family_warning("gpt-5.1", "claude-haiku-4-5") is None
    assert family_warning("rules baseline", "rules baseline") is None
    assert model_family("Qwen3-235B-A22B") == "qwen"
