"""Preview: a study as a reviewer sees it, for the lead. What is tried out here is forgotten with the tab."""

from pathlib import Path

import streamlit as st

from core.domain.review import Draft
from core.errors import AppError
from core.services import review_preview
from pages.components import notices
from pages.components.preview_screen import PreviewScreen, tried_out
from pages.components.resources import workspace
from pages.components.state import query
from pages.components.step_bar import step_bar

STYLE = Path(__file__).resolve().parent.parent / "components" / "workbench.css"
ws = workspace()
study_id = query("study")
if study_id is None:
    st.title("Preview")
    notices.empty("No study is chosen", "Open a study's preview from the page Studies.")
    st.page_link("review/studies.py", label="Studies", icon=":material/groups:")
    st.stop()
try:
    labels = review_preview.preview_labels(ws, study_id)
    if not labels:
        st.title("Preview")
        notices.empty("This study has no dialogue yet", "Assign some on the page Studies.")
        st.stop()
    dialogue_id = st.session_state.get("preview/dialogue", next(iter(labels)))
    dialogue_id = dialogue_id if dialogue_id in labels else next(iter(labels))
    drafts: dict[tuple[int, str], Draft] = tried_out(study_id, dialogue_id)
    view = review_preview.preview_view(ws, study_id, dialogue_id, st.session_state.get("preview/step"), drafts)
except AppError as error:
    st.title("Preview")
    notices.show_error(error)
    st.page_link("review/studies.py", label="Studies", icon=":material/groups:")
    st.stop()


def go(step: str) -> None:
    """Show another step."""
    st.session_state["preview/step"] = step


with st.container(key="workbench"):
    st.html(STYLE)
    head, bar, choice = st.columns([3, 8, 3], vertical_alignment="center", gap="small")
    with head:
        st.title(view.label, anchor=False)
        st.markdown(":orange-badge[preview: nothing is recorded]")
    with bar:
        clicked = step_bar(view.steps, view.step, f"preview-steps/{dialogue_id}")
        if clicked and clicked != view.step:
            go(clicked)
            st.rerun()
    with choice:
        st.selectbox(
            "Dialogue",
            list(labels),
            format_func=labels.get,
            key="preview/dialogue",
            label_visibility="collapsed",
            on_change=go,
            args=("turn-1",),
        )
    screen = PreviewScreen(ws, study_id, dialogue_id, view)
    if view.step == "rate":
        screen.draw_rate()
    else:
        screen.draw_turn(int(view.step.removeprefix("turn-")))
    with st.container(key="navigation"):
        keys = [step.key for step in view.steps if step.is_open]
        place = keys.index(view.step)
        back, words, forward = st.columns([2, 6, 3], vertical_alignment="center")
        back.button(
            "Back",
            icon=":material/chevron_left:",
            key="back",
            disabled=place == 0,
            on_click=go,
            width="stretch",
            args=(keys[place - 1],),
        )
        words.write("A reviewer opens the turns one after the other, and sees the judge's results after the commit.")
        if place + 1 < len(keys):
            forward.button(
                "Next",
                icon=":material/chevron_right:",
                key="next",
                type="primary",
                on_click=go,
                width="stretch",
                args=(keys[place + 1],),
            )
        elif forward.button("To the studies", key="leave", type="primary", width="stretch"):
            st.switch_page("review/studies.py", query_params={"study": study_id})
