import pytest

from core.domain.article import Licence, SectionRole
from tests.extraction.articles import EXAMINATION, HISTORY, TESTS, TREATMENT, article, extract, section, structured


def reasons(report) -> tuple[str, ...]:
    return extract(report).eligibility.reasons


def test_a_complete_article_is_eligible() -> None:
    assert extract(structured()).eligibility.state == "eligible"


def test_missing_image_files_wait_and_do_not_refuse() -> None:
    eligibility = extract(structured(has_images=False)).eligibility
    assert eligibility.state == "waiting"
    assert "waits for its image files" in eligibility.reasons[0]


def test_an_article_without_a_figure_is_refused_with_the_reason() -> None:
    assert "It has no figure with a graphic of its own." in reasons(structured(captions=()))


def test_a_figure_without_a_graphic_does_not_count() -> None:
    report = structured()
    figure = report.figures[0].model_copy(update={"graphics": ()})
    assert "It has no figure with a graphic of its own." in reasons(report.model_copy(update={"figures": (figure,)}))


@pytest.mark.parametrize(
    ("sections", "title"),
    [
        (
            [
                section(1, SectionRole.CASE, HISTORY + EXAMINATION, "Case 1"),
                section(2, SectionRole.CASE, HISTORY.replace("45", "61"), "Case 2"),
            ],
            "Swollen knees",
        ),
        (
            [section(1, SectionRole.CASE, f"Case 1. {HISTORY}\nCase 2. {HISTORY.replace('45', '61')}")],
            "Swollen knees",
        ),
        (
            [section(1, SectionRole.CASE, f"{HISTORY}\n{HISTORY.replace('45', '61')}")],
            "Tenosynovial tumour of the knee: report of two cases",
        ),
    ],
    ids=["sections", "run-in heads", "title"],
)
def test_several_patients_are_refused_until_one_is_picked(sections, title: str) -> None:
    assert any("several patients" in reason for reason in reasons(article(*sections, title=title)))


def test_a_relative_beside_the_patient_is_no_second_patient() -> None:
    story = f"{HISTORY} Her 20-year-old daughter was healthy. {EXAMINATION} {TESTS} {TREATMENT}"
    assert reasons(article(section(1, SectionRole.CASE, story))) == ()


def test_an_animal_is_not_a_human_patient() -> None:
    story = (
        "A 7-year-old castrated male dog was presented to the veterinary clinic with lameness for three weeks. The "
        "owner "
        "reported that the dog had been healthy before. On examination the canine patient had a swelling of the "
        "stifle. "
        "Biopsy of the mass confirmed the diagnosis of synovial sarcoma. The dog was treated with amputation of "
        "the limb and "
        "the owner reported a good quality of life at the last visit one year later."
    )
    report = article(section(1, SectionRole.CASE, story), title="Synovial sarcoma in a dog")
    assert "Its patient is not a human." in reasons(report)


def test_a_text_without_a_patient_is_refused() -> None:
    text = "The meeting brought together researchers who reported on recent advances in sequencing methods. " * 6
    assert "It does not describe a human patient." in reasons(article(section(1, SectionRole.OTHER, text)))


def test_a_retraction_is_refused() -> None:
    assert "retraction" in reasons(structured(is_retracted=True))[0]
    assert "retraction" in reasons(structured(title="Retraction: a tumour of the knee"))[0]


def test_a_text_in_spanish_is_refused_as_not_supported() -> None:
    text = (
        "Una mujer de 45 años de edad fue ingresada en el hospital por dolor en la rodilla izquierda. La paciente no "
        "tenía fiebre y los análisis de sangre fueron normales. Con el diagnóstico de tumor se realizó la cirugía. "
    )
    assert any("Spanish" in reason for reason in reasons(article(section(1, SectionRole.CASE, text * 4))))


def test_no_body_and_a_very_short_body_are_refused() -> None:
    assert reasons(article())[0] == "It has no body text of its own."
    assert "too short" in reasons(article(section(1, SectionRole.CASE, "A 45-year-old woman had pain.")))[0]


def test_missing_groups_are_named() -> None:
    found = reasons(article(section(1, SectionRole.CASE, HISTORY * 2), title="A knee", captions=("",)))
    assert "Nothing was found for diagnostic tests." in found
    assert "Nothing was found for diagnostic reasoning." in found


@pytest.mark.parametrize(
    ("code", "words"), [("CC BY-ND", "adaptations"), ("CC BY-NC", "commercial"), ("", "No licence")]
)
def test_a_licence_warns_and_does_not_refuse(code: str, words: str) -> None:
    eligibility = extract(structured(licence=Licence(code=code))).eligibility
    assert eligibility.state == "eligible"
    assert any(words in warning for warning in eligibility.warnings)
