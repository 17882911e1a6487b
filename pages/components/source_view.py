"""The article beside what was extracted from it; a click on either side finds the other."""

from pathlib import Path

import streamlit as st

from core.domain.article import CaseReport, PartKind
from core.domain.case import EXAMINATION_ELEMENTS, HISTORY_ELEMENTS, CaseRepresentation, Element, Value
from pages.components.words import element_name

_HERE = Path(__file__).parent
_source_view = st.components.v2.component(
    "source_view",
    html='<div class="source-view"><div class="pane article" tabindex="0" role="region" aria-label="Article"></div>'
    '<div class="pane values" tabindex="0" role="region" aria-label="Extracted values"></div></div>',
    css=(_HERE / "source_view.css").read_text(encoding="utf-8"),
    js=(_HERE / "source_view.js").read_text(encoding="utf-8"),
)


def _group(element: Element) -> str:
    if element in HISTORY_ELEMENTS:
        return "history"
    if element in EXAMINATION_ELEMENTS:
        return "examination"
    if element in (Element.KEY_FINDINGS, Element.DIAGNOSTIC_METHODS, Element.TIMELINE):
        return "key"
    return "later"


def _row(value: Value, group: str, label: str) -> dict:
    note = how_found(value)
    spans = [{"part": s.part, "start": s.start, "end": s.end} for s in value.spans]
    return {"id": value.id, "group": group, "label": label, "text": value.text, "note": note, "spans": spans}


def how_found(value: Value) -> str:
    """Give how a value was found in the article when that was not word for word, with its likeness; empty else."""
    notes = []
    for span in value.spans:
        if span.found == "normalised":
            notes.append("found after levelling spaces and punctuation")
        elif span.found == "fuzzy":
            notes.append(f"found by likeness, {span.ratio:.0%} the same letters")
    return ", ".join(dict.fromkeys(notes))


def value_rows(case: CaseRepresentation) -> list[dict]:
    """Give every stored value with its group and spans, in the order of the flow."""
    rows = [
        _row(value, _group(element), element_name(element)) for element in Element for value in case.values(element)
    ]
    for figure in case.figures:
        name = figure.label or figure.figure_id
        rows += [_row(v, "figure", f"{name}: what it shows") for v in figure.findings]
        rows += [_row(v, "figure", f"{name}: what it means") for v in figure.significance]
    rows += [_row(v, "answer", "Reported diagnosis") for v in case.final_diagnosis]
    return rows + [_row(v, "answer", "Diagnostic reasoning of the article") for v in case.reasoning]


def source_view(article: CaseReport, case: CaseRepresentation, key: str) -> None:
    """Draw the article's text beside the case's values.

    Args:
        article: the version the case was made from.
        case: the representation; a value without a span in a drawn part is listed all the same.
        key: identity of the component: case and version.
    """
    labels = {figure.caption_part: figure.label for figure in article.figures if figure.caption_part}
    parts = []
    for part in article.parts:
        if part.kind is PartKind.KEYWORDS or not part.text:
            continue
        title = labels.get(part.id) if part.kind is PartKind.CAPTION else " › ".join(part.path)
        parts.append({"id": part.id, "title": title or part.kind.value.capitalize(), "text": part.text})
    _source_view(key=f"source-{key}", data={"parts": parts, "values": value_rows(case)}, height="content")
