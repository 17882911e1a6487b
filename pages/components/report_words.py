"""Words and small drawings that the pages of report pairs share."""

import re

from core.domain.reports import Expected, Given, Reading, ReportSide, TraceRow

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:])")
_FLAGS = {
    "both_empty": "No finding was read in either report: precision, recall and F1 are 1 by definition.",
    "no_prediction_facts": "No finding was read in the evaluated report: its precision is undefined and F1 is 0.",
    "no_reference_facts": "No finding was read in the reference: recall is undefined and F1 is 0.",
    "no_aligned_finding": "No finding is aligned in both directions, so no attribute is counted.",
    "no_prediction_attributes": "The aligned findings of the evaluated report have no attributes: precision is that of "
    "the disease level alone.",
    "no_reference_attributes": "The aligned findings of the reference have no attributes: recall is that of the "
    "disease level alone.",
}
_GIVEN = {Given.YES: "yes", Given.NO: "no", Given.NOT_STATED: "not stated"}
_SIDES = {ReportSide.REFERENCE: "Reference", ReportSide.PREDICTION: "Evaluated report"}
READING_WORDS = {
    Reading.OPEN: "open: what is not stated is no match",
    Reading.CLOSED: "closed: what is not stated agrees with a no, as published",
}


def plain(text: str) -> str:
    """Give a report's text so that Markdown shows it as it stands."""
    return _MARKDOWN.sub(r"\\\1", text)


def with_marks(text: str, marked: str) -> str:
    """Give a report as Markdown with one stretch of it marked; unmarked when it does not hold the stretch."""
    before, found, after = text.partition(marked) if marked else (text, "", "")
    body = plain(before) + (f":orange-background[**{plain(found)}**]" if found else "") + plain(after)
    return body.replace("\n", "  \n")


def number(value: float | None, undefined: str = "undefined") -> str:
    """Give a 0-1 value with two places, or the word for its absence."""
    return undefined if value is None else f"{value:.2f}"


def flag_words(flag: str) -> str:
    """Give a score's flag as a sentence."""
    return _FLAGS[flag]


def side_words(side: ReportSide) -> str:
    """Give whose question it is."""
    return _SIDES[side]


def expected_words(expected: Expected) -> str:
    """Give a report's own answer."""
    return expected.value


def given_words(row: TraceRow) -> str:
    """Give the other report's answer; `unanswered` when there is none."""
    return _GIVEN[row.answer.given] if row.answer else "unanswered"


def verdict_words(row: TraceRow) -> str:
    """Give what a question adds to the score, in words and with a sign that needs no colour."""
    if not row.is_counted:
        return "○ not counted"
    if row.is_matched_open:
        return "✓ match"
    return "≈ match in closed only" if row.is_matched_closed else "✕ no match"
