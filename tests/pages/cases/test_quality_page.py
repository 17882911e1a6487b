"""The extraction quality page, on the demonstration study and a correction made in it."""

from core.services import correcting
from core.services.cases import get_case
from core.services.quality import against_corrections, corrected_cases
from core.services.workspace import open_workspace
from core.settings import read_settings
from tests.pages.cases.test_case_pages import texts

CASE = "PMC99000003"


def test_without_corrected_cases_it_says_what_to_do(demo_study, open_page) -> None:
    page = open_page("cases/quality.py")
    assert not page.exception
    assert "No corrected case yet" in texts(page.markdown)


def test_a_corrected_field_lowers_its_precision_and_names_what_was_removed(demo_study, open_page) -> None:
    ws = open_workspace(read_settings())
    case = get_case(ws, CASE)
    n = len(case.final_diagnosis)
    finding = case.figures[0].findings[0].text
    kept = [value.text for value in case.figures[0].findings[1:]]
    correcting.correct_field(ws, CASE, case.version, "fig1.findings", kept, "Dr Ada", "not a finding")
    (one,) = corrected_cases(ws)
    assert (one.case_id, one.extracted, one.corrected, one.people) == (
        CASE,
        case.version,
        case.version + 1,
        ("Dr Ada",),
    )
    rows = {row.field: row for row in against_corrections(ws, [one])}
    assert rows["image_findings"].wrong == (f"{CASE}: fig1 {finding}",)
    assert (rows["final_diagnosis"].n_same, rows["final_diagnosis"].recall) == (n, 1.0)
    page = open_page("cases/quality.py")
    assert not page.exception
    table = page.dataframe[0].value.set_index("Field")
    assert table.loc["Image findings", "Removed or reworded"] == 1
    assert table.loc["Reported diagnosis", "Recall"] == f"100% ({n} of {n})"
    assert f"− {CASE}: fig1 {finding}" in [text.value for text in page.text]
