"""Saving what a study lead changed: who signs, the reason asked for, errors in place, the next version drawn."""

from collections.abc import Callable

import streamlit as st

from core.domain.case import CaseRepresentation
from core.errors import AppError
from pages.components.notices import show_error
from pages.components.state import sign_as, signature

STUDY_LEAD = "study lead"


def signature_field(place: str) -> None:
    """Draw the field for the name under which changes are recorded; kept while the browser tab is open.

    Args:
        place: where it is drawn, for its key: one key drawn in several views now and then came back empty.
    """
    key = f"signed_as_{place}"

    def keep() -> None:
        sign_as(st.session_state[key])

    st.text_input(
        "Changes are signed as",
        value=signature(),
        placeholder=STUDY_LEAD,
        key=key,
        on_change=keep,
        width=320,
        help="Every change makes a new version of the case with this name, the time and your reason.",
    )


def signed_as() -> str:
    """Give the name under which changes are recorded."""
    return signature().strip() or STUDY_LEAD


def reason_field(key: str, *, label: str = "Reason") -> str:
    """Draw the field for the reason of a change and give what is in it."""
    return st.text_input(label, key=key, placeholder="why this is right; kept with the version")


def save(change: Callable[[], CaseRepresentation]) -> None:
    """Make a change and draw the page with the new version, or say what is wrong with it where it was made."""
    try:
        made = change()
    except AppError as error:
        show_error(error)
    else:
        state = "released for runs" if made.is_released else "not released"
        st.toast(f"Saved as version {made.version}; the audit was run again: {state}.")
        st.rerun()
