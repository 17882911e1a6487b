"""The pages of report pairs, clicked through: empty, sample pairs, evaluation, a pair down to a question."""

import pytest

from core.services import reports
from core.services.workspace import open_workspace
from core.settings import read_settings

HEADER = "pair,dataset,modality,model,reference,prediction\n"
LINE = "P1,D,CT,M,Small cyst in the liver. No ascites.,Large cyst in the liver.\n"


@pytest.fixture
def with_pair(empty_study):
    workspace = open_workspace(read_settings())
    (pair_id,) = reports.import_pairs(workspace, (HEADER + LINE).encode(), "pairs.csv").added
    return pair_id


def text_of(page) -> str:
    return " ".join(str(element.value) for element in (*page.markdown, *page.caption, *page.info, *page.success))


def test_an_empty_store_says_what_to_do_and_offers_the_sample_pairs(empty_study, open_page) -> None:
    page = open_page("reports/report_pairs.py")
    assert "No report pair yet" in text_of(page)
    page.button[0].click().run()
    assert not page.exception
    assert len(page.dataframe[0].value) >= 12


def test_a_csv_is_imported_by_upload(empty_study, open_page) -> None:
    page = open_page("reports/report_pairs.py")
    page.file_uploader[0].upload("pairs.csv", (HEADER + LINE).encode(), "text/csv").run()
    assert [box.value for box in page.selectbox][:6] == HEADER.strip().split(",")
    next(b for b in page.button if b.label == "Import report pairs").click().run()
    assert not page.exception
    assert "1 report pairs imported" in text_of(page)
    assert page.dataframe[0].value["State"].tolist() == ["not evaluated"]


def test_a_faulty_csv_names_its_line_and_stores_nothing(empty_study, open_page) -> None:
    page = open_page("reports/report_pairs.py")
    page.file_uploader[0].upload("pairs.csv", (HEADER + LINE + "P2,D,CT,M,,x\n").encode(), "text/csv").run()
    next(b for b in page.button if b.label == "Import report pairs").click().run()
    assert "line 3: no reference" in page.error[0].value
    assert not page.dataframe


def test_pairs_are_evaluated_from_the_list(with_pair, open_page) -> None:
    page = open_page("reports/report_pairs.py")
    next(b for b in page.button if b.label == "Evaluate 1 pairs").click().run()
    assert not page.exception
    assert page.dataframe[0].value["F1"].tolist() == ["0.33"]


def test_filters_narrow_the_list(demo_study, open_page) -> None:
    page = open_page("reports/report_pairs.py")
    page.multiselect(key="pair_modalities").select("MRI").run()
    assert set(page.dataframe[0].value["Modality"]) == {"MRI"}


def test_a_pair_is_evaluated_on_its_page_and_opens_down_to_a_question(with_pair, open_page) -> None:
    page = open_page("reports/report_pair.py", id=with_pair)
    next(b for b in page.button if b.label == "Evaluate this pair").click().run()
    assert [m.value for m in page.metric][0] == "0.33"
    question = next(box for box in page.selectbox if box.label == "Open a question")
    question.select("reference-F1.1").run()
    shown = text_of(page)
    assert "says **yes** (expected)" in shown and "says **no** (given)" in shown
    assert "Small cyst in the liver" in shown and "Large cyst in the liver" in shown
    assert page.query_params["question"] in ("reference-F1.1", ["reference-F1.1"])


def test_a_question_opens_from_the_address(with_pair, empty_study, open_page) -> None:
    reports.evaluate_pairs(open_workspace(read_settings()))
    page = open_page("reports/report_pair.py", id=with_pair, question="prediction-F1")
    assert "Is this present: liver cyst" in text_of(page).replace("\\", "")


def test_an_unknown_pair_is_one_sentence(with_pair, open_page) -> None:
    page = open_page("reports/report_pair.py", id="rp-none")
    assert "There is no report pair" in page.error[0].value
    assert not page.exception


def test_report_text_is_shown_as_it_stands(empty_study, open_page) -> None:
    workspace = open_workspace(read_settings())
    line = 'P1,D,CT,M,"Cyst *of* the [liver](http://x) <b>now</b> :red[x] $1$.",\n'
    (pair_id,) = reports.import_pairs(workspace, (HEADER + line).encode(), "p.csv").added
    reports.evaluate_pairs(workspace)
    page = open_page("reports/report_pair.py", id=pair_id)
    assert not page.exception
    assert any(r"Cyst \*of\* the \[liver\]\(http\:" in m.value for m in page.markdown)
    assert any("empty report" in m.value for m in page.markdown)


def test_the_leaderboard_shows_mean_n_and_coverage(demo_study, open_page) -> None:
    page = open_page("reports/leaderboard.py")
    table = page.table[0].value
    assert table["Coverage"].tolist() == ["8 of 8", "8 of 8"]
    assert "(n 2)" in table.iloc[0, 1]
