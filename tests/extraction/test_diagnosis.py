import pytest

from core.domain.article import SectionRole
from tests.extraction.articles import DISCUSSION, HISTORY, article, extract, section


def diagnoses(*sections, **changes) -> list[str]:
    return [value.text for value in extract(article(*sections, **changes)).final_diagnosis]


CASE = section(
    1, SectionRole.CASE, HISTORY + " Histopathology confirmed the diagnosis of pleomorphic adenoma of the knee."
)


def test_the_diagnosis_is_quoted_with_its_site() -> None:
    assert "pleomorphic adenoma of the knee" in diagnoses(CASE, title="An unusual swelling")


def test_the_article_s_own_wording_wins_over_an_initial_suspicion() -> None:
    story = HISTORY + (
        " The initial diagnosis was gouty arthritis. Culture grew Mycobacterium tuberculosis and the final "
        "diagnosis was "
        "tuberculous arthritis of the knee."
    )
    found = diagnoses(section(1, SectionRole.CASE, story), title="A swollen knee")
    assert found[0] == "tuberculous arthritis of the knee"
    assert not any("gout" in text for text in found)


@pytest.mark.parametrize(
    "sentence",
    [
        "Lymphoma was ruled out by biopsy.",
        "Biopsy showed no evidence of lymphoma.",
        "Her mother had been diagnosed with lymphoma.",
        "Lymphoma was suspected at first.",
    ],
)
def test_denied_suspected_and_relatives_diagnoses_are_not_the_patient_s(sentence: str) -> None:
    found = diagnoses(section(1, SectionRole.CASE, f"{HISTORY} {sentence}"), title="A swollen knee")
    assert not any("ymphoma" in text for text in found)


def test_a_diagnosis_only_in_the_title_is_found_without_its_frame() -> None:
    found = diagnoses(
        section(1, SectionRole.CASE, HISTORY), title="Giant lipoma of the thigh in a young woman: a case report"
    )
    assert found == ["Giant lipoma of the thigh"]


def test_an_article_without_a_diagnosis_gives_none_and_says_so() -> None:
    case = extract(article(section(1, SectionRole.CASE, HISTORY), title="A swollen knee"))
    assert case.final_diagnosis == ()
    assert "No final diagnosis reported by the article was found." in case.eligibility.reasons


def test_two_established_diagnoses_are_two_values() -> None:
    story = (
        HISTORY
        + " She was diagnosed with sarcoidosis. Biopsy of the skin confirmed the diagnosis of basal cell carcinoma."
    )
    found = diagnoses(section(1, SectionRole.CASE, story), title="Two answers")
    assert len(found) == 2


def test_reasoning_is_about_this_patient_and_not_about_the_disease() -> None:
    case = extract(article(CASE, section(2, SectionRole.DISCUSSION, DISCUSSION)))
    reasons = [value.text for value in case.reasoning]
    assert any("our patient" in text for text in reasons)
    assert not any(text.startswith("Tenosynovial giant cell tumour is rare") for text in reasons)


@pytest.mark.parametrize(
    ("title", "diagnosis"),
    [
        ("Ectopic pregnancy in a caesarean section scar", "Ectopic pregnancy"),
        ("Lithium-induced nephrogenic diabetes insipidus", "Lithium-induced nephrogenic diabetes insipidus"),
        ("Delayed diagnosis of Pott's disease in a diabetic man", "Pott's disease"),
        ("A case of Kikuchi-Fujimoto disease mimicking lymphoma", "Kikuchi-Fujimoto disease"),
        ("Metastatic melanoma of the gallbladder diagnosed by ultrasound", "Metastatic melanoma of the gallbladder"),
        ("Laparoscopic management of a giant mesenteric cyst: a case report", "giant mesenteric cyst"),
        ("Oral leiomyoma: an unusual diagnosis", "Oral leiomyoma"),
        (
            "Spontaneous coronary artery dissection: a rare cause of sudden death",
            "Spontaneous coronary artery dissection",
        ),
    ],
)
def test_a_title_is_read_without_its_frame(title: str, diagnosis: str) -> None:
    assert diagnoses(section(1, SectionRole.CASE, HISTORY), title=title)[0] == diagnosis


def test_a_name_without_a_known_disease_word_counts_when_the_title_has_it_too() -> None:
    story = HISTORY + " A clinical diagnosis of cutaneous larva migrans was made."
    found = diagnoses(section(1, SectionRole.CASE, story), title="Cutaneous larva migrans in a traveller")
    assert found == ["cutaneous larva migrans"]
    assert diagnoses(section(1, SectionRole.CASE, story), title="An itching track") == []
