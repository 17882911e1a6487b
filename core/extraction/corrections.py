"""Corrections of a field's values by a person, each a new version of the case.

A correction never invents: a value's text must be found in the article, exactly, after levelling white space and
punctuation, or closely (with its ratio); else it is refused, or kept aside as unsupported when the caller asks so.
"""

from collections.abc import Sequence
from datetime import datetime

from core.domain.article import CaseReport
from core.domain.case import CaseRepresentation, Element, UnsupportedValue, Value
from core.domain.record import MadeBy
from core.errors import InvalidInput
from core.extraction.eligibility import decide_eligibility
from core.extraction.leaks import audit_leaks
from core.extraction.spans import find_quote

DIAGNOSIS_FIELD = "final_diagnosis"
REASONING_FIELD = "reasoning"


def correct_case(
    article: CaseReport,
    case: CaseRepresentation,
    field: str,
    texts: Sequence[str],
    *,
    who: str,
    at: datetime,
    reason: str = "",
    code_version: str = "",
    keep_unsupported: bool = False,
) -> CaseRepresentation:
    """Give the next version of the case with one field's values replaced, spans found again, and audited again.

    Args:
        article: the article version the case was extracted from.
        case: the version the correction was made on.
        field: a key of `Element`, `final_diagnosis`, `reasoning`, or `<figure id>.findings` or
            `<figure id>.significance`.
        texts: the field's new values in order; empty texts are left out. An unchanged text keeps its spans and id.
        who: the person.
        at: when, with its zone.
        reason: why.
        code_version: version of this program.
        keep_unsupported: keep a text that is not in the article aside as unsupported instead of refusing it.

    Raises:
        InvalidInput: the field is unknown, or a text is not in the article and is not to be kept aside.
    """
    old = _values_of(case, field)
    by_text = {value.text: value for value in old}
    values: list[Value] = []
    unsupported = [one for one in case.unsupported if one.field != field]
    used = {value.id for value in old if value.text in texts}
    for text in (one.strip() for one in texts):
        if not text:
            continue
        if text in by_text:
            values.append(by_text[text])
            continue
        span = find_quote(article, text)
        if span is None:
            if not keep_unsupported:
                raise InvalidInput(
                    f"These words do not stand in the article: “{text[:80]}”.", "Use the article's own words."
                )
            unsupported.append(UnsupportedValue(field=field, text=text))
            continue
        new_id = next(f"{_stem(field)}-{n}" for n in range(1, 10_000) if f"{_stem(field)}-{n}" not in used)
        used.add(new_id)
        values.append(Value(id=new_id, text=text, spans=(span,)))
    changed = {value.id for value in old if value not in values} | {value.id for value in values if value not in old}
    updated = _with_values(case, field, tuple(values)).model_copy(
        update={
            "version": case.version + 1,
            "unsupported": tuple(unsupported),
            "leaks": tuple(hit for hit in case.leaks if hit.value_id not in changed),
            "disclosures": tuple(one for one in case.disclosures if one.value_id not in changed),
            "change_reason": reason,
            "made_by": MadeBy(engine="person", model=who, code_version=code_version, at=at),
        }
    )
    eligibility = decide_eligibility(
        article, updated.elements, updated.figures, updated.final_diagnosis, updated.reasoning
    )
    return audit_leaks(article, updated.model_copy(update={"eligibility": eligibility}))


def _stem(field: str) -> str:
    figure, dot, kind = field.partition(".")
    return f"{figure}-{'finding' if kind == 'findings' else kind}" if dot else field


def _figure_field(case: CaseRepresentation, field: str) -> tuple[int, str] | None:
    figure_id, dot, kind = field.partition(".")
    if dot and kind in ("findings", "significance"):
        for at, figure in enumerate(case.figures):
            if figure.figure_id == figure_id:
                return at, kind
    return None


def _values_of(case: CaseRepresentation, field: str) -> tuple[Value, ...]:
    if field == DIAGNOSIS_FIELD:
        return case.final_diagnosis
    if field == REASONING_FIELD:
        return case.reasoning
    if place := _figure_field(case, field):
        return getattr(case.figures[place[0]], place[1])
    if field in set(Element):
        return case.values(Element(field))
    raise InvalidInput(f"There is no field named {field}.", "")


def _with_values(case: CaseRepresentation, field: str, values: tuple[Value, ...]) -> CaseRepresentation:
    if field in (DIAGNOSIS_FIELD, REASONING_FIELD):
        return case.model_copy(update={field: values})
    if place := _figure_field(case, field):
        at, kind = place
        figures = list(case.figures)
        figures[at] = figures[at].model_copy(update={kind: values})
        return case.model_copy(update={"figures": tuple(figures)})
    return case.model_copy(update={"elements": {**case.elements, Element(field): values}})
