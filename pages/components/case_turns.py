"""What the model sees: every turn as it is sent, hits of the leak audit marked, and what is left out."""

import streamlit as st

from core.domain.case import CaseRepresentation
from core.domain.dialogue import DisclosurePlan
from core.services.workspace import Workspace
from pages.components.case_parts import draw_image
from pages.components.marked_text import marked_text, marks_of
from pages.components.words import count_of, plain, stage_name


def draw_turns(ws: Workspace, case: CaseRepresentation, plan: DisclosurePlan) -> None:
    """Draw every turn exactly as a model receives it, and what is left out with its reason."""
    st.caption(
        "Byte for byte what every model receives: the whole conversation so far is sent each time, images without "
        "their names and metadata. Words of the answer that are still in a turn are marked: double line blocks, dashed "
        "warns, dotted notes."
    )
    with st.expander("Instruction before the first turn"):
        st.text(plan.system_prompt)
    for turn in plan.turns:
        marks = marks_of(case, turn)
        title = f"Turn {turn.index} · {stage_name(turn.stage)}"
        if turn.figure_label:
            title += f" · {turn.figure_label}"
        if marks:
            title += f" · {count_of(len(marks), 'hit')}"
        with st.expander(title, expanded=turn.index == 1 or any(mark.hit.is_open for mark in marks)):
            text, pictures = st.columns([3, 2]) if turn.images else (st.container(), None)
            with text:
                if marks:
                    marked_text(turn.prompt, marks, f"turn-{case.case_id}-{case.version}-{turn.index}")
                else:
                    st.text(turn.prompt)
            if pictures:
                with pictures:
                    for number, image in enumerate(turn.images, start=1):
                        draw_image(ws, image.original, f"image {number}, {turn.modality}")
    if plan.skipped:
        st.markdown("**Not shown to a model**")
        for skipped in plan.skipped:
            name = stage_name(skipped.stage) + (f", {skipped.figure_id}" if skipped.figure_id else "")
            st.caption(f"{name}: {skipped.reason}")
    if plan.withheld:
        texts = {value.id: value.text for values in case.elements.values() for value in values}
        with st.expander(f"{count_of(len(plan.withheld), 'value')} withheld"):
            for row in plan.withheld:
                words = plain(texts.get(row.value_id, row.value_id))
                st.caption(f"{row.field.replace('_', ' ')}, {row.reason}: {words}")
