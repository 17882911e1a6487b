"""Text as a model receives it, with the leak audit's hits marked in place."""

from dataclasses import dataclass

import streamlit as st

from core.domain.case import CaseRepresentation, LeakHit, Verdict
from core.domain.dialogue import StagedTurn
from pages.components.component_files import beside
from pages.components.words import action_words

_VIEW = st.components.v2.component(
    "caserounds_marked_text", css=beside("marked_text.css"), js=beside("elements.js", "marked_text.js")
)
_URGENCY = (Verdict.BLOCKS, Verdict.WARNS, Verdict.NOTES)


@dataclass(frozen=True)
class Mark:
    """A marked stretch, `text[start:end]`, and the hit behind it."""

    start: int
    end: int
    hit: LeakHit


def marks_of(case: CaseRepresentation, turn: StagedTurn) -> tuple[Mark, ...]:
    """Give where words of the answer stand in a turn's prompt, in order, without overlaps; the gravest hit wins.

    Only words that are really there are marked: a hit whose words were cut, moved or withheld has no mark at its turn.
    """
    found: list[Mark] = []
    for row in turn.disclosed:
        line = " ".join(row.text.split())
        place = turn.prompt.find(line)
        for hit in case.leaks:
            words = " ".join(hit.text.split())
            if hit.value_id != row.value_id or not words or place < 0:
                continue
            at = line.find(words)
            while at >= 0:
                found.append(Mark(place + at, place + at + len(words), hit))
                at = line.find(words, at + len(words))
    found.sort(key=lambda mark: (_URGENCY.index(mark.hit.verdict), not mark.hit.is_open, mark.start - mark.end))
    kept: list[Mark] = []
    for mark in found:
        if all(mark.end <= other.start or mark.start >= other.end for other in kept):
            kept.append(mark)
    return tuple(sorted(kept, key=lambda mark: mark.start))


def marked_text(text: str, marks: tuple[Mark, ...], key: str) -> None:
    """Draw the text with its marks; each says on hover what it is and what was decided."""
    rows = [
        {
            "start": mark.start,
            "end": mark.end,
            "verdict": mark.hit.verdict.value,
            "title": f"{mark.hit.verdict}: names {mark.hit.term}; {action_words(mark.hit.action)}",
        }
        for mark in marks
    ]
    _VIEW(key=key, data={"text": text, "marks": rows})
