"""Scores: the score table for every dialogue setting, with coverage, intervals, warnings and a plot per case."""

import pandas as pd
import streamlit as st

from core.services.cases import list_cases
from core.services.results import list_evaluators, list_judges
from pages.components.charts import strip_chart
from pages.components.notices import demonstration, empty
from pages.components.resources import workspace
from pages.components.score_table import draw_score_table, metric_name, score_frame
from pages.components.stored_results import metric_points, score_table

ws = workspace()
st.title("Scores")

evaluators = list_evaluators(ws)
if not evaluators:
    empty("Nothing has been evaluated yet", "Run the pipeline on a case, or evaluate a dialogue.")
    st.page_link("dialogues/runs.py", label="Runs", icon=":material/play_circle:")
    st.stop()

with st.container(horizontal=True, vertical_alignment="bottom"):
    evaluator = st.selectbox(
        "Decomposer and matcher", evaluators, format_func=lambda pair: " · ".join(dict.fromkeys(pair)), width=280
    )
    judge = st.selectbox("Judge", list_judges(ws), key="scores_judge", width=280)
    only_headline = st.toggle("Headline levels only", value=True, key="scores_headline")
    with_intervals = st.toggle("Intervals", value=True, key="scores_intervals")
    with_annotations = st.toggle(
        "Count annotation items",
        value=True,
        help="Items about arrows, coloured markers and panel letters, which a model may not see as findings.",
        key="scores_annotations",
    )

if any(row.is_demonstration for row in list_cases(ws)):
    demonstration()
table = score_table(ws, judge, evaluator, with_annotations)
draw_score_table(table, only_headline=only_headline, with_intervals=with_intervals)

frame = score_frame(table, only_headline=False, with_intervals=True)
with st.container(horizontal=True):
    st.download_button("Score table (CSV)", frame.to_csv().encode("utf-8-sig"), "score_table.csv", "text/csv")
    st.download_button("Score table (LaTeX)", lambda: frame.to_latex(), "score_table.tex", "text/plain")

st.subheader("Case by case")
metrics = list(dict.fromkeys(r.metric for r in table.rows if r.metric.is_headline and r.metric.measure != "extra_rate"))
metric = st.selectbox("Metric", metrics, index=2, format_func=metric_name, key="scores_metric", width=320)
points = metric_points(ws, judge, evaluator, with_annotations, metric)
st.plotly_chart(strip_chart(points, metric_name(metric)), key="scores_strip", config={"displayModeBar": False})
missing = [point for point in points if point.value is None]
st.caption(
    f"One dot per case, for image findings per image turn: {len(points) - len(missing)} with a value, "
    f"{len(missing)} undefined or unscored, which are not drawn."
)
with st.expander("As a table"):
    st.dataframe(
        pd.DataFrame(
            {
                "Setting": [p.setting for p in points],
                "Case": [p.case_id for p in points],
                "Figure": [p.figure_id for p in points],
                "Value": [p.value for p in points],
                "Why not": [p.reason for p in points],
            }
        ),
        hide_index=True,
    )
