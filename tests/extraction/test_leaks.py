import pytest

from core.domain.article import SectionRole
from core.domain.case import EXAMINATION_ELEMENTS, HISTORY_ELEMENTS, Element, LeakAction, LeakPolicy, Verdict
from core.extraction import audit_leaks
from core.extraction.clearing import cut_clauses
from core.extraction.quality import texts_before_synthesis
from tests.extraction.articles import article, extract, section

END = (
    " Haemoglobin was 13.1 g/dL. Biopsy of the lung with Ziehl-Neelsen stain was positive and confirmed miliary "
    "tuberculosis. Culture grew Mycobacterium "
    "tuberculosis. The final diagnosis was miliary tuberculosis (MTB). She was treated with isoniazid and "
    "rifampicin for "
    "six months. At follow-up she had recovered."
)
START = "A 45-year-old woman presented to our clinic with cough and sweats. She had lost 5 kg of weight."
EXAM = " On examination she was febrile with a temperature of 38.6 °C, and crackles were heard over both lungs."


def case_with(sentence: str = "", exam: str = "", policy: LeakPolicy = LeakPolicy.HOLD):
    report = article(
        section(1, SectionRole.CASE, f"{START} {sentence}{EXAM} {exam}{END}"),
        title="Fever in a young woman",
    )
    return report, extract(report, policy)


def verdicts(case, words: str) -> set[Verdict]:
    return {hit.verdict for hit in case.leaks if words.lower() in hit.text.lower() and hit.stage != "synthesis"}


@pytest.mark.parametrize(
    ("sentence", "words", "verdict"),
    [
        ("She was known to have miliary tuberculosis.", "tuberculosis", Verdict.BLOCKS),
        ("She knew that MTB was present.", "MTB", Verdict.BLOCKS),
        ("Her doctor suspected miliary tuberculosis.", "tuberculosis", Verdict.WARNS),
        ("She had no contact with tuberculosis.", "tuberculosis", Verdict.NOTES),
        ("Her uncle had tuberculosis.", "tuberculosis", Verdict.NOTES),
        ("She took isoniazid.", "isoniazid", Verdict.WARNS),
    ],
)
def test_a_hit_weighs_as_much_as_it_says(sentence: str, words: str, verdict: Verdict) -> None:
    _, case = case_with(sentence)
    assert verdicts(case, words) == {verdict}


@pytest.mark.parametrize("wording", ["tuberculous lungs", "Tuberculosis of the miliary kind", "anti-tuberculous drugs"])
def test_inflections_and_word_order_are_found(wording: str) -> None:
    _, case = case_with(f"She was told of {wording} before.")
    assert any(hit.stage == "history" and "ubercul" in hit.text for hit in case.leaks)


def test_american_and_british_spelling_and_hyphens_are_the_same_term() -> None:
    story = f"{START} She spoke of esophageal leiomyoma.{EXAM} Biopsy confirmed the diagnosis of oesophageal leiomyoma."
    case = extract(article(section(1, SectionRole.CASE, story), title="A lump"))
    assert any(hit.verdict is Verdict.BLOCKS and hit.stage == "history" for hit in case.leaks)


def test_a_word_that_stands_in_many_diagnoses_gives_nothing_away() -> None:
    _, case = case_with("She had a history of lung infection and disease of the left knee.")
    assert not [hit for hit in case.leaks if hit.stage == "history" and hit.verdict is not Verdict.NOTES]


def test_under_hold_a_blocking_hit_stays_open_and_keeps_the_case_back() -> None:
    _, case = case_with("She was known to have miliary tuberculosis.")
    assert any(hit.is_open for hit in case.leaks)
    assert not case.is_released
    assert case.disclosures == ()


def test_under_auto_nothing_that_blocks_or_warns_is_shown_before_synthesis() -> None:
    report, case = case_with(
        "She was known to have miliary tuberculosis. Her doctor suspected tuberculosis and she drank milk.",
        policy=LeakPolicy.AUTO,
    )
    assert not any("ubercul" in text for text in texts_before_synthesis(case))
    assert all(hit.decided_by == "automatic" for hit in case.leaks if hit.verdict is Verdict.BLOCKS)
    assert case.is_released


def test_what_warns_is_shown_at_synthesis_instead() -> None:
    _, case = case_with("She took isoniazid.", policy=LeakPolicy.AUTO)
    moved = [one for one in case.disclosures if one.moved_to_synthesis]
    assert [one.text for one in moved] == ["She took isoniazid."]
    assert [hit.action for hit in case.leaks if hit.text == "isoniazid"] == [LeakAction.MOVED]


def test_a_naming_clause_is_trimmed_and_the_rest_of_the_sentence_stays() -> None:
    _, case = case_with(
        exam="Her lymph nodes were enlarged and tender, consistent with miliary tuberculosis.", policy=LeakPolicy.AUTO
    )
    shown = texts_before_synthesis(case)
    assert "Her lymph nodes were enlarged and tender." in shown
    assert not any("ubercul" in text for text in shown)


def test_a_key_finding_keeps_its_organism_and_loses_the_stated_diagnosis() -> None:
    _, case = case_with(policy=LeakPolicy.AUTO)
    changed = {one.value_id: one.text for one in case.disclosures}
    texts = [changed.get(value.id, value.text) for value in case.values(Element.KEY_FINDINGS)]
    assert any("grew Mycobacterium tuberculosis" in text for text in texts if text)
    assert not any("miliary tuberculosis" in text for text in texts if text)


def test_a_case_that_would_lose_most_of_its_history_is_held() -> None:
    report = article(
        section(
            1,
            SectionRole.CASE,
            "A 45-year-old woman presented with miliary tuberculosis known for three weeks. Her miliary "
            "tuberculosis had "
            "been found at school by her teacher who also had miliary tuberculosis at that time and coughed."
            + EXAM
            + END,
        ),
        title="Fever",
    )
    case = extract(report, LeakPolicy.AUTO)
    assert "more than half of the history" in case.held_reason
    assert not case.is_released


def test_a_case_whose_every_sentence_leaks_is_held_and_raises_nothing() -> None:
    sentence = "A 45-year-old woman presented with miliary tuberculosis. "
    case = extract(article(section(1, SectionRole.CASE, sentence * 8), title="Miliary tuberculosis"), LeakPolicy.AUTO)
    assert not case.is_released


def test_a_case_without_a_diagnosis_has_no_terms() -> None:
    case = extract(article(section(1, SectionRole.CASE, START * 3 + EXAM), title="A cough"))
    assert case.leaks == ()


def test_a_label_that_names_the_answer_blocks() -> None:
    report, case = case_with()
    figure = case.figures[0].model_copy(update={"label": "Figure 1: miliary tuberculosis"})
    audited = audit_leaks(report, case.model_copy(update={"figures": (figure,)}))
    assert any(hit.value_id == "label" and hit.is_open for hit in audited.leaks)


def test_under_auto_a_label_that_names_the_answer_holds_nothing_up_since_only_its_number_is_passed_on() -> None:
    report, case = case_with(policy=LeakPolicy.AUTO)
    figure = case.figures[0].model_copy(update={"label": "Figure 1: miliary tuberculosis"})
    audited = audit_leaks(report, case.model_copy(update={"figures": (figure,)}))
    assert [hit.action for hit in audited.leaks if hit.value_id == "label"] == [LeakAction.TRIMMED]
    assert audited.is_released


def test_an_eponym_is_the_answer_and_goes_neither_before_nor_to_synthesis() -> None:
    story = (
        f"{START} She was told that she had Takayasu.{EXAM} Angiography showed narrowing of the aorta. "
        "The final diagnosis was Takayasu arteritis."
    )
    case = extract(article(section(1, SectionRole.CASE, story), title="Fever"), LeakPolicy.AUTO)
    assert not any("Takayasu" in text for text in [*texts_before_synthesis(case), *shown_at_synthesis(case)])


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("Serum prolactin was 881 ng/mL, and she began dopamine agonist cabergoline therapy.", "cabergoline"),
        ("Plasma aldosterone was raised and the patient was started on spironolactone.", "spironolactone"),
        (
            "A postoperative workup revealed a raised prolactin of 881 ng/mL. The patient was referred to a specialist "
            "and began dopamine agonist cabergoline therapy given the prolactin level.",
            "cabergoline",
        ),
    ],
)
def test_treatment_told_with_a_result_is_not_disclosed(sentence: str, word: str) -> None:
    story = (
        f"{START}{EXAM} Biopsy of the lung revealed granulomas. {sentence} The final diagnosis was sarcoidosis. "
        "She was treated with prednisolone."
    )
    case = extract(article(section(1, SectionRole.CASE, story), title="Fever"), LeakPolicy.AUTO)
    assert not any(word in text for text in [*texts_before_synthesis(case), *shown_at_synthesis(case)])


def test_turn_numbers_count_the_stages_that_have_something() -> None:
    _, case = case_with("She was known to have miliary tuberculosis.")
    by_stage = {hit.stage: hit.turn for hit in case.leaks}
    assert by_stage["history"] == 1
    assert by_stage["synthesis"] == 4


def test_another_policy_can_be_tried_on_the_same_case() -> None:
    report, case = case_with("She was known to have miliary tuberculosis.")
    automatic = audit_leaks(report, case, LeakPolicy.AUTO)
    assert automatic.is_released
    assert audit_leaks(report, automatic, LeakPolicy.HOLD).disclosures == ()


@pytest.mark.parametrize(
    ("text", "named", "left"),
    [
        ("The node was firm, consistent with lymphoma.", "lymphoma", "The node was firm."),
        ("He had gout, and he was diagnosed with lymphoma.", "lymphoma", "He had gout."),
        ("Lymphoma was known, and he had pain in the knee.", "Lymphoma", "he had pain in the knee."),
        ("Lymphoma was known, and had been treated before.", "Lymphoma", None),
        ("He had lymphoma.", "lymphoma", None),
    ],
)
def test_cutting_leaves_sentences_and_no_fragments(text: str, named: str, left: str | None) -> None:
    start = text.index(named)
    assert cut_clauses(text, [(start, start + len(named))]) == left


def test_every_early_value_is_searched() -> None:
    _, case = case_with("She was known to have miliary tuberculosis.", "He noted miliary tuberculosis of the lungs.")
    stages = {hit.stage for hit in case.leaks}
    assert {"history", "examination", "synthesis"} <= stages
    assert HISTORY_ELEMENTS and EXAMINATION_ELEMENTS


def test_a_name_cut_by_a_hyphen_is_found() -> None:
    _, case = case_with("She spoke of tubercu-losis at home.")
    assert verdicts(case, "tubercu-losis") == {Verdict.WARNS}


@pytest.mark.parametrize(
    ("diagnosis", "sentence", "words"),
    [
        ("Whipple disease", "She was told that she had Whipple.", "Whipple"),
        ("Takayasu arteritis", "She had been sent with the question of Takayasu.", "Takayasu"),
        ("scurvy", "Her gums looked scorbutic.", "scorbutic"),
        ("tertiary syphilis", "Her doctor called the rash syphilitic.", "syphilitic"),
    ],
)
def test_an_eponym_alone_and_an_irregular_adjective_name_the_answer(diagnosis: str, sentence: str, words: str) -> None:
    story = f"{START} {sentence}{EXAM} Biopsy of the gut was abnormal. The final diagnosis was {diagnosis}."
    closing = section(2, SectionRole.DISCUSSION, f"We think that {diagnosis} explains her illness.")
    case = extract(article(section(1, SectionRole.CASE, story), closing, title="Fever in a young woman"))
    assert verdicts(case, words) & {Verdict.BLOCKS, Verdict.WARNS}


def test_the_short_form_of_the_answer_without_its_site_is_the_answer() -> None:
    story = (
        f"{START} She had been told of GPA.{EXAM} Biopsy showed granulomas. "
        "The final diagnosis was granulomatosis with polyangiitis of the lung."
    )
    report = article(
        section(1, SectionRole.CASE, story), title="Fever", abstract="We saw granulomatosis with polyangiitis (GPA)."
    )
    case = extract(report, LeakPolicy.AUTO)
    assert verdicts(case, "GPA") == {Verdict.BLOCKS}
    assert not any("GPA" in (one.text or "") for one in case.disclosures)


def shown_at_synthesis(case) -> list[str]:
    changed = {value_id: [] for value_id in (one.value_id for one in case.disclosures)}
    for one in case.disclosures:
        changed[one.value_id].append(one.text or "")
    late = [value for key in (Element.KEY_FINDINGS, Element.DIAGNOSTIC_METHODS) for value in case.values(key)]
    kept = [text for value in late for text in changed.get(value.id, [value.text])]
    return kept + [one.text for one in case.disclosures if one.moved_to_synthesis and one.text]


@pytest.mark.parametrize(
    "sentence",
    [
        "Her doctor suspected miliary tuberculosis.",
        "Family screening gave no features suggestive of miliary tuberculosis.",
    ],
)
def test_a_sentence_that_names_the_whole_answer_is_not_moved_to_synthesis(sentence: str) -> None:
    _, case = case_with(sentence, policy=LeakPolicy.AUTO)
    assert not any(
        "miliary tuberculosis" in text for text in [*shown_at_synthesis(case), *texts_before_synthesis(case)]
    )


def test_a_key_finding_that_suggests_the_answer_keeps_its_result_and_loses_the_name() -> None:
    story = (
        f"{START}{EXAM} Bronchoscopy showed nodules of the bronchial wall, suggesting sarcoidosis. "
        "Biopsy of the lung revealed granulomas without necrosis. The final diagnosis was sarcoidosis."
    )
    case = extract(article(section(1, SectionRole.CASE, story), title="Fever"), LeakPolicy.AUTO)
    shown = shown_at_synthesis(case)
    assert not any("sarcoid" in text for text in shown)
    assert any("nodules of the bronchial wall" in text for text in shown)


def test_an_organism_that_carries_the_name_of_the_disease_stays_a_result() -> None:
    story = (
        f"{START}{EXAM} Sputum culture grew Mycobacterium tuberculosis. Polymerase chain reaction identified "
        "Leishmania tropica. The final diagnosis was pulmonary tuberculosis and cutaneous leishmaniasis."
    )
    case = extract(article(section(1, SectionRole.CASE, story), title="Fever"), LeakPolicy.AUTO)
    shown = " ".join(shown_at_synthesis(case))
    assert "Mycobacterium tuberculosis" in shown
    assert "Leishmania tropica" in shown


@pytest.mark.parametrize(
    "told", ["Antithrombin activity was 48%.", "Prothrombin time was 13 s.", "Thrombocytes were 210 x 10^9/L."]
)
def test_blood_cells_and_clotting_proteins_do_not_name_a_thrombosis(told: str) -> None:
    story = f"{START}{EXAM} {told} Venography of the head showed no flow. Cerebral venous thrombosis was diagnosed."
    case = extract(article(section(1, SectionRole.CASE, story), title="Headache"))
    assert not [hit for hit in case.leaks if hit.text.lower() in told.lower()]
