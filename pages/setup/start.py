"""Start: what this is, where the study stands, and the next step of each of the three people."""

import streamlit as st

from core.services.overview import overview
from pages.components.resources import workspace
from pages.components.state import current_reviewer

study = overview(workspace())

st.title("CaseRounds")
st.write(
    "Published case reports become staged diagnostic dialogues. Models answer them turn by turn, every claim is "
    "scored against its source, and clinicians rate the reasoning beside the judge that scores it."
)

if current_reviewer():
    st.write("You have entered as a reviewer: this tab shows nothing but your reviews until you leave them.")
    st.page_link("review/my_reviews.py", label="My reviews", icon=":material/rate_review:")
    st.stop()

with st.container(horizontal=True):
    st.metric("Articles", study.articles, border=True)
    st.metric("Cases released", f"{study.released} of {study.cases}", border=True)
    st.metric("Dialogues", study.dialogues, border=True)
    st.metric("Evaluated", f"{study.evaluations}", border=True)
    st.metric("Judgements", study.judgements, border=True)
    st.metric("Reviews committed", f"{study.committed} of {study.assignments}", border=True)

if study.is_empty:
    st.info("Nothing has been imported yet. Begin with **Import**.", icon=":material/upload_file:")

reviewer, lead, developer = st.columns(3)
with reviewer, st.container(border=True, height="stretch"):
    st.subheader("I review")
    st.write("Step through one dialogue at a time, rate it, commit, then see the judge beside your own ratings.")
    st.page_link("review/my_reviews.py", label="My reviews", icon=":material/rate_review:")
with lead, st.container(border=True, height="stretch"):
    st.subheader("I lead a study")
    st.write("Import articles, check what was extracted against its sentences, run models, assign reviewers.")
    st.page_link("cases/import_articles.py", label="Import articles", icon=":material/upload_file:")
    st.page_link("cases/case_list.py", label="Check the cases", icon=":material/folder_open:")
    st.page_link("dialogues/runs.py", label="Run a model", icon=":material/play_circle:")
    st.page_link("review/studies.py", label="Set up a review study", icon=":material/groups:")
with developer, st.container(border=True, height="stretch"):
    st.subheader("I compare judges")
    st.write("See how far each judge agrees with the clinicians, item by item, and export every number with its n.")
    st.page_link("results/compare.py", label="Judge and clinicians", icon=":material/balance:")
    st.page_link("evaluation/scores.py", label="Score table", icon=":material/table_chart:")
    st.page_link("reports/report_pairs.py", label="Report pairs", icon=":material/compare_arrows:")
