"""Case: the article beside what was extracted, the leaks, the figures, and exactly what a model would see."""

import pandas as pd
import streamlit as st

from core.domain.case import LeakAction
from core.errors import AppError, NotFound
from core.services.cases import article_of, case_versions, find_case, get_article, list_cases
from core.services.dialogues import preview
from pages.components.case_parts import draw_figures, draw_leaks, draw_turns
from pages.components.notices import demonstration, empty, show_error
from pages.components.resources import workspace
from pages.components.source_view import source_view
from pages.components.state import query
from pages.components.words import count_of

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

st.subheader(article.title)
if row.is_demonstration:
    demonstration("An invented case, written for the demonstration study.")
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
    empty("Nothing has been extracted from this article", "Run the pipeline on it.")
    st.page_link("dialogues/runs.py", label="Runs", icon=":material/play_circle:")
    st.stop()

n_open = sum(hit.is_open for hit in case.leaks)
with st.container(horizontal=True):
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

source, seen, leaks, figures, versions = st.tabs(
    ["Source and values", "What the model sees", f"Leak audit ({len(case.leaks)})", "Figures", "Versions"]
)
with source:
    source_view(article, case, f"{case.case_id}-{case.version}")
    if case.unsupported:
        st.markdown("**Kept aside: not found in the article**")
        st.dataframe(pd.DataFrame([{"Field": u.field, "Text": u.text} for u in case.unsupported]), hide_index=True)
with seen:
    try:
        plan = preview(ws, case.case_id)
    except AppError as error:
        show_error(error)
    else:
        draw_turns(ws, plan)
with leaks:
    draw_leaks(ws, case)
with figures:
    draw_figures(ws, article, case)
with versions:
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Version": v.version,
                    "Article version": v.article_version,
                    "State": v.eligibility,
                    "Released": v.is_released,
                    "Open leaks": v.n_open_leaks,
                    "Made by": v.made_by,
                    "At (UTC)": v.made_at.strftime("%Y-%m-%d %H:%M"),
                }
                for v in reversed(case_versions(ws, case.case_id))
            ]
        ),
        hide_index=True,
    )
    n_decided = sum(hit.action is not LeakAction.NONE for hit in case.leaks)
    st.caption(f"{n_decided} of {len(case.leaks)} leak hits decided in this version. {case.change_reason}")
