"""Extraction of cases from articles, decisions about leaks, and what people saw in the figures."""

from collections.abc import Sequence
from datetime import UTC, datetime

from core import __version__
from core.domain.case import CaseRepresentation, LeakAction, LeakPolicy
from core.domain.record import MadeBy
from core.errors import Conflict, InvalidInput, NotFound
from core.extraction import apply_decision, correct_case, extract_case
from core.services.cases import article_of, get_case
from core.services.workspace import Workspace
from core.storage import articles, cases

__all__ = [
    "confirm_figure",
    "confirmed_figures",
    "correct_field",
    "decide_leak",
    "extract",
    "prepare",
    "release",
]


def extract(workspace: Workspace, article_id: str, policy: LeakPolicy = LeakPolicy.HOLD) -> CaseRepresentation:
    """Give the case that the rules engine reads from an article's newest version, stored as the newest case version.

    When that is exactly what the newest case version says already, no version is added.

    Args:
        workspace: the study.
        article_id: the article.
        policy: what the leak audit does: `hold` waits for the lead, `auto` trims, moves and withholds by itself.

    Raises:
        NotFound: the article is not stored.
    """
    with workspace.store.read() as session:
        article = articles.get_article(session, article_id)
        article_version = articles.article_version(session, article_id) or 1
        newest = cases.find_case(session, article_id)
    case = extract_case(
        article,
        article_version=article_version,
        code_version=__version__,
        at=datetime.now(UTC),
        version=newest.version + 1 if newest else 1,
        leak_policy=policy,
    )
    if newest is not None and _says_the_same(case, newest):
        return newest
    with workspace.store.write() as session:
        cases.save_case(session, article_id, case)
    return case


def prepare(workspace: Workspace, article_id: str, policy: LeakPolicy) -> CaseRepresentation:
    """Give the case version that a pipeline should go on with.

    A case that a person corrected or decided on is kept when it was made from the article's newest version;
    else the article is extracted.

    Raises:
        NotFound: the article is not stored.
    """
    with workspace.store.read() as session:
        newest = cases.find_case(session, article_id)
        article_version = articles.article_version(session, article_id)
    if newest is not None and newest.made_by.engine == "person" and newest.article_version == article_version:
        return newest
    return extract(workspace, article_id, policy)


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
        InvalidInput: a waiver without reason, or an action that does not fit the hit.
        Conflict: the case has a newer version.
    """
    case = _seen(workspace, case_id, version)
    if not 0 <= number < len(case.leaks):
        raise NotFound(f"Case {case_id} has no hit number {number + 1}.", "Look at the case again.")
    decided = apply_decision(
        case,
        case.leaks[number],
        action,
        person,
        reason,
        at=datetime.now(UTC),
        code_version=__version__,
        text=text,
    )
    return _save(workspace, case, decided)


def correct_field(
    workspace: Workspace, case_id: str, version: int, field: str, texts: Sequence[str], person: str, reason: str = ""
) -> CaseRepresentation:
    """Replace the values of one field by other words of the article, audit again, and give the new case version.

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
        InvalidInput: the field is unknown, or a text does not stand in the article.
        Conflict: the case has a newer version.
    """
    case = _seen(workspace, case_id, version)
    corrected = correct_case(
        article_of(workspace, case),
        case,
        field,
        texts,
        who=person,
        at=datetime.now(UTC),
        reason=reason,
        code_version=__version__,
    )
    return _save(workspace, case, corrected)


def release(workspace: Workspace, case_id: str, version: int, person: str, reason: str) -> CaseRepresentation:
    """Release a case that the audit holds because clearing its leaks takes away much; gives the new version.

    Raises:
        NotFound: no such case.
        InvalidInput: no reason is given, or the case is not held.
        Conflict: the case has a newer version.
    """
    case = _seen(workspace, case_id, version)
    if not case.held_reason:
        raise InvalidInput(f"Case {case_id} is not held.")
    if not reason.strip():
        raise InvalidInput("A held case is released for a stated reason.", "Say why what is left is enough.")
    made_by = MadeBy(engine="person", model=person, code_version=__version__, at=datetime.now(UTC))
    update = {"version": version + 1, "held_reason": "", "change_reason": f"released: {reason}", "made_by": made_by}
    return _save(workspace, case, case.model_copy(update=update))


def confirm_figure(workspace: Workspace, case_id: str, figure_id: str, person: str, is_clean: bool = True) -> None:
    """Record that a person looked at a figure's images: no answer is written into their pixels (or one is).

    Raises:
        NotFound: no such case, or the article has no such figure.
    """
    article = article_of(workspace, get_case(workspace, case_id))
    figure = next((one for one in article.figures if one.id == figure_id), None)
    if figure is None:
        raise NotFound(f"{case_id} has no figure {figure_id!r}.")
    now = datetime.now(UTC)
    with workspace.store.write() as session:
        for graphic in figure.graphics:
            if graphic.image:
                cases.save_confirmation(
                    session,
                    cases.FigureConfirmation(case_id, figure_id, graphic.image.sha256, is_clean, person, now),
                )


def confirmed_figures(workspace: Workspace, case_id: str) -> dict[str, str]:
    """Give figure id -> who looked at it and what they said; figures nobody looked at are absent.

    A figure counts only when all its present images were looked at.
    """
    with workspace.store.read() as session:
        said = {one.image_sha256: one for one in cases.confirmations(session, case_id)}
        article = articles.get_article(session, case_id)
    found = {}
    for figure in article.figures:
        words = [said.get(graphic.image.sha256) for graphic in figure.graphics if graphic.image]
        if words and all(words):
            last = max(words, key=lambda one: one.at)
            verdict = "no answer in the picture" if all(one.is_clean for one in words) else "the picture names it"
            found[figure.id] = f"{last.person}, {last.at:%Y-%m-%d}: {verdict}"
    return found


def _says_the_same(case: CaseRepresentation, newest: CaseRepresentation) -> bool:
    made_by = case.made_by.model_copy(update={"at": newest.made_by.at})
    return case.model_copy(update={"version": newest.version, "made_by": made_by}) == newest


def _seen(workspace: Workspace, case_id: str, version: int) -> CaseRepresentation:
    case = get_case(workspace, case_id)
    if case.version != version:
        raise Conflict(
            f"Case {case_id} is at version {case.version} now; this was decided on version {version}.",
            "Look at the case again.",
        )
    return case


def _save(workspace: Workspace, before: CaseRepresentation, case: CaseRepresentation) -> CaseRepresentation:
    with workspace.store.write() as session:
        article_id, _ = cases.article_of_case(session, before.case_id, before.version)
        cases.save_case(session, article_id, case)
    return case
