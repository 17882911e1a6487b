from core.domain.case import Element, Modality
from core.extraction import correct_case, correct_figure
from core.extraction.against_corrections import compare_with_corrections
from tests.extraction.articles import AT, extract, structured

WHO = {"who": "Dr A", "at": AT, "reason": "a test"}


def by_field(*pairs):
    return {row.field: row for row in compare_with_corrections(pairs)}


def test_an_uncorrected_case_agrees_with_itself_in_every_field() -> None:
    case = extract(structured())
    rows = by_field((case, case))
    assert {(row.recall, row.precision) for row in rows.values()} == {(1.0, 1.0)}
    assert "final_diagnosis" in rows and "modality" in rows


def test_an_added_a_removed_and_a_reworded_value_count_once_on_their_side() -> None:
    report = structured()
    case = extract(report)
    texts = [value.text for value in case.values(Element.PHYSICAL_EXAMINATION)]
    # the last is removed, another one of the article's sentences is added: 1 missed, 1 wrong
    corrected = correct_case(report, case, "physical_examination", [*texts[:-1], "Synovectomy was performed"], **WHO)
    row = by_field((case, corrected))["physical_examination"]
    n = len(texts)
    assert (row.n_corrected, row.n_extracted, row.n_same) == (n, n, n - 1)
    assert row.missed == (f"{case.case_id}: Synovectomy was performed",)
    assert row.wrong == (f"{case.case_id}: {texts[-1]}",)


def test_a_field_that_a_person_emptied_has_no_recall_and_no_precision_of_its_own() -> None:
    report = structured()
    case = extract(report)
    corrected = correct_case(report, case, "family_history", [], **WHO)
    row = by_field((case, corrected))["family_history"]
    assert (row.recall, row.precision) == (None, 0.0)
    back = by_field((corrected, case))["family_history"]
    assert (back.recall, back.precision) == (0.0, None)


def test_a_figure_set_right_counts_as_a_wrong_modality() -> None:
    report = structured()
    case = extract(report)
    corrected = correct_figure(report, case, "fig1", modality=Modality.CT, **WHO)
    row = by_field((case, corrected))["modality"]
    assert (row.n_same, row.n_corrected, row.missed) == (0, 1, (f"{case.case_id}: fig1 CT",))


def test_without_corrected_cases_there_are_no_rows() -> None:
    assert compare_with_corrections([]) == ()
