"""The score table: metrics in rows, dialogue settings in columns, every cell with its n."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from core.services.results import METRICS, Difference, ScoreTable
from pages.components.figures_in_words import number, with_interval
from pages.components.words import dimension_name, plain, target_name

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


def failures_frame(table: ScoreTable, *, only_headline: bool) -> pd.DataFrame:
    """Give macro, micro and the figure with failures as 0 of every target's metric and setting, each with its n."""
    lines = []
    for row in table.rows:
        if row.metric.target is None or (only_headline and not row.metric.is_headline):
            continue
        applies = row.metric.measure in ("recall", "f1")
        lines.append(
            {
                "Metric": metric_name(row.metric),
                "Setting": row.setting,
                "Macro": number(row.value),
                "Micro": number(row.micro),
                "With failures as 0": number(row.with_failures) if applies else "does not apply",
                "Failed or unscored": row.submitted - row.scored,
                "Undefined": row.undefined,
                "Both sides empty": row.vacuous,
                "n": f"{row.n}",
            }
        )
    return pd.DataFrame(lines).set_index(["Metric", "Setting"]) if lines else pd.DataFrame()


def breakdown_frame(tables: Mapping[str, ScoreTable], metric, settings: Sequence[str]) -> pd.DataFrame:
    """Give one line per group, one column per setting: `value (interval), n`; groups without any value are left out."""
    lines = {}
    for name, table in tables.items():
        cells = {row.setting: row for row in table.rows if row.metric == metric}
        if any(cell.value is not None for cell in cells.values()):
            lines[name] = {
                setting: f"{with_interval(cells[setting].value, cells[setting].interval)}  n {cells[setting].n}"
                if setting in cells
                else "no case"
                for setting in settings
            }
    frame = pd.DataFrame.from_dict(lines, orient="index")
    frame.index.name = "Group"
    return frame


def comparison_frame(
    differences: Sequence[Difference], first: str, second: str, *, only_headline: bool
) -> pd.DataFrame:
    """Give one line per metric: both values, first minus second with its interval, n."""
    return pd.DataFrame(
        [
            {
                "Metric": metric_name(one.metric),
                first: number(one.first),
                second: number(one.second),
                f"{first} − {second}": with_interval(one.difference, one.interval, sign=True),
                "n": f"{one.n} in {one.n_cases} cases",
            }
            for one in differences
            if one.metric.is_headline or not only_headline
        ]
    ).set_index("Metric")


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
    if table.warnings:
        st.warning("\n".join(f"- {in_words(warning)}" for warning in table.warnings), icon=":material/warning:")


def in_words(warning: str) -> str:
    """Give a warning with the names of metrics as they stand on screen, not as keys."""
    for metric in METRICS:
        warning = warning.replace(metric.key, metric_name(metric))
    return plain(warning)
