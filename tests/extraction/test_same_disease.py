import pytest

from core.domain.article import SectionRole
from core.extraction.same_disease import other_names, says_no_more
from core.language.terms import content_stems
from tests.extraction.articles import EXAMINATION, HISTORY, article, extract, section


def stems(text: str) -> tuple[str, ...]:
    return content_stems(text)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("optic disc pit with macular detachment", "optic disk pit and macular detachment in the left eye", True),
        ("macular detachment secondary to an optic pit", "optic disc pit associated with macular detachment", True),
        ("left atrial myxoma", "right atrial myxoma", False),
        ("pulmonary sarcoidosis", "sarcoidosis", False),
        ("secondary to", "sarcoidosis", False),
    ],
)
def test_joining_words_and_spelling_make_no_other_disease(one: str, other: str, is_same: bool) -> None:
    assert says_no_more(stems(one), stems(other)) is is_same


def test_a_defined_synonym_stands_for_what_it_names() -> None:
    synonyms = other_names(["Granulomatosis with polyangiitis, also known as Wegener disease, is rare."])
    assert says_no_more(stems("Wegener disease"), stems("granulomatosis with polyangiitis of the lung"), synonyms)
    assert not says_no_more(stems("Wegener disease of the orbit"), stems("granulomatosis polyangiitis"), synonyms)
    assert not says_no_more(stems("Wegener disease"), stems("sarcoidosis"), synonyms)


def test_title_and_text_wording_of_one_disease_are_one_diagnosis() -> None:
    report = article(
        section(1, SectionRole.HISTORY, HISTORY),
        section(2, SectionRole.EXAMINATION, EXAMINATION),
        section(3, SectionRole.INVESTIGATIONS, "Biopsy confirmed the diagnosis of villous synovitis of the left knee."),
        section(4, SectionRole.DISCUSSION, "In our patient biopsy confirmed the diagnosis of synovitis."),
        title="Villous synovitis associated with the knee: a case report",
    )
    said = [value.text for value in extract(report).final_diagnosis]
    assert len([text for text in said if "synovitis" in text]) == 1
