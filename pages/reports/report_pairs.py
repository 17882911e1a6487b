"""Report pairs: import a CSV file, evaluate, find a pair and open it."""

import pandas as pd
import streamlit as st

from core.services import reports
from core.services.reports import FIELDS, MAY_BE_CONSTANT, PairListing
from pages.components.notices import demonstration, empty, errors_shown
from pages.components.report_words import number
from pages.components.resources import workspace

STATES = ("scored", "unscored", "not evaluated")
HELP = {
    "pair": "name of the study; the same for every model",
    "dataset": "collection the study belongs to",
    "modality": "kind of examination; may stay empty",
    "model": "who wrote the evaluated report",
    "reference": "the reference report",
    "prediction": "the evaluated report; may be empty",
}


def state_of(line: PairListing) -> str:
    """Give where a pair stands, in one of STATES."""
    if line.evaluation_id is None:
        return "not evaluated"
    return "unscored" if line.f1_open is None else "scored"


def draw_import() -> None:
    """Draw the choice of file and columns, then import."""
    file = st.file_uploader("CSV file, one report pair a line", type=["csv", "tsv", "txt"], key="pairs_file")
    if file is None:
        st.caption("Columns: pair, dataset, modality, model, reference, prediction. Other names can be chosen below.")
        return
    with errors_shown():
        data = file.getvalue()
        head = reports.preview_csv(data, file.name)
        st.write(f"**{head.n_rows} records.** Which column holds what?")
        mapping, constants = {}, {}
        for field, place in zip(FIELDS, st.columns(len(FIELDS)), strict=True):
            with place:
                guess = head.guess.get(field)
                chosen = st.selectbox(
                    field.capitalize(),
                    head.columns,
                    index=head.columns.index(guess) if guess else None,
                    placeholder="no column",
                    help=HELP[field],
                    key=f"column_{field}_{file.file_id}",
                )
                if chosen:
                    mapping[field] = chosen
                elif field in MAY_BE_CONSTANT:
                    constants[field] = st.text_input(f"One {field} for all", key=f"constant_{field}_{file.file_id}")
        if st.button("Import report pairs", type="primary", icon=":material/upload_file:"):
            summary = reports.import_pairs(workspace(), data, file.name, mapping, constants)
            known = f" {len(summary.known)} were stored already." if summary.known else ""
            st.session_state["pairs_message"] = f"{len(summary.added)} report pairs imported.{known}"
            st.rerun()


def draw_evaluation(shown: list[PairListing], chosen: str) -> None:
    """Draw the button that evaluates the pairs shown, with its progress."""
    left = [line.id for line in shown if state_of(line) != "scored"]
    label = f"Evaluate {len(left)} pairs" if left else f"Evaluate {len(shown)} pairs again"
    if not st.button(label, type="primary" if left else "secondary", icon=":material/fact_check:", key="evaluate"):
        return
    bar = st.progress(0.0, "Starting")
    with errors_shown():
        summary = reports.evaluate_pairs(
            workspace(),
            left or [line.id for line in shown],
            chosen,
            lambda done, total, text: bar.progress(done / total, f"{done} of {total} · {text}"),
            again=not left,
        )
        failed = f" {len(summary.unscored)} could not be scored: open them for the reason." if summary.unscored else ""
        st.session_state["pairs_message"] = f"{len(summary.scored)} pairs evaluated by {chosen}.{failed}"
        st.rerun()


st.title("Report pairs")
if message := st.session_state.pop("pairs_message", None):
    st.success(message, icon=":material/check:")
with errors_shown():
    choices = dict.fromkeys((*reports.evaluator_choices(workspace()), *reports.list_evaluators(workspace())))
evaluator = st.session_state.get("evaluator_of_pairs") or reports.RULES_NAME
lines = reports.list_report_pairs(workspace(), evaluator)
with st.expander("Import report pairs", expanded=not lines, icon=":material/upload_file:"):
    draw_import()
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
    draw_evaluation(shown, evaluator)

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
