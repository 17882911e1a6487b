from core.domain.case import LeakPolicy
from core.extraction.quality import compare_with_gold, is_found, share_found, texts_before_synthesis
from tests.extraction.articles import extract, structured

GOLD = {
    "id": "art-000000000001",
    "eligible": True,
    "ineligible_reason": None,
    "figures": [{"label": "Fig. 1", "modality": "knee MRI"}],
    "final_diagnosis": ["Tenosynovial giant cell tumour of the knee"],
    "leak_terms": ["giant cell tumour", "tenosynovial"],
    "demographics": "A 45-year-old woman presented to our clinic",
    "chief_complaint": "three-week history of swelling of the left knee",
    "history": ["She had no fever.", "Her mother had died of stroke.", "She kept parrots for many years."],
    "examination": ["The knee was swollen and warm"],
    "routine_labs": ["Haemoglobin was 13.1 g/dL"],
    "key_findings": ["Biopsy revealed villous synovial proliferation with haemosiderin"],
    "image_findings": [{"label": "Fig. 1", "quotes": ["a lobulated mass with low signal"], "significance": []}],
    "reasoning": ["the haemosiderin in the biopsy confirmed the diagnosis"],
}


def rows(gold=GOLD, case=None):
    report = structured()
    case = case or extract(report, LeakPolicy.AUTO)
    return {row.field: row for row in compare_with_gold({report.id: case}, {report.id: report}, [gold])}


def test_every_field_is_counted_over_its_quotes() -> None:
    table = rows()
    assert (table["history"].found, table["history"].gold) == (2, 3)
    assert table["history"].missed == ("art-000000000001: She kept parrots for many years.",)
    for name in ("eligibility", "figures", "figure order", "modality", "demographics", "examination", "image_findings"):
        assert table[name].found == table[name].gold == 1, name


def test_the_diagnosis_is_found_by_its_content_words() -> None:
    assert rows()["final_diagnosis"].recall == 1
    assert rows({**GOLD, "final_diagnosis": ["Gouty arthritis of the elbow"]})["final_diagnosis"].recall == 0


def test_a_test_in_the_wrong_group_is_not_in_the_right_group() -> None:
    swapped = {**GOLD, "routine_labs": GOLD["key_findings"], "key_findings": GOLD["routine_labs"]}
    assert rows(swapped)["test group"].found == 0
    assert rows()["test group"].found == 2


def test_leak_terms_in_what_a_model_would_see_are_counted() -> None:
    case = extract(structured(), LeakPolicy.HOLD).model_copy(update={"leaks": ()})
    leaking = {**GOLD, "leak_terms": ["hypertension"]}
    assert rows(leaking, case)["leak terms kept out"].found == 0
    assert rows()["leak terms kept out"].recall == 1


def test_terms_that_the_gold_quotes_hold_themselves_are_left_out() -> None:
    table = rows({**GOLD, "leak_terms": ["swollen"]})
    assert "leak terms kept out" not in table


def test_an_article_refused_at_import_counts_as_decided_ineligible() -> None:
    refused = {**GOLD, "id": "x", "eligible": False, "ineligible_reason": "no body"}
    (row,) = compare_with_gold({}, {}, [refused])
    assert (row.field, row.found, row.gold) == ("eligibility", 1, 1)


def test_overlap_ignores_white_space_dashes_and_superscripts() -> None:
    assert share_found("5.6 × 109/L", "It was 5.6 × 10⁹/L.") == 1
    assert share_found("", "text") == 0
    assert share_found("abcdefghij klmnopqrst", "abcdefghij") == 0.5
    assert is_found("She had no fever. Her mother had died.", ["She had no fever.", "Her mother had died."])


def test_what_a_model_sees_early_follows_the_disclosures() -> None:
    case = extract(structured(), LeakPolicy.AUTO)
    shown = texts_before_synthesis(case)
    assert "She had no fever." in shown and "MRI" in shown
    assert not any("haemosiderin" in text for text in shown)
