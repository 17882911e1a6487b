"""Parts of the page of one report pair: both reports, one question, the scores, and the table of all questions."""

import pandas as pd
import streamlit as st

from core.domain.reports import (
    FactLevel,
    Given,
    GroupScore,
    PairScore,
    ReadingScore,
    ReportPair,
    ReportSide,
    Tally,
    TraceRow,
)
from core.services.reports import PairView
from pages.components.report_words import (
    expected_words,
    flag_words,
    given_words,
    number,
    plain,
    side_words,
    verdict_words,
    with_marks,
)
from pages.components.state import query

COLUMNS = ("P", "matched, P", "R", "matched, R", "F1")
SHOWN = ("all questions", "no match", "not counted")


def question_key(row: TraceRow) -> str:
    """Give the address of a question: whose it is, and its id."""
    return f"{row.side.value}-{row.fact.id}"


def draw_reports(pair: ReportPair, row: TraceRow | None) -> None:
    """Draw both reports, with the sentences of the open question marked."""
    marks = dict.fromkeys(ReportSide, "")
    if row is not None:
        marks[row.side] = row.fact.sentence
        other = ReportSide.PREDICTION if row.side is ReportSide.REFERENCE else ReportSide.REFERENCE
        quote = row.answer.quote if row.answer else ""
        marks[other] = row.other_sentence or quote
    for place, side, text in zip(st.columns(2), ReportSide, (pair.reference, pair.prediction), strict=True):
        with place, st.container(border=True, height="stretch"):
            who = "Reference" if side is ReportSide.REFERENCE else plain(pair.model)
            st.markdown(f"**{who}**")
            st.markdown(with_marks(text, marks[side]) if text else "*empty report*")


def draw_question(row: TraceRow) -> None:
    """Draw one question: expected, given, quoted words, both sentences."""
    quote = row.answer.quote if row.answer else ""
    other = ReportSide.PREDICTION if row.side is ReportSide.REFERENCE else ReportSide.REFERENCE
    facet = f" · {row.fact.facet.value}" if row.fact.facet else ""
    partner = f" · counterpart: {plain(row.counterpart.entity)}" if row.counterpart else ""
    with st.container(border=True, key="open_question"):
        st.markdown(
            f"**{plain(row.fact.question)}**  \n"
            f"{side_words(row.side)} says **{expected_words(row.fact.expected)}** (expected) · "
            f"{side_words(other)} says **{given_words(row)}** (given) · **{verdict_words(row)}**"
        )
        hedge = " (with reserve)" if row.fact.is_hedged else ""
        st.markdown(f"{side_words(row.side)}: “{plain(row.fact.sentence)}”{hedge}")
        if quote:
            st.markdown(f"{side_words(other)}: “{with_marks(row.other_sentence or quote, quote)}”")
        elif row.answer is not None and row.answer.given is not Given.NOT_STATED:
            st.markdown(f"{side_words(other)}: no words quoted; the published protocol asks for yes or no only.")
        else:
            st.markdown(f"{side_words(other)} does not speak of it.")
        st.caption(f"{plain(row.fact.entity)}{facet} · {row.fact.level.value} level · {row.fact.system.value}{partner}")


def draw_scores(score: PairScore) -> None:
    """Draw the numbers in both readings, then by facet and system."""
    readings = {"open": score.open, "closed": score.closed}
    left, right = st.columns([3, 2])
    with left:
        st.dataframe(
            pd.DataFrame([line for name, reading in readings.items() for line in score_lines(name, reading)]),
            hide_index=True,
        )
        share = "no disease question" if score.negative_share is None else f"{score.negative_share:.0%}"
        st.caption(
            "Open (headline): what the other report does not state is no match. Closed: it agrees with an expected no, "
            f"as published. Negatives among the {score.n_disease} disease questions: {share}."
        )
        for flag in score.open.flags:
            st.caption(f":material/flag: {flag_words(flag)}")
    with right:
        st.dataframe(group_table("Facet", score.open.facets), hide_index=True)
        st.dataframe(group_table("System", score.open.systems), hide_index=True)


def score_lines(name: str, reading: ReadingScore) -> list[dict[str, str]]:
    """Give the three lines of one reading."""
    both = dict(
        zip(COLUMNS, (number(reading.precision), "", number(reading.recall), "", number(reading.f1)), strict=True)
    )
    return [
        {"Reading": name, "Level": "disease", **tally_cells(reading.disease)},
        {"Reading": name, "Level": "attribute", **tally_cells(reading.attribute)},
        {"Reading": name, "Level": "both", **both},
    ]


def tally_cells(tally: Tally) -> dict[str, str]:
    """Give P, R, F1 and the two denominators; dashes where no question is counted."""
    if tally.is_vacuous:
        return dict.fromkeys(COLUMNS, "–")
    of_prediction = f"{tally.matched_prediction} of {tally.n_prediction}"
    of_reference = f"{tally.matched_reference} of {tally.n_reference}"
    values = (number(tally.precision), of_prediction, number(tally.recall), of_reference, number(tally.f1))
    return dict(zip(COLUMNS, values, strict=True))


def group_table(title: str, groups: tuple[GroupScore, ...]) -> pd.DataFrame:
    """Give the table by facet or system, open reading."""
    lines = [{title: group.name, **tally_cells(group.tally)} for group in groups]
    return pd.DataFrame(lines, columns=[title, *COLUMNS])


def open_question(view: PairView) -> TraceRow | None:
    """Give the question that is open: as chosen below, or as the address says; None when none is."""
    keys = {question_key(row): row for row in view.rows}
    place = question_place(view)
    if place not in st.session_state:
        st.session_state[place] = query("question") if query("question") in keys else None
    return keys.get(st.session_state[place])


def question_place(view: PairView) -> str:
    """Give the key of the open question, the only place that holds it."""
    return f"question_{view.evaluation.id if view.evaluation else view.pair.id}"


def draw_trace(view: PairView) -> None:
    """Draw the choice of questions and the table of those shown; both open a question."""
    which, find = st.columns([2, 3], vertical_alignment="bottom")
    shown = which.segmented_control("Show", SHOWN, default=SHOWN[0], key=f"shown_{view.pair.id}") or SHOWN[0]
    rows = [
        row
        for row in view.rows
        if shown == SHOWN[0]
        or (shown == SHOWN[1] and row.is_counted and not row.is_matched_open)
        or (shown == SHOWN[2] and not row.is_counted)
    ]
    keys = {question_key(row): row for row in view.rows}
    place = question_place(view)
    # The table forgets its selection when a question is chosen elsewhere: a new key is the only way to clear it.
    turn = f"{place}_turn"
    find.selectbox(
        "Open a question",
        list(keys),
        format_func=lambda key: f"{side_words(keys[key].side)}: {keys[key].fact.question}",
        placeholder="or select a row of the table",
        index=None,
        key=place,
        on_change=lambda: st.session_state.update({turn: st.session_state.get(turn, 0) + 1}),
    )
    table_key = f"trace_{place}_{shown}_{st.session_state.get(turn, 0)}"

    def take_row() -> None:
        picked = st.session_state[table_key].selection.rows
        st.session_state[place] = question_key(rows[picked[0]]) if picked else None

    table = pd.DataFrame(
        {
            "Question of": [side_words(r.side) for r in rows],
            "Question": [r.fact.question for r in rows],
            "Expected": [expected_words(r.fact.expected) for r in rows],
            "Given": [given_words(r) for r in rows],
            "Counts as": [verdict_words(r) for r in rows],
            "Quoted words": [r.answer.quote if r.answer else "" for r in rows],
            "Sentence of its own report": [r.fact.sentence for r in rows],
            "Sentence of the other report": [r.other_sentence for r in rows],
            "Level": [r.fact.facet.value if r.fact.facet else FactLevel.DISEASE.value for r in rows],
        }
    )
    st.dataframe(
        table,
        hide_index=True,
        on_select=take_row,
        selection_mode="single-row",
        key=table_key,
        height=min(36 * (len(table) + 1) + 4, 400),
        column_config={
            "Question": st.column_config.TextColumn(width="medium"),
            "Expected": st.column_config.TextColumn(width=80),
            "Given": st.column_config.TextColumn(width=90),
        },
    )
