"""Studies, reviewers and assignments in the store."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import case
from sqlmodel import Session, func, select

from core.domain.review import Assignment, Reviewer, Study
from core.errors import InvalidInput, NotFound
from core.storage.review_design import designs, save_design
from core.storage.review_tables import AssignmentRow, ReviewerRow, StudyRow


def save_study(session: Session, study: Study) -> None:
    """Store a new study.

    Raises:
        InvalidInput: another study has this name.
    """
    if session.exec(select(StudyRow.id).where(StudyRow.name == study.name)).first():
        raise InvalidInput(f"There is already a study named {study.name!r}.", "Choose another name.")
    session.add(StudyRow(**study.model_dump(exclude={"design"})))
    session.flush()
    save_design(session, study.id, study.design)


def get_study(session: Session, study_id: str) -> Study:
    """Give a study.

    Raises:
        NotFound: there is none of that id.
    """
    row = session.get(StudyRow, study_id)
    if row is None:
        raise NotFound("This study does not exist.", "Choose one from the list of studies.")
    return Study(**row.model_dump(), design=designs(session, [study_id])[study_id])


def list_studies(session: Session) -> tuple[Study, ...]:
    """Give all studies, oldest first."""
    rows = session.exec(select(StudyRow).order_by(StudyRow.created_at, StudyRow.id)).all()
    laid_out = designs(session, [row.id for row in rows])
    return tuple(Study(**row.model_dump(), design=laid_out[row.id]) for row in rows)


def lock_study(session: Session, study_id: str, at: datetime) -> None:
    """Close a study to further ratings; a second time changes nothing."""
    row = session.get(StudyRow, study_id, with_for_update=True)
    if row is not None and row.locked_at is None:
        row.locked_at = at
        session.add(row)
        session.flush()


def save_reviewer(session: Session, reviewer: Reviewer) -> None:
    """Store a new reviewer.

    Raises:
        InvalidInput: another reviewer has this name.
    """
    if find_reviewer(session, reviewer.name):
        raise InvalidInput(
            f"There is already a reviewer named {reviewer.name!r}.",
            "Choose that name from the list, or add an initial.",
        )
    session.add(ReviewerRow(**reviewer.model_dump()))
    session.flush()


def find_reviewer(session: Session, name: str) -> Reviewer | None:
    """Give the reviewer of that name, upper and lower case alike; None when there is none."""
    row = session.exec(select(ReviewerRow).where(func.lower(ReviewerRow.name) == name.strip().lower())).first()
    return Reviewer.model_validate(row.model_dump()) if row else None


def get_reviewer(session: Session, reviewer_id: str) -> Reviewer:
    """Give a reviewer.

    Raises:
        NotFound: there is none of that id.
    """
    row = session.get(ReviewerRow, reviewer_id)
    if row is None:
        raise NotFound("This reviewer does not exist.", "Enter again under My reviews.")
    return Reviewer.model_validate(row.model_dump())


def list_reviewers(session: Session) -> tuple[Reviewer, ...]:
    """Give all reviewers in the order they were added."""
    rows = session.exec(select(ReviewerRow).order_by(ReviewerRow.created_at, ReviewerRow.pseudonym))
    return tuple(Reviewer.model_validate(row.model_dump()) for row in rows)


def count_reviewers(session: Session) -> int:
    """Give how many reviewers there are."""
    return session.exec(select(func.count()).select_from(ReviewerRow)).one()


def save_assignments(session: Session, assignments: Iterable[Assignment]) -> None:
    """Store new assignments; the database refuses a dialogue given twice to one reviewer of a study."""
    session.add_all(AssignmentRow(**assignment.model_dump()) for assignment in assignments)
    session.flush()


def find_assignment(session: Session, assignment_id: str, *, lock: bool = False) -> Assignment | None:
    """Give an assignment, its row locked until the unit of work ends if asked; None when there is none."""
    row = session.get(AssignmentRow, assignment_id, with_for_update=lock or None)
    return Assignment.model_validate(row.model_dump()) if row else None


@dataclass(frozen=True)
class AssignmentCounts:
    """How many dialogues, reviewers and assignments a study has, and how many of these are committed or begun."""

    n_dialogues: int
    n_reviewers: int
    n_assignments: int
    n_committed: int
    n_in_progress: int


def count_assignments(session: Session) -> dict[str, AssignmentCounts]:
    """Give study id -> counts; studies without an assignment are left out.

    In progress: past the first turn, neither committed nor set aside.
    """
    row = AssignmentRow
    is_begun = row.committed_at.is_(None) & (row.skipped_because == "") & (row.furthest_turn > 1)
    query = select(
        row.study_id,
        func.count(func.distinct(row.dialogue_id)),
        func.count(func.distinct(row.reviewer_id)),
        func.count(),
        func.count(row.committed_at),
        func.sum(case((is_begun, 1), else_=0)),
    ).group_by(row.study_id)
    return {study_id: AssignmentCounts(*numbers) for study_id, *numbers in session.exec(query)}


def list_assignments(
    session: Session, *, study_id: str | None = None, reviewer_id: str | None = None
) -> tuple[Assignment, ...]:
    """Give assignments of a study, of a reviewer, or of both, in each reviewer's order."""
    # A large study has thousands: read as columns, and not checked again, they take a quarter of the time.
    names = tuple(Assignment.model_fields)
    query = select(*(getattr(AssignmentRow, name) for name in names))
    if study_id is not None:
        query = query.where(AssignmentRow.study_id == study_id)
    if reviewer_id is not None:
        query = query.where(AssignmentRow.reviewer_id == reviewer_id)
    rows = session.exec(query.order_by(AssignmentRow.study_id, AssignmentRow.reviewer_id, AssignmentRow.position))
    return tuple(Assignment.model_construct(**dict(zip(names, row, strict=True))) for row in rows)


def change_assignment(session: Session, assignment: Assignment) -> None:
    """Store where the reviewer is: place, furthest turn, time of the outcome, of the commit, reason of a skip."""
    row = session.get(AssignmentRow, assignment.id)
    for name in ("furthest_turn", "at_step", "outcome_shown_at", "committed_at", "skipped_because"):
        setattr(row, name, getattr(assignment, name))
    session.add(row)
    session.flush()
