"""Sentences for errors, empty pages and demonstration material; the same words everywhere."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from core.domain.dialogue import DialogueKind
from core.errors import AppError


def show_error(error: AppError) -> None:
    """Draw a named error: what is wrong, then what to do."""
    st.error(error.message + (f"\n\n{error.next_step}" if error.next_step else ""), icon=":material/error:")


@contextmanager
def errors_shown() -> Iterator[None]:
    """Draw any AppError raised inside; everything else is a fault of ours and reaches the app's own handler."""
    try:
        yield
    except AppError as error:
        show_error(error)


def empty(title: str, what_to_do: str) -> None:
    """Draw the empty state of a page: what would stand here, and how to get it."""
    with st.container(border=True):
        st.markdown(f"**{title}**")
        st.write(what_to_do)


def demonstration_dialogue(kind: DialogueKind) -> None:
    """Say what a dialogue of the demonstration study is: built from an invented article, or written by hand."""
    if kind is DialogueKind.REFERENCE:
        demonstration("Built from an invented article of the demonstration study.")
    else:
        demonstration("Example answers written by hand for the demonstration study, never the output of a named model.")


def demonstration(text: str = "") -> None:
    """Say that what follows is demonstration material."""
    st.info(
        text
        or "Demonstration material: cases, answers, judge replies and ratings were written for this project. "
        "They are no output of a named model and no judgement of real clinicians.",
        icon=":material/science:",
    )
