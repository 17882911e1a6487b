"""The workbench: one dialogue, turn by turn, then the ratings, then the judge's results beside the own ones."""

import re
from pathlib import Path

import streamlit as st

from core.domain.review import ReviewMode
from core.errors import AppError, InvalidInput, NotReady
from core.services import review, review_commit
from pages.components import notices
from pages.components.consent_form import consent_first
from pages.components.rating_controls import save_waiting
from pages.components.resources import workspace
from pages.components.review_steps import Screen
from pages.components.state import current_reviewer, enter_as, query
from pages.components.step_bar import step_bar

STYLE = Path(__file__).resolve().parent.parent / "components" / "workbench.css"
ws = workspace()
reviewer_id, assignment_id = current_reviewer(), query("assignment")

if reviewer_id is None or assignment_id is None:
    st.title("Workbench")
    notices.empty("No dialogue is open", "Open one of your dialogues from My reviews.")
    st.page_link("review/my_reviews.py", label="My reviews", icon=":material/rate_review:")
    st.stop()

try:
    view = review.review_view(ws, reviewer_id, assignment_id, query("step"))
except AppError as error:
    st.title("Workbench")
    notices.show_error(error)
    st.page_link("review/my_reviews.py", label="My reviews", icon=":material/rate_review:")
    st.stop()
enter_as(reviewer_id)
consent_first(ws, reviewer_id)
KEYS = "workbench_keys"
has_keys = st.session_state.get(KEYS, True)
screen = Screen(ws, reviewer_id, view, shows_keys=has_keys)


def key_for(key: str) -> str | None:
    """Give the shortcut of a button; None while shortcuts are switched off."""
    return key if has_keys else None


def go(step: str) -> None:
    """Open a step and put it into the address, so that a reload comes back to it; say it when that is refused."""
    turn = int(view.step.removeprefix("turn-")) if "turn-" in view.step else 0
    try:
        if not view.is_committed:
            save_waiting(assignment_id, turn, screen.save)
        st.query_params["step"] = review.open_step(ws, reviewer_id, assignment_id, step)
    except AppError as error:
        st.session_state[f"commit/{assignment_id}"] = error


def to_ratings() -> None:
    """Go to the ratings, or say which turns come first. The button is never dead: a quick hand would press in vain."""
    go("rate")
    waiting = review.turns_to_rate(ws, reviewer_id, assignment_id)
    if query("step") != "rate" and waiting:
        turns = ", ".join(waiting)
        st.session_state[f"commit/{assignment_id}"] = NotReady(
            "The ratings come after the support of every turn has been rated.", f"Still to rate: {turns}."
        )


def commit() -> None:
    """Commit, then go to the reveal; what is missing is said beside the button."""
    try:
        review_commit.commit(ws, reviewer_id, assignment_id)
        go("reveal")
    except AppError as error:
        st.session_state[f"commit/{assignment_id}"] = error
    st.session_state[f"confirm/{assignment_id}"] = False


def ask() -> None:
    """Open the confirmation."""
    save_waiting(assignment_id, 0, screen.save)
    st.session_state[f"confirm/{assignment_id}"] = True


@st.dialog("Commit these ratings?")
def confirm(missing: list, remarks: tuple[str, ...]) -> None:
    """Say what is missing or unusual; committed ratings can only be amended."""
    required = [field.label for field in missing if field.is_required]
    wished = [field.label for field in missing if not field.is_required]
    if required:
        st.error("These answers are required:\n" + "\n".join(f"- {label}" for label in required))
    if wished:
        st.write("Not answered, and may stay so:\n" + "\n".join(f"- {label}" for label in wished))
    for remark in remarks:
        st.info(remark, icon=":material/lightbulb:")
    st.write("Committed ratings cannot be changed afterwards; you can add an amendment. The judge's results follow.")
    no, yes = st.columns(2)
    if no.button("Back to the ratings", key="not_yet", width="stretch"):
        st.session_state[f"confirm/{assignment_id}"] = False
        st.rerun()
    if yes.button("Commit", key="commit_now", type="primary", width="stretch", disabled=bool(required)):
        commit()
        st.rerun()


def draw_navigation() -> None:
    """Draw back, set aside and the next step, always at the same place."""
    keys = [step.key for step in view.steps]
    place = keys.index(view.step)
    back, middle, forward = st.columns([2, 6, 3], vertical_alignment="center")
    back.button(
        "Back",
        icon=":material/chevron_left:",
        shortcut=key_for("P"),
        key="back",
        width="stretch",
        disabled=place == 0,
        on_click=go,
        args=(keys[place - 1],),
    )
    with middle:
        draw_aside(place)
    with forward:
        draw_forward(place, keys)


def draw_aside(place: int) -> None:
    """Draw what is still to rate, and the way to set the dialogue aside."""
    words, guide, aside = st.columns([4, 2, 2], vertical_alignment="center")
    with guide.popover("How to rate", width="stretch"):
        st.markdown("\n".join(f"- {rule}" for rule in review.general_rules()))
        st.markdown(
            "**Keys**\n\n"
            "- `1`–`5` answer the question in focus and go on\n"
            "- `F` `V` `H` `U` `O` factuality, validity, coherence, utility, overall\n"
            "- `N` next, `P` back, `Ctrl`+`Enter` commit\n"
            "- picture in focus: `+` `−` zoom, arrows move, `0` fit, `W` original size, `I` invert"
        )
        st.toggle("Use these keys", value=has_keys, key=KEYS, persist_state="session")
    waiting = [s.title for s in view.steps[: view.n_turns] if s.is_open and not s.is_done]
    if place + 1 == view.n_turns and waiting and not view.is_committed:
        words.caption(f"{len(waiting)} of {view.n_turns} turns still to rate, marked ○ above")
    if view.skipped_because:
        words.caption("You set this dialogue aside; go on whenever you like.")
    if view.is_committed or view.is_locked:
        return
    with aside.popover("Set aside …", width="stretch"):
        why = st.text_input("Reason for the study lead", key=f"aside/{assignment_id}", max_chars=500)
        # Never disabled: a text counts only once the field is left, so the first click would fall on a dead button.
        if st.button("Set aside and go to My reviews", key="set_aside"):
            with notices.errors_shown():
                if not why.strip():
                    raise InvalidInput("Give the study lead a reason.", "A few words are enough.")
                review.set_aside(ws, reviewer_id, assignment_id, why)
                st.switch_page("review/my_reviews.py", query_params={"reviewer": reviewer_id})


def draw_forward(place: int, keys: list[str]) -> None:
    """Draw the one next step of this screen."""
    wide = {"key": "next", "type": "primary", "width": "stretch", "icon": ":material/chevron_right:"}
    if place + 1 < view.n_turns:
        st.button("Next turn", shortcut=key_for("N"), on_click=go, args=(keys[place + 1],), **wide)
    elif place + 1 == view.n_turns:
        st.button("To the ratings", shortcut=key_for("N"), on_click=to_ratings, **wide)
    elif view.step == "rate" and not view.is_committed and not view.is_locked:
        st.button("Commit ratings", shortcut=key_for("Mod+Enter"), on_click=ask, **wide)
    elif view.step == "rate":
        st.button("To the judge's results", shortcut=key_for("N"), on_click=go, args=("reveal",), **wide)
    else:
        lines = review.my_assignments(ws, reviewer_id)
        following = [x for x in lines if x.state in ("in progress", "left") and x.assignment_id != assignment_id]
        if not following:
            if st.button("To My reviews", shortcut=key_for("N"), **wide):
                st.switch_page("review/my_reviews.py", query_params={"reviewer": reviewer_id})
        elif st.button(f"Next: {following[0].label}", shortcut=key_for("N"), **wide):
            st.query_params.update({"assignment": following[0].assignment_id, "step": following[0].step})
            st.rerun()


with st.container(key="workbench"):
    st.html(STYLE)
    head, bar, exit_ = st.columns([4, 8, 2], vertical_alignment="center", gap="small")
    with head:
        st.title(f"{view.label}", anchor=False)
        study_words = re.sub(r"([\\`*_{}\[\]<>#|~$:])", r"\\\1", view.study)
        marks = ":orange-badge[open review]" if view.mode is ReviewMode.OPEN else ""
        marks += " :blue-badge[demonstration]" if view.is_demonstration else ""
        st.markdown(f":small[{view.position} of {view.n_assigned} · {study_words}] {marks}")
    with bar:
        clicked = step_bar(view.steps, view.step, f"steps/{assignment_id}")
        if clicked and clicked != view.step:
            go(clicked)
            st.rerun()
    with exit_:
        if st.button("My reviews", icon=":material/logout:", key="leave", width="stretch"):
            st.switch_page("review/my_reviews.py", query_params={"reviewer": reviewer_id})
    if view.is_locked:
        st.info("This study is closed. You can read, but nothing more can be entered.", icon=":material/lock:")

    if view.step == "rate":
        screen.draw_rate()
    elif view.step == "reveal":
        screen.draw_reveal()
    else:
        screen.draw_turn(int(view.step.removeprefix("turn-")))

    problem = st.session_state.pop(f"commit/{assignment_id}", None)
    if problem:
        notices.show_error(problem)
    with st.container(key="navigation"):
        draw_navigation()

if st.session_state.get(f"confirm/{assignment_id}"):
    confirm(
        list(review_commit.still_open(ws, reviewer_id, assignment_id)),
        review_commit.commit_hints(ws, reviewer_id, assignment_id),
    )
