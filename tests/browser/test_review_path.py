"""A reviewer's whole path in the real browser, and everything the browser receives before the commit."""

import json
import re
from pathlib import Path

import pytest

from core.domain.instrument import Dimension
from core.domain.review import Length, ReviewMode
from core.services import consent, rating_entry, review_rows, studies
from core.services.workspace import open_workspace
from core.settings import read_settings
from tests.browser.running_app import settled, start_app
from tests.review.example import DIAGNOSIS, JUDGE, JUSTIFICATIONS, MATCH_REASON, MODEL, TITLE, store_example

SECRETS = [MODEL, JUDGE, MATCH_REASON, TITLE, "Zebra justification", "Narwhal sentence", "raw walrus", "art-quokka"]
BETA_REMARK = "remark of another reviewer"


class Study:
    """A running app on a blinded study (and an open one) of the example dialogues."""

    def __init__(self, folder: Path) -> None:
        self.ws = open_workspace(read_settings(folder))
        model, reference = store_example(self.ws)
        self.reviewer = studies.add_reviewer(self.ws, "Dr Alpha", specialty="gastroenterology")
        beta = studies.add_reviewer(self.ws, "Dr Beta")
        self.teacher = studies.add_reviewer(self.ws, "Dr Gamma")
        both = [self.reviewer.id, beta.id]
        for person in (self.reviewer, beta, self.teacher):
            consent.give_consent(self.ws, person.id)
        self.study = studies.create_study(self.ws, "Pilot", ReviewMode.BLINDED, [model, reference], both, order_seed=2)
        self.open_study = studies.create_study(
            self.ws, "Teaching round", ReviewMode.OPEN, [model], [self.teacher.id], length=Length.FULL, order_seed=2
        )
        everything = studies.assignments_of(self.ws, self.study.id)
        self.others = next(a for a in everything if a.reviewer_id == beta.id and a.dialogue_id == model)
        self.mine = next(a for a in everything if a.reviewer_id == self.reviewer.id and a.dialogue_id == model)
        self.open = studies.assignments_of(self.ws, self.open_study.id)[0]
        rating_entry.enter_ratings(
            self.ws,
            self.others,
            {n: {"supported": "no", "comment": BETA_REMARK} for n in (1, 2, 3, 4)},
            {d.value: 1 for d in Dimension} | {"safety": "likely", "comment": BETA_REMARK},
        )
        self.app = start_app(folder, demo=False)

    def address(self, assignment, step: str = "") -> str:
        step = f"&step={step}" if step else ""
        who = self.teacher if assignment is self.open else self.reviewer
        return f"{self.app.url}/workbench?reviewer={who.id}&assignment={assignment.id}{step}"


@pytest.fixture
def study(tmp_path, browser):
    running = Study(tmp_path / "study")
    yield running
    running.app.stop()
    running.ws.store.close()


class Recorder:
    """Everything a page receives: websocket frames, response bodies and headers, addresses, and the DOM when asked."""

    def __init__(self, page) -> None:
        self.page = page
        self.received: list[bytes] = []
        page.on("websocket", lambda socket: socket.on("framereceived", self._frame))
        page.on("response", self._response)

    def _frame(self, payload) -> None:
        self.received.append(payload if isinstance(payload, bytes) else payload.encode())

    def _response(self, response) -> None:
        self.received.append(response.url.encode() + json.dumps(response.headers).encode())
        if "/static/" not in response.url and response.status < 300:
            try:
                self.received.append(response.body())
            except Exception as error:  # noqa: BLE001 - a body the browser has dropped cannot be read; its frames can
                self.received.append(repr(error).encode())

    def everything(self) -> bytes:
        shadow = self.page.evaluate(
            """() => { const walk = (root) => root.innerHTML + [...root.querySelectorAll('*')]
                       .filter((e) => e.shadowRoot).map((e) => walk(e.shadowRoot)).join(' ');
                       return document.title + location.href + walk(document.documentElement)
                              + JSON.stringify(localStorage) + JSON.stringify(sessionStorage); }"""
        )
        return b"\n".join(self.received) + shadow.encode()


# Components live in shadow roots, which document.querySelector does not enter.
DEEP = """(selector) => {
    const find = (root) => root.querySelector(selector)
        || [...root.querySelectorAll('*')].filter((e) => e.shadowRoot).map((e) => find(e.shadowRoot)).find(Boolean);
    return find(document); }"""


def wait_text(page, selector: str, pattern: str) -> None:
    page.wait_for_function(
        f"([selector, pattern]) => {{ const found = ({DEEP})(selector);"
        " return found && new RegExp(pattern).test(found.textContent); }",
        arg=[selector, pattern],
        timeout=15_000,
    )
    settled(page)


def wait_saved(page) -> None:
    wait_text(page, ".status", r"^saved \d")


def current_step(page) -> str:
    return page.locator('button[aria-current="step"]').inner_text()


def choose(page, name: str) -> None:
    page.get_by_role("radio", name=name, exact=True).check(force=True)
    wait_saved(page)


def test_a_reviewer_walks_rates_reloads_commits_and_sees_the_judge(study, page) -> None:
    recorder = Recorder(page)
    page.goto(study.app.url + "/my_reviews")
    settled(page)
    page.get_by_role("combobox", name="Reviewer").click()
    page.get_by_role("option", name="Dr Alpha").click()
    page.get_by_role("button", name="Enter", exact=True).click()
    page.get_by_text("0 of 2 done").wait_for()
    page.goto(study.address(study.mine))
    settled(page)

    assert "History" in current_step(page)
    choose(page, "Yes")
    page.get_by_role("button", name="Next turn").click()
    page.get_by_text("Haemoglobin 9.1 g/dL.").wait_for()
    choose(page, "Partly")
    page.get_by_role("textbox", name="Comment").fill("no <b>ferritin</b> yet: n, p")
    wait_saved(page)

    # The reload comes back to the same turn with everything that was entered.
    page.reload()
    settled(page)
    page.get_by_text("Haemoglobin 9.1 g/dL.").wait_for()
    assert "Examination" in current_step(page)
    assert page.get_by_role("radio", name="Partly").is_checked()
    assert page.get_by_role("textbox", name="Comment").input_value() == "no <b>ferritin</b> yet: n, p"
    # Another tab without the step in its address resumes there too.
    page.goto(study.address(study.mine))
    settled(page)
    page.get_by_role("textbox", name="Comment").wait_for()
    assert "Examination" in current_step(page)

    page.get_by_role("button", name="Next turn").click()
    image = page.locator(".stage img")
    image.wait_for()
    assert image.evaluate("(e) => e.decode().then(() => [e.naturalWidth, e.naturalHeight])") == [640, 420]
    page.get_by_role("tab", name="Image 1 b").click()
    assert image.evaluate("(e) => e.decode().then(() => e.naturalWidth)") == 640
    assert page.get_by_text("The answer was given on a smaller version").count() <= 1
    choose(page, "No")
    page.get_by_role("button", name="Next turn").click()
    page.get_by_text("most likely a stromal tumour").wait_for()
    page.get_by_role("button", name="To the ratings").click()
    page.get_by_text("Still to rate: Synthesis.").wait_for()
    assert DIAGNOSIS.encode() not in recorder.everything()
    choose(page, "Yes")
    page.get_by_role("button", name="To the ratings").click()
    page.get_by_text(DIAGNOSIS).first.wait_for()

    page.get_by_role("button", name="Commit ratings").click()
    page.get_by_text("These answers are required").wait_for()
    assert page.get_by_role("button", name="Commit", exact=True).is_disabled()
    page.get_by_role("button", name="Back to the ratings").click()
    page.get_by_text("These answers are required").wait_for(state="hidden")
    for dimension, score in {"Factuality": 2, "Validity": 3, "Coherence": 5, "Utility": 2, "Overall": 3}.items():
        group = page.get_by_role("radiogroup", name=re.compile(f"^{dimension}"))
        group.get_by_role("radio", name=re.compile(f"^{score}:")).check(force=True)
    page.get_by_role("radio", name="Possible harm").check(force=True)
    wait_saved(page)

    before = recorder.everything()
    for secret in [*SECRETS, BETA_REMARK, *JUSTIFICATIONS.values()]:
        assert secret.encode() not in before, f"{secret!r} reached the browser before the commit"
    assert review_rows.committed_ratings(study.ws, study.study.id)[0].reviewer == "Reviewer 2"

    page.get_by_role("button", name="Commit ratings").click()
    page.get_by_role("button", name="Commit", exact=True).click()
    page.get_by_text(JUSTIFICATIONS[Dimension.FACTUALITY]).wait_for()
    assert page.get_by_text(JUDGE).count() and page.get_by_text(MODEL).count()
    # The recorder sees what it looks for as soon as it is sent: the search above was no empty one.
    assert JUSTIFICATIONS[Dimension.FACTUALITY].encode() in b"".join(recorder.received)
    mine = [r for r in review_rows.committed_ratings(study.ws, study.study.id) if r.reviewer == "Reviewer 1"]
    assert [r.score for r in mine] == [2, 3, 5, 2, 3]

    page.get_by_role("button", name=re.compile("Image 1")).first.click()
    wait_text(page, '[aria-current="step"]', "Image 1")
    page.get_by_text("All matches of this dialogue").wait_for(state="detached")
    page.get_by_role("table").get_by_text("homogeneous enhancement", exact=True).wait_for()
    page.get_by_role("combobox", name="Verdict on rounded mass").select_option("should be strict")
    page.locator("td.verdict span", has_text="✓").wait_for()
    verdicts = [v["verdict"] for v in review_rows.item_verdicts(study.ws)]
    assert verdicts == ["should be strict"]


def test_a_dialogue_is_rated_by_keyboard_alone(study, page) -> None:
    page.goto(study.address(study.mine))
    settled(page)
    page.get_by_text("Supported by what was shown").wait_for()
    for title in ("History", "Examination", "Image 1", "Synthesis"):
        wait_text(page, '[aria-current="step"]', title)
        wait_text(page, ".rating-form", "Supported by what was shown")
        page.wait_for_timeout(300)
        page.keyboard.press("1")
        # No waiting for the save: a quick hand goes on at once.
        page.keyboard.press("n")
    page.get_by_text(DIAGNOSIS).first.wait_for()
    page.get_by_role("radiogroup", name=re.compile("^Factuality")).wait_for()
    settled(page)
    for key in "f43455":
        page.keyboard.press(key)
    page.keyboard.press("o")
    page.keyboard.press("4")
    page.keyboard.press("1")
    wait_saved(page)
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Commit", exact=True).wait_for()
    page.get_by_role("button", name="Commit", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_text(JUSTIFICATIONS[Dimension.OVERALL]).wait_for()
    mine = [r for r in review_rows.committed_ratings(study.ws, study.study.id) if r.reviewer == "Reviewer 1"]
    assert [r.score for r in mine] == [4, 3, 4, 5, 4]


def test_open_review_shows_scores_and_matches_from_the_first_turn_and_says_so(study, page) -> None:
    page.goto(study.address(study.open, "turn-1"))
    settled(page)
    page.get_by_text("open review").wait_for()
    page.get_by_text(f"Scores and justifications: {JUDGE}").click()
    page.get_by_text(JUSTIFICATIONS[Dimension.UTILITY]).wait_for()
    page.goto(study.address(study.open, "turn-3"))
    settled(page)
    page.get_by_text("homogeneous enhancement", exact=True).wait_for()


def test_someone_elses_assignment_in_the_address_gives_a_calm_sentence(study, page) -> None:
    recorder = Recorder(page)
    page.goto(study.address(study.others))
    settled(page)
    page.get_by_text("it is not assigned to you").wait_for()
    received = recorder.everything()
    for secret in [*SECRETS, BETA_REMARK, DIAGNOSIS]:
        assert secret.encode() not in received
    answer = page.request.get(study.app.url + "/figures/forged.token")
    assert answer.status == 403 and "no longer valid" in answer.text()


def test_nothing_scrolls_sideways_on_a_small_screen_or_a_tablet(study, page) -> None:
    for width, height in ((1366, 768), (820, 1180)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(study.address(study.open, "turn-3"))
        settled(page)
        page.locator(".stage img").wait_for()
        wide = page.evaluate("() => [document.documentElement.scrollWidth, window.innerWidth]")
        assert wide[0] <= wide[1]
        if width == 1366:
            box = page.get_by_role("button", name="Next turn").bounding_box()
            assert box["y"] + box["height"] <= height, "the next step is below the fold"
