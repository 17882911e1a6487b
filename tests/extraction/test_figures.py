import pytest

from core.domain.article import SectionRole
from core.domain.case import FigureFlag, Modality
from core.extraction.modality import name_modality
from tests.extraction.articles import article, extract, section


@pytest.mark.parametrize(
    ("caption", "modality"),
    [
        ("Posteroanterior chest X-ray on admission.", Modality.RADIOGRAPH),
        ("Abdominal radiography shows air under the diaphragm.", Modality.RADIOGRAPH),
        ("Contrast-enhanced computed tomography of the abdomen.", Modality.CT),
        ("CT angiography of the neck.", Modality.CT),
        ("T2-weighted image of the brain.", Modality.MRI),
        ("Doppler ultrasonography of the testis.", Modality.ULTRASOUND),
        ("Transthoracic echocardiogram, apical view.", Modality.ECHOCARDIOGRAM),
        ("12-lead electrocardiogram with ST elevation.", Modality.ECG),
        ("Electroencephalogram with spike waves.", Modality.EEG_EMG),
        ("Coronary angiogram with occlusion.", Modality.ANGIOGRAM),
        ("Fluorescein angiography, late phase.", Modality.ANGIOGRAM),
        ("Bone scintigraphy with uptake in the femur.", Modality.NUCLEAR_MEDICINE),
        ("FDG PET/CT with avid nodes.", Modality.PET),
        ("Colonoscopy with an ulcer.", Modality.ENDOSCOPY),
        ("Fundus photograph of the right eye.", Modality.FUNDUS_PHOTOGRAPH),
        ("Spectral-domain optical coherence tomography of the macula.", Modality.OCT),
        ("Slit-lamp photograph of the cornea.", Modality.SLIT_LAMP),
        ("Clinical photograph of the forearm.", Modality.CLINICAL_PHOTOGRAPH),
        ("Intraoperative view of the cyst.", Modality.INTRAOPERATIVE_PHOTOGRAPH),
        ("Macroscopic appearance of the resected kidney.", Modality.GROSS_PATHOLOGY),
        ("Histology of the node (hematoxylin and eosin, ×200).", Modality.HISTOLOGY_HE),
        ("Biopsy showing amyloid (Congo red stain).", Modality.HISTOLOGY_OTHER),
        ("Immunohistochemical staining for CD20.", Modality.IMMUNOHISTOCHEMISTRY),
        ("Fine-needle aspiration cytology of the nodule.", Modality.CYTOLOGY),
        ("Electron micrograph of the basement membrane.", Modality.ELECTRON_MICROSCOPY),
        ("Growth on Sabouraud agar after ten days.", Modality.MICROBIOLOGY),
        ("Pedigree of the family.", Modality.CHART_OR_DRAWING),
        ("Time course of serum creatinine.", Modality.CHART_OR_DRAWING),
    ],
)
def test_a_caption_names_its_modality(caption: str, modality: Modality) -> None:
    found = name_modality(caption)
    assert found is not None and found.modality is modality


def test_a_text_without_a_study_names_no_modality() -> None:
    assert name_modality("One year later.") is None


def two_figures(first_caption: str, second_caption: str, story: str):
    return extract(article(section(1, SectionRole.CASE, story * 2), captions=(first_caption, second_caption)))


STORY = (
    "A 50-year-old man presented with flank pain for three weeks. On examination the abdomen was soft and not tender. "
    "Ultrasound of the abdomen showed a cystic mass of the kidney (Fig. 1) and CT showed an enhancing wall (Fig. 2). "
    "It had thick septa. "
)


def test_a_sentence_that_cites_two_figures_is_shared_out_by_citation() -> None:
    case = two_figures("", "", STORY)
    first, second = case.figures
    assert first.modality is Modality.ULTRASOUND
    assert second.modality is Modality.CT
    assert any("cystic mass" in value.text for value in first.findings)
    assert not any("cystic mass" in value.text for value in second.findings)


def test_what_goes_on_describing_belongs_to_the_figure_too() -> None:
    case = two_figures("", "", STORY)
    assert any("thick septa" in value.text for value in case.figures[1].findings)
    assert not any("thick septa" in value.text for values in case.elements.values() for value in values)


@pytest.mark.parametrize(
    ("caption", "flag"),
    [
        ("Radiograph after surgery with the implant in place.", FigureFlag.TREATMENT),
        ("CT at six months of follow-up without recurrence.", FigureFlag.OUTCOME),
        ("Photograph of the patient's mother with the same lesion.", FigureFlag.OTHER_PERSON),
        ("Trend of serum calcium over time.", FigureFlag.CHART),
    ],
)
def test_figures_that_are_no_evidence_are_flagged(caption: str, flag: FigureFlag) -> None:
    assert flag in two_figures(caption, "", STORY).figures[0].flags


def test_a_figure_without_words_stays_without_findings() -> None:
    case = two_figures("", "", STORY.replace("(Fig. 1)", "").replace("(Fig. 2)", ""))
    assert case.figures[0].findings == ()
    assert case.figures[0].modality is Modality.OTHER
