import pytest

from core.domain.article import PartKind, SectionRole, Span
from core.domain.case import Element, Modality
from core.extraction import extract_case
from tests.extraction.articles import AT, article, extract, section, structured, undivided


def texts(case, element: Element) -> list[str]:
    return [value.text for value in case.values(element)]


@pytest.mark.parametrize("report", [structured(), undivided()], ids=["headings", "one paragraph"])
def test_every_stage_of_the_story_lands_in_its_element(report) -> None:
    case = extract(report)
    assert texts(case, Element.PATIENT_INFORMATION) == ["A 45-year-old woman presented to our clinic"]
    assert texts(case, Element.PRIMARY_CONCERN) == ["with a three-week history of swelling of the left knee."]
    assert texts(case, Element.PRESENT_ILLNESS) == ["She had no fever."]
    assert texts(case, Element.MEDICAL_HISTORY) == ["Her past medical history included hypertension."]
    assert texts(case, Element.FAMILY_HISTORY) == ["Her mother had died of stroke."]
    assert texts(case, Element.PSYCHOSOCIAL_HISTORY) == ["She had never smoked and worked as a baker."]
    assert len(texts(case, Element.PHYSICAL_EXAMINATION)) == 2
    assert texts(case, Element.ROUTINE_LABS) == ["Haemoglobin was 13.1 g/dL and C-reactive protein was 4 mg/L."]
    assert "haemosiderin" in texts(case, Element.KEY_FINDINGS)[0]
    assert texts(case, Element.INTERVENTIONS) == ["Synovectomy was performed under general anaesthesia."]
    assert texts(case, Element.OUTCOME) == ["At one year of follow-up there was no recurrence."]


def test_a_sentence_about_a_figure_belongs_to_the_figure_and_to_no_element() -> None:
    case = extract(structured())
    (figure,) = case.figures
    assert figure.modality is Modality.MRI
    assert figure.modality_text is not None and figure.modality_text.text == "Sagittal MRI"
    assert any("suprapatellar recess" in value.text for value in figure.findings)
    assert not any("suprapatellar" in value.text for values in case.elements.values() for value in values)


def test_methods_are_names_without_results() -> None:
    names = texts(extract(structured()), Element.DIAGNOSTIC_METHODS)
    assert "Biopsy" in names
    assert all(len(name.split()) <= 5 for name in names)


def test_a_sentence_with_routine_and_special_results_is_split_verbatim() -> None:
    report = article(
        section(1, SectionRole.HISTORY, "A 30-year-old man presented with cough. " * 4),
        section(
            2,
            SectionRole.INVESTIGATIONS,
            "Erythrocyte sedimentation rate was raised at 94 mm/h and the Mantoux test was strongly positive.",
        ),
    )
    case = extract(report)
    assert texts(case, Element.ROUTINE_LABS) == ["Erythrocyte sedimentation rate was raised at 94 mm/h"]
    assert texts(case, Element.KEY_FINDINGS) == ["the Mantoux test was strongly positive."]


def test_a_normal_baseline_study_without_a_figure_is_routine_and_a_decisive_one_is_not() -> None:
    report = article(
        section(
            1,
            SectionRole.CASE,
            "A 30-year-old man presented with cough for two weeks. On examination he was afebrile and the lungs were "
            "clear on auscultation. Chest X-ray was normal. Computed tomography of the abdomen showed a large adrenal "
            "mass with calcification. He was referred to the surgeons, who removed the mass by adrenalectomy.",
        ),
    )
    case = extract(report)
    assert texts(case, Element.ROUTINE_LABS) == ["Chest X-ray was normal."]
    assert any("adrenal mass" in text for text in texts(case, Element.KEY_FINDINGS))


def test_rows_of_a_laboratory_table_are_values_and_rows_of_a_literature_table_are_not() -> None:
    report = structured()
    own = section(
        8,
        SectionRole.INVESTIGATIONS,
        "Table 1: Blood tests.\nTest | Result | Reference range\n"
        "Platelets | 88 × 10⁹/L | 150–400\nACTH | 106 ng/L | 7–63",
    ).model_copy(update={"kind": PartKind.TABLE, "id": "t1"})
    others = section(
        9, SectionRole.DISCUSSION, "Table 2: Earlier reports.\nAuthor | Year | Platelets\nDoe | 2001 | 12"
    ).model_copy(update={"kind": PartKind.TABLE, "id": "t2"})
    case = extract(report.model_copy(update={"parts": (*report.parts, own, others)}))
    assert "Platelets | 88 × 10⁹/L | 150–400" in texts(case, Element.ROUTINE_LABS)
    assert "ACTH | 106 ng/L | 7–63" in texts(case, Element.KEY_FINDINGS)
    assert not any("Doe" in value.text for values in case.elements.values() for value in values)


def test_treatment_tried_before_the_clinic_is_history() -> None:
    report = article(
        section(
            1,
            SectionRole.CASE,
            "A 30-year-old man presented with cough for two weeks. His general practitioner had prescribed amoxicillin "
            "without improvement. On examination he was febrile with a temperature of 38.5 °C. Haemoglobin was 12 "
            "g/dL. "
            "Sputum culture grew Nocardia asteroides. He was treated with trimethoprim-sulfamethoxazole for six "
            "months.",
        ),
    )
    case = extract(report)
    history = texts(case, Element.PRESENT_ILLNESS) + texts(case, Element.MEDICAL_HISTORY)
    assert any("amoxicillin" in text for text in history)
    assert any("sulfamethoxazole" in text for text in texts(case, Element.INTERVENTIONS))


def test_a_body_of_bare_paragraphs_is_read_from_the_first_mention_of_the_patient() -> None:
    opening = "Swelling of the knee is common in the clinic and has many causes, most of them harmless."
    report = article(section(1, SectionRole.OTHER, f"{opening}\n{undivided().part('s1').text}", title=""))
    case = extract(report)
    assert texts(case, Element.PRIMARY_CONCERN) == ["with a three-week history of swelling of the left knee."]
    assert not any(opening in value.text for values in case.elements.values() for value in values)


def test_the_same_article_gives_the_same_case() -> None:
    assert extract(structured()) == extract(structured())


def test_an_empty_body_gives_an_empty_case_and_no_exception() -> None:
    case = extract_case(article(title="", captions=()), article_version=1, code_version="test", at=AT)
    assert not case.elements and not case.figures and not case.final_diagnosis
    assert case.eligibility.state == "ineligible"


def test_citations_outside_any_sentence_do_no_harm() -> None:
    report = structured()
    figure = report.figures[0].model_copy(update={"citations": (Span(part="s1", start=0, end=3),)})
    assert extract(report.model_copy(update={"figures": (figure,)})).figures
