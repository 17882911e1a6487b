"""Compare: how far a judge agrees with the clinicians, dimension by dimension, and what the dialogues scored."""

import pandas as pd
import streamlit as st

from core.domain.instrument import Dimension
from core.domain.review import ReviewMode
from core.services.agreement import agreement_sentence
from core.services.results import list_evaluators, list_judges
from core.services.studies import studies
from pages.components.charts import bias_chart, confusion_chart
from pages.components.figures_in_words import estimate, number, percent
from pages.components.notices import demonstration, empty
from pages.components.resources import workspace
from pages.components.score_table import draw_score_table
from pages.components.stored_results import agreement, panel, score_table
from pages.components.words import dimension_name

ALL = "all"

ws = workspace()
st.title("Judge and clinicians")

judges = list_judges(ws)
if not judges:
    empty("No judge has scored anything yet", "Run the pipeline on a case first.")
    st.page_link("dialogues/runs.py", label="Runs", icon=":material/play_circle:")
    st.stop()

lines = studies(ws)
with st.container(horizontal=True, vertical_alignment="bottom"):
    judge = st.selectbox("Judge", judges, key="compare_judge", width=300)
    mode = st.selectbox("Ratings", list(ReviewMode), key="compare_mode", width=180)
    of_mode = {line.study.id: line.study for line in lines if line.study.mode is mode}
    study_id = st.selectbox(
        "Study", [None, *of_mode], format_func=lambda i: of_mode[i].name if i else ALL, key="compare_study", width=280
    )
    _, _, settings = agreement(ws, judge, study_id, mode, None)
    setting = st.selectbox(
        "Dialogues", [None, *settings], format_func=lambda s: s or ALL, key="compare_setting", width=220
    )

if any(line.study.is_demonstration for line in lines):
    demonstration()
if mode is ReviewMode.OPEN:
    st.warning(
        "Open review: the reviewers saw the judge's scores before they rated. These numbers say nothing about "
        "independent agreement and are never mixed with blinded ratings.",
        icon=":material/visibility:",
    )

rows, pairs, _ = agreement(ws, judge, study_id, mode, setting)
by_dimension = {row.dimension: row for row in rows}
st.subheader("Agreement")
if not pairs:
    empty("No committed rating yet", "Reviewers commit their ratings under My reviews; they appear here at once.")
else:
    st.markdown(f"**{agreement_sentence(by_dimension[Dimension.OVERALL])}**")
    frame = pd.DataFrame(
        {
            "Dimension": [dimension_name(row.dimension) for row in rows],
            "Pairs": [f"{row.n} of {row.n_submitted}" for row in rows],
            "Not rated": [row.n_not_rated for row in rows],
            "Judge unscored": [row.n_unscored for row in rows],
            "Judge mean": [number(row.judge_mean) for row in rows],
            "Reviewer mean": [number(row.reviewer_mean) for row in rows],
            "Judge − reviewer": [estimate(row.bias, sign=True) for row in rows],
            "Exact": [percent(row.exact.value) for row in rows],
            "Within one": [percent(row.within_one.value) for row in rows],
            "Weighted kappa": [estimate(row.kappa) for row in rows],
            "Gwet AC2": [estimate(row.ac2) for row in rows],
            "Reviewers' own alpha": [estimate(row.reviewers_alpha) for row in rows],
        }
    ).set_index("Dimension")
    st.table(frame)
    first = rows[0]
    st.caption(
        f"Ratings as committed, before the judge's scores were shown; {first.n_cases} cases, {first.n_reviewers} "
        "reviewers. Kappa: quadratic weights, domain 1-5. Alpha: Krippendorff, ordinal, among the reviewers alone. "
        "In brackets: 95 % percentile bootstrap over cases, 2,000 draws. Missing ratings are left out and counted."
    )
    chosen = st.segmented_control(
        "Dimension in focus",
        list(Dimension),
        default=Dimension.OVERALL,
        format_func=dimension_name,
        key="compare_focus",
    )
    row = by_dimension[chosen or Dimension.OVERALL]
    left, right = st.columns(2)
    with left:
        title = f"{dimension_name(row.dimension)}: {row.n} pairs of reviewer and judge"
        st.plotly_chart(confusion_chart(row.confusion, title), key="confusion", config={"displayModeBar": False})
    with right:
        intervals = [(r.bias.interval.low, r.bias.interval.high) if r.bias.interval else None for r in rows]
        names = [f"{dimension_name(r.dimension)} (n = {r.n})" for r in rows]
        st.plotly_chart(
            bias_chart(names, [r.bias.value for r in rows], intervals), key="bias", config={"displayModeBar": False}
        )
    st.markdown("**Largest differences**")
    apart = sorted(
        (p for p in pairs if p.dimension is row.dimension and p.rating is not None and p.judged is not None),
        key=lambda p: -abs(p.judged - p.rating),
    )[:5]
    for pair in apart:
        st.page_link(
            "evaluation/matches.py",
            label=f"{pair.case_id}, {pair.setting}: {pair.reviewer} {pair.rating}, judge {pair.judged}",
            icon=":material/join_inner:",
            query_params={"dialogue": pair.dialogue_id},
        )

together = panel(ws)
for warning in together.warnings:
    st.warning(warning, icon=":material/warning:")
if len(together.judges) > 1:
    st.subheader("The judges together")
    st.table(
        pd.DataFrame(
            [
                {
                    "Dimension": dimension_name(row.dimension),
                    "Panel mean": number(row.mean),
                    "Spread, in points": number(row.spread),
                    "Two or more points apart": percent(row.share_apart),
                    **{name: number(row.by_judge.get(name)) for name in together.judges},
                    "Dialogues": row.n,
                }
                for row in together.rows
            ]
        ).set_index("Dimension")
    )
    st.caption(
        "On the dialogues that two or more judges have scored. Panel mean: mean of the judges' means, each over its "
        "valid repeats. Spread: highest minus lowest judge, on average. Agreement above takes one judge by itself."
    )

st.subheader("Scores of the dialogues")
evaluators = list_evaluators(ws)
if not evaluators:
    empty("Nothing has been evaluated yet", "Run the pipeline on a case first.")
else:
    evaluator = evaluators[0]
    draw_score_table(score_table(ws, judge, evaluator), only_headline=True, with_intervals=True)
    st.page_link("evaluation/scores.py", label="More about the scores", icon=":material/table_chart:")
