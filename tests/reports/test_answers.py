"""The rules baseline answers questions from another report."""

import pytest

from core.domain.reports import Given
from core.reports.rules import answer_questions, read_facts


def given(own: str, evidence: str) -> list[str]:
    facts, _ = read_facts(own)
    return [answer.given.value for answer in answer_questions(facts, evidence)]


@pytest.mark.parametrize(
    ("own", "evidence", "expected"),
    [
        ("Pleural effusion.", "Left pleural effusion.", "yes"),
        ("Left pleural effusion.", "Pleural effusion.", "not_stated"),
        ("Left pleural effusion.", "Right pleural effusion.", "not_stated"),
        ("Left pleural effusion.", "Bilateral pleural effusions.", "yes"),
        ("Bilateral pleural effusions.", "Left pleural effusion. Right pleural effusion.", "yes"),
        ("Bilateral pleural effusions.", "Left pleural effusion.", "not_stated"),
        ("Left pleural effusion.", "No pleural effusion.", "no"),
        ("No pleural effusion.", "Left pleural effusion.", "yes"),
        ("Pleural effusion.", "No left pleural effusion.", "not_stated"),
        ("Pneumothorax.", "No effusion.", "not_stated"),
        ("Consolidation in the right lung.", "The lungs are clear.", "no"),
        ("Consolidation in the right lung.", "The left lung is clear.", "not_stated"),
        ("Bilateral lung opacities.", "The right lung is clear.", "no"),
        ("The lungs are clear.", "Opacity in the left lung.", "yes"),
        ("The lungs are otherwise clear.", "Opacity in the left lung.", "not_stated"),
        ("The lungs are otherwise clear.", "The lungs are clear.", "no"),
        ("The lungs are clear.", "The lungs are otherwise clear.", "not_stated"),
        ("Nodule in the liver.", "No other liver nodule.", "not_stated"),
        ("The lungs are clear.", "The right lung is clear.", "not_stated"),
        ("Lung opacity.", "Consolidation.", "yes"),
        ("Consolidation.", "Lung opacity.", "not_stated"),
        ("Consolidation.", "No lung opacity.", "no"),
        ("Right upper lobe nodule.", "Right lower lobe nodule.", "not_stated"),
        ("Polyp in the sigmoid colon.", "Polyp in the rectum.", "not_stated"),
        ("Polyp in the sigmoid colon.", "Polyp in the colon.", "yes"),
        ("Healed rib fracture.", "No acute fracture.", "not_stated"),
        ("Rib fracture.", "No osseous abnormality.", "no"),
        ("Pulmonary edema.", "Pacemaker.", "not_stated"),
        ("The heart is normal.", "Pacemaker.", "not_stated"),
        ("Nuclear palisading.", "Nuclear palisading is present.", "yes"),
        ("T1 hyperintensity in the pons.", "T2 hyperintensity in the pons.", "not_stated"),
        ("Renal hypertension.", "Renal hypotension.", "not_stated"),
    ],
)
def test_presence_is_answered(own: str, evidence: str, expected: str) -> None:
    assert given(own, evidence)[0] == expected


@pytest.mark.parametrize(
    ("own", "evidence", "expected"),
    [
        ("Small left effusion.", "Small left effusion.", "yes"),
        ("Small left effusion.", "Large left effusion.", "no"),
        ("Small left effusion.", "Left effusion.", "not_stated"),
        ("Small left effusion.", "No effusion.", "no"),
        ("A 21 mm cyst in the liver.", "A 2.1 cm cyst in the liver.", "yes"),
        ("A 21 mm cyst in the liver.", "A 35 mm cyst in the liver.", "no"),
        ("Patchy consolidation.", "Linear consolidation.", "not_stated"),
        ("Sessile polyp in the rectum.", "Pedunculated polyp in the rectum.", "no"),
    ],
)
def test_an_attribute_is_answered(own: str, evidence: str, expected: str) -> None:
    assert given(own, evidence)[1] == expected


def test_an_answer_quotes_words_of_the_evidence_and_names_its_finding() -> None:
    facts, _ = read_facts("Pneumothorax.")
    (answer,) = answer_questions(facts, "Heart size is normal. No effusion or pneumothorax.")
    assert answer.given is Given.NO
    assert answer.quote == "No effusion or pneumothorax"
    assert answer.counterpart_id == "3"


def test_nothing_is_stated_by_an_empty_report() -> None:
    assert given("Small left effusion. No pneumothorax.", "") == ["not_stated"] * 3


def test_questions_made_elsewhere_are_answered_from_their_entity() -> None:
    facts, _ = read_facts("Left effusion.")
    foreign = facts[0].model_copy(update={"entity": "effusion of the left pleura", "question": "Effusion, left?"})
    assert answer_questions([foreign], "There is a left pleural effusion.")[0].given is Given.YES
