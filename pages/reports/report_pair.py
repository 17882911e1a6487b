"""One report pair: both reports side by side, the scores in both readings, and every question down to its sentences."""

import streamlit as st

from core.domain.reports import ReportSide
from core.errors import AppError
from core.services import reports
from pages.components.notices import demonstration, empty, errors_shown, show_error
from pages.components.report_parts import (
    draw_question,
    draw_reports,
    draw_scores,
    draw_trace,
    open_question,
    question_key,
)
from pages.components.report_words import number, plain, side_words
from pages.components.resources import workspace
from pages.components.state import query

st.title("Report pair")
lines = reports.list_report_pairs(workspace())
if not lines:
    empty("No report pair yet", "Import a CSV file of report pairs first.")
    st.page_link("reports/report_pairs.py", label="Report pairs", icon=":material/compare_arrows:")
    st.stop()
names = {line.id: f"{line.pair} · {line.model} · {line.dataset}" for line in lines}
pair_id = query("id") or lines[0].id
try:
    view = reports.report_pair(workspace(), pair_id, query("evaluator"))
except AppError as error:
    show_error(error)
    st.page_link("reports/report_pairs.py", label="Report pairs", icon=":material/compare_arrows:")
    st.stop()

with st.container(horizontal=True, vertical_alignment="bottom"):
    order = list(names)
    jump = st.selectbox("Pair", order, index=order.index(pair_id), format_func=names.get, key=f"pair_{pair_id}")
    evaluators = list(
        dict.fromkeys((view.evaluation.evaluator if view.evaluation else reports.RULES_NAME, *view.evaluators))
    )
    who = st.selectbox("Evaluator", evaluators, key=f"evaluator_{pair_id}", width=260)
    st.page_link("reports/report_pairs.py", label="All report pairs", icon=":material/compare_arrows:")
if jump != pair_id or (view.evaluation and who != view.evaluation.evaluator):
    st.query_params.from_dict({"id": jump, "evaluator": who})
    st.rerun()
if view.pair.is_demonstration:
    demonstration("Sample pair, written for this project; its evaluated report is no output of a named model.")

if view.evaluation is None:
    draw_reports(view.pair, None)
    if st.button("Evaluate this pair", type="primary", icon=":material/fact_check:"):
        with errors_shown():
            reports.evaluate_pairs(workspace(), [pair_id], query("evaluator") or reports.RULES_NAME)
            st.rerun()
    st.stop()

score = view.evaluation.score
row = open_question(view)
draw_reports(view.pair, row)
if row is not None:
    draw_question(row)
    if query("question") != question_key(row):
        st.query_params["question"] = question_key(row)
elif query("question"):
    del st.query_params["question"]
if score is None:
    reason = view.evaluation.unscored
    st.warning(f"Not scored: {reason.reason if reason else 'unknown'}. {reason.detail if reason else ''}")
else:
    attribute = "–" if score.open.attribute.is_vacuous else number(score.open.attribute.f1)
    with st.container(horizontal=True):
        st.metric("F1 (open)", number(score.open.f1), border=True)
        st.metric("Precision", number(score.open.precision), border=True)
        st.metric("Recall", number(score.open.recall), border=True)
        st.metric("F1 (closed)", number(score.closed.f1), border=True)
        st.metric("Disease F1", number(score.open.disease.f1), border=True)
        st.metric("Attribute F1", attribute, border=True)
questions, numbers, unread = st.tabs(["Questions", "Scores", "What was not read"])
with questions:
    if view.rows:
        draw_trace(view)
    else:
        empty("No question", "No finding was read in either report, or its decomposition failed.")
with numbers:
    if score is not None:
        draw_scores(score)
    else:
        st.write("There are no numbers for this pair: a question without an answer is not a wrong answer.")
with unread:
    for side, facts in (
        (ReportSide.REFERENCE, view.evaluation.reference_facts),
        (ReportSide.PREDICTION, view.evaluation.prediction_facts),
    ):
        st.markdown(f"**{side_words(side)}**: " + ("" if facts.unread else "a finding was read in every sentence."))
        for sentence in facts.unread:
            st.markdown(f"- {plain(sentence)}")
made = view.evaluation.made_by
prompts = ", ".join(f"{p.name} v{p.version}" for p in made.prompts) or "no prompt"
st.caption(f"Evaluated by {view.evaluation.evaluator} · {prompts} · {view.evaluation.at:%Y-%m-%d %H:%M} UTC")
