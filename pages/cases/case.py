"""Case: the article beside what was extracted, corrections, leaks, figures, and exactly what a model would see."""

import pandas as pd
import streamlit as st

from core.errors import NotFound
from core.services.cases import article_of, case_versions, find_case, get_article, list_cases
from core.services.dialogues import preview
from pages.components.case_editor import draw_editor
from pages.components.case_figures import draw_figures
from pages.components.case_header import draw_article, draw_state, looked_at
from pages.components.case_leaks import draw_leaks, draw_release
from pages.components.case_reference import draw_reference
from pages.components.case_turns import draw_turns
from pages.components.case_versions import draw_versions
from pages.components.notices import empty, errors_shown, show_error
from pages.components.resources import workspace
from pages.components.saving import signature_field
from pages.components.source_view import source_view
from pages.components.state import query

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
draw_article(article)

if case is None:
    draw_state(ws, row, article, None)
    empty("Nothing has been extracted from this article", "Run the pipeline on it.")
    st.page_link("dialogues/runs.py", label="Runs", icon=":material/play_circle:")
    st.stop()

draw_state(ws, row, article, case)
check = looked_at(ws, case)
draw_release(ws, case, check)

# Only the tab in front is drawn: together they would take a quarter of a second.
source, edit, seen, leaks, figures, reference, versions = st.tabs(
    ["Source and values", "Edit", "What the model sees", "Leak audit", "Figures", "Reference", "Versions"],
    key="view",
    on_change="rerun",
    bind="query-params",
)
if source.open:
    with source:
        source_view(article, case, f"{case.case_id}-{case.version}")
        if case.unsupported:
            st.markdown("**Kept aside: not found in the article, never used**")
            aside = [{"Field": u.field.replace("_", " "), "Text": u.text} for u in case.unsupported]
            st.dataframe(pd.DataFrame(aside), hide_index=True)
elif edit.open:
    with edit:
        signature_field("edit")
        draw_editor(ws, case)
elif seen.open:
    with seen, errors_shown():
        draw_turns(ws, case, preview(ws, case.case_id))
elif leaks.open:
    with leaks:
        signature_field("leaks")
        draw_leaks(ws, case)
elif figures.open:
    with figures:
        signature_field("figures")
        draw_figures(ws, article, case)
elif reference.open:
    with reference, errors_shown():
        draw_reference(ws, case, check)
elif versions.open:
    with versions:
        signature_field("versions")
        draw_versions(ws, case, case_versions(ws, case.case_id))
