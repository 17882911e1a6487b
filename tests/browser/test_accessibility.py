"""Every page on the demonstration study: axe in light and dark, names, order of focus, 200 % zoom, more than colour."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from core.services.review import my_assignments
from core.services.studies import reviewers
from core.services.workspace import open_workspace
from core.settings import read_settings
from tests.browser.running_app import settled
from tests.pictures import PAGES

# What remains of Streamlit's own, as (rule, selector): nothing. A new entry needs its reason beside it.
STREAMLITS_OWN: frozenset[tuple[str, str]] = frozenset()


@pytest.fixture(scope="module")
def places(demo_app, browser) -> list[str]:
    """Addresses of every page, and of the workbench at each kind of step."""
    first = browser.new_page()
    first.goto(demo_app.url)
    first.wait_for_selector("h1", timeout=120_000)  # the demonstration study is loaded on the first visit
    first.close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CASEROUNDS_DEMO", "0")
        ws = open_workspace(read_settings(demo_app.data_folder))
    people = reviewers(ws)
    lines = [(person.id, line) for person in people for line in my_assignments(ws, person.id)]
    ws.store.close()
    fresh, fresh_line = next((r, line) for r, line in lines if line.state == "left")
    done, done_line = next((r, line) for r, line in lines if line.state == "done")
    committed = f"workbench?reviewer={done}&assignment={done_line.assignment_id}&step="
    return [
        *PAGES,
        f"my_reviews?reviewer={done}",
        f"workbench?reviewer={fresh}&assignment={fresh_line.assignment_id}",
        *(committed + step for step in ("turn-3", "rate", "reveal")),
    ]


def open_at(page, app, place: str) -> None:
    page.goto(f"{app.url}/{place}")
    settled(page)
    page.wait_for_timeout(300)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_or_critical_violation_on_any_page(demo_app, browser, places, scheme) -> None:
    context = browser.new_context(viewport={"width": 1366, "height": 768}, color_scheme=scheme)
    page = context.new_page()
    found = []
    for place in places:
        open_at(page, demo_app, place)
        for violation in Axe().run(page).response["violations"]:
            if violation["impact"] in ("serious", "critical"):
                found += [
                    (place.split("?")[0], violation["id"], str(node["target"]), node["html"][:120])
                    for node in violation["nodes"]
                    if (violation["id"], str(node["target"])) not in STREAMLITS_OWN
                ]
    context.close()
    assert not found, "\n".join(map(str, found))


def test_at_200_percent_zoom_no_page_scrolls_sideways(demo_app, browser, places) -> None:
    # 1366 x 768 enlarged twice leaves 683 x 384 of the layout's own pixels.
    context = browser.new_context(viewport={"width": 683, "height": 384}, device_scale_factor=2)
    page = context.new_page()
    wide = []
    for place in places:
        open_at(page, demo_app, place)
        if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            wide.append(place.split("?")[0])
    context.close()
    assert wide == []


FOCUSED = """() => { let e = document.activeElement;
    while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
    const name = e.getAttribute('aria-label') || (e.labels && e.labels[0] && e.labels[0].textContent) || e.textContent;
    return [e.tagName, (name || '').trim().slice(0, 60)]; }"""


def test_the_tab_key_goes_through_a_turn_from_the_steps_to_the_next_step(demo_app, page, places) -> None:
    open_at(page, demo_app, next(place for place in places if place.startswith("workbench")))
    page.locator('button[aria-current="step"]').focus()
    walked = []
    for _ in range(40):
        walked.append(page.evaluate(FOCUSED))
        if "Next turn" in walked[-1][1]:
            break
        page.keyboard.press("Tab")
    names = [name for _, name in walked]
    assert all(names), f"a control without a name: {walked}"
    order = ["Evidence so far", "Answer at this turn", "Yes", "Comment", "Set aside", "Next turn"]
    where = [next((n for n, name in enumerate(names) if wanted in name), -1) for wanted in order]
    assert -1 not in where and where == sorted(where), names


def test_what_a_colour_says_is_also_said_in_words_or_signs(demo_app, page, places) -> None:
    open_at(page, demo_app, next(place for place in places if place.endswith("step=turn-3")))
    steps = page.get_by_role("navigation", name="Steps of this dialogue").get_by_role("button").all_inner_texts()
    assert all("(done)" in step or "(open)" in step or "(not open yet)" in step for step in steps)
    checked = page.locator(".pill input:checked + span").first
    assert "✓" in checked.evaluate("(e) => getComputedStyle(e, '::before').content")
    levels = page.locator(".level").all_inner_texts()
    assert levels and all(
        level.split()[-1] in ("strict", "lenient", "contradiction", "missing", "extra") for level in levels
    )
