"""The workbench: one dialogue, turn by turn, then the ratings, then the judge's results beside the own ones."""

from pathlib import Path

import streamlit as st

from core.domain.review import ReviewMode
from core.errors import AppError
from core.services import review, review_commit
from pages.components import notices
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
screen = Screen(ws, reviewer_id, view)


def go(step: str) -> None:
    """Open a step and put it into the address, so that a reload comes back to it."""
    st.query_params["step"] = review.open_step(ws, reviewer_id, assignment_id, step)


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


with st.container(key="workbench"):
    st.html(STYLE)
    head, bar, exit_ = st.columns([3, 8, 2], vertical_alignment="center", gap="small")
    with head:
        st.title(f"{view.label}", anchor=False)
        st.caption(f"{view.position} of {view.n_assigned} · {view.study}")
    with bar:
        clicked = step_bar(view.steps, view.step, f"steps/{assignment_id}")
        if clicked and clicked != view.step:
            go(clicked)
            st.rerun()
    with exit_:
        if st.button("My reviews", icon=":material/logout:", key="leave", width="stretch"):
            st.switch_page("review/my_reviews.py", query_params={"reviewer": reviewer_id})
    if view.mode is ReviewMode.OPEN:
        st.warning(
            "**Open review**: judge's scores and matches are shown; these ratings are kept apart.",
            icon=":material/visibility:",
        )
    if view.is_demonstration:
        st.caption(":material/science: Demonstration material, written for this project.")
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
    keys = [step.key for step in view.steps]
    place = keys.index(view.step)
    back, middle, forward = st.columns([2, 6, 3], vertical_alignment="center")
    back.button(
        "Back",
        icon=":material/chevron_left:",
        shortcut="P",
        key="back",
        width="stretch",
        disabled=place == 0,
        on_click=go,
        args=(keys[place - 1],),
    )
    with forward:
        if view.step.startswith("turn-") and place + 1 < view.n_turns:
            st.button(
                "Next turn",
                icon=":material/chevron_right:",
                shortcut="N",
                key="next",
                type="primary",
                width="stretch",
                on_click=go,
                args=(keys[place + 1],),
            )
        elif view.step.startswith("turn-"):
            is_open = view.steps[view.n_turns].is_open
            st.button(
                "To the ratings",
                icon=":material/chevron_right:",
                shortcut="N",
                key="next",
                type="primary",
                width="stretch",
                disabled=not is_open,
                on_click=go,
                args=("rate",),
                help=None if is_open else "Rate the support of every turn first; the step bar shows which are open.",
            )
        elif view.step == "rate" and not view.is_committed and not view.is_locked:
            st.button(
                "Commit ratings",
                icon=":material/lock:",
                shortcut="Mod+Enter",
                key="commit",
                type="primary",
                width="stretch",
                on_click=ask,
            )
        elif view.step == "rate":
            st.button(
                "To the judge's results",
                icon=":material/chevron_right:",
                shortcut="N",
                key="next",
                type="primary",
                width="stretch",
                on_click=go,
                args=("reveal",),
            )
    with middle:
        waiting = [s for s in view.steps[: view.n_turns] if s.is_open and not s.is_done]
        if view.step.startswith("turn-") and place + 1 >= view.n_turns and waiting:
            st.caption("Still to rate: " + ", ".join(s.title for s in waiting))

if st.session_state.get(f"confirm/{assignment_id}"):
    confirm(
        list(review_commit.still_open(ws, reviewer_id, assignment_id)),
        review_commit.commit_hints(ws, reviewer_id, assignment_id),
    )
