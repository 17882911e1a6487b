"""Many new records at once, as plain inserts: for a study that is made, not run."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import insert
from sqlmodel import Session

from core.domain.article import CaseReport
from core.domain.case import CaseRepresentation
from core.domain.dialogue import Dialogue
from core.domain.items import Evaluation, ReferenceSet
from core.domain.judgement import Judgement
from core.domain.review import Assignment, CommittedRating, Reviewer, Study, TurnAnswer
from core.domain.run import Run
from core.storage.article_rows import ArticleRow, ArticleVersionRow, CaseVersionRow
from core.storage.articles import article_columns
from core.storage.cases import case_columns
from core.storage.dialogue_rows import DialogueRow
from core.storage.dialogues import dialogue_columns
from core.storage.evaluation_columns import (
    evaluation_columns,
    judged_score_rows,
    judgement_columns,
    reference_set_columns,
    result_rows,
)
from core.storage.evaluation_rows import EvaluationRow, JudgedScoreRow, JudgementRow, ReferenceSetRow
from core.storage.review_repository import rating_columns, turn_answer_columns
from core.storage.review_tables import AssignmentRow, RatingRowTable, ReviewerRow, StudyRow, TurnAnswerTable
from core.storage.run_rows import RunRow, RunTaskRow
from core.storage.text import to_document


@dataclass
class Batch:
    """New records that belong together. Nothing of it may be stored yet: no row is looked for before it is written.

    Attributes:
        articles: first versions.
        cases: first versions, each of the article of its id.
        reference_sets: of these cases.
        dialogues: of these cases.
        evaluations: of these dialogues, each with its matcher's name.
        judgements: of these evaluations.
    """

    articles: list[CaseReport] = field(default_factory=list)
    cases: list[CaseRepresentation] = field(default_factory=list)
    reference_sets: list[ReferenceSet] = field(default_factory=list)
    dialogues: list[Dialogue] = field(default_factory=list)
    evaluations: list[tuple[Evaluation, str]] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)


def save_batch(session: Session, batch: Batch, at: datetime, is_demonstration: bool) -> int:
    """Store a batch and give how many rows of match tables it held.

    Args:
        session: a writing session.
        batch: what to store.
        at: time of import of the articles.
        is_demonstration: of the articles and evaluations; dialogues and judgements say it themselves.
    """
    _add(session, ArticleRow, ({"id": report.id, "created_at": at} for report in batch.articles))
    versions = (
        article_columns(report, 1, at, is_demonstration) | {"document": to_document(report)}
        for report in batch.articles
    )
    _add(session, ArticleVersionRow, versions)
    _add(session, CaseVersionRow, (case_columns(case.case_id, case) for case in batch.cases))
    _add(session, ReferenceSetRow, map(reference_set_columns, batch.reference_sets))
    _add(session, DialogueRow, map(dialogue_columns, batch.dialogues))
    _add(session, EvaluationRow, (evaluation_columns(one, by, is_demonstration) for one, by in batch.evaluations))
    n_match_rows = 0
    for evaluation, _ in batch.evaluations:
        for table, rows in result_rows(evaluation).items():
            _add(session, table, rows)
            n_match_rows += len(rows) if table.__tablename__ == "match_row" else 0
    _add(session, JudgementRow, map(judgement_columns, batch.judgements))
    _add(session, JudgedScoreRow, (row for judgement in batch.judgements for row in judged_score_rows(judgement)))
    return n_match_rows


def save_review(
    session: Session,
    studies: Sequence[Study],
    reviewers: Sequence[Reviewer],
    assignments: Sequence[Assignment],
    ratings: Iterable[CommittedRating],
    answers: Iterable[tuple[str, TurnAnswer, datetime]],
) -> None:
    """Store new studies with all that was entered; an answer comes with its assignment's id and time."""
    _add(session, StudyRow, (study.model_dump() for study in studies))
    _add(session, ReviewerRow, (reviewer.model_dump() for reviewer in reviewers))
    _add(session, AssignmentRow, (assignment.model_dump() for assignment in assignments))
    _add(session, RatingRowTable, map(rating_columns, ratings))
    _add(session, TurnAnswerTable, (turn_answer_columns(*answer) for answer in answers))


def save_whole_run(session: Session, run: Run) -> None:
    """Store a finished run with its tasks."""
    _add(session, RunRow, [run.model_dump(exclude={"tasks"})])
    _add(session, RunTaskRow, (task.model_dump() for task in run.tasks))


def _add(session: Session, table: type, rows: Iterable[dict]) -> None:
    listed = list(rows)
    if listed:
        session.connection().execute(insert(table.__table__), listed)
