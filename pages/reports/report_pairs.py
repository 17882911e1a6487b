"""Report pairs: import a CSV file, evaluate, find a pair and open it."""

import pandas as pd
import streamlit as st

from core.services import reports
from pages.components.notices import demonstration, empty, errors_shown
from pages.components.report_import import STATES, draw_evaluation, draw_import, state_of
from pages.components.report_words import number
from pages.components.resources import workspace

st.title("Report pairs")
if message := st.session_state.pop("pairs_message", None):
    st.success(message, icon=":material/check:")
with errors_shown():
    choices = dict.fromkeys((*reports.evaluator_choices(workspace()), *reports.list_evaluators(workspace())))
evaluator = st.session_state.get("evaluator_of_pairs") or reports.RULES_NAME
lines = reports.list_report_pairs(workspace(), evaluator)
with st.expander("Import report pairs", expanded=not lines, icon=":material/upload_file:"):
    draw_import(workspace())
if not lines:
    empty("No report pair yet", "Import a CSV file with reference reports and the reports that models wrote for them.")
    if st.button("Load the sample pairs", icon=":material/science:"):
        reports.load_demonstration_pairs(workspace())
        st.rerun()
    st.stop()
if any(line.is_demonstration for line in lines):
    demonstration(
        "The sample pairs were written for this project. Example reports A and B are no output of a named model."
    )

dataset, modality, model, state, who = st.columns([3, 2, 3, 2, 3], vertical_alignment="bottom")
wanted_datasets = dataset.multiselect("Dataset", sorted({line.dataset for line in lines}), key="pair_datasets")
modalities = sorted({line.modality for line in lines if line.modality})
wanted_modalities = modality.multiselect("Modality", modalities, key="pair_modalities")
wanted_models = model.multiselect("Model", sorted({line.model for line in lines}), key="pair_models")
wanted_states = state.multiselect("State", STATES, key="pair_states")
who.selectbox(
    "Evaluator", list(choices), key="evaluator_of_pairs", help="who splits the reports and answers the questions"
)
shown = [
    line
    for line in lines
    if (not wanted_datasets or line.dataset in wanted_datasets)
    and (not wanted_modalities or line.modality in wanted_modalities)
    and (not wanted_models or line.model in wanted_models)
    and (not wanted_states or state_of(line) in wanted_states)
]
if not shown:
    empty("No pair matches", "Clear one of the filters.")
    st.stop()

scored = [line.f1_open for line in shown if line.f1_open is not None]
mean = f" · mean F1 {sum(scored) / len(scored):.2f} (n {len(scored)})" if scored else ""
with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
    st.caption(f"{len(shown)} of {len(lines)} pairs{mean}. Select a row to open the pair.")
    draw_evaluation(workspace(), shown, evaluator)

table = pd.DataFrame(
    {
        "Pair": [line.pair for line in shown],
        "Dataset": [line.dataset for line in shown],
        "Modality": [line.modality or "not stated" for line in shown],
        "Model": [line.model for line in shown],
        "State": [state_of(line) + (f": {line.unscored_reason}" if line.unscored_reason else "") for line in shown],
        "Disease F1": [number(line.disease_f1, "–") for line in shown],
        "Attribute F1": [number(line.attribute_f1, "–") for line in shown],
        "F1": [number(line.f1_open, "–") for line in shown],
        "F1 closed": [number(line.f1_closed, "–") for line in shown],
        "Facts": [line.n_facts for line in shown],
    }
)
picked = st.dataframe(
    table,
    hide_index=True,
    on_select="rerun",
    selection_mode="single-row",
    key="pairs_table",
    height=min(36 * (len(table) + 1) + 4, 560),
    column_config={
        "Attribute F1": st.column_config.TextColumn(help="a dash: no attribute question of an aligned finding"),
        "F1": st.column_config.TextColumn(help="open reading: what is not stated is no match"),
        "F1 closed": st.column_config.TextColumn(help="what is not stated agrees with a no, as published"),
        "Facts": st.column_config.NumberColumn(help="questions of both reports"),
    },
)
if picked.selection.rows:
    st.switch_page(
        "reports/report_pair.py", query_params={"id": shown[picked.selection.rows[0]].id, "evaluator": evaluator}
    )
