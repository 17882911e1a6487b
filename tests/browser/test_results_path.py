"""From the review to the results: judge and clinicians compared, and the export taken home."""

import csv
import io
import zipfile

from core.services.studies import reviewers
from core.services.workspace import open_workspace
from core.settings import read_settings
from tests.browser.running_app import settled


def test_after_leaving_the_review_the_compare_page_and_the_export_are_there(demo_app, page, monkeypatch) -> None:
    page.goto(demo_app.url)
    page.wait_for_selector("h1", timeout=120_000)  # the first visit loads the demonstration study
    monkeypatch.setenv("CASEROUNDS_DEMO", "0")
    reviewer = reviewers(open_workspace(read_settings(demo_app.data_folder)))[0]

    page.goto(f"{demo_app.url}/my_reviews?reviewer={reviewer.id}")
    settled(page)
    assert page.get_by_text("Results", exact=True).count() == 0
    page.get_by_role("button", name="Leave").click()
    page.get_by_text("I have been here before").wait_for()
    settled(page)
    page.get_by_role("link", name="Start").click()
    page.get_by_text("I compare judges").wait_for()
    settled(page)
    page.get_by_role("link", name="Judge and clinicians").click()
    page.get_by_role("heading", name="Judge and clinicians").wait_for()
    settled(page)
    page.get_by_text("n = 19 pairs, 6 cases, 2 reviewers").wait_for()
    page.locator(".js-plotly-plot").first.wait_for()
    page.get_by_test_id("stButtonGroup").get_by_text("Coherence", exact=True).first.click()
    page.get_by_text("Coherence: 19 pairs of reviewer and judge").wait_for()
    page.get_by_text("Final diagnosis, F1 (strict)").first.wait_for()

    page.goto(demo_app.url + "/export_data")
    settled(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download everything (zip)").click()
    with zipfile.ZipFile(download.value.path()) as bundle:
        names = bundle.namelist()
        ratings = next(name for name in names if name.endswith("ratings.csv") and "turn" not in name)
        rows = list(csv.DictReader(io.StringIO(bundle.read(ratings).decode("utf-8-sig"))))
        assert any("dictionary" in name for name in names)
    assert len(rows) == 19 * 5
    assert {row["reviewer"] for row in rows} == {"Reviewer 1", "Reviewer 2"}
    assert sum(row["score"] == "" for row in rows) == 2
