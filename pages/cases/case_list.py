"""Cases: every imported article with what became of it; a row opens the case."""

import pandas as pd
import streamlit as st

from core.services.cases import CaseRow, list_cases
from pages.components.notices import empty
from pages.components.resources import workspace

STATES = ("released", "eligible, not released", "waiting for images", "ineligible", "not extracted")


def state_of(row: CaseRow) -> str:
    """Give where a case stands, in one of STATES."""
    if row.is_released:
        return "released"
    return {"eligible": "eligible, not released", "waiting": "waiting for images"}.get(row.eligibility, row.eligibility)


st.title("Cases")
rows = list_cases(workspace())
if not rows:
    empty("No case yet", "Import a published case report first; it stays on this machine.")
    st.page_link("cases/import_articles.py", label="Import articles", icon=":material/upload_file:")
    st.stop()

with st.container(horizontal=True, vertical_alignment="bottom"):
    words = st.text_input("Search", placeholder="title, diagnosis or id", key="case_search", width=320)
    wanted = st.pills("State", STATES, selection_mode="multi", key="case_states")

shown = [
    row
    for row in rows
    if (not wanted or state_of(row) in wanted)
    and words.casefold() in " ".join((row.id, row.title, *row.final_diagnosis)).casefold()
]
st.caption(f"{len(shown)} of {len(rows)} cases. Select a row to open the case.")
if not shown:
    empty("No case matches", "Clear the search or the state.")
    st.stop()

table = pd.DataFrame(
    {
        "Case": [row.id for row in shown],
        "Title": [row.title for row in shown],
        "State": [state_of(row) for row in shown],
        "Why not": [" ".join(row.reasons) for row in shown],
        "Open leaks": [row.n_open_leaks for row in shown],
        "Figures": [f"{row.n_images} of {row.n_figures}" for row in shown],
        "Not confirmed": [row.n_unconfirmed for row in shown],
        "Dialogues": [row.n_dialogues for row in shown],
        "Licence": [row.licence or "not stated" for row in shown],
        "Demonstration": [row.is_demonstration for row in shown],
    }
)
picked = st.dataframe(
    table,
    hide_index=True,
    on_select="rerun",
    selection_mode="single-row",
    key="case_table",
    height="content" if len(table) <= 14 else 540,
    column_config={
        "Title": st.column_config.TextColumn(width=290),
        "Why not": st.column_config.TextColumn(width=150),
        "Figures": st.column_config.TextColumn(help="figures whose images are there, of all figures"),
        "Not confirmed": st.column_config.NumberColumn(
            help="figures whose pictures nobody has looked at, for an answer written into them"
        ),
        "Open leaks": st.column_config.NumberColumn(help="places that name the answer and that nobody has dealt with"),
    },
)
if picked.selection.rows:
    st.switch_page("cases/case.py", query_params={"id": shown[picked.selection.rows[0]].id})
