"""Evidence so far, and the answer of a turn: text only, in regions that scroll by keyboard."""

from collections.abc import Sequence

import streamlit as st

from core.domain.review_views import TurnView
from pages.components.component_files import beside

_VIEW = st.components.v2.component(
    "caserounds_turn_view",
    css=beside("controls.css", "turn_view.css"),
    js=beside("elements.js", "turn_view.js"),
)


def evidence_view(turns: Sequence[TurnView], current: int, key: str, height: str) -> None:
    """Draw what had been disclosed up to the current turn, what is new at it marked.

    Args:
        turns: up to the current one.
        current: index of the current turn; 0 marks nothing as new.
        key: identity of this view.
        height: CSS length of the scrolling region.
    """
    _VIEW(
        key=key,
        data={
            "kind": "evidence",
            "title": "Evidence so far",
            "turn": current,
            "height": height,
            "turns": [
                {
                    "title": turn.title,
                    "evidence": [line.model_dump() for line in turn.evidence],
                    "n_images": len(turn.images),
                    "is_new": turn.index == current,
                }
                for turn in turns
                if turn.evidence or turn.images or turn.index == current
            ],
        },
    )


def answer_view(turn: TurnView, key: str, height: str) -> None:
    """Draw the answer of one turn, or why there is none."""
    data = {
        "kind": "answer",
        "title": f"Answer at this turn · {turn.title}",
        "turn": turn.index,
        "height": height,
        "answer": turn.answer,
        "problem": turn.problem,
    }
    _VIEW(key=key, data=data)


def all_answers_view(turns: Sequence[TurnView], key: str, height: str) -> None:
    """Draw all answers, folded, the last one open."""
    parts = [
        {
            "title": f"{turn.index} · {turn.title}",
            "answer": turn.answer or "",
            "problem": turn.problem,
            "is_open": turn.index == len(turns),
        }
        for turn in turns
    ]
    _VIEW(
        key=key,
        data={
            "kind": "answer",
            "title": "The dialogue's answers",
            "turn": 0,
            "height": height,
            "answer": "",
            "problem": "",
            "parts": parts,
        },
    )
