"""The versions of a case: who made each, when and why, what differs between any two, and going back."""

import pandas as pd
import streamlit as st

from core.domain.case import CaseRepresentation
from core.services.cases import CaseListing, get_case
from core.services.correcting import Change, differences, restore
from core.services.workspace import Workspace
from pages.components.notices import errors_shown
from pages.components.saving import reason_field, save, signed_as
from pages.components.words import plain

_KINDS = {
    "added": ("added", "green"),
    "removed": ("removed", "red"),
    "moved": ("moved", "blue"),
    "reworded": ("reworded", "orange"),
    "split": ("split", "orange"),
    "merged": ("merged", "orange"),
    "set": ("changed", "violet"),
}


def draw_versions(ws: Workspace, case: CaseRepresentation, listed: tuple[CaseListing, ...]) -> None:
    """Draw all versions of a case, newest first, the difference between two of them, and the way back."""
    reasons = {v.version: get_case(ws, case.case_id, v.version).change_reason for v in listed[-_MOST_REASONS:]}
    rows = [
        {
            "Version": v.version,
            "Made by": v.made_by,
            "At (UTC)": v.made_at.strftime("%Y-%m-%d %H:%M"),
            "Why": reasons.get(v.version, "") or "extraction",
            "State": v.eligibility,
            "Released": "yes" if v.is_released else "no",
            "Open leaks": v.n_open_leaks,
            "Article version": v.article_version,
        }
        for v in reversed(listed)
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, column_config={"Why": st.column_config.TextColumn(width=340)})
    if len(listed) < 2:
        st.caption("There is one version so far: every correction and decision adds one.")
        return
    numbers = [v.version for v in reversed(listed)]
    st.subheader("What differs")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        older = st.selectbox("From version", numbers, index=1, key=f"diff-old-{case.case_id}-{case.version}", width=160)
        newer = st.selectbox("To version", numbers, index=0, key=f"diff-new-{case.case_id}-{case.version}", width=160)
    with errors_shown():
        draw_changes(differences(ws, case.case_id, older, newer))
    earlier = [number for number in numbers if number != case.version]
    with st.expander("Go back to an earlier version"):
        st.caption("Nothing is deleted: the earlier version comes back as a new one, and leaks are audited again.")
        stem = f"{case.case_id}-{case.version}"
        with st.form(f"restore-{stem}", border=False):
            with st.container(horizontal=True, vertical_alignment="bottom"):
                wanted = st.selectbox("Version", earlier, key=f"restore-version-{stem}", width=160)
                reason = reason_field(f"restore-reason-{stem}")
                pressed = st.form_submit_button("Restore it", icon=":material/undo:")
        if pressed:
            save(lambda: restore(ws, case.case_id, case.version, wanted, signed_as(), reason))


_MOST_REASONS = 60


def draw_changes(changes: tuple[Change, ...]) -> None:
    """Draw what changed, one line each: what happened, where, before and after."""
    if not changes:
        st.caption("They say the same.")
    for change in changes:
        word, colour = _KINDS[change.kind]
        with st.container(border=True):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.badge(word, color=colour)
                where = change.field.replace("_", " ")
                if change.from_field:
                    where = f"{change.from_field.replace('_', ' ')} → {where}"
                st.markdown(f"**{plain(where)}**")
            if change.kind == "moved":
                st.markdown(plain(change.after[0]))
                continue
            before, after = st.columns(2)
            for column, sign, texts in ((before, "−", change.before), (after, "+", change.after)):
                with column:
                    for text in texts:
                        st.markdown(plain(f"{sign} {text}"))
