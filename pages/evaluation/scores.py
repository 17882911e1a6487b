"""Scores: the score table for every dialogue setting, then the same by group, two settings compared, case by case."""

import pandas as pd
import streamlit as st

from core.services.breakdowns import NO_CUTOFF, By
from core.services.overview import overview
from core.services.results import Metric, list_evaluators, list_judges
from pages.components.charts import distribution_chart, strip_chart
from pages.components.notices import demonstration, empty
from pages.components.resources import kept, workspace
from pages.components.score_table import (
    breakdown_frame,
    comparison_frame,
    draw_score_table,
    failures_frame,
    metric_name,
    score_frame,
)
from pages.components.stored_results import breakdown, comparison, metric_points, score_table, stamp
from pages.components.words import evaluator_name

CASES, GROUPS, TWO = "Case by case", "By group", "Two settings"
MOST_DOTS, MOST_ROWS = 150, 500

ws = workspace()
st.title("Scores")

evaluators = list_evaluators(ws)
if not evaluators:
    empty("Nothing has been evaluated yet", "Run the pipeline on a case, or evaluate a dialogue.")
    st.page_link("dialogues/runs.py", label="Runs", icon=":material/play_circle:")
    st.stop()

with st.container(horizontal=True, vertical_alignment="bottom"):
    evaluator = st.selectbox("Decomposer and matcher", evaluators, format_func=evaluator_name, width=280)
    judge = st.selectbox("Judge", list_judges(ws), key="scores_judge", width=280)
    only_headline = st.toggle("Headline levels only", value=True, key="scores_headline")
    with_intervals = st.toggle("Intervals", value=True, key="scores_intervals")
    with_annotations = st.toggle(
        "Count annotation items",
        value=True,
        help="Items about arrows, coloured markers and panel letters, which a model may not see as findings.",
        key="scores_annotations",
    )

if overview(ws).has_demonstration:
    demonstration()
chosen = (judge, evaluator, with_annotations)
table = score_table(ws, *chosen)
draw_score_table(table, only_headline=only_headline, with_intervals=with_intervals)
with st.expander("Macro beside micro, and with failed turns counted as 0"):
    st.table(failures_frame(table, only_headline=only_headline))
    st.caption(
        "Macro: the headline. Micro: from summed counts. With failures: refused, cut off, failed and missing turns "
        "count as recall 0 and F1 0 instead of being left out; it does not apply to precision, extra rates and judges."
    )

frame = score_frame(table, only_headline=False, with_intervals=True)
with st.container(horizontal=True):
    st.download_button("Score table (CSV)", frame.to_csv().encode("utf-8-sig"), "score_table.csv", "text/csv")
    st.download_button(
        "Score table (LaTeX)", lambda: frame.to_latex(escape=True), "score_table.tex", "text/plain", key="scores_latex"
    )

view = st.segmented_control("Look closer", [CASES, GROUPS, TWO], default=CASES, required=True, key="scores_view")
metrics = list(dict.fromkeys(r.metric for r in table.rows if r.metric.is_headline and r.metric.measure != "extra_rate"))


def choose_metric(offered: list[Metric]) -> Metric:
    """Draw the choice of a metric; F1 of the first target unless another was chosen."""
    return st.selectbox(
        "Metric", offered, index=min(2, len(offered) - 1), format_func=metric_name, key="scores_metric", width=320
    )


def draw_groups() -> None:
    """Draw the table of one metric with a line for each group."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        by = st.selectbox("Groups", list(By), format_func=lambda b: b.value.capitalize(), key="scores_by", width=320)
        found = breakdown(ws, by, *chosen)
        offered = [m for m in metrics if not found.is_images_only or m.target == "image_findings"]
        metric = choose_metric(offered)
    lines = breakdown_frame(found.tables, metric, table.settings)
    if lines.empty:
        empty("No group has a value", "Choose another metric, or evaluate more dialogues.")
        return
    st.table(lines)
    st.caption(f"{found.note} Macro averages with 95 % percentile bootstrap over cases, n = units with a value.")
    if by is By.CUTOFF and list(found.tables) == [NO_CUTOFF]:
        st.caption(
            ":material/info: No training cut-off is known for these settings: write `trained_until = 2024-06-01` into "
            "the model's entry of the registry."
        )
    st.download_button("By group (CSV)", lines.to_csv().encode("utf-8-sig"), "scores_by_group.csv", "text/csv")


def draw_two() -> None:
    """Draw two settings on the cases that both have."""
    if len(table.settings) < 2:
        empty("There is only one setting", "Run another model on the same cases, or import answers.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = st.selectbox("First", table.settings, index=1, key="scores_first", width=260)
        others = [setting for setting in table.settings if setting != first]
        second = st.selectbox("Second", others, index=len(others) - 1, key=f"scores_second_{first}", width=260)
    lines = comparison_frame(comparison(ws, chosen, first, second), first, second, only_headline=only_headline)
    st.table(lines)
    st.caption(
        "On the cases (image turns) with a value in both. In brackets: 95 % paired percentile bootstrap over cases, "
        "2,000 draws, the same cases drawn for both."
    )
    st.download_button("Two settings (CSV)", lines.to_csv().encode("utf-8-sig"), "two_settings.csv", "text/csv")


def draw_cases() -> None:
    """Draw the values behind one metric, dot by dot; a dot opens its dialogue's matches."""
    metric = choose_metric(metrics)
    points = metric_points(ws, *chosen, metric)
    key = (stamp(ws), chosen, metric)
    left, right = st.columns([3, 2])
    with left:
        chart = kept("strip", key, lambda: strip_chart(points, metric_name(metric), MOST_DOTS))
        picked = st.plotly_chart(
            chart, key="scores_strip", on_select="rerun", selection_mode="points", config={"displayModeBar": False}
        )
    with right:
        bars = kept("distribution", key, lambda: distribution_chart(points, "How the values are spread"))
        st.plotly_chart(bars, key="scores_spread", config={"displayModeBar": False})
    if picked.selection.points:
        dialogue_id, case_id, setting = picked.selection.points[0]["customdata"][:3]
        with st.container(border=True, horizontal=True, vertical_alignment="center", key="scores_open"):
            st.markdown(f"**{case_id}**, {setting}")
            for page, name, icon, query in (
                ("evaluation/matches.py", "Its matches", ":material/join_inner:", {"dialogue": dialogue_id}),
                ("dialogues/dialogue.py", "Its dialogue", ":material/forum:", {"id": dialogue_id}),
                ("cases/case.py", "Its case", ":material/article:", {"id": case_id}),
            ):
                st.page_link(page, label=name, icon=icon, query_params=query)
    missing = sum(point.value is None for point in points)
    drawn = sum(len(trace.x) for trace in chart.data)
    some = (
        f" {drawn:,} dots are drawn, up to {MOST_DOTS} of a setting, taken by lot."
        if drawn < len(points) - missing
        else ""
    )
    st.caption(
        f"One dot per case, for image findings per image turn: {len(points) - missing:,} with a value, "
        f"{missing:,} undefined or unscored, which are not drawn.{some} Click a dot to open its case."
    )
    with st.expander("As a table"):
        st.dataframe(points_frame(points[:MOST_ROWS]), hide_index=True)
        if len(points) > MOST_ROWS:
            st.caption(f"The first {MOST_ROWS} of {len(points):,}; the file has all.")
        st.download_button(
            "All values (CSV)",
            lambda: points_frame(points).to_csv(index=False).encode("utf-8-sig"),
            "values.csv",
            "text/csv",
            key="scores_values",
        )


def points_frame(points) -> pd.DataFrame:  # noqa: ANN001 - metric points
    """Give the values as a table; those that do not exist say why."""
    return pd.DataFrame(
        {
            "Setting": [p.setting for p in points],
            "Case": [p.case_id for p in points],
            "Figure": [p.figure_id for p in points],
            "Value": [p.value for p in points],
            "Why not": [p.reason for p in points],
        }
    )


{CASES: draw_cases, GROUPS: draw_groups, TWO: draw_two}[view]()
