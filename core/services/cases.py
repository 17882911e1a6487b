"""Articles and their cases: lists for pages, single records, versions, and what went wrong."""

from dataclasses import dataclass
from datetime import datetime

from core.domain.article import CaseReport
from core.domain.case import CaseRepresentation
from core.domain.run import RunTask
from core.services.workspace import Workspace
from core.storage import articles, dialogues, runs
from core.storage import cases as store
from core.storage.cases import CaseListing

__all__ = [
    "CaseListing",
    "CaseRow",
    "article_of",
    "case_versions",
    "find_case",
    "get_article",
    "get_case",
    "image_bytes",
    "list_cases",
    "list_failures",
]

NOT_EXTRACTED = "not extracted"


@dataclass(frozen=True)
class CaseRow:
    """One article and the newest version of its case, as a list shows them.

    Attributes:
        id: of the article and of its case.
        article_version: newest version of the article.
        version: newest version of the case; None before extraction.
        licence: code as read; empty when the article states none.
        eligibility: `eligible`, `ineligible`, `waiting`, or `not extracted`.
        reasons: why it is not eligible.
        is_released: True when a model may be run on it.
        n_open_leaks: hits that name the answer and that nobody has dealt with.
        final_diagnosis: as reported; empty when none was found.
        n_figures: figures of the article.
        n_images: figures of which every graphic has its image.
        n_confirmed: figures whose pictures a person looked at, for an answer written into them.
        n_dialogues: dialogues of all versions.
        is_outdated: the article has a newer version than the one the case was made from.
        is_demonstration: written for the demonstration study.
        imported_at: UTC.
    """

    id: str
    title: str
    article_type: str
    article_version: int
    version: int | None
    licence: str
    eligibility: str
    reasons: tuple[str, ...]
    is_released: bool
    n_open_leaks: int
    final_diagnosis: tuple[str, ...]
    n_figures: int
    n_images: int
    n_confirmed: int
    n_dialogues: int
    is_outdated: bool
    is_demonstration: bool
    imported_at: datetime

    @property
    def is_eligible(self) -> bool:
        """True when the newest case version is eligible."""
        return self.eligibility == "eligible"

    @property
    def n_unconfirmed(self) -> int:
        """Figures with pictures that nobody has looked at yet."""
        return max(0, self.n_images - self.n_confirmed)

    @property
    def n_images_missing(self) -> int:
        """Figures with a graphic whose image is not there."""
        return self.n_figures - self.n_images


def list_cases(workspace: Workspace) -> tuple[CaseRow, ...]:
    """Give one row per article, by id; empty for an empty study."""
    with workspace.store.read() as session:
        listed = articles.list_articles(session)
        newest = {case.article_id: case for case in store.list_cases(session)}
        n_dialogues = dialogues.count_by_case(session)
        n_confirmed = store.count_confirmed(session)
    rows = []
    for article in listed:
        case = newest.get(article.id)
        rows.append(
            CaseRow(
                id=article.id,
                title=article.title,
                article_type=article.article_type,
                article_version=article.version,
                version=case.version if case else None,
                licence=article.licence,
                eligibility=case.eligibility if case else NOT_EXTRACTED,
                reasons=case.reasons if case else (),
                is_released=bool(case and case.is_released),
                n_open_leaks=case.n_open_leaks if case else 0,
                final_diagnosis=case.final_diagnosis if case else (),
                n_figures=article.n_figures,
                n_images=article.n_images,
                n_confirmed=n_confirmed.get(article.id, 0),
                n_dialogues=n_dialogues.get(article.id, 0),
                is_outdated=bool(case and case.article_version < article.version),
                is_demonstration=article.is_demonstration,
                imported_at=article.imported_at,
            )
        )
    return tuple(rows)


def get_article(workspace: Workspace, article_id: str, version: int | None = None) -> CaseReport:
    """Give an article, the newest version unless one is named.

    Raises:
        NotFound: no such article or version.
    """
    with workspace.store.read() as session:
        return articles.get_article(session, article_id, version)


def get_case(workspace: Workspace, case_id: str, version: int | None = None) -> CaseRepresentation:
    """Give a case, the newest version unless one is named.

    Raises:
        NotFound: nothing has been extracted under this id, or there is no such version.
    """
    with workspace.store.read() as session:
        return store.get_case(session, case_id, version)


def find_case(workspace: Workspace, case_id: str) -> CaseRepresentation | None:
    """Give the newest version of a case; None when nothing has been extracted."""
    with workspace.store.read() as session:
        return store.find_case(session, case_id)


def article_of(workspace: Workspace, case: CaseRepresentation) -> CaseReport:
    """Give the article in the version that a case version was made from.

    Raises:
        NotFound: the case version is not stored.
    """
    with workspace.store.read() as session:
        article_id, version = store.article_of_case(session, case.case_id, case.version)
        return articles.get_article(session, article_id, version)


def case_versions(workspace: Workspace, case_id: str) -> tuple[CaseListing, ...]:
    """Give all versions of a case, oldest first; empty when nothing has been extracted."""
    with workspace.store.read() as session:
        return store.case_versions(session, case_id)


def list_failures(workspace: Workspace, case_id: str) -> tuple[RunTask, ...]:
    """Give the steps of a case that failed or were skipped, with their reasons, newest first."""
    with workspace.store.read() as session:
        return runs.failures(session, case_id)


def image_bytes(workspace: Workspace, sha256: str) -> bytes:
    """Give the stored bytes of an image.

    Raises:
        NotFound: the image store has none of this hash.
    """
    return workspace.images.read(sha256)
