"""Stories told in other styles: letters, results sections, children, accidents, the ward, and what comes afterwards."""

import pytest

from core.domain.article import SectionRole
from core.domain.case import Element
from core.extraction.demographics import read_presentation
from tests.extraction.articles import article, extract, section

INTRODUCTION = (
    "A 40-year-old woman presented with a cough that had lasted for six weeks. She had no fever or weight loss. "
)
CLINIC = "On examination she was afebrile and the lungs were clear on auscultation. "
BLOOD = "Haemoglobin was 13.1 g/dL and C-reactive protein was 4 mg/L. "
DIAGNOSED = "Biopsy of a hilar node showed granulomas, and sarcoidosis was diagnosed. "
TREATED = "She was treated with prednisone 40 mg daily. "


def element_of(told: str, *, before: str = INTRODUCTION, after: str = "", role=SectionRole.CASE) -> Element | None:
    """Give the element in which the told sentence ends up, within a story; None when it is in none."""
    case = extract(article(section(1, role, f"{before}{told} {after}".strip())))
    found = [element for element, values in case.elements.items() if any(one.text in told for one in values)]
    return next((one for one in found if one not in (Element.TIMELINE, Element.DIAGNOSTIC_METHODS)), None)


def test_a_results_section_keeps_the_paragraphs_that_name_no_patient() -> None:
    story = "\n".join(
        (
            "The patient was a 34-year-old man who presented with headache for five days.",
            "On examination he was drowsy.",
            "Laboratory tests showed haemoglobin 16.1 g/dL and albumin 14 g/L.",
            "Magnetic resonance venography demonstrated absence of flow in the sagittal sinus. Biopsy showed "
            "membranous "
            "nephropathy, and cerebral venous sinus thrombosis was diagnosed.",
            "He was treated with heparin.",
        )
    )
    case = extract(article(section(1, SectionRole.RESULTS, story)))
    assert [one.text for one in case.values(Element.ROUTINE_LABS)] == [
        "Laboratory tests showed haemoglobin 16.1 g/dL and albumin 14 g/L."
    ]
    assert any("venography" in one.text for one in case.values(Element.KEY_FINDINGS))
    assert case.reasoning
    assert [one.text for one in case.values(Element.INTERVENTIONS)] == ["He was treated with heparin."]


@pytest.mark.parametrize(
    ("sentence", "who", "complaint"),
    [
        (
            "We describe a boy, the second child of healthy parents, who was evaluated at the age of 4 years and "
            "3 months because of short stature.",
            "a boy, the second child of healthy parents, who was evaluated at the age of 4 years and 3 months",
            "because of short stature.",
        ),
        (
            "A 57-year-old roofer fell 3 m from a ladder onto his left side.",
            "A 57-year-old roofer",
            "fell 3 m from a ladder onto his left side.",
        ),
        ("A 33-year-old bus driver developed fever.", "A 33-year-old bus driver", "developed fever."),
    ],
)
def test_who_and_what_for_in_less_usual_words(sentence, who, complaint) -> None:
    found = read_presentation(sentence)
    assert found is not None
    assert sentence[found.who_start : found.who_end].strip() == who
    assert found.complaint_start is not None
    assert sentence[found.complaint_start :].strip() == complaint


def test_an_age_at_an_earlier_event_introduces_nobody() -> None:
    assert read_presentation("The patient had undergone tonsillectomy at the age of 12 years.") is None


def test_the_salutation_and_announcement_of_a_letter_are_no_history() -> None:
    case = extract(
        article(
            section(
                1,
                SectionRole.CASE,
                "To the Editor: Cough is often dismissed. We wish to report a patient in whom this was wrong. "
                + INTRODUCTION
                + CLINIC
                + BLOOD
                + DIAGNOSED,
            )
        )
    )
    told = " ".join(one.text for values in case.elements.values() for one in values)
    assert "Editor" not in told
    assert "wish to report" not in told


@pytest.mark.parametrize(
    "told",
    [
        "Six months later she remained free of symptoms.",
        "The lesions healed leaving a flat scar.",
        "Eight months later she had returned to her studies with mild memory impairment.",
        "Calcium was 2.3 mmol/L after 24 hours.",
    ],
)
def test_what_came_after_treatment_is_outcome(told) -> None:
    assert element_of(told, before=INTRODUCTION + CLINIC + BLOOD + DIAGNOSED + TREATED) is Element.OUTCOME


@pytest.mark.parametrize(
    "told",
    [
        "She received methylprednisolone, immunoglobulin and plasma exchange, and the ovary was removed.",
        "Because of shock she underwent synchronised cardioversion with 200 J.",
    ],
)
def test_treatment_is_never_a_key_finding(told) -> None:
    assert element_of(told, before=INTRODUCTION + CLINIC + BLOOD + DIAGNOSED) in (Element.INTERVENTIONS, None)


@pytest.mark.parametrize(
    "told",
    ["An aunt had bipolar disorder.", "Her mother had type 2 diabetes.", "No relative had heart disease."],
)
def test_what_relatives_have_is_family_history(told) -> None:
    assert element_of(told, after=CLINIC + BLOOD + DIAGNOSED) is Element.FAMILY_HISTORY


@pytest.mark.parametrize(
    "told",
    [
        "She was not immunosuppressed and kept tropical fish at home.",
        "She had a pet dog at home.",
        "The lump had appeared on the index finger three weeks after a scratch.",
        "The lump grew slowly over two months.",
    ],
)
def test_everyday_words_that_look_like_tests_or_signs_stay_history(told) -> None:
    found = element_of(told, after=CLINIC + BLOOD + DIAGNOSED)
    assert found in (Element.PRESENT_ILLNESS, Element.MEDICAL_HISTORY, Element.PSYCHOSOCIAL_HISTORY)


@pytest.mark.parametrize(
    "told",
    [
        "On mental state examination she was guarded, with pressured speech.",
        "Her height was 91 cm (-3.1 SD) and weight 13 kg (-1.9 SD).",
        "She had hypertelorism, down-slanting palpebral fissures and low-set ears.",
    ],
)
def test_the_mental_state_growth_and_the_face_are_examined(told) -> None:
    assert element_of(told, after=BLOOD + DIAGNOSED) is Element.PHYSICAL_EXAMINATION


@pytest.mark.parametrize(
    "told",
    [
        "Routine blood tests, urine drug screen and thyroid antibodies were unremarkable.",
        "Blood count, thyroid function and coeliac antibodies were normal.",
    ],
)
def test_a_list_of_normal_results_led_by_baseline_tests_is_routine(told) -> None:
    assert element_of(told, before=INTRODUCTION + CLINIC, after=DIAGNOSED) is Element.ROUTINE_LABS


def test_a_release_assay_is_a_special_test() -> None:
    told = "Interferon-gamma release assay was indeterminate."
    assert element_of(told, before=INTRODUCTION + CLINIC + BLOOD, after=DIAGNOSED) is Element.KEY_FINDINGS


def test_a_causality_score_is_no_laboratory_value() -> None:
    told = "The Naranjo score was 7."
    assert element_of(told, before=INTRODUCTION + CLINIC + BLOOD, after=DIAGNOSED) is None


def test_what_a_tracing_after_treatment_shows_is_no_treatment() -> None:
    told = "The tracing in sinus rhythm showed a PR interval of 90 ms and a slurred upstroke of the QRS complex."
    before = INTRODUCTION + CLINIC + BLOOD + "Because of shock she underwent synchronised cardioversion. "
    assert element_of(told, before=before, after=DIAGNOSED) is Element.KEY_FINDINGS


def test_a_value_at_a_week_of_pregnancy_is_a_result_and_no_outcome() -> None:
    told = "At 22 weeks of pregnancy, creatinine reached 3.17 mg/dL."
    assert element_of(told, before=INTRODUCTION + CLINIC + BLOOD + DIAGNOSED + TREATED) is Element.ROUTINE_LABS
