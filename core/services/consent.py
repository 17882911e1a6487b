"""A reviewer's consent, the withdrawal of it, and what the lead decides about the ratings then."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from core.domain.review_design import ConsentEntry, ConsentStep
from core.errors import InvalidInput, NotAllowed
from core.services.study_log import log_lead
from core.services.workspace import Workspace
from core.storage.base import utc_now
from core.storage.review_design import add_consent, consents_of
from core.storage.review_repository import ratings_of
from core.storage.review_studies import get_reviewer, list_assignments, list_reviewers

TEXT_VERSION: Final = "1"
TEXT: Final = (
    "You will read published case reports turn by turn and rate answers to them. No patient of yours is involved.",
    "Your ratings, comments and the times of your actions are stored. Exports name you by a number, not by your name; "
    "specialty, years of practice and role may be reported for the whole group.",
    "Taking part is voluntary. You may stop at any time and withdraw your consent on the page My reviews; the study "
    "lead then decides whether your ratings so far are kept or left out, and the number left out is reported.",
)


@dataclass(frozen=True)
class Withdrawal:
    """A reviewer who withdrew.

    Attributes:
        decision: None until the lead has decided.
        n_ratings: committed ratings (first revisions) that the decision is about.
    """

    reviewer_id: str
    name: str
    at: datetime
    reason: str
    decision: ConsentStep | None
    n_ratings: int


def must_consent(ws: Workspace, reviewer_id: str) -> bool:
    """True when the reviewer has not consented to this version of the text. Made-up reviewers need not.

    Raises:
        NotFound: no such reviewer.
    """
    with ws.store.read() as session:
        if get_reviewer(session, reviewer_id).is_demonstration:
            return False
        entries = consents_of(session, reviewer_id)
    return not any(e.step is ConsentStep.CONSENTED and e.text_version == TEXT_VERSION for e in entries)


def has_withdrawn(ws: Workspace, reviewer_id: str) -> bool:
    """True when the reviewer's last word was a withdrawal."""
    with ws.store.read() as session:
        return withdrew(consents_of(session, reviewer_id))


def withdrew(entries: tuple[ConsentEntry, ...]) -> bool:
    """True when the reviewer's own last word in these entries was a withdrawal; False for none."""
    own = [e.step for e in entries if e.step in (ConsentStep.CONSENTED, ConsentStep.WITHDREW)]
    return bool(own) and own[-1] is ConsentStep.WITHDREW


def give_consent(ws: Workspace, reviewer_id: str, at: datetime | None = None) -> None:
    """Record that the reviewer agrees to the text as it is now.

    Raises:
        NotFound: no such reviewer.
        NotAllowed: the reviewer has withdrawn.
    """
    at = at or utc_now()
    with ws.store.write() as session:
        get_reviewer(session, reviewer_id)
        if withdrew(consents_of(session, reviewer_id)):
            raise NotAllowed("You have withdrawn from the reviews.", "Ask the study lead to add you again.")
        entry = ConsentEntry(reviewer_id=reviewer_id, at=at, step=ConsentStep.CONSENTED, text_version=TEXT_VERSION)
        add_consent(session, entry)
        log_lead(session, at, "consented", TEXT_VERSION, who=reviewer_id)


def withdraw(ws: Workspace, reviewer_id: str, reason: str = "", at: datetime | None = None) -> None:
    """Record a withdrawal: from now on this reviewer can enter nothing more. A second one changes nothing.

    Raises:
        NotFound: no such reviewer.
    """
    at = at or utc_now()
    with ws.store.write() as session:
        get_reviewer(session, reviewer_id)
        if withdrew(consents_of(session, reviewer_id)):
            return
        reason = reason.strip()[:2000]
        add_consent(session, ConsentEntry(reviewer_id=reviewer_id, at=at, step=ConsentStep.WITHDREW, reason=reason))
        log_lead(session, at, "withdrew", who=reviewer_id, reason=reason)


def decide(ws: Workspace, reviewer_id: str, *, keeps: bool, reason: str, at: datetime | None = None) -> None:
    """Record whether the ratings of a reviewer who withdrew are kept or left out of every comparison and export.

    Raises:
        InvalidInput: this reviewer has not withdrawn, or no reason is given.
    """
    if not reason.strip():
        raise InvalidInput("The decision needs a reason.", "A few words are enough.")
    at = at or utc_now()
    step = ConsentStep.KEPT if keeps else ConsentStep.EXCLUDED
    with ws.store.write() as session:
        if not withdrew(consents_of(session, reviewer_id)):
            raise InvalidInput("This reviewer has not withdrawn.")
        entry = ConsentEntry(reviewer_id=reviewer_id, at=at, step=step, reason=reason.strip()[:2000])
        add_consent(session, entry)
        log_lead(session, at, step.value, reviewer_id, reason=reason.strip()[:2000])


def excluded(entries: tuple[ConsentEntry, ...]) -> frozenset[str]:
    """Give the reviewers whose ratings the lead has left out after a withdrawal: the newest decision counts."""
    decisions = {e.reviewer_id: e.step for e in entries if e.step in (ConsentStep.KEPT, ConsentStep.EXCLUDED)}
    return frozenset(r for r, step in decisions.items() if step is ConsentStep.EXCLUDED)


def withdrawals(ws: Workspace) -> tuple[Withdrawal, ...]:
    """Give every reviewer who withdrew, with what was decided and how many ratings it is about; empty for none."""
    with ws.store.read() as session:
        found = []
        for person in list_reviewers(session):
            entries = consents_of(session, person.id)
            if not withdrew(entries):
                continue
            last = next(e for e in reversed(entries) if e.step is ConsentStep.WITHDREW)
            decided = [e.step for e in entries if e.step in (ConsentStep.KEPT, ConsentStep.EXCLUDED)]
            mine = [a.id for a in list_assignments(session, reviewer_id=person.id)]
            found.append(
                Withdrawal(
                    reviewer_id=person.id,
                    name=person.name,
                    at=last.at,
                    reason=last.reason,
                    decision=decided[-1] if decided else None,
                    n_ratings=sum(r.revision == 1 for r in ratings_of(session, mine)),
                )
            )
    return tuple(found)
