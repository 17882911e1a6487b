"""Consent before the first review, and the way out of it."""

import streamlit as st

from core.domain.review_design import ConsentStep
from core.services import consent
from core.services.workspace import Workspace
from pages.components.notices import errors_shown


def consent_first(ws: Workspace, reviewer_id: str) -> None:
    """Draw the consent text and end the page where it has not been agreed to, or was withdrawn from."""
    if consent.has_withdrawn(ws, reviewer_id):
        st.info("You have withdrawn from the reviews. Nothing more is asked of you.", icon=":material/logout:")
        st.stop()
    if not consent.must_consent(ws, reviewer_id):
        return
    with st.container(border=True):
        st.subheader("Before you begin")
        for paragraph in consent.TEXT:
            st.write(paragraph)
        if st.button("I agree and take part", type="primary", key="consent"):
            with errors_shown():
                consent.give_consent(ws, reviewer_id)
                st.rerun()
    st.stop()


def draw_withdrawal(ws: Workspace, reviewer_id: str) -> None:
    """Draw the withdrawal, folded."""
    with st.expander("Withdraw from the reviews"):
        st.write(
            "Nothing more can be entered under your name. The study lead decides whether your ratings so far are kept "
            "or left out. It cannot be undone here."
        )
        reason = st.text_input("Reason, if you want to give one", max_chars=500, key="withdraw_reason")
        is_sure = st.checkbox("I withdraw my consent", key="withdraw_sure")
        if st.button("Withdraw", disabled=not is_sure, key="withdraw"):
            with errors_shown():
                consent.withdraw(ws, reviewer_id, reason)
                st.rerun()


def draw_decisions(ws: Workspace) -> None:
    """Draw who withdrew, and the lead's decision about their ratings; nothing where nobody did."""
    found = consent.withdrawals(ws)
    if not found:
        return
    st.subheader("Withdrawals")
    for entry in found:
        decided = entry.decision.value if entry.decision else "not decided yet: the ratings are kept until then"
        st.text(f"{entry.name} withdrew on {entry.at:%Y-%m-%d}: {entry.n_ratings} ratings, {decided}. {entry.reason}")
        with st.form(f"withdrawal/{entry.reviewer_id}", border=False):
            options = {"Keep the ratings": True, "Leave the ratings out": False}
            is_kept = entry.decision is not ConsentStep.EXCLUDED
            chosen = st.radio(
                "Decision", list(options), index=None if entry.decision is None else int(not is_kept), horizontal=True
            )
            reason = st.text_input("Reason", max_chars=500)
            if st.form_submit_button("Record the decision") and chosen:
                with errors_shown():
                    consent.decide(ws, entry.reviewer_id, keeps=options[chosen], reason=reason)
                    st.rerun()
