"""Who may open what: every reviewer's call comes through here."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from core import __version__
from core.domain.dialogue import Dialogue
from core.domain.review import Assignment, Draft, ReviewEvent, ReviewMode, Study
from core.domain.review_views import Question
from core.errors import NotAllowed, NotFound
from core.review.form import dialogue_questions
from core.review.showing import answer_sentences
from core.services.consent import withdrew
from core.storage.base import Session
from core.storage.dialogues import get_dialogue
from core.storage.review_design import consents_of
from core.storage.review_repository import add_event, current_drafts
from core.storage.review_studies import find_assignment, get_study, list_assignments, list_studies


@dataclass(frozen=True)
class Opened:
    """An assignment that belongs to the reviewer who asked, with what it needs.

    Attributes:
        drafts: (turn, field) -> newest save.
    """

    assignment: Assignment
    study: Study
    dialogue: Dialogue
    drafts: dict[tuple[int, str], Draft]

    @property
    def n_turns(self) -> int:
        """How many turns the dialogue has."""
        return len(self.dialogue.turns)

    @cached_property
    def sentences(self) -> dict[str, str]:
        """`turn 3, sentence 2` -> its words."""
        return answer_sentences(self.dialogue)

    @property
    def dialogue_questions(self) -> tuple[Question, ...]:
        """What is asked once per dialogue."""
        return dialogue_questions(self.study.length, self.n_turns, self.sentences)

    @property
    def is_open_review(self) -> bool:
        """True when the study hides nothing."""
        return self.study.mode is ReviewMode.OPEN

    @property
    def is_revealed(self) -> bool:
        """True when the judge's results may be shown."""
        return self.assignment.is_committed or self.is_open_review


def own_assignment(session: Session, reviewer_id: str, assignment_id: str, *, lock: bool = False) -> Assignment:
    """Give the reviewer's own assignment.

    Raises:
        NotFound: there is none of this id, or it is another reviewer's. The two are not told apart.
    """
    found = find_assignment(session, assignment_id, lock=lock)
    if found is None or not reviewer_id or found.reviewer_id != reviewer_id:
        raise NotFound("This review does not exist, or it is not assigned to you.", "Open one from My reviews.")
    return found


def open_assignment(session: Session, reviewer_id: str, assignment_id: str, *, lock: bool = False) -> Opened:
    """Give the reviewer's own assignment with its study, dialogue and drafts.

    Raises:
        NotFound: as `own_assignment`; also when its dialogue has been removed.
        NotAllowed: an open review of a dialogue that this reviewer still has to rate blinded; or the reviewer has
            withdrawn.
    """
    assignment = own_assignment(session, reviewer_id, assignment_id, lock=lock)
    study = get_study(session, assignment.study_id)
    if withdrew(consents_of(session, reviewer_id)):
        raise NotAllowed("You have withdrawn from the reviews.", "Nothing more is asked of you.")
    if study.mode is ReviewMode.OPEN and assignment.dialogue_id in still_blinded(session, reviewer_id):
        raise NotAllowed(
            "You still have this dialogue to rate in a blinded study; an open review would show its scores.",
            "Commit those ratings first; this review opens then.",
        )
    try:
        dialogue = get_dialogue(session, assignment.dialogue_id)
    except NotFound:
        # The store's own words name the dialogue, which may name its model.
        raise NotFound("The dialogue of this review is no longer stored.", "Tell the study lead.") from None
    return Opened(
        assignment=assignment,
        study=study,
        dialogue=dialogue,
        drafts=current_drafts(session, [assignment_id])[assignment_id],
    )


def still_blinded(session: Session, reviewer_id: str) -> frozenset[str]:
    """Give the dialogues this reviewer has in a blinded study that is not locked and has not committed yet."""
    blinded = {study.id for study in list_studies(session) if study.mode is ReviewMode.BLINDED and not study.locked_at}
    mine = list_assignments(session, reviewer_id=reviewer_id)
    return frozenset(a.dialogue_id for a in mine if a.study_id in blinded and not a.is_committed)


def log_event(
    session: Session, opened: Opened, at: datetime, what: str, old: str = "", new: str = "", reason: str = ""
) -> None:
    """Append what the reviewer did to the log of the study."""
    add_event(
        session,
        ReviewEvent(
            at=at,
            actor=opened.assignment.reviewer_id,
            assignment_id=opened.assignment.id,
            what=what,
            old=old,
            new=new,
            reason=reason,
            instrument_version=opened.study.instrument_version,
            app_version=__version__,
            is_revealed=opened.is_revealed,
        ),
    )
