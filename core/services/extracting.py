"""Extraction of cases from articles by rules or by a model, and what people saw in the figures."""

from datetime import UTC, datetime

from core import __version__
from core.domain.case import CaseRepresentation, LeakPolicy
from core.domain.model_call import FailedCall
from core.errors import CallFailed, NotFound
from core.extraction import extract_case, extract_with_model
from core.services.cases import article_of, get_case
from core.services.models import RULES_BASELINE, is_rules, open_model
from core.services.workspace import Workspace
from core.storage import articles, cases

__all__ = [
    "confirm_figure",
    "confirmed_figures",
    "extract",
    "prepare",
]


def extract(
    workspace: Workspace,
    article_id: str,
    policy: LeakPolicy = LeakPolicy.HOLD,
    extractor: str = RULES_BASELINE,
) -> CaseRepresentation:
    """Give the case that an engine reads from an article's newest version, stored as the newest case version.

    When that is exactly what the newest case version says already, no version is added. A model's replies are kept in
    the ledger: asked the same again, it is answered from there.

    Args:
        workspace: the study.
        article_id: the article.
        policy: what the leak audit does: `hold` waits for the lead, `auto` trims, moves and withholds by itself.
        extractor: `rules baseline` (or `rules`), or a model of the registry.

    Raises:
        NotFound: the article is not stored.
        ModelUnavailable: the extractor cannot be used.
        CallFailed: the extractor gave no usable answer; nothing is stored, least of all a case with a gap.
    """
    model = None if is_rules(extractor) else open_model(workspace, extractor)
    with workspace.store.read() as session:
        article = articles.get_article(session, article_id)
        article_version = articles.article_version(session, article_id) or 1
        newest = cases.find_case(session, article_id)
    how = {
        "article_version": article_version,
        "code_version": __version__,
        "at": datetime.now(UTC),
        "version": newest.version + 1 if newest else 1,
        "leak_policy": policy,
    }
    case = extract_case(article, **how) if model is None else extract_with_model(article, model, **how)
    if isinstance(case, FailedCall):
        raise CallFailed(
            f"{extractor} gave no usable extraction of {article_id} ({case.reason}): {case.detail}",
            "Nothing was stored. Look at the call under Runs or Models, then extract again.",
        )
    if newest is not None and _says_the_same(case, newest):
        return newest
    with workspace.store.write() as session:
        cases.save_case(session, article_id, case)
    return case


def prepare(
    workspace: Workspace, article_id: str, policy: LeakPolicy, extractor: str = RULES_BASELINE
) -> CaseRepresentation:
    """Give the case version that a pipeline should go on with.

    A case that a person corrected or decided on is kept when it was made from the article's newest version;
    else the article is extracted.

    Raises:
        NotFound: the article is not stored.
        ModelUnavailable: the extractor cannot be used.
        CallFailed: the extractor gave no usable answer.
    """
    with workspace.store.read() as session:
        newest = cases.find_case(session, article_id)
        article_version = articles.article_version(session, article_id)
    if newest is not None and newest.made_by.engine == "person" and newest.article_version == article_version:
        return newest
    return extract(workspace, article_id, policy, extractor)


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
