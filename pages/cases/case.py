"""Case: the article beside what was extracted, the leaks, the figures, and exactly what a model would see."""

import pandas as pd
import streamlit as st

from core.errors import NotFound
from core.services.cases import article_of, case_versions, find_case, get_article, list_cases
from core.services.dialogues import preview
from pages.components.case_parts import draw_figures, draw_leaks, draw_turns, draw_versions
from pages.components.notices import empty, errors_shown, show_error
from pages.components.resources import workspace
from pages.components.source_view import source_view
from pages.components.state import query
from pages.components.words import count_of

DEMONSTRATION = "demonstration: an invented case"

ws = workspace()
rows = {row.id: row for row in list_cases(ws)}

st.title("Case")
if not rows:
    empty("No case yet", "Import a published case report first.")
    st.page_link("cases/import_articles.py", label="Import articles", icon=":material/upload_file:")
    st.stop()

ids = list(rows)
asked = query("id")
if asked and asked not in rows:
    show_error(NotFound(f"There is no case {asked}.", "Choose one from the list."))
chosen = st.selectbox(
    "Case",
    ids,
    index=ids.index(asked) if asked in rows else 0,
    format_func=lambda i: f"{i} · {rows[i].title}",
    key="case_choice",
    label_visibility="collapsed",
)
if chosen != asked:
    st.query_params["id"] = chosen
row = rows[chosen]
case = find_case(ws, chosen)
article = article_of(ws, case) if case else get_article(ws, chosen)

facts = [article.journal, article.published_on, article.licence.code or "licence not stated"]
facts += [count_of(len(article.figures), "figure"), f"{article.kept_chars:,} of {article.body_chars:,} characters kept"]
st.caption(" · ".join(filter(None, facts)))
if article.licence.forbids_adaptation or article.licence.forbids_commercial_use:
    st.warning(
        f"The licence {article.licence.code} forbids adaptation or commercial use; it travels with every export.",
        icon=":material/copyright:",
    )
for warning in article.warnings:
    st.caption(f":material/info: {warning}")

if case is None:
    if row.is_demonstration:
        st.badge(DEMONSTRATION, color="blue", icon=":material/science:")
    empty("Nothing has been extracted from this article", "Run the pipeline on it.")
    st.page_link("dialogues/runs.py", label="Runs", icon=":material/play_circle:")
    st.stop()

n_open = sum(hit.is_open for hit in case.leaks)
with st.container(horizontal=True):
    if row.is_demonstration:
        st.badge(DEMONSTRATION, color="blue", icon=":material/science:")
    st.badge(case.eligibility.state, color="green" if case.eligibility.is_eligible else "red")
    st.badge("released" if case.is_released else "not released", color="green" if case.is_released else "orange")
    st.badge(
        f"{count_of(n_open, 'open leak')} of {count_of(len(case.leaks), 'hit')}", color="red" if n_open else "gray"
    )
    st.badge(count_of(len(case.unsupported), "unsupported value"), color="gray")
    st.badge(f"version {case.version}, {case.made_by.model}", color="gray")
for reason in (*case.eligibility.reasons, *((case.held_reason,) if case.held_reason else ())):
    st.error(reason, icon=":material/block:")
for warning in case.eligibility.warnings:
    st.caption(f":material/info: {warning}")

# Only the tab in front is drawn: together they would take a quarter of a second.
source, seen, leaks, figures, versions = st.tabs(
    ["Source and values", "What the model sees", "Leak audit", "Figures", "Versions"],
    key="view",
    on_change="rerun",
    bind="query-params",
)
if source.open:
    with source:
        source_view(article, case, f"{case.case_id}-{case.version}")
        if case.unsupported:
            st.markdown("**Kept aside: not found in the article**")
            aside = [{"Field": u.field, "Text": u.text} for u in case.unsupported]
            st.dataframe(pd.DataFrame(aside), hide_index=True)
elif seen.open:
    with seen, errors_shown():
        draw_turns(ws, preview(ws, case.case_id))
elif leaks.open:
    with leaks:
        draw_leaks(ws, case)
elif figures.open:
    with figures:
        draw_figures(ws, article, case)
elif versions.open:
    with versions:
        draw_versions(case, case_versions(ws, case.case_id))
