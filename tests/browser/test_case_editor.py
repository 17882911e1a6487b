"""A study lead's corrections in the real browser: a field, a leak, the release, the new version and its difference."""

import re

from playwright.sync_api import expect

from core.domain.case import Element
from core.services.cases import case_versions, get_case
from core.services.extracting import extract
from core.services.importing import import_paths
from core.services.workspace import open_workspace
from core.settings import read_settings
from tests.browser.running_app import PROJECT_ROOT, settled

CASE = "PMC99000005"
WAIT_MS = 20_000
ARTICLE = PROJECT_ROOT / "data" / "demo" / "articles" / f"{CASE}.1"


def test_a_field_is_corrected_a_leak_cleared_and_the_case_released(page, empty_app) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    ws = open_workspace(read_settings(empty_app.data_folder))
    list(import_paths(ws, [ARTICLE]))
    first = extract(ws, CASE)
    n_open = sum(hit.is_open for hit in first.leaks)
    assert n_open and not first.is_released
    wordy = first.values(Element.PATIENT_INFORMATION)[0].text
    assert wordy.endswith(" presented")

    page.goto(f"{empty_app.url}/case?id={CASE}")
    settled(page)
    expect(page.get_by_text("Not released: ")).to_be_visible()

    # A value and its sentence find each other, both ways.
    article = page.get_by_role("region", name="Article")
    page.get_by_role("region", name="Extracted values").get_by_role("button").nth(2).click()
    expect(article.locator("mark.picked").first).to_be_visible()
    article.locator("mark").first.click()
    expect(page.locator(".values button.picked")).to_have_count(1)

    # Correct a field.
    page.get_by_role("tab", name="Edit").click()
    settled(page)
    signature = page.get_by_role("textbox", name="Changes are signed as")
    signature.fill("Dr Ada Meyer")
    signature.press("Enter")
    settled(page)
    page.get_by_role("textbox", name="Values, one a line").fill(wordy.removesuffix(" presented"))
    page.get_by_role("textbox", name="Reason").first.fill("the verb is no patient information")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("version 2, Dr Ada Meyer")).to_be_visible(timeout=WAIT_MS)
    settled(page)

    # What the model sees marks the answer; then it is cleared.
    page.get_by_role("tab", name="What the model sees").click()
    expect(page.locator('mark[data-verdict="blocks"]').first).to_be_visible()
    page.get_by_role("tab", name="Leak audit").click()
    settled(page)
    for left in range(n_open, 0, -1):
        box = page.get_by_role("combobox", name=re.compile("Decision")).first
        box.click()
        page.get_by_role("option", name="trimmed").click()
        button = page.get_by_role("button", name="Save decision").first
        expect(button).to_be_enabled(timeout=WAIT_MS)
        settled(page)
        button.click()
        expect(page.get_by_text(f"version {2 + n_open - left + 1}, Dr Ada Meyer")).to_be_visible(timeout=WAIT_MS)
        settled(page)
    expect(page.get_by_text("released: yes")).to_be_visible()
    expect(page.get_by_text("Not released: ")).to_have_count(0)
    page.get_by_role("tab", name="What the model sees").click()
    settled(page)
    expect(page.locator('mark[data-verdict="blocks"]')).to_have_count(0)

    # The new version and what differs from the extraction.
    page.get_by_role("tab", name="Versions").click()
    settled(page)
    page.get_by_role("combobox", name="From version").click()
    page.get_by_role("option", name="1", exact=True).click()
    settled(page)
    for words in ("reworded", "patient information", "+ released"):
        expect(page.get_by_text(words, exact=True).first).to_be_visible()
    expect(page.get_by_text(f"− {wordy}")).to_be_visible()

    newest = get_case(ws, CASE)
    assert newest.is_released and newest.version == 2 + n_open
    assert [one.made_by for one in case_versions(ws, CASE)][1:] == ["Dr Ada Meyer"] * (1 + n_open)
    assert errors == []
