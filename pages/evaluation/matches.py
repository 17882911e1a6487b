"""Matches: the items of a dialogue beside those of its article, what was flagged, and the judges with their words."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.domain.dialogue import DialogueKind
from core.domain.instrument import Dimension
from core.domain.items import Target
from core.domain.judgement import JudgedScore, Judgement
from core.domain.review import RowKind
from core.domain.review_views import MatchTable
from core.services.dialogues import DialogueListing, evaluated_of_case, find_listing, list_cases_with_dialogue
from core.services.evaluating import judgements_of, same_family_warning
from core.services.match_tables import FLAGS, match_tables_of, notes_of
from core.services.panels import dialogue_panel
from pages.components.figures_in_words import number
from pages.components.match_table import match_tables
from pages.components.notices import demonstration_dialogue, empty
from pages.components.resources import workspace
from pages.components.state import query
from pages.components.stored_results import flagged
from pages.components.words import dimension_name, target_name

KINDS = {
    RowKind.STRICT: "═ strict",
    RowKind.LENIENT: "≈ lenient",
    RowKind.CONTRADICTION: "✕ contradiction",
    RowKind.MISSING: "○ missing",
    RowKind.EXTRA: "+ extra",
}
FLAG_WORDS = {
    "assignment_tension": "a strict pair cost a lenient one",
    "contradiction_with_match": "proposed as a match and as a contradiction",
    "unknown_id": "pairs dropped: unknown items",
    "level_conflict": "proposed at two levels",
    "not_chosen": "pairs not chosen",
    "warning": "the answer asks for its score, or another warning",
}


def first_shown(listed: Sequence[DialogueListing], asked: str | None) -> int:
    """Give the place of the dialogue asked for; else of the first that a model answered, since a reference fits."""
    places = [n for n, one in enumerate(listed) if one.id == asked]
    places += [n for n, one in enumerate(listed) if one.kind is not DialogueKind.REFERENCE]
    return next(iter(places), 0)


def narrowed(table: MatchTable, kinds: Sequence[RowKind], words: str) -> MatchTable:
    """Give the table with its rows of these kinds (all when none) in which every word stands; scores stay the same."""
    wanted = words.lower().split()
    rows = tuple(
        row
        for row in table.rows
        if (not kinds or row.kind in kinds)
        and all(word in f"{row.reference} {row.output} {row.reason}".lower() for word in wanted)
    )
    return table.model_copy(update={"rows": rows})


def draw_judges(judgements: Sequence[Judgement], setting: str) -> None:
    """Draw every judgement with its justifications, and what several of them say together."""
    for warning in sorted({w for one in judgements if (w := same_family_warning(one.judge, setting))}):
        st.warning(warning, icon=":material/warning:")
    if len(judgements) > 1:
        panel = dialogue_panel(judgements)
        names = sorted({name for one in panel.values() for name in one.by_judge})
        st.table(
            pd.DataFrame(
                [
                    {
                        "Dimension": dimension_name(dimension),
                        "Panel mean": number(one.mean),
                        "Lowest to highest": "–" if one.lowest is None else f"{one.lowest} to {one.highest}",
                        **{name: number(one.by_judge.get(name)) for name in names},
                        "n": f"{one.scored}/{one.submitted}",
                    }
                    for dimension, one in panel.items()
                ]
            ).set_index("Dimension")
        )
        st.caption(
            "Panel: mean of the judges' means, each over its valid repeats. n = valid scores of those asked for."
        )
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


ws = workspace()
st.title("Matches")

case_ids = list_cases_with_dialogue(ws, only_evaluated=True)
if not case_ids:
    empty("Nothing has been evaluated yet", "Run the pipeline on a case, or evaluate a dialogue.")
    st.page_link("dialogues/runs.py", label="Runs", icon=":material/play_circle:")
    st.stop()

asked = query("dialogue")
asked_row = find_listing(ws, asked)
flags = flagged(ws)
with st.container(horizontal=True, vertical_alignment="bottom"):
    counts = {flag: len({one.case_id for one in flags if flag in one.flags}) for flag in FLAGS}
    flag = st.selectbox(
        "Flagged",
        [None, *(flag for flag in FLAGS if counts[flag])],
        format_func=lambda f: f"{FLAG_WORDS[f]} ({counts[f]} cases)" if f else "all cases",
        key="matches_flag",
        width=280,
    )
    if flag is not None:
        case_ids = sorted({one.case_id for one in flags if flag in one.flags})
    asked_case = asked_row.case_id if asked_row else None
    case_id = st.selectbox(
        "Case",
        case_ids,
        index=case_ids.index(asked_case) if asked_case in case_ids else 0,
        key="matches_case",
        width=220,
    )
    of_case = list(evaluated_of_case(ws, case_id))
    if flag is not None:
        is_flagged = {one.dialogue_id for one in flags if flag in one.flags}
        of_case = [row for row in of_case if row.id in is_flagged] or of_case
    row = st.selectbox(
        "Dialogue",
        of_case,
        index=first_shown(of_case, asked),
        format_func=lambda one: f"{one.setting} · {one.made_at:%Y-%m-%d %H:%M} UTC",
        key=f"matches_dialogue_{case_id}",
        width=360,
    )
with st.container(horizontal=True, vertical_alignment="bottom"):
    target = st.pills(
        "Target",
        [None, *Target],
        default=None,
        format_func=lambda t: "all" if t is None else target_name(t),
        key="matches_target",
    )
    kinds = st.pills("Level", list(KINDS), selection_mode="multi", format_func=KINDS.get, key="matches_kinds")
    words = st.text_input("Search in the items", key="matches_search", placeholder="words, all of them", width=240)
if asked != row.id:
    st.query_params["dialogue"] = row.id
if row.is_demonstration:
    demonstration_dialogue(row.kind)

with st.container(horizontal=True):
    st.page_link(
        "dialogues/dialogue.py", label="Read this dialogue", icon=":material/forum:", query_params={"id": row.id}
    )
    st.page_link(
        "cases/case.py", label="Its article and figures", icon=":material/article:", query_params={"id": row.case_id}
    )
notes = notes_of(ws, row.id)
if notes:
    with st.expander(f"{len(notes)} notes on this evaluation", icon=":material/flag:", expanded=flag is not None):
        st.table(
            pd.DataFrame(
                {
                    "Flag": [FLAG_WORDS[note.flag] for note in notes],
                    "Where": [note.where for note in notes],
                    "Reference item": [note.reference for note in notes],
                    "Output item": [note.output for note in notes],
                    "What": [note.detail for note in notes],
                }
            ).set_index("Flag")
        )
tables = [table for table in match_tables_of(ws, row.id) if target is None or table.target is target]
if kinds or words.strip():
    tables = [narrowed(table, kinds, words) for table in tables]
    n_rows = sum(len(table.rows) for table in tables)
    tables = [table for table in tables if table.rows]
    st.caption(f"{n_rows} rows like this; the scores above each table are those of the whole table.")
match_tables(tables, key=f"matches-{row.id}-{target}", is_read_only=True)

st.subheader("Judges")
judgements = judgements_of(ws, row.id)
if not judgements:
    st.caption("No judge has scored this dialogue.")
draw_judges(judgements, row.setting)
