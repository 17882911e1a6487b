"""Parts of the list of report pairs: import of a CSV file, evaluation with progress, and where a pair stands."""

import streamlit as st

from core.services import reports
from core.services.reports import FIELDS, MAY_BE_CONSTANT, PairListing
from core.services.workspace import Workspace
from pages.components.notices import errors_shown

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


def draw_import(ws: Workspace) -> None:
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
            summary = reports.import_pairs(ws, data, file.name, mapping, constants)
            known = f" {len(summary.known)} were stored already." if summary.known else ""
            st.session_state["pairs_message"] = f"{len(summary.added)} report pairs imported.{known}"
            st.rerun()


def draw_evaluation(ws: Workspace, shown: list[PairListing], chosen: str) -> None:
    """Draw the button that evaluates the pairs shown, with its progress."""
    left = [line.id for line in shown if state_of(line) != "scored"]
    label = f"Evaluate {len(left)} pairs" if left else f"Evaluate {len(shown)} pairs again"
    if not st.button(label, type="primary" if left else "secondary", icon=":material/fact_check:", key="evaluate"):
        return
    bar = st.progress(0.0, "Starting")
    with errors_shown():
        summary = reports.evaluate_pairs(
            ws,
            left or [line.id for line in shown],
            chosen,
            lambda done, total, text: bar.progress(done / total, f"{done} of {total} · {text}"),
            again=not left,
        )
        failed = f" {len(summary.unscored)} could not be scored: open them for the reason." if summary.unscored else ""
        st.session_state["pairs_message"] = f"{len(summary.scored)} pairs evaluated by {chosen}.{failed}"
        st.rerun()
