"""Dialogue: one dialogue turn by turn, what was disclosed, what was answered, and what that became."""

import streamlit as st

from core.domain.dialogue import TurnStatus
from core.errors import AppError
from core.services.cases import find_case
from core.services.dialogues import find_listing, get_dialogue, list_cases_with_dialogue, list_dialogues
from pages.components.case_parts import draw_image
from pages.components.notices import demonstration_dialogue, empty, show_error
from pages.components.resources import workspace
from pages.components.state import query
from pages.components.words import count_of, stage_name

ws = workspace()
st.title("Dialogue")

case_ids = list_cases_with_dialogue(ws)
if not case_ids:
    empty("No dialogue yet", "Run the pipeline on a case, or a model on released cases.")
    st.page_link("dialogues/runs.py", label="Runs", icon=":material/play_circle:")
    st.stop()

asked = find_listing(ws, query("id"))
asked_case = asked.case_id if asked else query("case")
left, right = st.columns(2)
case_id = left.selectbox(
    "Case", case_ids, index=case_ids.index(asked_case) if asked_case in case_ids else 0, key="dialogue_case"
)
of_case = list(list_dialogues(ws, case_id))
chosen = right.selectbox(
    "Dialogue",
    of_case,
    index=next((i for i, row in enumerate(of_case) if asked and row.id == asked.id), 0),
    format_func=lambda row: f"{row.setting} · case version {row.case_version} · {row.made_at:%Y-%m-%d %H:%M} UTC",
    key=f"dialogue_choice_{case_id}",
)
if query("id") != chosen.id:
    st.query_params["id"] = chosen.id

try:
    dialogue = get_dialogue(ws, chosen.id)
except AppError as error:
    show_error(error)
    st.stop()

newest = find_case(ws, dialogue.case_id)
if newest is not None and newest.version != dialogue.case_version:
    st.warning(
        f"This dialogue was made on version {dialogue.case_version} of the case; the newest is {newest.version}. It "
        "shows what that version disclosed. What changed stands on the case page under Versions.",
        icon=":material/history:",
    )
if dialogue.is_demonstration:
    demonstration_dialogue(dialogue.kind)
made = dialogue.made_by
st.caption(f"{dialogue.kind} dialogue · {made.model} ({made.engine}) · {count_of(len(dialogue.turns), 'turn')}")
with st.container(horizontal=True):
    st.page_link(
        "evaluation/matches.py",
        label="Its matches",
        icon=":material/join_inner:",
        query_params={"dialogue": dialogue.id},
    )
    st.page_link("cases/case.py", label="Its case", icon=":material/article:", query_params={"id": dialogue.case_id})

for turn in dialogue.turns:
    staged = turn.staged
    title = f"Turn {staged.index} · {stage_name(staged.stage)}" + (
        f" · {staged.figure_label}" if staged.figure_label else ""
    )
    with st.container(border=True):
        st.markdown(f"**{title}**")
        told, answered = st.columns(2)
        with told:
            for image in staged.images:
                note = f"{staged.modality}"
                if image.sent_width_px and image.sent_width_px < image.original.width_px:
                    note += f", the model saw {image.sent_width_px} × {image.sent_height_px} px"
                draw_image(ws, image.original, note, width=320)
            with st.expander("Prompt as sent", expanded=not staged.images):
                st.text(staged.prompt)
        with answered:
            if turn.status is TurnStatus.ANSWERED:
                st.text(turn.response)
            else:
                st.error(f"No answer ({turn.status}): {turn.problem}", icon=":material/block:")
            if not turn.is_evaluable:
                st.caption("Not scored: the article reports no finding for this figure.")
            if turn.facts:
                facts = turn.facts
                cost = "cost unknown" if facts.cost_usd is None else f"{facts.cost_usd:.4f} USD"
                st.caption(f"{facts.model_answered or facts.model_asked} · {facts.latency_s:.1f} s · {cost}")
for skipped in dialogue.skipped:
    figure = f", {skipped.figure_id}" if skipped.figure_id else ""
    st.caption(f":material/skip_next: {stage_name(skipped.stage)}{figure}: {skipped.reason}")
