"""The only place that names `st.session_state` keys and query parameters."""

import streamlit as st

REVIEWER = "reviewer_id"
IMPORT_OUTCOMES = "import_outcomes"
IMPORT_RUN = "import_run"
SIGNATURE = "signature"
RUN_JOB = "run_job"
LAB_LINES = "lab_lines"
RUN_PROBLEM = "run_problem"


def query(name: str) -> str | None:
    """Give a query parameter of the address; None when it is absent or empty."""
    return st.query_params.get(name) or None


def current_reviewer() -> str | None:
    """Give the id of the reviewer who entered in this tab; None before entering.

    The address carries it too: session state dies with a reload or a restarted server.
    """
    return st.session_state.get(REVIEWER) or query("reviewer")


def enter_as(reviewer_id: str) -> None:
    """Remember who reviews in this tab, also over a reload."""
    st.session_state[REVIEWER] = reviewer_id
    if st.query_params.get("reviewer") != reviewer_id:
        st.query_params["reviewer"] = reviewer_id


def leave() -> None:
    """Forget who reviews in this tab."""
    st.session_state.pop(REVIEWER, None)
    st.query_params.pop("reviewer", None)


def signature() -> str:
    """Give the name under which a study lead's changes are recorded in this tab; empty when none was given."""
    return st.session_state.get(SIGNATURE, "")


def sign_as(name: str) -> None:
    """Remember under which name changes are recorded in this tab."""
    st.session_state[SIGNATURE] = name
