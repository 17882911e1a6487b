"""My reviews: who reviews here, what is left, and the way back to the exact turn."""

import streamlit as st

from core.domain.review import ReviewMode
from core.errors import AppError
from core.services import studies
from core.services.review import my_assignments
from pages.components.consent_form import consent_first, draw_withdrawal
from pages.components.notices import demonstration, empty, errors_shown, show_error
from pages.components.resources import workspace
from pages.components.state import current_reviewer, enter_as, leave

ws = workspace()
st.title("My reviews")


def choose_reviewer() -> None:
    """Draw the way in: a name from the list, or a new one. Sign-in comes with teams."""
    everyone = studies.reviewers(ws)
    known, new = st.columns(2, gap="large")
    with known:
        st.subheader("I have been here before")
        names = {r.id: r.name + ("  (demonstration)" if r.is_demonstration else "") for r in everyone}
        chosen = st.selectbox(
            "Reviewer", list(names), index=None, format_func=names.get, placeholder="Choose your name"
        )
        if st.button("Enter", type="primary", disabled=chosen is None, key="enter"):
            enter_as(chosen)
            st.rerun()
        if not everyone:
            st.write("No reviewer has been added yet.")
    with new, st.form("new_reviewer", border=False):
        st.subheader("I am new")
        name = st.text_input("Name", max_chars=80)
        specialty = st.text_input("Specialty", max_chars=80)
        years = st.number_input("Years of practice", min_value=0, max_value=70, value=None, step=1)
        role = st.text_input("Role", max_chars=80, placeholder="resident, consultant, ...")
        if st.form_submit_button("Add me and enter"):
            with errors_shown():
                enter_as(studies.add_reviewer(ws, name, specialty=specialty, years=years, role=role).id)
                st.rerun()
    st.stop()


reviewer_id = current_reviewer()
if reviewer_id is None:
    choose_reviewer()
try:
    me = studies.reviewer(ws, reviewer_id)
except AppError as error:
    show_error(error)
    leave()
    choose_reviewer()
enter_as(reviewer_id)

who, out = st.columns([5, 1], vertical_alignment="center")
who.write(f"You are **{me.name}**" + (f", {me.specialty}" if me.specialty else "") + ".")
if out.button("Leave", key="leave_reviews", width="stretch", help="Leave the reviews in this tab; nothing is lost"):
    leave()
    st.rerun()

consent_first(ws, reviewer_id)
lines = my_assignments(ws, reviewer_id)
if any(line.is_demonstration for line in lines):
    demonstration()
if not lines:
    empty("Nothing is assigned to you yet", "The study lead gives you dialogues on the page Studies; they appear here.")

WORDS = {
    "left": ":material/radio_button_unchecked: not begun",
    "in progress": ":material/timelapse: in progress",
    "done": ":material/check_circle: done",
    "set aside": ":material/pause_circle: set aside",
    "locked": ":material/lock: study closed",
    "waiting": ":material/hourglass_empty: after your blinded rating of it",
}
for study_id in dict.fromkeys(line.study_id for line in lines):
    mine = [line for line in lines if line.study_id == study_id]
    n_done = sum(line.state == "done" for line in mine)
    minutes = sum(line.minutes_left for line in mine)
    with st.container(border=True):
        st.subheader(mine[0].study)
        if mine[0].mode is ReviewMode.OPEN:
            st.warning(
                "Open review: the judge's scores and matches are shown from the first turn. "
                "These ratings are never mixed with blinded ones.",
                icon=":material/visibility:",
            )
        left = f"about {minutes} minutes left" if minutes else "nothing left"
        st.progress(n_done / len(mine), text=f"{n_done} of {len(mine)} done · {left}")
        # The one to go on with stands first: begun ones, then new ones.
        rank = {"in progress": 0, "left": 1, "set aside": 2, "done": 3, "waiting": 4, "locked": 5}
        for n, line in enumerate(sorted(mine, key=lambda entry: rank[entry.state])):
            label, state, place, action = st.columns([2, 2, 2, 2], vertical_alignment="center")
            label.write(f"**{line.label}**")
            state.write(WORDS[line.state])
            place.write(line.place + (f" · {line.minutes_left} min" if line.minutes_left else ""))
            words = {
                "in progress": "Resume",
                "left": "Begin",
                "waiting": "Not yet",
                "done": "Look again",
                "locked": "Look",
            }
            if action.button(
                words.get(line.state, "Open"),
                key=f"open/{line.assignment_id}",
                type="primary" if n == 0 and line.state in ("in progress", "left") else "secondary",
                width="stretch",
                disabled=line.state == "waiting",
            ):
                st.switch_page(
                    "review/workbench.py",
                    query_params={"reviewer": reviewer_id, "assignment": line.assignment_id, "step": line.step},
                )

if not me.is_demonstration:
    draw_withdrawal(ws, reviewer_id)
