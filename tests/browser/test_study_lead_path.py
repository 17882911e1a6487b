"""A study lead's path in the real browser: lay out, preview, invite, watch, unblind on record, lock, export."""

import csv
import io
import re
import zipfile

import pytest
from playwright.sync_api import TimeoutError

from core.domain.instrument import Dimension
from core.services import rating_entry, review_rows, studies
from core.services.workspace import open_workspace
from core.settings import read_settings
from tests.browser.running_app import settled, start_app
from tests.review.example import DIAGNOSIS, JUDGE, MODEL, store_example


@pytest.fixture
def running(tmp_path, browser):
    folder = tmp_path / "study"
    ws = open_workspace(read_settings(folder))
    store_example(ws)
    for name in ("Dr Alpha", "Dr Beta"):
        studies.add_reviewer(ws, name)
    app = start_app(folder, demo=False)
    yield ws, app
    app.stop()
    ws.store.close()


def choose_all(page, name: str, options: list[str]) -> None:
    box = page.get_by_role("combobox", name=re.compile(name))
    for option in options:
        settled(page)
        offered = page.get_by_role("option", name=re.compile(option)).first
        # A rerun that draws the list anew while it opens closes it again: a person opens it once more, so does this.
        for _ in range(5):
            box.click()
            try:
                offered.click(timeout=3_000)
                break
            except TimeoutError:
                page.keyboard.press("Escape")
                page.wait_for_timeout(500)
        settled(page)
        page.keyboard.press("Escape")
        page.wait_for_timeout(300)


def tab(page, name: str) -> None:
    page.get_by_role("tab", name=name).click()
    settled(page)


def test_a_lead_walks_from_creation_to_lock_and_export(running, page) -> None:
    ws, app = running
    page.goto(f"{app.url}/studies")
    settled(page)
    page.get_by_text("There is no study yet").wait_for()
    page.get_by_role("button", name="New study").click()
    page.get_by_role("heading", name="New study").wait_for()
    settled(page)
    page.get_by_role("textbox", name="Name").fill("Pilot")
    page.keyboard.press("Enter")
    choose_all(page, "Dialogues", [MODEL])
    choose_all(page, "Hidden controls", ["reference"])
    choose_all(page, "Reviewers$", ["Dr Alpha", "Dr Beta"])
    page.get_by_text("2 dialogues, 2 reviewers: about 2 dialogues and 16 minutes for each.").wait_for()
    page.get_by_text("Blinded", exact=True).click()
    settled(page)
    page.get_by_role("button", name="Create the study").click()
    page.get_by_role("tab", name="Coverage").wait_for(timeout=20_000)
    settled(page)
    (study,) = [line.study for line in studies.studies(ws)]
    assert len(studies.assignments_of(ws, study.id)) == 4

    page.get_by_role("button", name="Preview as a reviewer").click()
    page.get_by_text("preview: nothing is recorded").wait_for()
    settled(page)
    page.get_by_role("radio", name="Partly", exact=True).check(force=True)
    for _ in range(4):
        page.get_by_role("button", name="Next", exact=True).click()
        page.wait_for_timeout(300)
        settled(page)
    page.get_by_text(DIAGNOSIS).first.wait_for()
    assert page.get_by_text(JUDGE).count() == 0
    page.get_by_role("button", name="To the studies").click()
    page.get_by_role("tab", name="Coverage").wait_for()
    settled(page)
    assert {e.actor for e in review_rows.review_events(ws)} == {"lead"}

    tab(page, "Invitations")
    link = page.locator("code", has_text="my_reviews?reviewer=").first.inner_text()
    invited = page.context.new_page()
    invited.goto(link)
    invited.get_by_role("button", name="I agree and take part").click(timeout=20_000)
    invited.get_by_text("0 of 2 done").wait_for(timeout=20_000)
    invited.close()
    for assignment in studies.assignments_of(ws, study.id):
        rating_entry.enter_ratings(
            ws,
            assignment,
            {n: {"supported": "yes"} for n in (1, 2, 3, 4)},
            {d.value: 4 for d in Dimension} | {"safety": "none", "does_not_follow": ("not my field",)},
        )

    page.goto(f"{app.url}/studies?study={study.id}")
    settled(page)
    tab(page, "Progress and reports")
    page.get_by_text("Dialogue 1 · Dr Alpha · not my field").wait_for()
    tab(page, "Assignments as a file")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export the assignments (CSV)").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text())))
    assert len(rows) == 4 and {row["state"] for row in rows} == {"committed"}

    tab(page, "Unblind, lock, copy")
    page.get_by_role("textbox", name="Your name").fill("Dr Lead")
    page.get_by_role("textbox", name="Reason").fill("all ratings are in")
    page.get_by_role("button", name="Unblind").click()
    page.get_by_text("Dr Lead: all ratings are in").wait_for(state="attached")
    settled(page)
    tab(page, "Unblind, lock, copy")
    page.get_by_role("button", name="Lock now").click()
    page.get_by_text("Locked 20").wait_for(state="attached")
    assert studies.studies(ws)[0].study.locked_at is not None
    assert "unblinded Pilot" in [e.what for e in review_rows.review_events(ws)]

    page.goto(f"{app.url}/export_data")
    settled(page)
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("Download everything")).click()
    with zipfile.ZipFile(download.value.path()) as bundle:
        name = next(n for n in bundle.namelist() if n.endswith("ratings.csv"))
        exported = list(csv.DictReader(io.StringIO(bundle.read(name).decode("utf-8-sig"))))
    assert len(exported) == 4 * len(Dimension) and {row["score"] for row in exported} == {"4"}
