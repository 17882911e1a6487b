"""Matches: the items of a dialogue beside those of its article, and the judges' scores with their justifications."""

import pandas as pd
import streamlit as st

from core.domain.dialogue import DialogueKind
from core.domain.instrument import Dimension
from core.domain.items import Target
from core.domain.judgement import JudgedScore
from core.services.dialogues import DialogueListing, list_dialogues
from core.services.evaluating import judgements_of, list_evaluations
from core.services.match_tables import match_tables_of
from pages.components.match_table import match_tables
from pages.components.notices import demonstration_dialogue, empty
from pages.components.resources import workspace
from pages.components.state import query
from pages.components.words import dimension_name, target_name


def first_shown(listed: list[DialogueListing], asked: str | None) -> int:
    """Give the place of the dialogue asked for; else of the first that a model answered, since a reference fits."""
    places = [n for n, one in enumerate(listed) if one.id == asked]
    places += [n for n, one in enumerate(listed) if one.kind is not DialogueKind.REFERENCE]
    return next(iter(places), 0)


ws = workspace()
st.title("Matches")

evaluated = {row.dialogue_id for row in list_evaluations(ws)}
listed = [row for row in list_dialogues(ws) if row.id in evaluated]
if not listed:
    empty("Nothing has been evaluated yet", "Run the pipeline on a case, or evaluate a dialogue.")
    st.page_link("dialogues/runs.py", label="Runs", icon=":material/play_circle:")
    st.stop()

asked = query("dialogue")
case_ids = sorted({row.case_id for row in listed})
asked_row = next((row for row in listed if row.id == asked), None)
left, right = st.columns(2)
case_id = left.selectbox(
    "Case", case_ids, index=case_ids.index(asked_row.case_id) if asked_row else 0, key="matches_case"
)
of_case = [row for row in listed if row.case_id == case_id]
row = right.selectbox(
    "Dialogue",
    of_case,
    index=first_shown(of_case, asked),
    format_func=lambda one: f"{one.setting} · {one.made_at:%Y-%m-%d %H:%M} UTC",
    key=f"matches_dialogue_{case_id}",
)
target = st.pills(
    "Target",
    [None, *Target],
    default=None,
    format_func=lambda t: "all" if t is None else target_name(t),
    key="matches_target",
)
if asked != row.id:
    st.query_params["dialogue"] = row.id
if row.is_demonstration:
    demonstration_dialogue(row.kind)

st.page_link("dialogues/dialogue.py", label="Read this dialogue", icon=":material/forum:", query_params={"id": row.id})
tables = [table for table in match_tables_of(ws, row.id) if target is None or table.target is target]
match_tables(tables, key=f"matches-{row.id}-{target}", is_read_only=True)

st.subheader("Judges")
judgements = judgements_of(ws, row.id)
if not judgements:
    st.caption("No judge has scored this dialogue.")
for judgement in judgements:
    label = f"{judgement.judge} · shown: {judgement.mode} · instrument {judgement.instrument_version}"
    with st.expander(label + (f" · repeat {judgement.repeat + 1}" if judgement.repeat else ""), expanded=True):
        scores = [(dimension, judgement.scores.get(dimension)) for dimension in Dimension]
        st.table(
            pd.DataFrame(
                [
                    {
                        "Dimension": dimension_name(dimension),
                        "Score": str(one.score) if isinstance(one, JudgedScore) else "unscored",
                        "Justification": one.justification
                        if isinstance(one, JudgedScore)
                        else (f"{one.reason}: {one.detail}" if one else "not given"),
                    }
                    for dimension, one in scores
                ]
            ).set_index("Dimension")
        )
