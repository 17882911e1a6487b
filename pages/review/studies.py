"""Studies: what is being rated, by whom, how far it is; a new study from dialogues and reviewers."""

import pandas as pd
import streamlit as st

from core.domain.review import Length, ReviewMode
from core.services import studies
from pages.components.notices import empty, errors_shown
from pages.components.resources import workspace

ws = workspace()
st.title("Studies")
st.caption("For the study lead. This page names models: do not open it while you rate blinded.")

lines = studies.studies(ws)
if not lines:
    empty("There is no study yet", "Create one below from dialogues and reviewers.")
else:
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Study": line.study.name,
                    "Mode": line.study.mode.value,
                    "Form": line.study.length.value,
                    "Dialogues": line.n_dialogues,
                    "Reviewers": line.n_reviewers,
                    "Assigned": line.n_assignments,
                    "Committed": line.n_committed,
                    "In progress": line.n_in_progress,
                    "State": "locked" if line.study.locked_at else "open",
                    "Demonstration": "yes" if line.study.is_demonstration else "",
                }
                for line in lines
            ]
        ),
        hide_index=True,
        width="stretch",
    )

    st.subheader("Coverage")
    names = {line.study.id: line.study.name for line in lines}
    chosen = st.selectbox("Study", list(names), format_func=names.get, key="study")
    study = next(line.study for line in lines if line.study.id == chosen)
    signs = {"committed": "✓ committed", "in progress": "◐ in progress", "left": "○ left", "set aside": "⏸ set aside"}
    covered = studies.coverage(ws, chosen)
    cells = [
        {"Dialogue": c.label, "Case": c.case_id, "Setting": c.setting}
        | {name: signs[state] for name, state in c.states.items()}
        for c in covered
    ]
    if cells:
        st.dataframe(pd.DataFrame(cells), hide_index=True, width="stretch")
    else:
        st.write("Nobody has been given a dialogue of this study yet.")
    for line in covered:
        for reason in line.reasons:
            st.text(f"{line.label} was set aside: {reason}")

    people = {r.id: r.name for r in studies.reviewers(ws)}
    add, close = st.columns([3, 1], vertical_alignment="bottom")
    with add:
        more = st.multiselect("Give this study's dialogues to", list(people), format_func=people.get, key="more")
    with close:
        if st.button("Assign", disabled=not more or study.locked_at is not None, width="stretch"):
            with errors_shown():
                n_new = studies.add_to_study(ws, chosen, more)
                st.toast(f"{n_new} new assignments.")
                st.rerun()
    if study.locked_at is None:
        with st.expander("Lock this study"):
            st.write("After locking nothing more can be entered. It cannot be unlocked.")
            if st.button("Lock now", key="lock"):
                with errors_shown():
                    studies.lock(ws, chosen)
                    st.rerun()

st.subheader("New study")
listed = studies.dialogues_to_choose(ws)
if not listed:
    empty("No dialogue is stored yet", "Run a test model on a case first (page Runs).")
    st.stop()
people = {r.id: r.name for r in studies.reviewers(ws)}
words = {
    d.id: f"{d.case_id} · {d.setting}" + (f" · repeat {d.repeat + 1}" if d.repeat else "") + f" · {d.n_turns} turns"
    for d in listed
}
with st.form("new_study"):
    name = st.text_input("Name", max_chars=120)
    mode = st.radio(
        "Mode",
        list(ReviewMode),
        index=None,
        format_func=lambda m: m.value.capitalize(),
        captions=[
            "Judge's results and model names are hidden until the reviewer commits",
            "Everything is shown from the first turn; for teaching and quality control, kept apart from blinded",
        ],
    )
    length = st.radio(
        "Form",
        list(Length),
        format_func=lambda entry: entry.value.capitalize(),
        captions=["Support per turn, F V C U, overall, safety: about ten minutes a dialogue", "Everything"],
        horizontal=True,
    )
    dialogues = st.multiselect("Dialogues", list(words), format_func=words.get)
    takers = st.multiselect("Reviewers", list(people), format_func=people.get)
    if st.form_submit_button("Create the study", type="primary"):
        with errors_shown():
            if mode is None:
                st.error("Choose a mode.", icon=":material/error:")
            else:
                studies.create_study(ws, name, mode, dialogues, takers, length=length)
                st.rerun()
