"""Matches, scores, errors and the judge lab are walked in the real browser; pictures of them go into tmp."""

import os
import tempfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.running_app import RunningApp, settled

PICTURES = Path(os.environ.get("CASEROUNDS_PICTURES") or tempfile.mkdtemp(prefix="caserounds-pictures-"))


def picture(page: Page, name: str) -> None:
    """Write a picture of what is in view; nothing may scroll sideways."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.wait_for_timeout(800)
    page.screenshot(path=str(PICTURES / f"{name}.png"), full_page=False)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{name} scrolls sideways"


def opened(page: Page, app: RunningApp, path: str, title: str) -> None:
    page.goto(f"{app.url}/{path}")
    expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible(timeout=60_000)
    settled(page, 60_000)


@pytest.fixture(params=["light", "dark"])
def themed(request, browser):
    context = browser.new_context(viewport={"width": 1366, "height": 768}, color_scheme=request.param)
    page = context.new_page()
    yield page, request.param
    context.close()


def test_the_evaluation_pages_are_walked_in_both_themes(demo_app: RunningApp, themed) -> None:
    page, theme = themed
    opened(page, demo_app, "matches", "Matches")
    expect(page.get_by_text("Reference item (article)").first).to_be_visible(timeout=20_000)
    picture(page, f"matches-{theme}")
    page.get_by_role("button", name="○ missing").click()
    expect(page.get_by_text("rows like this")).to_be_visible(timeout=20_000)
    page.get_by_role("heading", name="Judges").scroll_into_view_if_needed()
    picture(page, f"matches-judges-{theme}")

    opened(page, demo_app, "scores", "Scores")
    picture(page, f"scores-{theme}")
    page.get_by_text("Look closer").scroll_into_view_if_needed()
    expect(page.locator(".js-plotly-plot").first).to_be_visible(timeout=20_000)
    picture(page, f"scores-cases-{theme}")
    page.get_by_role("radio", name="By group").or_(page.get_by_role("button", name="By group")).first.click()
    expect(page.get_by_text("Groups").first).to_be_visible(timeout=20_000)
    settled(page)
    picture(page, f"scores-groups-{theme}")
    page.get_by_role("radio", name="Two settings").or_(page.get_by_role("button", name="Two settings")).first.click()
    expect(page.get_by_text("paired percentile bootstrap")).to_be_visible(timeout=20_000)
    picture(page, f"scores-two-{theme}")

    opened(page, demo_app, "errors", "Errors")
    expect(page.get_by_test_id("stDataFrame")).to_be_visible(timeout=20_000)
    picture(page, f"errors-{theme}")
    page.locator(".st-key-open_error").scroll_into_view_if_needed()
    picture(page, f"errors-open-{theme}")

    opened(page, demo_app, "judge_lab", "Judge lab")
    picture(page, f"judge-lab-{theme}")
    page.get_by_role("button", name="Try it on").click()
    expect(page.get_by_role("heading", name="What changed")).to_be_visible(timeout=60_000)
    settled(page, 60_000)
    picture(page, f"judge-lab-changes-{theme}")


def test_a_dot_opens_its_case(demo_app: RunningApp, page: Page) -> None:
    opened(page, demo_app, "scores", "Scores")
    page.get_by_text("Look closer").scroll_into_view_if_needed()
    dot = page.locator(".st-key-scores_strip .scatterlayer .point").first
    dot.wait_for(timeout=20_000)
    box = dot.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    link = page.locator(".st-key-scores_open").get_by_role("link", name="Its matches")
    expect(link).to_be_visible(timeout=20_000)
    link.click()
    expect(page.get_by_role("heading", name="Matches", exact=True)).to_be_visible(timeout=20_000)
    assert "dialogue=" in page.url


def test_an_error_chosen_in_the_table_opens_its_matches(demo_app: RunningApp, page: Page) -> None:
    opened(page, demo_app, "errors", "Errors")
    table = page.get_by_test_id("stDataFrame")
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    # The table is drawn on a canvas: its third row is chosen by the box at the row's beginning.
    page.mouse.click(box["x"] + 16, box["y"] + 52 + 2 * 35)
    settled(page)
    page.locator(".st-key-open_error").get_by_role("link", name="Its matches").click()
    expect(page.get_by_role("heading", name="Matches", exact=True)).to_be_visible(timeout=20_000)
