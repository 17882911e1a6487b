"""The head of the case page: what the article is, where the case stands, and what stands in its way."""

from collections import Counter

import streamlit as st

from core.domain.article import CaseReport
from core.domain.case import CaseRepresentation
from core.services.cases import CaseRow
from core.services.dialogues import list_dialogues
from core.services.extracting import confirmed_figures
from core.services.reference_check import ReferenceCheck, check_reference
from core.services.workspace import Workspace
from pages.components.case_leaks import leak_strip
from pages.components.words import count_of

DEMONSTRATION = "demonstration: an invented case"


def draw_article(article: CaseReport) -> None:
    """Draw journal, date, licence and size of the article, with its warnings."""
    facts = [article.journal, article.published_on, article.licence.code or "licence not stated"]
    facts += [
        count_of(len(article.figures), "figure"),
        f"{article.kept_chars:,} of {article.body_chars:,} characters kept",
    ]
    st.caption(" · ".join(filter(None, facts)))
    if article.licence.forbids_adaptation or article.licence.forbids_commercial_use:
        st.warning(
            f"The licence {article.licence.code} forbids adaptation or commercial use; it travels with every export.",
            icon=":material/copyright:",
        )
    for warning in article.warnings:
        st.caption(f":material/info: {warning}")


def draw_state(ws: Workspace, row: CaseRow, article: CaseReport, case: CaseRepresentation | None) -> None:
    """Draw the state of a case as badges and sentences; of an article without one, only whether it is invented."""
    if case is None:
        if row.is_demonstration:
            st.badge(DEMONSTRATION, color="blue", icon=":material/science:")
        return
    n_open = sum(hit.is_open for hit in case.leaks)
    confirmed = confirmed_figures(ws, case.case_id)
    n_unseen = sum(any(g.image for g in one.graphics) and one.id not in confirmed for one in article.figures)
    with st.container(horizontal=True):
        if row.is_demonstration:
            st.badge(DEMONSTRATION, color="blue", icon=":material/science:")
        st.badge(case.eligibility.state, color="green" if case.eligibility.is_eligible else "red")
        st.badge(f"leaks: {leak_strip(case)}", color="red" if n_open else "green" if case.is_released else "orange")
        if n_unseen:
            st.badge(f"{count_of(n_unseen, 'figure')} not confirmed by eye", color="orange")
        st.badge(count_of(len(case.unsupported), "unsupported value"), color="orange" if case.unsupported else "gray")
        st.badge(f"version {case.version}, {case.made_by.model}", color="gray")
    for reason in case.eligibility.reasons:
        st.error(reason, icon=":material/block:")
    for warning in case.eligibility.warnings:
        st.caption(f":material/info: {warning}")
    if row.is_outdated:
        st.warning("The article was imported anew since: extract the case again.", icon=":material/update:")
    _draw_older_dialogues(ws, case)


def _draw_older_dialogues(ws: Workspace, case: CaseRepresentation) -> None:
    older = Counter(row.case_version for row in list_dialogues(ws, case.case_id) if row.case_version != case.version)
    if older:
        words = ", ".join(f"{n} on version {version}" for version, n in sorted(older.items()))
        st.caption(
            f":material/history: Dialogues made on an older version of this case: {words}. "
            "They show what that version disclosed; run them again for this one."
        )


def looked_at(ws: Workspace, case: CaseRepresentation) -> ReferenceCheck | None:
    """Give what the reference dialogue keeps of the diagnosis; None for a case that cannot be used anyway."""
    if not case.eligibility.is_eligible:
        return None
    newest = tuple(row.id for row in list_dialogues(ws, case.case_id, case.version))
    return _checked(ws, case.case_id, case.version, newest)


@st.cache_data(max_entries=500, show_spinner=False)
def _checked(_ws: Workspace, case_id: str, version: int, newest: tuple[str, ...]) -> ReferenceCheck:
    return check_reference(_ws, case_id, version)
