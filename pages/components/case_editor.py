"""Correcting a case: the values of a field in other words of the article, split, merged, or moved elsewhere."""

import streamlit as st

from core.domain.case import CaseRepresentation, Element, Value
from core.services.correcting import correct_field, move_value
from core.services.workspace import Workspace
from pages.components.saving import reason_field, save, signed_as
from pages.components.words import element_name

_DIAGNOSIS = {"final_diagnosis": "Reported diagnosis", "reasoning": "Diagnostic reasoning of the article"}


def field_names(case: CaseRepresentation) -> dict[str, str]:
    """Give every field that can be corrected, key -> name on screen, in the order of the flow."""
    names = {element.value: element_name(element) for element in Element}
    for figure in case.figures:
        label = figure.label or figure.figure_id
        names[f"{figure.figure_id}.findings"] = f"{label}: what it shows"
        names[f"{figure.figure_id}.significance"] = f"{label}: what it means"
    return names | _DIAGNOSIS


def values_of(case: CaseRepresentation, field: str) -> tuple[Value, ...]:
    """Give the values of a field by its key."""
    if field in _DIAGNOSIS:
        return getattr(case, field)
    figure_id, dot, kind = field.partition(".")
    if dot:
        figure = next((one for one in case.figures if one.figure_id == figure_id), None)
        return getattr(figure, kind) if figure else ()
    return case.values(Element(field))


def lines_of(values: tuple[Value, ...]) -> str:
    """Give values one a line."""
    return "\n".join(" ".join(value.text.split()) for value in values)


def texts_of(lines: str, values: tuple[Value, ...]) -> list[str]:
    """Give the texts that lines stand for: an unchanged line is its value's own text, with its line breaks."""
    own = {" ".join(value.text.split()): value.text for value in values}
    return [own.get(" ".join(line.split()), line.strip()) for line in lines.splitlines() if line.strip()]


def draw_editor(ws: Workspace, case: CaseRepresentation) -> None:
    """Draw the correction of one field, and the move of one value."""
    names = field_names(case)
    with st.container(border=True):
        field = st.selectbox(
            "Field",
            list(names),
            format_func=lambda key: f"{names[key]} ({len(values_of(case, key))})",
            key=f"edit-field-{case.case_id}",
        )
        values = values_of(case, field)
        stem = f"{case.case_id}-{case.version}-{field}"
        with st.form(f"edit-{stem}", border=False):
            lines = st.text_area(
                "Values, one a line",
                value=lines_of(values),
                height=max(120, 46 + 28 * (len(values) + sum(len(value.text) // 110 for value in values))),
                key=f"edit-values-{stem}",
                help="Use the article's own words. Two lines instead of one split a value, one instead of two merge "
                "them, a removed line removes it.",
            )
            with st.container(horizontal=True, vertical_alignment="bottom"):
                reason = reason_field(f"edit-reason-{stem}")
                pressed = st.form_submit_button("Save as a new version", type="primary", icon=":material/save:")
        if pressed:
            texts = texts_of(lines, values)
            save(lambda: correct_field(ws, case.case_id, case.version, field, texts, signed_as(), reason))
    movable = [value for values in case.elements.values() for value in values]
    if movable:
        with st.container(border=True):
            _draw_move(ws, case, movable)


def _draw_move(ws: Workspace, case: CaseRepresentation, movable: list[Value]) -> None:
    texts = {value.id: value.text for value in movable}
    stem = f"{case.case_id}-{case.version}"
    with st.form(f"move-{stem}", border=False):
        value_id = st.selectbox(
            "Move a value to another element, so to another stage",
            list(texts),
            index=None,
            placeholder="choose a value",
            format_func=lambda one: f"{one.rsplit('-', 1)[0].replace('_', ' ')}: {texts[one][:150]}",
            key=f"move-value-{stem}",
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            to = st.selectbox(
                "To", list(Element), index=None, placeholder="element", format_func=element_name, key=f"move-to-{stem}"
            )
            reason = reason_field(f"move-reason-{stem}")
            pressed = st.form_submit_button("Move", icon=":material/move_down:")
    if pressed and value_id and to:
        save(lambda: move_value(ws, case.case_id, case.version, value_id, to, signed_as(), reason))
    elif pressed:
        st.warning("Choose a value and where it belongs.", icon=":material/info:")
