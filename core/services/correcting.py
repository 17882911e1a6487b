"""Corrections of a case by a person: each is a new version with who, when and why, audited again for leaks."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from core import __version__
from core.domain.case import CaseRepresentation, Element, FigureFlag, LeakAction, Modality
from core.domain.record import MadeBy
from core.errors import Conflict, InvalidInput, NotFound
from core.extraction import (
    Change,
    apply_decision,
    compare_versions,
    correct_case,
    reassess,
    restore_version,
    wording_problems,
)
from core.extraction import correct_figure as figure_corrected
from core.extraction import move_value as value_moved
from core.services import importing
from core.services.cases import article_of, get_article, get_case
from core.services.workspace import Workspace
from core.storage import articles, cases

__all__ = [
    "Change",
    "attach_picture",
    "correct_field",
    "correct_figure",
    "decide_leak",
    "differences",
    "move_value",
    "release",
    "restore",
]


def decide_leak(
    workspace: Workspace,
    case_id: str,
    version: int,
    number: int,
    action: LeakAction,
    person: str,
    reason: str = "",
    text: str | None = None,
) -> CaseRepresentation:
    """Record a person's decision about one hit of the leak audit and give the new case version.

    Args:
        workspace: the study.
        case_id: the case.
        version: the version the person saw.
        number: place of the hit in `case.leaks`, from 0.
        action: see `core.extraction.apply_decision`.
        person: who decides.
        reason: needed when waived.
        text: the wording to disclose, when edited.

    Raises:
        NotFound: no such case or hit.
        InvalidInput: a waiver without reason, an action that does not fit the hit, or a wording that names the answer.
        Conflict: the case has a newer version.
    """
    case = _seen(workspace, case_id, version)
    if not 0 <= number < len(case.leaks):
        raise NotFound(f"Case {case_id} has no hit number {number + 1}.", "Look at the case again.")
    hit = case.leaks[number]
    if action is LeakAction.EDITED and text:
        named = wording_problems(article_of(workspace, case), case, hit.value_id, text)
        if named:
            raise InvalidInput(
                f"This wording still names the answer: “{', '.join(named)}”.", "Word it without, or withhold the value."
            )
    decided = apply_decision(
        case, hit, action, person, reason, at=datetime.now(UTC), code_version=__version__, text=text
    )
    return _save(workspace, case, decided)


def correct_field(
    workspace: Workspace, case_id: str, version: int, field: str, texts: Sequence[str], person: str, reason: str
) -> CaseRepresentation:
    """Replace the values of one field by other words of the article; also splits and merges them.

    Args:
        workspace: the study.
        case_id: the case.
        version: the version the person saw.
        field: see `core.extraction.correct_case`.
        texts: the field's new values in order.
        person: who corrects.
        reason: why.

    Raises:
        NotFound: no such case.
        InvalidInput: no reason, the field is unknown, nothing would change, or a text is not in the article.
        Conflict: the case has a newer version.
    """
    case = _seen(workspace, case_id, version)
    made = correct_case(article_of(workspace, case), case, field, texts, **_who(person, reason))
    return _save_changed(workspace, case, made)


def correct_figure(
    workspace: Workspace,
    case_id: str,
    version: int,
    figure_id: str,
    person: str,
    reason: str,
    modality: Modality | None = None,
    flags: Iterable[FigureFlag] | None = None,
    is_excluded: bool | None = None,
) -> CaseRepresentation:
    """Change a figure's modality, flags or use; what is None stays as it is.

    Raises:
        NotFound: no such case or figure.
        InvalidInput: no reason, or nothing would change.
        Conflict: the case has a newer version.
    """
    case = _seen(workspace, case_id, version)
    changes = {"modality": modality, "flags": flags, "is_excluded": is_excluded}
    made = figure_corrected(article_of(workspace, case), case, figure_id, **changes, **_who(person, reason))
    return _save_changed(workspace, case, made)


def move_value(
    workspace: Workspace, case_id: str, version: int, value_id: str, to: Element, person: str, reason: str
) -> CaseRepresentation:
    """Move a value to another element, so to another stage; decisions on its leaks are asked for again.

    Raises:
        NotFound: no such case or value.
        InvalidInput: no reason, or it stands there already.
        Conflict: the case has a newer version.
    """
    case = _seen(workspace, case_id, version)
    return _save(workspace, case, value_moved(article_of(workspace, case), case, value_id, to, **_who(person, reason)))


def attach_picture(
    workspace: Workspace,
    case_id: str,
    version: int,
    figure_id: str,
    name: str,
    data: bytes,
    person: str,
    reason: str = "",
) -> CaseRepresentation:
    """Attach a missing picture to a figure: a new version of the article, and of the case that rests on it.

    Raises:
        NotFound: no such case.
        ImportRefused: the bytes are no picture, or the figure lacks none.
        InvalidInput: the article was imported anew meanwhile and its text has changed.
        Conflict: the case has a newer version.
    """
    case = _seen(workspace, case_id, version)
    article_version = importing.attach_image(workspace, case_id, figure_id, name, data, person)
    made = reassess(
        get_article(workspace, case_id, article_version),
        case,
        article_version=article_version,
        **_who(person, reason or f"picture {name} attached to {figure_id}"),
    )
    return _save(workspace, case, made)


def release(workspace: Workspace, case_id: str, version: int, person: str, reason: str) -> CaseRepresentation:
    """Release a case that the audit holds because clearing its leaks takes away much; gives the new version.

    Raises:
        NotFound: no such case.
        InvalidInput: no reason, the case is not held, or a blocking hit is open.
        Conflict: the case has a newer version.
    """
    case = _seen(workspace, case_id, version)
    n_open = sum(hit.is_open for hit in case.leaks)
    if n_open:
        raise InvalidInput(
            f"Case {case_id} has {n_open} open {'hit' if n_open == 1 else 'hits'} that name the answer.",
            "Decide about them first.",
        )
    if not case.held_reason:
        raise InvalidInput(f"Case {case_id} is not held.")
    if not reason.strip():
        raise InvalidInput("A held case is released for a stated reason.", "Say why what is left is enough.")
    made_by = MadeBy(engine="person", model=person, code_version=__version__, at=datetime.now(UTC))
    update = {"version": version + 1, "held_reason": "", "change_reason": f"released: {reason}", "made_by": made_by}
    return _save(workspace, case, case.model_copy(update=update))


def restore(
    workspace: Workspace, case_id: str, version: int, earlier: int, person: str, reason: str
) -> CaseRepresentation:
    """Give an earlier version again as the newest one. Nothing is deleted; leaks are audited again.

    Args:
        workspace: the study.
        case_id: the case.
        version: the newest version, as the person saw it.
        earlier: the version to go back to.
        person: who.
        reason: why.

    Raises:
        NotFound: no such case or version.
        InvalidInput: no reason, it is the newest version, or the article's text has changed since.
        Conflict: the case has a newer version.
    """
    case = _seen(workspace, case_id, version)
    if earlier == version:
        raise InvalidInput(f"Version {version} is the newest already.", "Choose an earlier one.")
    with workspace.store.read() as session:
        article_id, _ = cases.article_of_case(session, case_id, version)
        article_version = articles.article_version(session, article_id) or case.article_version
    made = restore_version(
        get_article(workspace, article_id, article_version),
        get_case(workspace, case_id, earlier),
        version,
        article_version=article_version,
        **_who(person, reason),
    )
    return _save(workspace, case, made)


def differences(workspace: Workspace, case_id: str, older: int, newer: int) -> tuple[Change, ...]:
    """Give what changed between two versions; empty when they say the same.

    Raises:
        NotFound: no such case or version.
    """
    return compare_versions(get_case(workspace, case_id, older), get_case(workspace, case_id, newer))


def _who(person: str, reason: str) -> dict[str, Any]:
    if not reason.strip():
        raise InvalidInput("A correction needs its reason.", "Say in a few words why it is right.")
    return {"who": person, "reason": reason.strip(), "at": datetime.now(UTC), "code_version": __version__}


def _seen(workspace: Workspace, case_id: str, version: int) -> CaseRepresentation:
    case = get_case(workspace, case_id)
    if case.version != version:
        raise Conflict(
            f"Case {case_id} is at version {case.version} now; this was decided on version {version}.",
            "Look at the case again.",
        )
    return case


def _save_changed(workspace: Workspace, before: CaseRepresentation, case: CaseRepresentation) -> CaseRepresentation:
    if not compare_versions(before, case) and _order(before) == _order(case):
        raise InvalidInput("Nothing was changed.", "Change something before saving.")
    return _save(workspace, before, case)


def _order(case: CaseRepresentation) -> list[str]:
    return [value.text for values in case.elements.values() for value in values]


def _save(workspace: Workspace, before: CaseRepresentation, case: CaseRepresentation) -> CaseRepresentation:
    with workspace.store.write() as session:
        article_id, _ = cases.article_of_case(session, before.case_id, before.version)
        cases.save_case(session, article_id, case)
    return case
