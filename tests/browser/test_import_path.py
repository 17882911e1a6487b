"""A study lead's path in the real browser: upload an article, run the pipeline, open case, dialogue and matches."""

import io
import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.running_app import PROJECT_ROOT, settled

DEMO_ARTICLE = PROJECT_ROOT / "data" / "demo" / "articles" / "PMC99000004.1"
REAL_ARTICLE = "PMC6497212"
PIPELINE_TIMEOUT_MS = 90_000


def picture(colour: int) -> bytes:
    """Give a grey stand-in picture; the shade makes each one different."""
    buffer = io.BytesIO()
    Image.new("L", (480, 360), colour).save(buffer, format="JPEG")
    return buffer.getvalue()


def files_of(folder: Path) -> list[dict]:
    """Give an article's files as a browser uploads them; pictures that its XML names and the folder lacks are drawn."""
    files = [
        {"name": path.name, "mimeType": "application/octet-stream", "buffer": path.read_bytes()}
        for path in sorted(folder.iterdir())
        if path.suffix != ".json"
    ]
    xml = next(path for path in folder.iterdir() if path.suffix in (".xml", ".nxml")).read_text(encoding="utf-8")
    wanted = sorted(set(re.findall(r'<graphic[^>]*xlink:href="([^"]+)"', xml)))
    present = {file["name"].rsplit(".", 1)[0] for file in files}
    for number, href in enumerate(wanted):
        stem, _, suffix = href.rpartition(".")
        name = href if stem and suffix.lower() in ("jpg", "jpeg", "png", "gif", "tif", "tiff") else f"{href}.jpg"
        if name.rsplit(".", 1)[0] not in present:
            files.append({"name": name, "mimeType": "image/jpeg", "buffer": picture(40 + 20 * number)})
    return files


def walk(page, app, folder: Path, case_id: str) -> None:
    """Upload, run, and open everything that was made."""
    page.goto(f"{app.url}/import_articles")
    settled(page)
    files = files_of(folder)
    page.locator('input[type="file"]').first.set_input_files(files)
    # Streamlit lists an uploaded file when the server has it; the form may not be sent before.
    expect(page.get_by_text(files[0]["name"]).first).to_be_visible()
    page.wait_for_timeout(1_000)
    page.get_by_role("button", name="Import", exact=True).click()

    expect(page.get_by_role("progressbar").first).to_be_visible(timeout=10_000)
    expect(page.get_by_text("1 article read, 0 refused")).to_be_visible(timeout=PIPELINE_TIMEOUT_MS)
    settled(page)
    expect(page.get_by_role("alert")).to_have_count(0)

    page.get_by_role("link", name=f"Open {case_id}").click()
    expect(page.get_by_role("heading", name="Case", exact=True)).to_be_visible()
    settled(page)
    expect(page.get_by_text("released: yes").first).to_be_visible()
    value = page.get_by_role("region", name="Extracted values").get_by_role("button").first
    value.click()
    expect(page.get_by_role("region", name="Article").locator("mark.picked").first).to_be_visible()
    page.get_by_role("tab", name="What the model sees").click()
    expect(page.get_by_text("Turn 1 · History")).to_be_visible()
    page.get_by_role("tab", name="Figures").click()
    expect(page.locator('[data-testid="stImage"] img').first).to_be_visible()

    page.goto(f"{app.url}/dialogue?case={case_id}")
    settled(page)
    expect(page.get_by_text("Turn 1 · History")).to_be_visible()
    expect(page.get_by_text("rules baseline").first).to_be_visible()
    page.get_by_role("link", name="Its matches").click()
    expect(page.get_by_role("heading", name="Matches", exact=True)).to_be_visible()
    expect(page.get_by_text("Reference item (article)").first).to_be_visible()
    expect(page.get_by_text("Factuality").first).to_be_visible()


@pytest.fixture
def quiet(page):
    """The page, with every error that its scripts raise collected."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    assert errors == []


def test_a_demonstration_article_goes_from_upload_to_its_matches(quiet, empty_app) -> None:
    walk(quiet, empty_app, DEMO_ARTICLE, "PMC99000004")


def test_a_real_article_goes_from_upload_to_its_matches(quiet, empty_app, shared_folder) -> None:
    walk(quiet, empty_app, shared_folder / "corpus" / REAL_ARTICLE, REAL_ARTICLE)


def test_a_file_that_is_no_article_is_refused_in_one_sentence(quiet, empty_app) -> None:
    page = quiet
    page.goto(f"{empty_app.url}/import_articles")
    settled(page)
    page.locator('input[type="file"]').first.set_input_files(
        {"name": "note.xml", "mimeType": "text/xml", "buffer": b"only a note"}
    )
    expect(page.get_by_text("note.xml").first).to_be_visible()
    page.wait_for_timeout(1_000)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("0 articles read, 1 refused")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("alert").first).to_contain_text("note.xml")
    expect(page.get_by_role("button", name="Import", exact=True)).to_be_enabled()
