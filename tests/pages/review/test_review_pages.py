from pathlib import Path

import pytest

from core.domain.instrument import Dimension
from core.domain.review import Length, ReviewMode
from core.services import consent, rating_entry, review, review_rows, studies
from core.services.workspace import open_workspace
from core.settings import read_settings
from pages.components.rating_controls import form_key
from tests.review.example import DIAGNOSIS, JUDGE, JUSTIFICATIONS, MODEL, store_example

WORKBENCH, MY_REVIEWS, STUDIES = "review/workbench.py", "review/my_reviews.py", "review/studies.py"
SCORES = {d.value: 4 for d in Dimension} | {"safety": "none"}
TURNS = {n: {"supported": "yes"} for n in (1, 2, 3, 4)}


class Setting:
    def __init__(self, folder: Path) -> None:
        self.ws = open_workspace(read_settings(folder))
        model, reference = store_example(self.ws)
        self.reviewer = studies.add_reviewer(self.ws, "Dr Alpha")
        self.other = studies.add_reviewer(self.ws, "Dr Beta")
        self.teacher = studies.add_reviewer(self.ws, "Dr Gamma")
        both = [self.reviewer.id, self.other.id]
        for person in (self.reviewer, self.other, self.teacher):
            consent.give_consent(self.ws, person.id)
        self.study = studies.create_study(
            self.ws, "Pilot_1", ReviewMode.BLINDED, [model, reference], both, order_seed=4
        )
        self.open_study = studies.create_study(
            self.ws, "Teaching", ReviewMode.OPEN, [model], [self.teacher.id], length=Length.FULL, order_seed=4
        )
        everything = studies.assignments_of(self.ws, self.study.id)
        self.mine = next(a for a in everything if a.reviewer_id == self.reviewer.id and a.dialogue_id == model)
        self.theirs = next(a for a in everything if a.reviewer_id == self.other.id)
        self.open = studies.assignments_of(self.ws, self.open_study.id)[0]

    def query(self, assignment, **more: str) -> dict[str, str]:
        who = self.teacher.id if assignment is self.open else self.reviewer.id
        return {"reviewer": who, "assignment": assignment.id, **more}


@pytest.fixture
def setting(empty_study) -> Setting:
    return Setting(empty_study)


def words(page) -> str:
    parts = [page.markdown, page.text, page.caption, page.title, page.subheader, page.info, page.error, page.warning]
    return "\n".join(str(element.value) for part in parts for element in part)


def open_at(open_page, path: str, **query: str):
    """Open a page with a query: the switch drops it, so it is given again."""
    page = open_page(path)
    for name, value in query.items():
        page.query_params[name] = value
    return page.run()


def test_without_a_reviewer_the_workbench_says_where_to_go(setting, open_page) -> None:
    page = open_page(WORKBENCH)
    assert not page.exception and "No dialogue is open" in words(page)


def test_a_new_reviewer_enters_and_is_told_that_nothing_is_assigned(empty_study, open_page) -> None:
    page = open_page(MY_REVIEWS)
    page.text_input[0].set_value("Dr New")
    page.button[-1].click().run()
    assert not page.exception
    assert "Before you begin" in words(page) and "Nothing is assigned to you yet" not in words(page)
    page.button(key="consent").click().run()
    assert "Nothing is assigned to you yet" in words(page)
    page.checkbox(key="withdraw_sure").check().run()
    page.button(key="withdraw").click().run()
    assert not page.exception
    assert "You have withdrawn" in words(page)


def test_my_reviews_show_what_is_left(setting, open_page) -> None:
    page = open_at(open_page, MY_REVIEWS, reviewer=setting.reviewer.id)
    assert not page.exception
    assert "Dr Alpha" in words(page) and "Dialogue 1" in words(page)
    assert MODEL not in words(page)


def test_every_step_of_a_blinded_dialogue_opens_without_the_judge(setting, open_page) -> None:
    for n in (1, 2, 3, 4):
        review.open_step(setting.ws, setting.reviewer.id, setting.mine.id, f"turn-{n}")
        page = open_at(open_page, WORKBENCH, **setting.query(setting.mine, step=f"turn-{n}"))
        assert not page.exception
        assert DIAGNOSIS not in words(page) and JUDGE not in words(page) and MODEL not in words(page)


def test_a_change_from_the_browser_is_stored_and_a_score_of_seven_is_not(setting, open_page) -> None:
    page = open_at(open_page, WORKBENCH, **setting.query(setting.mine))
    change = {"turn": 1, "field": "supported", "value": "partly", "base": 0, "nonce": "a", "after": []}
    bad = {"turn": 1, "field": "comment", "value": 7, "base": 0, "nonce": "b", "after": []}
    key = form_key(setting.mine.id, 1)
    page.session_state[key] = {"drafts": {"sent": 1, "changes": [change, bad]}}
    page.run()
    assert not page.exception
    drafts = review.review_view(setting.ws, setting.reviewer.id, setting.mine.id).drafts
    assert {name: draft.value for name, draft in drafts.items()} == {"1/supported": "partly"}


def test_a_change_of_another_shape_is_passed_over_and_the_one_beside_it_is_stored(setting, open_page) -> None:
    good = {"turn": 1, "field": "supported", "value": "no", "base": 0, "nonce": "g", "after": []}
    page = open_at(open_page, WORKBENCH, **setting.query(setting.mine))
    page.session_state[form_key(setting.mine.id, 1)] = {"drafts": {"sent": 1, "changes": [{"turn": "x"}, good]}}
    page.run()
    assert not page.exception
    drafts = review.review_view(setting.ws, setting.reviewer.id, setting.mine.id).drafts
    assert {name: draft.value for name, draft in drafts.items()} == {"1/supported": "no"}


def test_someone_elses_assignment_is_refused_calmly(setting, open_page) -> None:
    page = open_at(open_page, WORKBENCH, **setting.query(setting.theirs))
    assert not page.exception
    assert "not assigned to you" in words(page)


def test_after_the_commit_the_judge_stands_beside_the_own_scores(setting, open_page) -> None:
    rating_entry.enter_ratings(setting.ws, setting.mine, TURNS, SCORES)
    page = open_at(open_page, WORKBENCH, **setting.query(setting.mine, step="reveal"))
    assert not page.exception
    assert JUDGE in words(page) and MODEL in words(page)
    assert all(justification in words(page) for justification in JUSTIFICATIONS.values())


def test_a_view_of_a_justification_is_stored_and_shown_again(setting, open_page) -> None:
    rating_entry.enter_ratings(setting.ws, setting.mine, TURNS, SCORES)
    page = open_at(open_page, WORKBENCH, **setting.query(setting.mine, step="reveal"))
    page.button_group[0].set_value("partly").run()
    assert not page.exception
    again = open_at(open_page, WORKBENCH, **setting.query(setting.mine, step="reveal"))
    assert again.button_group[0].value == "partly"
    assert [e.new for e in review_rows.review_events(setting.ws) if e.what == "view of factuality"] == ["partly"]


def test_an_amendment_stands_beside_the_first_rating(setting, open_page) -> None:
    rating_entry.enter_ratings(setting.ws, setting.mine, TURNS, SCORES)
    page = open_at(open_page, WORKBENCH, **setting.query(setting.mine, step="reveal"))
    page.selectbox(key=f"amend/{setting.mine.id}").set_value(Dimension.OVERALL).run()
    page.button_group(key=f"amend/{setting.mine.id}/overall/score").set_value(2)
    page.text_area(key=f"amend/{setting.mine.id}/overall/why").set_value("the side is wrong").run()
    page.button(key=f"amend/{setting.mine.id}/go").click().run()
    assert not page.exception
    assert "2 (was 4)" in words(page)


def test_the_shortcuts_can_be_switched_off(setting, open_page) -> None:
    page = open_at(open_page, WORKBENCH, **setting.query(setting.mine))
    page.toggle(key="workbench_keys").set_value(False).run()
    assert not page.exception
    assert not page.button(key="next").proto.shortcut


def test_the_commit_is_confirmed_and_then_final(setting, open_page) -> None:
    ws, who, which = setting.ws, setting.reviewer.id, setting.mine.id
    for n in (1, 2, 3, 4):
        review.open_step(ws, who, which, f"turn-{n}")
        rating_entry.enter_drafts(ws, setting.mine, n, TURNS[n])
    page = open_at(open_page, WORKBENCH, **setting.query(setting.mine, step="rate"))
    assert DIAGNOSIS in words(page) and JUDGE not in words(page)
    page.button(key="next").click().run()
    assert "required" in words(page)
    assert page.button(key="commit_now").disabled
    rating_entry.enter_drafts(ws, setting.mine, 0, SCORES)
    page.run()
    page.button(key="commit_now").click().run()
    assert not page.exception
    rows = review_rows.committed_ratings(ws)
    assert [r.score for r in rows] == [4] * 5
    assert JUDGE in words(page)


def test_open_review_is_marked_and_shows_the_judge_at_the_first_turn(setting, open_page) -> None:
    page = open_at(open_page, WORKBENCH, **setting.query(setting.open, step="turn-1"))
    assert not page.exception
    assert "open review" in words(page)
    assert JUSTIFICATIONS[Dimension.UTILITY] in words(page)


def test_the_lead_creates_a_study_with_its_layout(setting, open_page) -> None:
    late = studies.add_reviewer(setting.ws, "Dr Late")
    page = open_page("review/new_study.py")
    assert not page.exception
    page.text_input(key="new_study/name").set_value("Second study")
    page.radio(key="new_study/mode").set_value(ReviewMode.BLINDED)
    page.multiselect(key="new_study/dialogues").set_value([setting.mine.dialogue_id])
    page.multiselect(key="new_study/controls").set_value(["dlg-reference"])
    page.multiselect(key="new_study/reviewers").set_value([late.id]).run()
    assert "2 dialogues, 1 reviewers: about 2 dialogues and 16 minutes for each" in words(page)
    seed = page.number_input(key="new_study/label_seed").value
    next(b for b in page.button if b.label == "Create the study").click().run()
    assert not page.exception
    assert [s.study.name for s in studies.studies(setting.ws)] == ["Pilot_1", "Teaching", "Second study"]
    design = studies.studies(setting.ws)[-1].study.design
    assert design.blinding_seed == seed


def test_the_lead_sees_no_setting_of_a_blinded_study_before_a_recorded_unblinding(setting, open_page) -> None:
    page = open_at(open_page, STUDIES, study=setting.study.id)
    assert not page.exception
    assert not any("Setting" in frame.value.columns for frame in page.dataframe)
    page.text_input[0].set_value("Dr Lead")
    page.text_input[1].set_value("a control was mixed up")
    next(b for b in page.button if b.label == "Unblind").click().run()
    assert not page.exception
    assert any("Setting" in frame.value.columns for frame in page.dataframe)
    event = next(e for e in review_rows.review_events(setting.ws) if e.what.startswith("unblinded"))
    assert (event.actor, event.reason, event.new) == ("Dr Lead", "a control was mixed up", setting.study.id)


def test_a_preview_shows_every_step_and_records_nothing(setting, open_page) -> None:
    before = review_rows.review_events(setting.ws)
    page = open_at(open_page, "review/preview.py", study=setting.study.id)
    assert not page.exception and "nothing is recorded" in words(page)
    for _ in range(4):
        page.button(key="next").click().run()
        assert not page.exception
    assert DIAGNOSIS in words(page) and JUDGE not in words(page) and MODEL not in words(page)
    assert review_rows.review_events(setting.ws) == before
    assert all(a.outcome_shown_at is None for a in studies.assignments_of(setting.ws, setting.study.id))


def test_a_locked_study_can_be_read(setting, open_page) -> None:
    studies.lock(setting.ws, setting.study.id)
    page = open_at(open_page, WORKBENCH, **setting.query(setting.mine))
    assert not page.exception and "closed" in words(page)
