"""The parts of the page Studies: one study from its coverage to its lock."""

from datetime import datetime

import pandas as pd
import streamlit as st

from core.domain.review import Study
from core.services import studies, study_files, study_progress
from core.services.workspace import Workspace
from pages.components.consent_form import draw_decisions
from pages.components.notices import errors_shown

_SIGNS = {"committed": "✓ committed", "in progress": "◐ in progress", "left": "○ left", "set aside": "⏸ set aside"}


def time_words(at: datetime) -> str:
    """Give a time for people, in UTC."""
    return f"{at:%Y-%m-%d %H:%M} UTC"


def table(rows: list[dict]) -> None:
    """Draw rows as a read-only table."""
    st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch")


def draw_coverage(ws: Workspace, study: Study) -> None:
    """Draw who has which dialogue, and how far; cases and settings once they may be named."""
    covered = studies.coverage(ws, study.id)
    if not covered:
        st.write("Nobody has been given a dialogue of this study yet.")
        return
    rows = []
    for line in covered:
        row = {"Dialogue": line.label}
        if line.case_id:
            row |= {"Case": line.case_id, "Setting": line.setting, "Hidden control": "yes" if line.is_control else ""}
        row["Committed"] = sum(state == "committed" for state in line.states.values())
        rows.append(row | {name: _SIGNS[state] for name, state in line.states.items()})
    table(rows)
    if st.button("Preview as a reviewer", icon=":material/visibility:", help="Nothing is recorded"):
        st.switch_page("review/preview.py", query_params={"study": study.id})


def draw_adding(ws: Workspace, study: Study) -> None:
    """Draw the way to give more reviewers this study's dialogues."""
    people = {r.id: r.name for r in studies.reviewers(ws)}
    add, go = st.columns([3, 1], vertical_alignment="bottom")
    more = add.multiselect("Give this study's dialogues to", list(people), format_func=people.get, key="more")
    if go.button("Assign", disabled=not more or study.locked_at is not None, width="stretch"):
        with errors_shown():
            n_new = studies.add_to_study(ws, study.id, more)
            st.toast(f"{n_new} new assignments.")
            st.rerun()


def draw_progress(ws: Workspace, study: Study) -> None:
    """Draw progress and time per reviewer, then what they report."""
    lines = study_progress.progress(ws, study.id)
    if not lines:
        st.write("Nobody has been given a dialogue of this study yet.")
        return
    table(
        [
            {
                "Reviewer": line.name,
                "Committed": f"{line.n_committed} of {line.n_assigned}",
                "In progress": line.n_in_progress,
                "Set aside": line.n_set_aside,
                "Active": _minutes(line.active_s),
                "Idle": _minutes(line.idle_s),
                "Median per dialogue": _minutes(line.median_active_s),
                "Too fast": line.n_too_fast,
                "Last seen": time_words(line.last_at) if line.last_at else "never",
            }
            for line in lines
        ]
    )
    st.write(
        f"Time until the commit, from the log: gaps of more than {study_progress.PAUSE_S // 60} minutes are idle. Too "
        f"fast: less than {study_progress.FAST_S_PER_TURN} active seconds a turn. Entered paper forms have no time."
    )
    st.subheader("What reviewers report")
    found = study_progress.reports(ws, study.id)
    if not found:
        st.write("No problem has been reported and nothing was set aside.")
    for report in found:
        st.text(f"{report.label} · {report.reviewer} · {report.what}")
    draw_decisions(ws)


def _minutes(seconds: float | None) -> str:
    if seconds is None:
        return "none yet"
    return f"{seconds / 60:.1f} min"


def draw_links(ws: Workspace, study: Study) -> None:
    """Draw one link per reviewer to their reviews."""
    st.write(
        "Each link opens that reviewer's own list. Whoever has a link can rate under its name: send it to one person."
    )
    base = (st.context.url or "").split("?")[0].rsplit("/", 1)[0]
    people = {r.id: r.name for r in studies.reviewers(ws)}
    mine = dict.fromkeys(a.reviewer_id for a in studies.assignments_of(ws, study.id))
    if not mine:
        st.write("Nobody has been given a dialogue of this study yet.")
    for reviewer_id in mine:
        st.text(people[reviewer_id])
        st.code(f"{base}/my_reviews?reviewer={reviewer_id}", language=None)


def draw_layout(ws: Workspace, study: Study) -> None:
    """Draw what was laid down when the study was made."""
    design = study.design
    seed = study.order_seed if design.blinding_seed is None else design.blinding_seed
    facts = {
        "Created": time_words(study.created_at),
        "Instrument": f"version {study.instrument_version}, {study.length.value} form",
        "Order seed": study.order_seed,
        "Blinding seed (labels)": seed,
        "Reviewers for each dialogue": design.overlap or "everyone",
        "Copy of": next((s.study.name for s in studies.studies(ws) if s.study.id == design.cloned_from), "no study"),
    }
    table([{"What": name, "Value": str(value)} for name, value in facts.items()])


def draw_files(ws: Workspace, study: Study) -> None:
    """Draw the assignments as a file, out and in."""
    st.write("A dialogue's id may tell its setting: open the file only if you do not rate in this study yourself.")
    st.download_button(
        "Export the assignments (CSV)",
        lambda: study_files.assignments_csv(ws, study.id),
        file_name="assignments.csv",
        mime="text/csv",
        icon=":material/download:",
    )
    file = st.file_uploader("Assignments to add (CSV with reviewer and dialogue_id)", type="csv", key="assignments")
    if st.button("Add these assignments", disabled=file is None or study.locked_at is not None):
        with errors_shown():
            entered = study_files.enter_assignments(ws, study.id, file.getvalue().decode("utf-8", "replace"))
            st.success(f"{entered.n_new} assignments added, {entered.n_known} were there already.")


def draw_closing(ws: Workspace, study: Study) -> None:
    """Draw the recorded unblinding, the lock, and the copy."""
    unblind, lock, copy = st.columns(3, gap="large")
    with unblind:
        st.subheader("Unblind")
        for entry in studies.unblindings(ws, study.id):
            st.text(f"{time_words(entry.at)}: {entry.who}: {entry.why}")
        if study.locked_at is None:
            with st.form("unblind", border=False):
                st.write("Shows cases and settings on this page. Who, when and why are kept for good.")
                who = st.text_input("Your name", max_chars=80)
                why = st.text_input("Reason", max_chars=500)
                if st.form_submit_button("Unblind"):
                    with errors_shown():
                        studies.unblind(ws, study.id, who, why)
                        st.rerun()
    with lock:
        st.subheader("Lock")
        if study.locked_at is None:
            st.write("After locking nothing more can be entered. It cannot be unlocked.")
            if st.button("Lock now", key="lock"):
                with errors_shown():
                    studies.lock(ws, study.id)
                    st.rerun()
        else:
            st.write(f"Locked {time_words(study.locked_at)}.")
            st.page_link("results/export_data.py", label="Export the ratings", icon=":material/download:")
    with copy, st.form("copy", border=False):
        st.subheader("Copy")
        st.write("The same dialogues, layout and seeds for other reviewers; no rating is copied.")
        name = st.text_input("Name of the copy", max_chars=120)
        people = {r.id: r.name for r in studies.reviewers(ws)}
        takers = st.multiselect("Reviewers of the copy", list(people), format_func=people.get)
        if st.form_submit_button("Copy this study"):
            with errors_shown():
                st.query_params["study"] = studies.clone(ws, study.id, name, takers).id
                st.session_state.pop("study", None)
                st.rerun()
