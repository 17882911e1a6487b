"""The score table: metrics in rows, dialogue settings in columns, every cell with its n."""

import pandas as pd
import streamlit as st

from core.services.results import ScoreTable
from pages.components.figures_in_words import number, with_interval
from pages.components.words import dimension_name, target_name

_MEASURES = {"precision": "precision", "recall": "recall", "f1": "F1", "extra_rate": "extra rate"}


def metric_name(metric) -> str:
    """Give a metric's name on screen: `Final diagnosis, F1 (strict)`."""
    if metric.dimension is not None:
        return f"{dimension_name(metric.dimension)} (1-5)"
    return f"{target_name(metric.target)}, {_MEASURES[metric.measure.value]} ({metric.level.value})"


def score_frame(table: ScoreTable, *, only_headline: bool, with_intervals: bool) -> pd.DataFrame:
    """Give the table as text: one row per metric, one column per setting; `value (interval), n/submitted`."""
    lines: dict[str, dict[str, str]] = {}
    for row in table.rows:
        if only_headline and not row.metric.is_headline:
            continue
        value = with_interval(row.value, row.interval) if with_intervals else number(row.value)
        lines.setdefault(metric_name(row.metric), {})[row.setting] = f"{value}  n {row.scored}/{row.submitted}"
    frame = pd.DataFrame.from_dict(lines, orient="index", columns=list(table.settings))
    frame.index.name = "Metric"
    return frame.fillna("not asked")


def draw_score_table(table: ScoreTable, *, only_headline: bool, with_intervals: bool) -> None:
    """Draw the table, its notes and its warnings."""
    st.table(score_frame(table, only_headline=only_headline, with_intervals=with_intervals))
    cases = ", ".join(f"{setting}: {n}" for setting, n in table.n_cases.items())
    st.caption(
        "Macro averages: over cases for diagnosis and reasoning, over evaluable image turns for image findings. "
        f"n = scored / submitted. Cases per setting: {cases}. "
        f"Intervals: percentile bootstrap over cases, {table.draws:,} draws."
    )
    for row in table.rows:
        if row.unscored and row.metric.is_headline and row.metric.key.endswith(("recall", "overall")):
            reasons = ", ".join(f"{reason} {n}" for reason, n in row.unscored)
            st.caption(f":material/info: {row.setting}, {metric_name(row.metric)}: unscored {reasons}.")
    for warning in table.warnings:
        st.warning(warning, icon=":material/warning:")
