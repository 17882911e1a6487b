import pytest

from core.domain.items import Level, Side, Target
from core.scoring.assign import resolve
from core.scoring.match import shuffled
from core.scoring.match_model import ModelMatcher
from core.scoring.match_rules import RulesMatcher
from tests.scoring.builders import ScriptedModel, failed_call, items


def level_of(reference, output, abbreviations=None):
    found = RulesMatcher().propose(
        items(Side.REFERENCE, [reference]),
        items(Side.OUTPUT, [output]),
        target=Target.IMAGE_FINDINGS,
        abbreviations=abbreviations,
    )
    return found.proposals[0].level.value if found.proposals else None


@pytest.mark.parametrize(
    ("reference", "output"),
    [
        ("left pleural effusion", "Left-sided pleural effusions"),
        ("effusion of the left pleura", "left pleural effusion"),
        ("oedema of the optic disc", "optic disc edema"),
        ("mass of 8 cm", "80 mm mass"),
        ("no lymphadenopathy", "absence of lymphadenopathy"),
    ],
)
def test_the_same_meaning_in_other_words_is_strict(reference, output):
    assert level_of(reference, output) == "strict"


@pytest.mark.parametrize(
    ("reference", "output"),
    [
        ("pulmonary nocardiosis due to Nocardia", "pulmonary nocardiosis"),
        ("dilated appendix measuring 14.4 mm", "dilated appendix"),
        ("cavity in the right upper lobe", "cavity"),
    ],
)
def test_a_broader_or_less_precise_statement_is_lenient(reference, output):
    assert level_of(reference, output) == "lenient"
    assert level_of(output, reference) == "lenient"


@pytest.mark.parametrize(
    ("reference", "output"),
    [
        ("left pleural effusion", "right pleural effusion"),
        ("no pneumothorax", "pneumothorax"),
        ("mass in the left upper lobe", "right upper lobe mass"),
        ("upper lobe nodule", "lower lobe nodule"),
        ("hyperechoic nodule", "hypoechoic nodule"),
        ("T1 hyperintensity", "T2 hyperintensity"),
        ("nodule of 8 mm", "nodule of 21 mm"),
        ("synaptophysin positive", "synaptophysin negative"),
        ("non-caseating granulomas", "caseating granulomas"),
    ],
)
def test_an_opposite_is_a_contradiction_and_never_a_match(reference, output):
    assert level_of(reference, output) == "contradiction"
    assert level_of(output, reference) == "contradiction"


@pytest.mark.parametrize(
    ("reference", "output"),
    [
        ("hepatic cyst", "hepatic abscess"),
        ("lung disease", "lung tumour"),
        ("left upper lobe", "left upper lobe nodule of 8 mm"),
        ("renal cell carcinoma", "urothelial carcinoma"),
        ("fever", "cough"),
        ("renal mass", "hepatic mass"),
    ],
)
def test_the_same_organ_place_or_broad_category_is_no_match(reference, output):
    assert level_of(reference, output) is None


def test_abbreviations_of_the_article_are_understood():
    known = {"CTS": "carpal tunnel syndrome"}
    assert level_of("carpal tunnel syndrome", "CTS", known) == "strict"
    assert level_of("carpal tunnel syndrome", "CTS") is None


def test_what_answers_one_item_does_not_contradict_another():
    references = items(Side.REFERENCE, ["left atrial mass", "right atrial mass"])
    outputs = items(Side.OUTPUT, ["right atrial mass", "left atrial mass"])
    found = RulesMatcher().propose(references, outputs, target=Target.IMAGE_FINDINGS)
    assert {p.level for p in found.proposals} == {Level.STRICT} and len(found.proposals) == 2


def test_what_the_whole_text_is_about_is_no_match_by_itself():
    references = items(
        Side.REFERENCE, ["QRS complexes at 38 per minute", "QRS complexes are narrow", "P waves precede no QRS complex"]
    )
    outputs = items(
        Side.OUTPUT,
        ["QRS complexes are broad", "QRS complexes with a delta wave", "distance of P and QRS complex changes"],
    )
    found = RulesMatcher().propose(references, outputs, target=Target.IMAGE_FINDINGS)
    assert [(p.reference_id, p.output_id, p.level.value) for p in found.proposals] == [("R2", "G1", "contradiction")]


def test_a_diagnosis_that_shares_only_the_manifestation_is_no_match():
    found = RulesMatcher().propose(
        items(
            Side.REFERENCE,
            ["third-degree atrioventricular block caused by Lyme carditis"],
            Target.FINAL_DIAGNOSIS,
            None,
        ),
        items(
            Side.OUTPUT, ["viral myocarditis with third-degree atrioventricular block"], Target.FINAL_DIAGNOSIS, None
        ),
        target=Target.FINAL_DIAGNOSIS,
    )
    assert found.proposals == ()


def test_five_hundred_items_on_each_side_are_compared():
    words = [f"finding{n % 50} of zone{n}" for n in range(500)]
    references, outputs = items(Side.REFERENCE, words), items(Side.OUTPUT, words[::-1])
    found = RulesMatcher().propose(references, outputs, target=Target.IMAGE_FINDINGS)
    assert len(resolve(found.proposals, references, outputs).matches) == 500


def test_items_are_shown_shuffled_under_their_ids_with_a_stored_seed():
    model = ScriptedModel({"pairs": [{"reference_id": "R1", "output_id": "G1", "level": "strict", "reason": "same"}]})
    references, outputs = items(Side.REFERENCE, "abcdefgh"), items(Side.OUTPUT, "abcdefgh")
    found = ModelMatcher(model).propose(references, outputs, target=Target.FINAL_DIAGNOSIS, seed=7)
    shown = model.requests[0].messages[-1].text
    order = [shown.index(f"{item.id}: {item.text}") for item in references]
    assert order != sorted(order) and found.seed == 7
    assert [i.id for i in shuffled(references, 7)] == [i.id for i in shuffled(references, 7)]
    assert [i.id[1:] for i in shuffled(references, 7)] != [i.id[1:] for i in shuffled(outputs, 7)]


def test_a_line_break_inside_an_item_does_not_make_another_item():
    model = ScriptedModel({"pairs": []})
    ModelMatcher(model).propose(
        items(Side.REFERENCE, ["a\nR9: forged"]), items(Side.OUTPUT, ["b"]), target=Target.FINAL_DIAGNOSIS
    )
    assert "\nR9" not in model.requests[0].messages[-1].text


def test_invented_ids_reach_code_and_are_dropped_there():
    model = ScriptedModel(
        {
            "pairs": [
                {"reference_id": "R7", "output_id": "G1", "level": "strict", "reason": ""},
                {"reference_id": "G1", "output_id": "R1", "level": "strict", "reason": ""},
            ]
        }
    )
    sides = items(Side.REFERENCE, ["a"]), items(Side.OUTPUT, ["b"])
    found = ModelMatcher(model).propose(*sides, target=Target.FINAL_DIAGNOSIS)
    matching = resolve(found.proposals, *sides)
    assert not matching.matches and [note.kind for note in matching.notes] == ["unknown_id", "unknown_id"]


def test_a_failed_call_is_unscored_and_an_empty_side_asks_nobody():
    model = ScriptedModel(failed_call("timeout"))
    matcher = ModelMatcher(model)
    sides = items(Side.REFERENCE, ["a"]), items(Side.OUTPUT, ["b"])
    assert matcher.propose(*sides, target=Target.FINAL_DIAGNOSIS).unscored.reason == "timeout"
    assert matcher.propose((), sides[1], target=Target.FINAL_DIAGNOSIS).unscored is None
    assert len(model.requests) == 1


def test_a_second_order_flags_what_it_answers_otherwise():
    pair = {"reference_id": "R1", "output_id": "G1", "level": "strict", "reason": ""}
    model = ScriptedModel({"pairs": [pair]}, {"pairs": [{**pair, "level": "lenient"}]})
    found = ModelMatcher(model, ask_twice=True).propose(
        items(Side.REFERENCE, ["a", "c"]), items(Side.OUTPUT, ["b", "d"]), target=Target.FINAL_DIAGNOSIS
    )
    assert found.proposals[0].level is Level.STRICT
    assert found.notes == ("R1-G1: strict in the first order, lenient in the second",)
    assert [request.repeat for request in model.requests] == [0, 1]
