"""Calls: every request to a model with the prompt as sent, the reply as received, and why it was accepted or not."""

import pandas as pd
import streamlit as st

from core.domain.model_call import AttemptRecord
from core.errors import NotFound
from core.services.calls import asked_models, get_call, list_calls
from pages.components.notices import empty, show_error
from pages.components.resources import workspace
from pages.components.state import query
from pages.components.words import count_of, plain

N_CALLS = 200
OUTCOMES = {"": "all", "accepted": "accepted", "failed": "not accepted"}

ws = workspace()
st.title("Calls")
st.write("Every request that was sent to a model. Nothing is ever changed or left out here; keys are in none of it.")
asked_of = asked_models(ws)
if not asked_of:
    empty("No model has been asked yet", "Start a run with a model of the registry; the rules baseline asks nobody.")
    st.stop()

run_id = query("run") or ""
left, middle = st.columns(2)
model = left.selectbox("Model", ["", *asked_of], format_func=lambda name: name or "all models")
outcome = middle.segmented_control("Outcome", list(OUTCOMES), default="", format_func=OUTCOMES.get, required=True)
if run_id:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Only of {run_id}.")
        st.page_link("dialogues/calls.py", label="All runs", icon=":material/filter_alt_off:")

rows = list_calls(ws, run_id, model, outcome, N_CALLS)
if not rows:
    empty("No call fits", "Choose another model or outcome.")
    st.stop()
st.caption(f"The newest {count_of(len(rows), 'request')}." if len(rows) == N_CALLS else count_of(len(rows), "request"))
picked = st.dataframe(
    pd.DataFrame(
        {
            "Time (UTC)": [row.at.strftime("%Y-%m-%d %H:%M:%S") for row in rows],
            "Outcome": [row.outcome for row in rows],
            "Role": [row.role for row in rows],
            "About": [row.subject for row in rows],
            "Model": [row.model for row in rows],
            "Try": [row.attempt for row in rows],
            "Tokens in": [row.input_tokens for row in rows],
            "Tokens out": [row.output_tokens for row in rows],
            "Cost (US$)": [row.cost_usd for row in rows],
            "Seconds": [round(row.latency_s, 2) for row in rows],
        }
    ),
    hide_index=True,
    on_select="rerun",
    selection_mode="single-row",
    key="calls_table",
    height=320,
)


def draw_call(call: AttemptRecord) -> None:
    """Draw one request: its verdict first, then what was received, then what was sent."""
    is_good = call.outcome == "accepted"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(plain(call.subject))
        st.badge(
            call.outcome,
            color="green" if is_good else "red",
            icon=":material/check:" if is_good else ":material/error:",
        )
    if is_good:
        st.write("Accepted: it ended by itself, was not empty, and passed its schema and checks.")
    else:
        st.warning(plain(call.detail or "No detail was given."), icon=":material/error:")
    facts = call.facts
    st.caption(
        plain(
            f"{call.role} · {call.model} · asked for {facts.model_asked}, answered by "
            f"{facts.model_answered or 'nobody'} · stop signal {facts.stop_reason or 'none'} · "
            f"request {facts.request_id or 'without id'} · try {call.attempt} · repeat {call.repeat}"
        )
    )
    settings = {name: str(value) for name, value in facts.settings.items() if value is not None}
    settings |= {f"prompt {ref.name}": f"version {ref.version}, {ref.sha256[:12]}" for ref in call.prompts}
    st.markdown("**Reply as received**")
    st.code(facts.raw_text or "(nothing)", language=None, wrap_lines=True)
    if call.parsed and call.parsed != facts.raw_text:
        with st.expander("What was read from it"):
            st.code(call.parsed, language=None, wrap_lines=True)
    st.markdown("**Prompt as sent**")
    for message in call.sent:
        with st.expander(message.role, expanded=message is call.sent[-1]):
            st.code(message.text, language=None, wrap_lines=True)
            for sha256 in message.images:
                st.caption(f"with the image {sha256[:12]}")
    with st.expander("Settings and prompts"):
        st.table(pd.DataFrame({"Value": settings}))


asked = query("call")
if picked.selection.rows:
    chosen = rows[picked.selection.rows[0]].id
else:
    chosen = int(asked) if asked and asked.isdigit() else None
if chosen is None:
    st.caption("Choose a row to see what was sent and what came back.")
    st.stop()
try:
    draw_call(get_call(ws, chosen))
except NotFound as error:
    show_error(error)
