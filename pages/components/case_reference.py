"""The reference dialogue of a case beside the references it was written from, and what it loses of them."""

import streamlit as st

from core.domain.case import CaseRepresentation
from core.domain.dialogue import DialogueKind, Stage
from core.domain.items import Level, Target
from core.services.dialogues import get_dialogue, list_dialogues, write_reference
from core.services.evaluating import evaluate, newest_evaluation
from core.services.reference_check import ReferenceCheck
from core.services.workspace import Workspace
from pages.components.notices import empty, errors_shown
from pages.components.words import count_of, plain, stage_name, target_name


def draw_reference(ws: Workspace, case: CaseRepresentation, check: ReferenceCheck | None) -> None:
    """Draw the newest reference dialogue of this version turn by turn beside its references, with its evaluation."""
    if check and check.lost:
        st.warning(f"Lost from the diagnosis: {plain('; '.join(check.lost))}.", icon=":material/flag:")
    elif check and check.n_items:
        st.caption(f":material/check: {check.n_items} of {count_of(check.n_items, 'diagnosis item')} told.")
    listed = list_dialogues(ws, case.case_id, case.version, DialogueKind.REFERENCE)
    if not listed:
        if not case.eligibility.is_eligible:
            empty("No reference dialogue", "It is written for eligible cases only; the reasons stand above.")
            return
        empty("No reference dialogue of this version yet", "Compose it from the article's sentences, without a model.")
        if st.button("Compose and evaluate it", type="primary", key=f"reference-{case.case_id}-{case.version}"):
            with errors_shown():
                evaluate(ws, write_reference(ws, case.case_id, case.version).id)
                st.rerun()
        return
    dialogue = get_dialogue(ws, listed[-1].id)
    evaluation = newest_evaluation(ws, dialogue.id)
    st.caption(f"Written by {dialogue.made_by.model} · {count_of(len(dialogue.turns), 'turn')}")
    if evaluation is None:
        if st.button("Evaluate it", key=f"evaluate-{dialogue.id}"):
            with errors_shown():
                evaluate(ws, dialogue.id)
                st.rerun()
    else:
        words = []
        for target in Target:
            counts = [one.counts(Level.LENIENT) for one in evaluation.results if one.target is target]
            scored = [one for one in counts if one is not None]
            total = sum(one.tp + one.fn for one in scored)
            words.append(f"{target_name(target)}: {sum(one.tp for one in scored)} of {count_of(total, 'item')} told")
        st.markdown(" · ".join(words))
    figures = {figure.figure_id: figure for figure in case.figures}
    for turn in dialogue.turns:
        staged = turn.staged
        title = f"Turn {staged.index} · {stage_name(staged.stage)}"
        with st.container(border=True):
            st.markdown(f"**{plain(title + (f' · {staged.figure_label}' if staged.figure_label else ''))}**")
            references, answer = st.columns(2)
            with references:
                st.caption("References")
                if staged.stage is Stage.SYNTHESIS:
                    groups = {"Reasoning": case.reasoning, "Diagnosis": case.final_diagnosis}
                elif staged.figure_id in figures:
                    figure = figures[staged.figure_id]
                    groups = {"Shows": figure.findings, "Means": figure.significance}
                else:
                    groups = {}
                    st.caption("It restates what is disclosed at this turn.")
                for name, values in groups.items():
                    for value in values:
                        st.markdown(f"{name}: {plain(value.text)}")
            with answer:
                st.caption("Reference answer")
                st.text(turn.response if turn.response is not None else f"No answer: {turn.problem}")
                if not turn.is_evaluable:
                    st.caption("Not scored: the article reports no finding for this figure.")
