"""Corrections by a person that are not about words: figures set right, values moved, images attached, undoing."""

from collections.abc import Iterable
from datetime import datetime

from core.domain.article import CaseReport
from core.domain.case import CaseRepresentation, Element, FigureFlag, Modality
from core.domain.record import MadeBy
from core.errors import InvalidInput, NotFound
from core.extraction.eligibility import decide_eligibility
from core.extraction.leaks import audit_leaks


def correct_figure(
    article: CaseReport,
    case: CaseRepresentation,
    figure_id: str,
    *,
    who: str,
    at: datetime,
    reason: str = "",
    code_version: str = "",
    modality: Modality | None = None,
    flags: Iterable[FigureFlag] | None = None,
    is_excluded: bool | None = None,
) -> CaseRepresentation:
    """Give the next version of the case with a figure's modality, flags or exclusion changed, audited again.

    Args:
        article: the article version the case was extracted from.
        case: the version the correction was made on.
        figure_id: the figure.
        who: the person.
        at: when, with its zone.
        reason: why; needed to exclude a figure.
        code_version: version of this program.
        modality: the right modality; unchanged when None.
        flags: all flags that hold; unchanged when None.
        is_excluded: left out of dialogues or not; unchanged when None.

    Raises:
        NotFound: the case has no such figure.
        InvalidInput: a figure is excluded without a reason.
    """
    at_index = next((n for n, one in enumerate(case.figures) if one.figure_id == figure_id), None)
    if at_index is None:
        raise NotFound(f"The case has no figure {figure_id}.", "Reload the case.")
    if is_excluded and not reason.strip():
        raise InvalidInput("A figure can be excluded only with a reason.", "Say why it is no evidence of this case.")
    update: dict[str, object] = {}
    if modality is not None:
        update["modality"] = modality
    if flags is not None:
        update["flags"] = tuple(dict.fromkeys(flags))
    if is_excluded is not None:
        update["is_excluded"] = is_excluded
    figures = list(case.figures)
    figures[at_index] = figures[at_index].model_copy(update=update)
    changed = case.model_copy(update={"figures": tuple(figures)})
    return _next_version(article, changed, who, at, reason, code_version)


def move_value(
    article: CaseReport,
    case: CaseRepresentation,
    value_id: str,
    to: Element,
    *,
    who: str,
    at: datetime,
    reason: str = "",
    code_version: str = "",
) -> CaseRepresentation:
    """Give the next version of the case with one value in another element, so at another stage, audited again.

    The value keeps its text and spans and gets the next free id of its new element; decisions on it are taken back,
    since they were made for another stage. It stands after the values of its new element.

    Raises:
        NotFound: no element holds such a value.
        InvalidInput: it stands there already.
    """
    source = next((key for key, values in case.elements.items() if any(one.id == value_id for one in values)), None)
    if source is None:
        raise NotFound(f"No element of the case holds a value {value_id}.", "Reload the case.")
    if source is to:
        raise InvalidInput(f"The value stands in {to} already.", "")
    value = next(one for one in case.elements[source] if one.id == value_id)
    used = {one.id for one in case.values(to)}
    new_id = next(f"{to.value}-{n}" for n in range(1, 10_000) if f"{to.value}-{n}" not in used)
    elements = {
        **case.elements,
        source: tuple(one for one in case.elements[source] if one.id != value_id),
        to: (*case.values(to), value.model_copy(update={"id": new_id})),
    }
    changed = case.model_copy(
        update={
            "elements": {key: values for key, values in elements.items() if values},
            "leaks": tuple(hit for hit in case.leaks if hit.value_id != value_id),
            "disclosures": tuple(one for one in case.disclosures if one.value_id != value_id),
        }
    )
    return _next_version(article, changed, who, at, reason, code_version)


def reassess(
    article: CaseReport,
    case: CaseRepresentation,
    *,
    article_version: int,
    who: str,
    at: datetime,
    reason: str,
    code_version: str = "",
) -> CaseRepresentation:
    """Give the next version of the case on a newer version of its article whose text is the same.

    Made for an image attached by hand: eligibility is decided again and the audit made again; values stay.

    Raises:
        InvalidInput: a value's span no longer holds the value's text, so the case must be extracted again.
    """
    _check_spans(article, case)
    changed = case.model_copy(update={"article_version": article_version})
    return _next_version(article, changed, who, at, reason, code_version)


def restore_version(
    article: CaseReport,
    earlier: CaseRepresentation,
    newest_version: int,
    *,
    article_version: int,
    who: str,
    at: datetime,
    reason: str,
    code_version: str = "",
) -> CaseRepresentation:
    """Give an earlier version of the case as the next one, eligibility decided and leaks audited again.

    Args:
        article: the article version to rest on.
        earlier: the version to go back to, with its decisions on leaks.
        newest_version: number of the newest version; the result is the one after it.
        article_version: stored version of `article`.
        who: the person.
        at: when, with its zone.
        reason: why.
        code_version: version of this program.

    Raises:
        InvalidInput: the article has changed, so that the earlier values no longer stand where they stood.
    """
    _check_spans(article, earlier)
    again = earlier.model_copy(update={"version": newest_version, "article_version": article_version})
    return _next_version(article, again, who, at, reason, code_version)


def _check_spans(article: CaseReport, case: CaseRepresentation) -> None:
    changed = InvalidInput("The article's text has changed.", "Extract the case again.")
    values = [*case.final_diagnosis, *case.reasoning, *(one for group in case.elements.values() for one in group)]
    values += [one for figure in case.figures for one in (*figure.findings, *figure.significance)]
    known = {part.id for part in article.parts}
    if {figure.figure_id for figure in case.figures} != {figure.id for figure in article.figures}:
        raise changed
    for value in values:
        for span in value.spans:
            if span.part not in known:
                raise changed
            if span.found == "exact" and article.text_at(span) not in value.text:
                raise changed


def _next_version(
    article: CaseReport, case: CaseRepresentation, who: str, at: datetime, reason: str, code_version: str
) -> CaseRepresentation:
    eligibility = decide_eligibility(article, case.elements, case.figures, case.final_diagnosis, case.reasoning)
    return audit_leaks(
        article,
        case.model_copy(
            update={
                "version": case.version + 1,
                "eligibility": eligibility,
                "change_reason": reason,
                "made_by": MadeBy(engine="person", model=who, code_version=code_version, at=at),
            }
        ),
    )
