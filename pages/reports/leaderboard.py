"""Leaderboard: models by datasets, mean F1 of their reports with its n and coverage."""

import pandas as pd
import streamlit as st

from core.domain.reports import Reading
from core.services import reports
from core.services.reports import Cell, Leaderboard
from pages.components.notices import demonstration, empty
from pages.components.report_words import READING_WORDS, plain
from pages.components.resources import workspace

MARKS = {1: "font-weight: 700", 2: "border-bottom: 2px solid"}


def cell_text(cell: Cell | None) -> str:
    """Give mean F1 x 100 with its n; a dash where the model has no report, words where none is scored."""
    if cell is None:
        return "–"
    if cell.mean is None:
        return f"not scored (0 of {cell.submitted})"
    return f"{cell.mean * 100:.1f} (n {cell.n})"


def table_of(board: Leaderboard) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Give the table's texts and, in the same shape, the styles of best and second."""
    texts: dict[str, list[str]] = {"Model": [plain(model) for model in board.models]}
    styles: dict[str, list[str]] = {"Model": ["" for _ in board.models]}
    for dataset in board.datasets:
        kind = f" · {dataset.modality}" if dataset.modality else ""
        cells = [board.cells.get((model, dataset.name)) for model in board.models]
        texts[plain(dataset.name + kind)] = [cell_text(cell) for cell in cells]
        styles[plain(dataset.name + kind)] = [MARKS.get(cell.place if cell else 0, "") for cell in cells]
    overall = [board.overall[model] for model in board.models]
    texts["Mean of datasets"] = ["–" if cell.mean is None else f"{cell.mean * 100:.1f}" for cell in overall]
    styles["Mean of datasets"] = [MARKS.get(cell.place, "") for cell in overall]
    texts["Coverage"] = [f"{cell.n} of {cell.submitted}" for cell in overall]
    styles["Coverage"] = ["" for _ in overall]
    return pd.DataFrame(texts), pd.DataFrame(styles)


st.title("Leaderboard")
with st.container(horizontal=True, vertical_alignment="bottom"):
    evaluator = st.selectbox("Evaluator", reports.list_evaluators(workspace()), key="board_evaluator", width=300)
    reading = st.segmented_control(
        "Reading", list(Reading), default=Reading.OPEN, format_func=lambda r: r.value, key="board_reading"
    )
reading = reading or Reading.OPEN
lines = reports.list_report_pairs(workspace(), evaluator)
board = reports.leaderboard(workspace(), evaluator, reading)
if not board.models:
    empty("No report pair yet", "Import report pairs and evaluate them; each model becomes a row.")
    st.page_link("reports/report_pairs.py", label="Report pairs", icon=":material/compare_arrows:")
    st.stop()
if any(line.is_demonstration for line in lines):
    demonstration("Example reports A and B were written for this project; their figures say nothing about any model.")
texts, styles = table_of(board)
st.table(texts.style.apply(lambda _: styles, axis=None), hide_index=True)
st.caption(
    "Mean F1 × 100 over a model's scored reports, n beside it. **Bold**: best of the column, underlined: second; equal "
    "figures share a place. Coverage: scored of submitted reports; unscored reports are no zeros. The mean of datasets "
    f"is ranked among models with a value in every dataset. Reading {READING_WORDS[reading]}."
)
tidy = pd.DataFrame(
    [
        {
            "model": model,
            "dataset": dataset.name,
            "modality": dataset.modality,
            "evaluator": evaluator,
            "reading": reading.value,
            "mean_f1": cell.mean,
            "n_scored": cell.n,
            "n_submitted": cell.submitted,
        }
        for model in board.models
        for dataset in board.datasets
        if (cell := board.cells.get((model, dataset.name))) is not None
    ]
)
st.download_button(
    "Download as CSV", tidy.to_csv(index=False), "leaderboard.csv", "text/csv", icon=":material/download:"
)
