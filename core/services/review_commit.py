"""From drafts to ratings that stay: the reported diagnosis, what is missing, the commit, amendments."""

from datetime import datetime

from core.domain.instrument import Dimension
from core.domain.review import CommittedRating, Confidence, Draft, Missing, Rating, SafetyRisk, TurnAnswer
from core.domain.review_views import OpenField, Outcome
from core.errors import InvalidInput, NotAllowed, NotFound, NotReady
from core.review.completeness import hints, open_fields, turns_without_rating, value_of
from core.review.form import DIMENSION_FIELDS, SAFETY, SEVERITY, detail_field
from core.services.review_access import Opened, log_event, open_assignment
from core.services.workspace import Workspace
from core.storage.base import Session, utc_now
from core.storage.cases import get_case
from core.storage.review_repository import add_ratings, add_turn_answers, ratings_of
from core.storage.review_studies import change_assignment

SHOWN_BLINDED = "all turns; reported diagnosis and source reasoning"
SHOWN_OPEN = f"{SHOWN_BLINDED}; judge's scores, justifications and matches (open review)"
SHOWN_AFTER = f"{SHOWN_BLINDED}; judge's scores, justifications and matches (after the reveal)"


def outcome(ws: Workspace, reviewer_id: str, assignment_id: str, at: datetime | None = None) -> Outcome:
    """Give the reported diagnosis and the source's reasoning, and record when they were first shown.

    Raises:
        NotFound: not this reviewer's, or gone.
        NotReady: a turn has not been reached or rated yet.
    """
    at = at or utc_now()
    with ws.store.read() as session:
        opened = open_assignment(session, reviewer_id, assignment_id)
        unrated = turns_without_rating(opened.drafts, opened.n_turns)
        if unrated and not opened.is_open_review and not opened.assignment.is_committed:
            raise NotReady(
                "The reported diagnosis is shown after the last turn rating.",
                "Still open: " + ", ".join(f"turn {n}" for n in unrated) + ".",
            )
        shown = reported_outcome(session, opened, at)
    shown_at = opened.assignment.outcome_shown_at
    if shown_at is None:
        with ws.store.write() as session:
            opened = open_assignment(session, reviewer_id, assignment_id, lock=True)
            shown_at = opened.assignment.outcome_shown_at or at
            if opened.assignment.outcome_shown_at is None:
                change_assignment(session, opened.assignment.model_copy(update={"outcome_shown_at": shown_at}))
                log_event(session, opened, at, "outcome shown")
    return shown.model_copy(update={"shown_at": shown_at})


def reported_outcome(session: Session, opened: Opened, at: datetime) -> Outcome:
    """Give the reported diagnosis and the source's reasoning as shown at a time; nothing is recorded.

    Raises:
        NotFound: the case is no longer stored.
    """
    try:
        case = get_case(session, opened.dialogue.case_id, opened.dialogue.case_version)
    except NotFound:
        # The store's own words name the case, and so the article.
        raise NotFound("The case of this review is no longer stored.", "Tell the study lead.") from None
    return Outcome(
        final_diagnosis=tuple(value.text for value in case.final_diagnosis),
        reasoning=tuple(value.text for value in case.reasoning),
        shown_at=at,
    )


def still_open(ws: Workspace, reviewer_id: str, assignment_id: str) -> tuple[OpenField, ...]:
    """Give what has no answer yet: required fields first. Empty: everything is answered."""
    with ws.store.read() as session:
        opened = open_assignment(session, reviewer_id, assignment_id)
    questions = opened.dialogue_questions
    return open_fields(opened.drafts, opened.n_turns, questions)


def commit_hints(ws: Workspace, reviewer_id: str, assignment_id: str) -> tuple[str, ...]:
    """Give remarks on an unusual set of scores; they hold nothing up."""
    with ws.store.read() as session:
        return hints(open_assignment(session, reviewer_id, assignment_id).drafts)


def commit(ws: Workspace, reviewer_id: str, assignment_id: str, at: datetime | None = None) -> None:
    """Turn the drafts into ratings that nothing changes any more. A second commit changes nothing.

    Raises:
        NotFound: not this reviewer's, or gone.
        NotReady: a required field has no answer.
        NotAllowed: the study is closed, or the reported diagnosis has not been shown.
    """
    at = at or utc_now()
    with ws.store.write() as session:
        opened = open_assignment(session, reviewer_id, assignment_id, lock=True)
        if opened.assignment.is_committed:
            return
        if opened.study.locked_at is not None:
            raise NotAllowed("The study is closed; nothing more can be entered.")
        if opened.assignment.outcome_shown_at is None:
            raise NotAllowed("The reported diagnosis has not been shown yet.", "Open the page Rate first.")
        questions = opened.dialogue_questions
        missing = [f for f in open_fields(opened.drafts, opened.n_turns, questions) if f.is_required]
        if missing:
            raise NotReady("Some required answers are missing.", "Still open: " + "; ".join(f.label for f in missing))
        shown = SHOWN_OPEN if opened.is_open_review else SHOWN_BLINDED
        add_ratings(
            session,
            (
                CommittedRating(
                    assignment_id=assignment_id,
                    revision=1,
                    rating=_rating(opened.drafts, dimension),
                    evidence_shown=shown,
                    instrument_version=opened.study.instrument_version,
                    committed_at=at,
                )
                for dimension in Dimension
            ),
        )
        add_turn_answers(session, assignment_id, _answers(opened.drafts), at)
        done = opened.assignment.model_copy(update={"committed_at": at, "at_step": "reveal"})
        change_assignment(session, done)
        log_event(session, opened, at, "committed")


def _rating(drafts: dict[tuple[int, str], Draft], dimension: Dimension) -> Rating:
    """Give the rating as the form shows it: a detail that a later choice has hidden is not part of it."""
    value = value_of(drafts, 0, dimension.value)
    details = {
        name: value_of(drafts, 0, detail_field(dimension, name)) for name in ("reason", "confidence", "evidence")
    }
    is_number = isinstance(value, int)
    return Rating(
        dimension=dimension,
        score=value if is_number else None,
        missing=None if is_number else Missing(value),
        reason=(details["reason"] or "") if value == Missing.CANNOT_JUDGE.value else "",
        confidence=Confidence(details["confidence"]) if is_number and details["confidence"] else None,
        evidence=(details["evidence"] or ()) if is_number and value <= 3 else (),
    )


def _answers(drafts: dict[tuple[int, str], Draft]) -> list[TurnAnswer]:
    answers = []
    for (turn, field), draft in sorted(drafts.items()):
        is_of_dimension = field.split(".", 1)[0] in DIMENSION_FIELDS
        if draft.value in (None, "", ()) or (turn == 0 and is_of_dimension):
            continue
        if field == SEVERITY and value_of(drafts, 0, SAFETY) == SafetyRisk.NONE.value:
            continue
        if field == "comment":
            answers.append(TurnAnswer(turn=turn, field=field, text=str(draft.value)))
        else:
            values = draft.value if isinstance(draft.value, tuple) else (str(draft.value),)
            answers.append(TurnAnswer(turn=turn, field=field, values=values))
    return answers


def amend(
    ws: Workspace, reviewer_id: str, assignment_id: str, rating: Rating, why: str, at: datetime | None = None
) -> None:
    """Add a changed rating beside the committed one, which stays.

    Raises:
        NotFound: not this reviewer's, or gone.
        NotAllowed: not committed yet, or the study is closed.
        InvalidInput: no reason is given, or nothing differs.
    """
    at = at or utc_now()
    if not why.strip():
        raise InvalidInput("An amendment needs a reason.", "Say in a few words what changed your mind.")
    with ws.store.write() as session:
        opened = open_assignment(session, reviewer_id, assignment_id, lock=True)
        if not opened.assignment.is_committed:
            raise NotAllowed("Ratings can be amended after they are committed.", "Change the rating itself.")
        if opened.study.locked_at is not None:
            raise NotAllowed("The study is closed; nothing more can be entered.")
        before = [c for c in ratings_of(session, [assignment_id]) if c.rating.dimension is rating.dimension]
        newest = before[-1]
        if (newest.rating.score, newest.rating.missing) == (rating.score, rating.missing):
            raise InvalidInput("This is the rating that is already stored.", "Choose another score, or leave it.")
        add_ratings(
            session,
            [
                CommittedRating(
                    assignment_id=assignment_id,
                    revision=newest.revision + 1,
                    rating=rating,
                    amendment_reason=why.strip(),
                    evidence_shown=SHOWN_OPEN if opened.is_open_review else SHOWN_AFTER,
                    instrument_version=opened.study.instrument_version,
                    committed_at=at,
                )
            ],
        )
        what = f"amended {rating.dimension.value}"
        log_event(session, opened, at, what, old=_words(newest.rating), new=_words(rating), reason=why.strip())


def _words(rating: Rating) -> str:
    return str(rating.score) if rating.score is not None else rating.missing.value
