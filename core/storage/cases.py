"""Case versions: what was extracted from an article and every correction of it, each a row of its own."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, func, select

from core.domain.case import CaseRepresentation
from core.errors import Conflict, NotFound
from core.storage.article_rows import ArticleRow, CaseVersionRow, FigureConfirmationRow
from core.storage.text import from_document, to_document


@dataclass(frozen=True)
class CaseListing:
    """One version of a case, without its document.

    Attributes:
        eligibility: `eligible`, `ineligible` or `waiting`.
        reasons: why it is not eligible.
        final_diagnosis: as the article reports it; empty when none was found.
        n_open_leaks: hits that name the answer and that nobody has dealt with.
        made_at: UTC.
    """

    case_id: str
    version: int
    article_id: str
    article_version: int
    eligibility: str
    reasons: tuple[str, ...]
    is_released: bool
    final_diagnosis: tuple[str, ...]
    n_open_leaks: int
    made_by: str
    made_at: datetime


@dataclass(frozen=True)
class FigureConfirmation:
    """What a person said about the pixels of a figure: `is_clean` when no answer is written into them."""

    case_id: str
    figure_id: str
    image_sha256: str
    is_clean: bool
    person: str
    at: datetime


def save_case(session: Session, article_id: str, case: CaseRepresentation) -> None:
    """Store a version of a case.

    Raises:
        Conflict: this version exists already, or is not the one that follows the newest.
        NotFound: the article is not stored.
    """
    if session.get(ArticleRow, article_id, with_for_update=True) is None:
        raise NotFound(f"There is no article {article_id!r}.", "Import it first.")
    newest = case_version(session, case.case_id) or 0
    if case.version != newest + 1:
        raise Conflict(
            f"Case {case.case_id} has a newer version ({newest}) than the one this change was based on "
            f"({case.version - 1}).",
            "Load the case again and repeat the change.",
        )
    session.add(CaseVersionRow(**case_columns(article_id, case)))
    session.flush()


def case_columns(article_id: str, case: CaseRepresentation) -> dict:
    """Give all columns of a case version, its document among them."""
    return {
        "case_id": case.case_id,
        "version": case.version,
        "article_id": article_id,
        "article_version": case.article_version,
        "eligibility": case.eligibility.state,
        "reasons": "\n".join(case.eligibility.reasons),
        "is_released": case.is_released,
        "final_diagnosis": "\n".join(" ".join(value.text.split()) for value in case.final_diagnosis),
        "n_open_leaks": sum(hit.is_open for hit in case.leaks),
        "made_by": case.made_by.model,
        "made_at": case.made_by.at,
        "document": to_document(case),
    }


def get_case(session: Session, case_id: str, version: int | None = None) -> CaseRepresentation:
    """Give a case, the newest version unless one is named.

    Raises:
        NotFound: nothing has been extracted under this id, or there is no such version.
    """
    found = find_case(session, case_id, version)
    if found is None:
        raise NotFound(
            f"There is no case {case_id!r}" + (f" in version {version}." if version else "."), "Extract it first."
        )
    return found


def find_case(session: Session, case_id: str, version: int | None = None) -> CaseRepresentation | None:
    """Give a case, the newest version unless one is named; None when there is none."""
    query = select(CaseVersionRow.document).where(CaseVersionRow.case_id == case_id)
    if version is not None:
        query = query.where(CaseVersionRow.version == version)
    document = session.exec(query.order_by(CaseVersionRow.version.desc()).limit(1)).first()
    return from_document(CaseRepresentation, document) if document else None


def case_version(session: Session, case_id: str) -> int | None:
    """Give the number of the newest version; None when nothing has been extracted."""
    return session.exec(select(func.max(CaseVersionRow.version)).where(CaseVersionRow.case_id == case_id)).one()


def article_of_case(session: Session, case_id: str, version: int) -> tuple[str, int]:
    """Give (article id, article version) that a case version was made from.

    Raises:
        NotFound: there is no such case version.
    """
    row = session.get(CaseVersionRow, (case_id, version))
    if row is None:
        raise NotFound(f"There is no case {case_id!r} in version {version}.")
    return row.article_id, row.article_version


def list_cases(session: Session) -> tuple[CaseListing, ...]:
    """Give the newest version of every case, by id, without documents."""
    newest = (
        select(CaseVersionRow.case_id, func.max(CaseVersionRow.version).label("version"))
        .group_by(CaseVersionRow.case_id)
        .subquery()
    )
    rows = session.exec(
        select(*_LISTED)
        .join(newest, (newest.c.case_id == CaseVersionRow.case_id) & (newest.c.version == CaseVersionRow.version))
        .order_by(CaseVersionRow.case_id)
    )
    return tuple(_listing(row) for row in rows)


def case_versions(session: Session, case_id: str) -> tuple[CaseListing, ...]:
    """Give all versions of a case, oldest first; empty when there is none."""
    rows = session.exec(select(*_LISTED).where(CaseVersionRow.case_id == case_id).order_by(CaseVersionRow.version))
    return tuple(_listing(row) for row in rows)


def save_confirmation(session: Session, confirmation: FigureConfirmation) -> None:
    """Store what a person said about a figure's pixels; an earlier word stays beside it."""
    session.add(FigureConfirmationRow(**confirmation.__dict__))
    session.flush()


def confirmations(session: Session, case_id: str) -> tuple[FigureConfirmation, ...]:
    """Give the last word about each image of a case's figures."""
    rows = session.exec(
        select(FigureConfirmationRow).where(FigureConfirmationRow.case_id == case_id).order_by(FigureConfirmationRow.id)
    )
    last = {(row.figure_id, row.image_sha256): row for row in rows}
    return tuple(
        FigureConfirmation(row.case_id, row.figure_id, row.image_sha256, row.is_clean, row.person, row.at)
        for row in last.values()
    )


def count_confirmed(session: Session) -> dict[str, int]:
    """Give case id -> figures whose pictures a person looked at; cases without any are absent."""
    rows = session.exec(
        select(FigureConfirmationRow.case_id, func.count(func.distinct(FigureConfirmationRow.figure_id))).group_by(
            FigureConfirmationRow.case_id
        )
    )
    return dict(rows.all())


_LISTED = (
    CaseVersionRow.case_id,
    CaseVersionRow.version,
    CaseVersionRow.article_id,
    CaseVersionRow.article_version,
    CaseVersionRow.eligibility,
    CaseVersionRow.reasons,
    CaseVersionRow.is_released,
    CaseVersionRow.final_diagnosis,
    CaseVersionRow.n_open_leaks,
    CaseVersionRow.made_by,
    CaseVersionRow.made_at,
)


def _listing(row) -> CaseListing:  # noqa: ANN001 - a row of SQLAlchemy
    values = row._asdict()
    for name in ("reasons", "final_diagnosis"):
        values[name] = tuple(values[name].split("\n")) if values[name] else ()
    return CaseListing(**values)
