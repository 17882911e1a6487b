"""The leak audit of a case: its strip, its hits with their decisions, and the release of a held case."""

import streamlit as st

from core.domain.case import CaseRepresentation, LeakAction, LeakHit, LeakPolicy, Verdict
from core.services.correcting import decide_leak, release
from core.services.reference_check import ReferenceCheck
from core.services.workspace import Workspace
from pages.components.notices import empty
from pages.components.saving import reason_field, save, signed_as
from pages.components.words import action_words, count_of, plain, verdict_words

_COLOURS = {Verdict.BLOCKS: "red", Verdict.WARNS: "orange", Verdict.NOTES: "gray"}
_ACTIONS = (LeakAction.WITHHELD, LeakAction.TRIMMED, LeakAction.MOVED, LeakAction.EDITED, LeakAction.WAIVED)
_POLICIES = {
    LeakPolicy.HOLD: "hold: the case waits for a person",
    LeakPolicy.AUTO: "auto: what blocks is cut or withheld, what warns is moved to synthesis",
}


def leak_strip(case: CaseRepresentation) -> str:
    """Give the audit in one line: `2 block (1 open) · 3 warn · 1 note · released: no`."""
    parts = []
    for verdict, one, many in (
        (Verdict.BLOCKS, "block", "block"),
        (Verdict.WARNS, "warn", "warn"),
        (Verdict.NOTES, "note", "notes"),
    ):
        hits = [hit for hit in case.leaks if hit.verdict is verdict]
        n_open = sum(hit.action is LeakAction.NONE for hit in hits) if verdict is not Verdict.NOTES else 0
        parts.append(f"{len(hits)} {one if len(hits) == 1 else many}" + (f" ({n_open} open)" if n_open else ""))
    return " · ".join([*parts, f"released: {'yes' if case.is_released else 'no'}"])


def draw_release(ws: Workspace, case: CaseRepresentation, check: ReferenceCheck | None) -> None:
    """Draw what stands between a case and its release, and the release of a held one."""
    n_open = sum(hit.is_open for hit in case.leaks)
    if check and check.lost:
        st.warning(
            "The reference dialogue loses what the article diagnoses: " + plain("; ".join(check.lost)) + ". Look at "
            "the reported diagnosis before you release the case.",
            icon=":material/flag:",
        )
    if case.is_released or not case.eligibility.is_eligible:
        return
    if n_open:
        st.error(
            f"Not released: {count_of(n_open, 'blocking hit')} {'is' if n_open == 1 else 'are'} open. Decide about "
            "each under Leak audit.",
            icon=":material/lock:",
        )
    if case.held_reason:
        st.error(f"Held: {case.held_reason}", icon=":material/lock:")
        with st.form(f"release-{case.case_id}-{case.version}", border=False):
            with st.container(horizontal=True, vertical_alignment="bottom"):
                reason = reason_field(
                    f"release-reason-{case.case_id}-{case.version}", label="Why what is left is enough"
                )
                pressed = st.form_submit_button("Release the case", disabled=bool(n_open), icon=":material/lock_open:")
        if pressed:
            save(lambda: release(ws, case.case_id, case.version, signed_as(), reason))


def draw_leaks(ws: Workspace, case: CaseRepresentation) -> None:
    """Draw the audit's hits, open ones first, each with its decision."""
    st.caption(f"Policy {_POLICIES[case.leak_policy]}.")
    if not case.final_diagnosis:
        empty("Nothing to search for", "The case has no final diagnosis, so no text can be searched for it.")
        return
    if not case.leaks:
        empty("No hit", "No text that a model would see names the answer or a part of it.")
        return
    st.caption(
        "Every text a model would see was searched for the answer, the synthesis turn too. A case is released when no "
        "blocking hit is open. Each decision makes a new version of the case."
    )
    texts = {value.id: value.text for values in case.elements.values() for value in values}
    numbered = list(enumerate(case.leaks))
    for number, hit in sorted(numbered, key=lambda pair: (*_urgency(pair[1]), pair[1].turn, pair[0])):
        if hit.verdict is not Verdict.NOTES:
            with st.container(border=True):
                _draw_hit(ws, case, number, hit, texts.get(hit.value_id, hit.text))
    notes = [hit for hit in case.leaks if hit.verdict is Verdict.NOTES]
    if notes:
        with st.expander(f"{count_of(len(notes), 'note')}: words of the answer where they may stand"):
            for hit in notes:
                st.markdown(f"Turn {hit.turn}, {hit.stage}: names **{plain(hit.term)}**")
                st.text(with_hit_marked(texts.get(hit.value_id, hit.text), hit))


def _urgency(hit: LeakHit) -> tuple[bool, bool]:
    return not hit.is_open, hit.action is not LeakAction.NONE


def _draw_hit(ws: Workspace, case: CaseRepresentation, number: int, hit: LeakHit, text: str) -> None:
    words, decision = st.columns([3, 2])
    with words:
        st.badge(verdict_words(hit.verdict), color=_COLOURS[hit.verdict])
        st.markdown(f"Turn {hit.turn}, {hit.stage}: names **{plain(hit.term)}**")
        st.text(with_hit_marked(text, hit))
        for change in case.disclosures:
            if change.value_id == hit.value_id:
                where = "at synthesis" if change.moved_to_synthesis else "shown"
                st.caption(f"Now {where}: {plain(change.text)}" if change.text else "Now: never shown")
    key = f"leak-{case.case_id}-{case.version}-{number}"
    with decision:
        if hit.action is LeakAction.NONE:
            _draw_decision(ws, case, number, hit, key)
            return
        st.markdown(f"**{action_words(hit.action)}** by {hit.decided_by or 'automatic'}")
        if hit.reason:
            st.caption(plain(hit.reason.replace("`", "")))
        if st.button("Decide again", key=f"{key}-again", help="Takes every decision on this value back."):
            save(
                lambda: decide_leak(
                    ws, case.case_id, case.version, number, LeakAction.NONE, signed_as(), "decision taken back"
                )
            )


def _draw_decision(ws: Workspace, case: CaseRepresentation, number: int, hit: LeakHit, key: str) -> None:
    can_move = hit.verdict is Verdict.WARNS and hit.stage != "synthesis"
    is_value = hit.value_id not in ("label", "modality")
    actions = [one for one in _ACTIONS if can_move or one is not LeakAction.MOVED] if is_value else [LeakAction.WAIVED]
    action = st.selectbox(
        "Decision", actions, index=None, format_func=action_words, placeholder="what to do", key=f"{key}-action"
    )
    text = None
    if action is LeakAction.EDITED:
        value = next((v.text for values in case.elements.values() for v in values if v.id == hit.value_id), "")
        text = st.text_area("Words to show instead", value=value, key=f"{key}-text")
    reason = st.text_input("Reason", key=f"{key}-reason", placeholder="needed when waived")
    if st.button("Save decision", key=f"{key}-save", disabled=action is None):
        save(lambda: decide_leak(ws, case.case_id, case.version, number, action, signed_as(), reason, text))


def with_hit_marked(text: str, hit: LeakHit) -> str:
    """Give the text with the hit's words in brackets; unchanged when they do not stand where the hit says."""
    if text[hit.start : hit.end] != hit.text:
        return text
    return f"{text[: hit.start]}⟦{hit.text}⟧{text[hit.end :]}"
