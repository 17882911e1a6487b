"""A report pair is imported by upload, evaluated, and opened down to one question, in the browser."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.running_app import RunningApp, settled

CSV = """study_id,dataset,modality,model,ground_truth,prediction
P1,Invented CT,CT,Model M,Small cyst in the liver. No ascites. The spleen is normal.,Large cyst in the liver. Ascites.
P2,Invented CT,CT,Model M,No ascites.,No ascites.
"""


def test_a_report_pair_is_imported_evaluated_and_opened_down_to_one_question(
    empty_app: RunningApp, page: Page, tmp_path: Path
) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(CSV, encoding="utf-8")
    page.goto(f"{empty_app.url}/report_pairs")
    settled(page)
    page.locator('input[type="file"]').set_input_files(file)
    expect(page.get_by_text("2 records.")).to_be_visible(timeout=20_000)
    page.get_by_role("button", name="Import report pairs").click()
    expect(page.get_by_text("2 report pairs imported.")).to_be_visible(timeout=20_000)

    page.get_by_role("button", name="Evaluate 2 pairs").click()
    expect(page.get_by_text("2 pairs evaluated by rules baseline.")).to_be_visible(timeout=30_000)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

    # The table is drawn on a canvas: its first row is opened by the box at the row's beginning.
    table = page.get_by_test_id("stDataFrame")
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    page.mouse.click(box["x"] + 16, box["y"] + 52)
    page.wait_for_url("**/report_pair?id=rp-*", timeout=20_000)
    settled(page)
    expect(page.get_by_role("heading", name="Report pair", exact=True)).to_be_visible()
    expect(page.get_by_text("Small cyst in the liver. No ascites. The spleen is normal.")).to_be_visible()

    choice = page.get_by_role("combobox", name="Open a question")
    choice.click()
    choice.fill("Is the liver cyst small in size")
    page.get_by_role("option", name="Reference: Is the liver cyst small in size?").click()
    question = page.locator(".st-key-open_question")
    expect(question).to_contain_text("Reference says yes (expected)", timeout=20_000)
    expect(question).to_contain_text("Evaluated report says no (given)")
    expect(question).to_contain_text("Small cyst in the liver.")
    expect(question).to_contain_text("Large cyst in the liver")

    page.reload()
    settled(page)
    expect(page.locator(".st-key-open_question")).to_contain_text("Is the liver cyst small in size?", timeout=20_000)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

    page.goto(f"{empty_app.url}/leaderboard")
    settled(page)
    expect(page.get_by_text("2 of 2")).to_be_visible(timeout=20_000)
