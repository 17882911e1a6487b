"""New study: dialogues, reviewers, who gets what, what is hidden, how long it takes."""

import secrets

import streamlit as st

from core.domain.dialogue import DialogueKind
from core.domain.review import Length, ReviewMode
from core.domain.review_design import StudyDesign
from core.services import studies
from pages.components.notices import empty, errors_shown
from pages.components.resources import workspace

ws = workspace()
st.title("New study")
st.write("This page names models: do not open it while you rate blinded.")
listed = studies.dialogues_to_choose(ws)
if not listed:
    empty("No dialogue is stored yet", "Run a test model on a case first (page Runs).")
    st.stop()
words = {
    d.id: f"{d.case_id} · {d.setting}" + (f" · repeat {d.repeat + 1}" if d.repeat else "") + f" · {d.n_turns} turns"
    for d in listed
}
controls = [d.id for d in listed if d.kind == DialogueKind.REFERENCE]
people = {r.id: r.name for r in studies.reviewers(ws)}
# Drawn once for this tab, so that what is shown is what is stored.
seeds = st.session_state.setdefault("new_study_seeds", [secrets.randbelow(2**31) for _ in range(2)])

st.subheader("1 · What is rated")
name = st.text_input("Name", max_chars=120, key="new_study/name")
cases = st.multiselect(
    "Cases", list(dict.fromkeys(d.case_id for d in listed)), placeholder="All cases", key="new_study/cases"
)
of_cases = [d for d in listed if not cases or d.case_id in cases]
dialogues = st.multiselect(
    "Dialogues",
    [d.id for d in of_cases if d.id not in controls],
    format_func=words.get,
    key="new_study/dialogues",
)
hidden = st.multiselect(
    "Hidden controls",
    [d.id for d in of_cases if d.id in controls],
    format_func=words.get,
    help="Dialogues written from the article, mixed in under labels like all others",
    key="new_study/controls",
)

st.subheader("2 · Who rates")
takers = st.multiselect("Reviewers", list(people), format_func=people.get, key="new_study/reviewers")
overlap = st.number_input(
    "Reviewers for each dialogue",
    min_value=1,
    max_value=max(1, len(takers)),
    value=None,
    placeholder="Everyone",
    help="Empty: everyone rates everything. A number spreads the dialogues evenly.",
    key="new_study/overlap",
)

st.subheader("3 · How")
mode = st.radio(
    "Mode",
    list(ReviewMode),
    index=None,
    format_func=lambda m: m.value.capitalize(),
    captions=[
        "Judge's results and model names are hidden until the reviewer commits",
        "Everything is shown from the first turn; for teaching and quality control, kept apart from blinded",
    ],
    key="new_study/mode",
)
length = st.radio(
    "Form",
    list(Length),
    format_func=lambda entry: entry.value.capitalize(),
    captions=["Support per turn, F V C U, overall, safety", "Also errors, image use and closure per turn"],
    horizontal=True,
    key="new_study/length",
)
order, labels = st.columns(2)
order_seed = order.number_input("Order seed", min_value=0, value=seeds[0], step=1, key="new_study/order_seed")
label_seed = labels.number_input("Blinding seed", min_value=0, value=seeds[1], step=1, key="new_study/label_seed")

chosen = [*dialogues, *hidden]
share = len(chosen) if not overlap or not takers else len(chosen) * min(overlap, len(takers)) / len(takers)
minutes = studies.expected_minutes(ws, chosen, length)
if chosen:
    each = round(minutes * share / len(chosen))
    st.info(
        f"{len(chosen)} dialogues, {len(takers)} reviewers: about {share:g} dialogues and {each} minutes for each.",
        icon=":material/schedule:",
    )
if st.button("Create the study", type="primary"):
    with errors_shown():
        if mode is None:
            st.error("Choose a mode.", icon=":material/error:")
        else:
            design = StudyDesign(blinding_seed=label_seed, overlap=overlap)
            study = studies.create_study(
                ws, name, mode, chosen, takers, length=length, order_seed=order_seed, design=design
            )
            st.session_state.pop("new_study_seeds")
            st.switch_page("review/studies.py", query_params={"study": study.id})
