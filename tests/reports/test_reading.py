"""The rules baseline reads findings from invented report sentences."""

import pytest

from core.domain.reports import Facet, FactLevel, System
from core.reports.rules import read_facts


def findings(text: str) -> list[tuple[str, str]]:
    return [(f.entity, f.expected.value) for f in read_facts(text)[0] if f.level is FactLevel.DISEASE]


def values(text: str) -> list[tuple[str, str]]:
    return [(f.facet.value, f.value) for f in read_facts(text)[0] if f.facet]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("There is a small left pleural effusion.", [("left pleural effusion", "yes")]),
        ("No pneumothorax.", [("pneumothorax", "no")]),
        (
            "No consolidation, pleural effusion, or pneumothorax.",
            [("consolidation", "no"), ("pleural effusion", "no"), ("pneumothorax", "no")],
        ),
        (
            "Right pleural effusion without pneumothorax.",
            [("right pleural effusion", "yes"), ("pneumothorax", "no")],
        ),
        ("The left effusion has resolved.", [("left pleural effusion", "no")]),
        ("Pneumonia cannot be excluded.", [("pneumonia", "yes")]),
        ("No change in the right effusion.", [("right pleural effusion", "yes")]),
        ("Heart size is normal.", [("cardiomegaly", "no")]),
        ("The heart is not enlarged.", [("cardiomegaly", "no")]),
        ("The heart is mildly enlarged.", [("cardiomegaly", "yes")]),
        ("The lungs are clear.", [("lung abnormality", "no")]),
        ("The right lung is clear.", [("right lung abnormality", "no")]),
        ("No osseous abnormality.", [("bone abnormality", "no")]),
        ("Two cysts in the liver.", [("liver cyst", "yes")]),
        ("No acute fracture.", [("acute fracture", "no")]),
        ("Consolidation in the right upper lobe.", [("right upper lobe consolidation", "yes")]),
        ("The spleen is enlarged.", [("splenomegaly", "yes")]),
        ("Gallbladder: no stones.", [("gallbladder calculus", "no")]),
        ("Nuclear palisading is seen.", [("nuclear palisading", "yes")]),
        ("T2 hyperintensity in the thalamus.", [("thalamus T2 hyperintensity", "yes")]),
        ("The lungs are not clear.", [("lung abnormality", "yes")]),
        ("The liver is abnormal.", [("liver abnormality", "yes")]),
        ("Normal chest radiograph.", []),
        ("Lines and tubes: none.", []),
        ("The effusion has not resolved.", [("pleural effusion", "yes")]),
        ("The effusion has nearly resolved.", [("pleural effusion", "yes")]),
        ("Small effusion, pneumothorax is not seen.", [("pleural effusion", "yes"), ("pneumothorax", "no")]),
        ("Effusion and pneumothorax are not seen.", [("pleural effusion", "no"), ("pneumothorax", "no")]),
        ("Removal of the left chest tube.", [("left chest tube", "no")]),
        ("The left ventricle is normal.", [("left ventricle abnormality", "no")]),
        ("Lung volumes are low.", [("underexpansion", "yes")]),
        ("Sinus rhythm without ST elevation.", [("sinus rhythm", "yes"), ("ST elevation", "no")]),
        ("Invasive carcinoma.", [("carcinoma", "yes")]),
        ("No pneumothorax, small effusion.", [("pneumothorax", "no"), ("pleural effusion", "yes")]),
    ],
)
def test_a_sentence_gives_its_findings(text: str, expected: list[tuple[str, str]]) -> None:
    assert findings(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Small left pleural effusion.", [("size", "small")]),
        ("Severe stenosis of the aortic valve.", [("severity", "severe")]),
        ("Several nodules in the liver.", [("quantity", "multiple")]),
        ("A 2.1 cm sessile polyp in the colon.", [("morphology", "sessile"), ("size", "21 mm")]),
        ("Unchanged patchy opacity at the left base.", [("location", "basal")]),
        ("No interval change in the right effusion.", [("temporal change", "stable")]),
    ],
)
def test_a_present_finding_has_its_described_values(text: str, expected: list[tuple[str, str]]) -> None:
    assert set(expected) <= set(values(text))


def test_a_value_said_twice_is_one_attribute() -> None:
    assert values("Stable nodule in the liver, unchanged.") == [("temporal change", "stable")]


def test_a_distance_is_no_size_and_a_region_name_no_location() -> None:
    assert values("The endotracheal tube ends 4 cm above the carina.") == []
    assert values("Infarct of the basal ganglia.") == []


def test_a_denied_finding_has_no_attributes() -> None:
    assert values("No large left pleural effusion.") == []


def test_a_denied_value_is_no_attribute() -> None:
    assert ("morphology", "calcified") not in values("A nodule in the liver, not calcified.")


def test_a_describing_word_is_no_finding_of_its_own() -> None:
    assert findings("A nodular opacity in the left lung.") == [("left lung opacity", "yes")]
    assert (Facet.MORPHOLOGY.value, "nodular") in values("A nodular opacity in the left lung.")


def test_a_pronoun_sentence_describes_the_finding_before() -> None:
    assert ("morphology", "spiculated") in values("A nodule in the right upper lobe. It is spiculated.")


def test_each_finding_has_its_system() -> None:
    facts, _ = read_facts("Mild right hydronephrosis. A goiter. Cirrhosis. Drusen.")
    systems = [f.system for f in facts if f.level is FactLevel.DISEASE]
    assert systems == [System.URINARY, System.ENDOCRINE, System.DIGESTIVE, System.NERVOUS]


def test_a_reserve_is_kept_on_the_fact() -> None:
    facts, _ = read_facts("Possible pneumonia.")
    assert facts[0].is_hedged


def test_a_finding_named_twice_is_one_finding_with_all_its_values() -> None:
    facts, _ = read_facts("Left pleural effusion. Impression: Large left pleural effusion.")
    assert [f.id for f in facts] == ["F1", "F1.1"]


def test_facts_quote_a_sentence_of_the_report() -> None:
    text = "Heart size is normal.\n1. Small right effusion; no pneumothorax.\n2. Fracture of the left clavicle."
    for fact in read_facts(text)[0]:
        assert fact.sentence in text


def test_what_no_finding_was_read_from_is_listed() -> None:
    facts, unread = read_facts("Comparison with the prior examination. No effusion.")
    assert len(facts) == 1
    assert unread == ("Comparison with the prior examination.",)


def test_an_empty_report_has_no_facts() -> None:
    assert read_facts("") == ((), ())
