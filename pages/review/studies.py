"""Studies: what is being rated, by whom, how far it is, what reviewers report; files, unblinding, lock, copies."""

import pandas as pd
import streamlit as st

from core.services import studies
from pages.components import study_parts
from pages.components.notices import empty
from pages.components.resources import workspace
from pages.components.state import query

ws = workspace()
title, new = st.columns([5, 1], vertical_alignment="bottom")
title.title("Studies")
if new.button("New study", icon=":material/add:", type="primary", width="stretch"):
    st.switch_page("review/new_study.py")
st.write(
    "For the study lead. A blinded study keeps its cases and settings hidden here too, until you unblind or lock it."
)

lines = studies.studies(ws)
if not lines:
    empty("There is no study yet", "Create one from dialogues and reviewers.")
    st.stop()
st.dataframe(
    pd.DataFrame(
        [
            {
                "Study": line.study.name,
                "Mode": line.study.mode.value,
                "Form": line.study.length.value,
                "Dialogues": line.n_dialogues,
                "Reviewers": line.n_reviewers,
                "Assigned": line.n_assignments,
                "Committed": line.n_committed,
                "In progress": line.n_in_progress,
                "State": "locked" if line.study.locked_at else "open",
                "Demonstration": "yes" if line.study.is_demonstration else "",
            }
            for line in lines
        ]
    ),
    hide_index=True,
    width="stretch",
)

names = {line.study.id: line.study.name for line in lines}
asked = query("study")
chosen = st.selectbox(
    "Study",
    list(names),
    index=list(names).index(asked) if asked in names else 0,
    format_func=names.get,
    key="study",
)
study = next(line.study for line in lines if line.study.id == chosen)
coverage, progress, links, layout, files, close = st.tabs(
    ["Coverage", "Progress and reports", "Invitations", "Layout", "Assignments as a file", "Unblind, lock, copy"]
)
with coverage:
    study_parts.draw_coverage(ws, study)
    study_parts.draw_adding(ws, study)
with progress:
    study_parts.draw_progress(ws, study)
with links:
    study_parts.draw_links(ws, study)
with layout:
    study_parts.draw_layout(ws, study)
with files:
    study_parts.draw_files(ws, study)
with close:
    study_parts.draw_closing(ws, study)
