"""Nothing that was entered is lost: the server is killed around clicks and keystroke pauses, then started again."""

import os

import pytest

from core.services import review
from tests.browser.running_app import settled, start_app
from tests.browser.test_review_path import Study, choose, wait_saved

KILLS = int(os.environ.get("CASEROUNDS_TEST_KILLS", "12"))
"""Twelve in `make test`, sixty in `make bench BENCH=kills_survived`."""


@pytest.fixture
def study(tmp_path, browser):
    running = Study(tmp_path / "study")
    yield running
    running.app.stop()
    running.ws.store.close()


def stored(study: Study) -> dict[str, object]:
    drafts = review.review_view(study.ws, study.reviewer.id, study.mine.id).drafts
    return {name: draft.value for name, draft in drafts.items()}


def restart(study: Study) -> None:
    port = int(study.app.url.rsplit(":", 1)[1])
    study.app = start_app(study.app.data_folder, demo=False, port=port)


def wait_stored(study: Study, page, wanted: dict[str, object], seconds: int = 25) -> None:
    for _ in range(seconds * 4):
        if stored(study) == wanted:
            return
        page.wait_for_timeout(250)
    assert stored(study) == wanted


def test_choices_and_text_survive_a_killed_server(study, page) -> None:
    page.goto(study.address(study.mine))
    settled(page)
    choose(page, "Yes")
    options = ["No", "Partly", "Yes"]
    box = page.get_by_role("textbox", name="Comment")
    for n in range(KILLS):
        study.app.kill()
        # Entered while there is no server at all, then the server comes back.
        page.get_by_role("radio", name=options[n % 3], exact=True).check(force=True)
        box.fill(f"typed while the server was down, {n}")
        page.wait_for_timeout(100 * (n % 7))
        restart(study)
        wait_stored(
            study, page, {"1/supported": options[n % 3].lower(), "1/comment": f"typed while the server was down, {n}"}
        )
        wait_saved(page)
    # Killed right after a key press and before the quiet half second is over; the page is loaded anew.
    box.press_sequentially(" and on")
    study.app.kill()
    restart(study)
    page.goto(study.address(study.mine))
    settled(page)
    expected = f"typed while the server was down, {KILLS - 1} and on"
    wait_stored(study, page, {"1/supported": "yes", "1/comment": expected})
    assert page.get_by_role("textbox", name="Comment").input_value() == expected


def test_a_second_window_gets_a_notice_and_overwrites_nothing(study, page) -> None:
    page.goto(study.address(study.mine))
    settled(page)
    other = page.context.browser.new_context()
    second = other.new_page()
    second.goto(study.address(study.mine))
    settled(second)
    page.get_by_role("textbox", name="Comment").fill("from the first window")
    wait_saved(page)
    second.get_by_role("textbox", name="Comment").fill("from the second window")
    second.get_by_text("A newer value was saved in another window.").wait_for()
    assert stored(study) == {"1/comment": "from the first window"}
    second.get_by_role("button", name="Use mine").click()
    wait_stored(study, second, {"1/comment": "from the second window"})
    other.close()


def test_text_typed_just_before_the_next_turn_is_kept(study, page) -> None:
    page.goto(study.address(study.mine))
    settled(page)
    choose(page, "Yes")
    page.get_by_role("textbox", name="Comment").press_sequentially("written in haste")
    page.get_by_role("button", name="Next turn").click()
    page.get_by_text("Haemoglobin 9.1 g/dL.").wait_for()
    wait_stored(study, page, {"1/supported": "yes", "1/comment": "written in haste"})


def test_a_text_that_is_too_long_is_said_and_stays_in_the_form(study, page) -> None:
    page.goto(study.address(study.mine))
    settled(page)
    page.get_by_role("textbox", name="Comment").fill("x" * 100_000)
    page.get_by_text("100,000 characters").wait_for()
    assert len(page.get_by_role("textbox", name="Comment").input_value()) == 100_000
    assert stored(study) == {}
