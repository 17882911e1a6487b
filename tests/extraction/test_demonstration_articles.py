"""What the rules engine must make of ordinary case-report prose: the demonstration articles, written for this project.

Reported by their author after reading what was extracted. The vocabulary is ordinary medicine, so a mend is a rule of
medicine or of prose, never a word of one article.
"""

from functools import cache
from pathlib import Path

import pytest

from core.domain.article import CaseReport
from core.domain.case import HISTORY_ELEMENTS, CaseRepresentation, Element, LeakPolicy
from core.extraction import audit_leaks, extract_case
from core.jats import open_packages, read_article
from tests.conftest import NOW

ARTICLES = Path(__file__).resolve().parents[2] / "data" / "demo" / "articles"


@cache
def case_of(number: int) -> tuple[CaseReport, CaseRepresentation]:
    path = next(ARTICLES.glob(f"PMC9900000{number}*"))
    article = read_article(next(iter(open_packages(path)))).report
    case = extract_case(article, article_version=1, code_version="test", at=NOW)
    return article, audit_leaks(article, case, LeakPolicy.AUTO)


def elements_with(number: int, words: str) -> set[Element]:
    _, case = case_of(number)
    return {element for element in Element for value in case.values(element) if words in value.text}


def shown_at_synthesis(number: int, words: str) -> bool:
    _, case = case_of(number)
    changed = {d.value_id: d for d in case.disclosures}
    for element in Element:
        for value in case.values(element):
            disclosure = changed.get(value.id)
            text = value.text if disclosure is None else disclosure.text
            is_late = element is Element.KEY_FINDINGS or (disclosure is not None and disclosure.moved_to_synthesis)
            if text and words in text and is_late:
                return True
    return False


@pytest.mark.parametrize(
    ("number", "words"),
    [(2, "grew"), (1, "Enzyme-linked immunosorbent assay"), (6, "Sequencing")],
)
def test_a_key_finding_keeps_its_result_at_synthesis(number: int, words: str) -> None:
    # protocol.md section 5: in the synthesis turn a key finding keeps its result; a clause that states the final
    # diagnosis is trimmed or kept by a recorded decision.
    assert shown_at_synthesis(number, words)


@pytest.mark.parametrize(
    ("number", "words"),
    [(5, "was replaced with saline"), (5, "In view of the serous detachment"), (5, "had returned to 11.8")],
)
def test_treatment_reasoning_and_outcome_never_stand_in_history_or_key_findings(number: int, words: str) -> None:
    assert not elements_with(number, words) & {*HISTORY_ELEMENTS, Element.KEY_FINDINGS, Element.ROUTINE_LABS}


def test_working_hours_are_psychosocial_history() -> None:
    assert elements_with(5, "60 hours a week") == {Element.PSYCHOSOCIAL_HISTORY}


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "QRS complexes were narrow"),
        (1, "Complete loss of"),
        (1, "suggested erythema migrans"),
        (1, "The combination of an annular rash"),
        (4, "biops"),
        (6, "converted to"),
        (6, "Liver enzymes stayed normal"),
        (5, "After three months"),
        (3, "The remaining tissue was loose"),
        (1, "Transthoracic echocardiography"),
    ],
)
def test_special_tests_reasoning_and_outcome_are_not_shown_with_the_examination(number: int, words: str) -> None:
    assert not elements_with(number, words) & {Element.ROUTINE_LABS, Element.PHYSICAL_EXAMINATION}


def test_the_blood_count_with_its_eosinophils_is_routine() -> None:
    assert elements_with(4, "absolute eosinophil count") <= {Element.ROUTINE_LABS}


def test_an_illness_treated_years_before_is_history_and_so_is_diabetes_on_metformin() -> None:
    assert elements_with(2, "nineteen years") <= {Element.MEDICAL_HISTORY, Element.PRESENT_ILLNESS}
    assert elements_with(2, "metformin") == {Element.MEDICAL_HISTORY}


@pytest.mark.parametrize(
    ("number", "words"), [(6, "ulcer on the back of her right hand"), (3, "with a lump on the left")]
)
def test_the_presenting_complaint_is_not_an_examination_finding(number: int, words: str) -> None:
    found = elements_with(number, words)
    assert found and Element.PHYSICAL_EXAMINATION not in found


def test_the_pathology_of_the_excised_lesion_is_evidence_and_not_outcome() -> None:
    _, case = case_of(3)
    assert not case.figures[1].flags
    assert case.figures[1].findings


def test_a_diagnosis_has_no_second_item_made_of_findings() -> None:
    _, case = case_of(4)
    assert all("marked basal zone hyperplasia" not in value.text for value in case.final_diagnosis)


@pytest.mark.parametrize("number", range(1, 7))
def test_common_words_alone_are_no_leak_terms(number: int) -> None:
    _, case = case_of(number)
    assert not {hit.term.casefold() for hit in case.leaks} & {"av", "border", "food", "bolus", "detachment"}


@pytest.mark.parametrize("number", range(1, 7))
def test_what_is_left_of_a_trimmed_value_is_no_fragment(number: int) -> None:
    _, case = case_of(number)
    for disclosure in case.disclosures:
        if disclosure.text is not None:
            first = disclosure.text.split()[0].casefold().strip(",;")
            assert first not in {"and", "or", "but", "which", "of", "with"}, disclosure.text
            assert len(disclosure.text.split()) >= 3, disclosure.text


def test_an_abbreviation_takes_the_whole_phrase_it_stands_for() -> None:
    _, case = case_of(4)
    assert case.abbreviations.get("PPI", "").casefold() == "proton pump inhibitor"
