"""Committed ratings as tidy rows, for comparison and export. Reviewers appear by pseudonym only."""

from core.domain.instrument import Dimension
from core.domain.review import (
    Assignment,
    RatingRow,
    Reviewer,
    ReviewEvent,
    SafetyRisk,
    Severity,
    Study,
    TurnAnswer,
    TurnAnswerRow,
)
from core.services.consent import excluded
from core.services.workspace import Workspace
from core.storage.base import Session
from core.storage.dialogues import DialogueListing, list_dialogues
from core.storage.review_design import consents_of
from core.storage.review_repository import events_of, ratings_of, ratings_of_study, turn_answers_of, verdicts_of
from core.storage.review_studies import get_study, list_assignments, list_reviewers, list_studies


class _Context:
    """Names of everything a row speaks of, read once."""

    def __init__(self, session: Session, study_id: str | None) -> None:
        studies = (get_study(session, study_id),) if study_id else list_studies(session)
        self.studies: dict[str, Study] = {study.id: study for study in studies}
        self.left_out = excluded(consents_of(session))
        self.assignments: dict[str, Assignment] = {
            a.id: a
            for a in list_assignments(session, study_id=study_id)
            if a.is_committed and a.reviewer_id not in self.left_out
        }
        self.reviewers: dict[str, Reviewer] = {r.id: r for r in list_reviewers(session)}
        self.dialogues: dict[str, DialogueListing] = {d.id: d for d in list_dialogues(session)}

    def common(self, assignment: Assignment) -> dict:
        study, dialogue = self.studies[assignment.study_id], self.dialogues[assignment.dialogue_id]
        return {
            "study_id": study.id,
            "study": study.name,
            "mode": study.mode,
            "is_demonstration": study.is_demonstration,
            "reviewer": self.reviewers[assignment.reviewer_id].pseudonym,
            "case_id": dialogue.case_id,
            "dialogue_id": dialogue.id,
            "setting": dialogue.setting,
        }


def committed_ratings(ws: Workspace, study_id: str | None = None, *, with_amendments: bool = False) -> list[RatingRow]:
    """Give the committed ratings of one study or of all, by study, reviewer, position and dimension.

    Those of a reviewer who withdrew, and whom the lead left out, are not among them.

    Args:
        ws: the running study.
        study_id: one study; all when None.
        with_amendments: also the later revisions, given after the reveal. Agreement statistics take revision 1 only.

    Returns:
        One row per dimension and committed dialogue (and revision); empty when nothing is committed.

    Raises:
        NotFound: no such study.
    """
    with ws.store.read() as session:
        context = _Context(session, study_id)
        committed = ratings_of_study(session, study_id) if study_id else ratings_of(session)
        # Only turn 0 of the answers matters here, but they come in one query either way.
        answers = turn_answers_of(session, list(context.assignments) if study_id else None)
    safety = _safety(answers)
    order = {assignment_id: n for n, assignment_id in enumerate(context.assignments)}
    dimensions = list(Dimension)
    rows = []
    for item in committed:
        assignment = context.assignments.get(item.assignment_id)
        if assignment is None or (item.revision > 1 and not with_amendments):
            continue
        rating = item.rating
        risk, severity = safety.get(item.assignment_id, (None, None))
        rows.append(
            RatingRow(
                **context.common(assignment),
                assignment_id=assignment.id,
                repeat=context.dialogues[assignment.dialogue_id].repeat,
                dimension=rating.dimension,
                score=rating.score,
                missing=rating.missing,
                reason=rating.reason,
                confidence=rating.confidence,
                evidence=rating.evidence,
                safety=risk,
                severity=severity,
                revision=item.revision,
                amendment_reason=item.amendment_reason,
                evidence_shown=item.evidence_shown,
                instrument_version=item.instrument_version,
                committed_at=item.committed_at,
            )
        )
    rows.sort(key=lambda row: (order[row.assignment_id], dimensions.index(row.dimension), row.revision))
    return rows


def _safety(answers: tuple[tuple[str, TurnAnswer, object], ...]) -> dict[str, tuple]:
    found: dict[str, dict[str, str]] = {}
    for assignment_id, answer, _ in answers:
        if answer.turn == 0 and answer.field in ("safety", "safety.severity") and answer.values:
            found.setdefault(assignment_id, {})[answer.field] = answer.values[0]
    return {
        assignment_id: (
            SafetyRisk(values["safety"]) if "safety" in values else None,
            Severity(values["safety.severity"]) if "safety.severity" in values else None,
        )
        for assignment_id, values in found.items()
    }


def committed_turn_answers(ws: Workspace, study_id: str | None = None) -> list[TurnAnswerRow]:
    """Give the committed answers about turns (turn 0: the whole dialogue) as tidy rows; empty when there are none.

    Raises:
        NotFound: no such study.
    """
    with ws.store.read() as session:
        context = _Context(session, study_id)
        answers = turn_answers_of(session, list(context.assignments) if study_id else None)
    return [
        TurnAnswerRow(
            **context.common(context.assignments[assignment_id]),
            turn=answer.turn,
            field=answer.field,
            values=answer.values,
            text=answer.text,
            committed_at=at,
        )
        for assignment_id, answer, at in answers
        if assignment_id in context.assignments
    ]


def review_events(ws: Workspace) -> tuple[ReviewEvent, ...]:
    """Give the whole log, oldest first."""
    with ws.store.read() as session:
        return events_of(session)


def item_verdicts(ws: Workspace, study_id: str | None = None) -> list[dict]:
    """Give the newest verdict of every judged row of a match table, with what it is about, as flat dictionaries.

    Raises:
        NotFound: no such study.
    """
    with ws.store.read() as session:
        context = _Context(session, study_id)
        everyone = [a for a in list_assignments(session, study_id=study_id) if a.reviewer_id not in context.left_out]
        verdicts = verdicts_of(session, [a.id for a in everyone])
    by_id = {a.id: a for a in everyone}
    return [
        context.common(by_id[v.assignment_id])
        | {
            "evaluation_id": v.evaluation_id,
            "target": v.target.value,
            "figure_id": v.figure_id or "",
            "row": v.row,
            "verdict": v.verdict,
            "output_id": v.output_id,
            "attribute": v.attribute,
            "verdict_mode": v.mode,
            "given_at": v.given_at,
        }
        for v in verdicts
    ]
