"""What a study lead does: reviewers, studies, who rates what, how far they are."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from core import __version__
from core.domain.instrument import INSTRUMENT
from core.domain.review import Assignment, Length, Reviewer, ReviewEvent, ReviewMode, Study
from core.errors import InvalidInput, NotFound
from core.review.order import Candidate, blinded_labels, reviewer_order
from core.services.workspace import Workspace
from core.storage.base import Session, utc_now
from core.storage.dialogues import DialogueListing, list_dialogues
from core.storage.review_repository import add_event
from core.storage.review_studies import (
    count_reviewers,
    find_reviewer,
    get_reviewer,
    get_study,
    list_assignments,
    list_reviewers,
    list_studies,
    lock_study,
    save_assignments,
    save_reviewer,
    save_study,
)


@dataclass(frozen=True)
class StudyLine:
    """One study with how far it is.

    Attributes:
        n_dialogues, n_reviewers: taking part.
        n_assignments, n_committed, n_in_progress: of these.
    """

    study: Study
    n_dialogues: int
    n_reviewers: int
    n_assignments: int
    n_committed: int
    n_in_progress: int


@dataclass(frozen=True)
class CoverageLine:
    """One dialogue of a study: who has it, and how many have committed. Names the setting: for the lead only.

    Attributes:
        states: reviewer's name -> `committed`, `in progress`, `left` or `set aside`; absent when not assigned.
        reasons: why reviewers set it aside, one sentence each.
    """

    label: str
    dialogue_id: str
    case_id: str
    setting: str
    states: Mapping[str, str]
    reasons: tuple[str, ...]


def add_reviewer(
    ws: Workspace,
    name: str,
    *,
    specialty: str = "",
    years: int | None = None,
    role: str = "",
    is_demonstration: bool = False,
    at: datetime | None = None,
) -> Reviewer:
    """Add a reviewer and give the record, with the next free pseudonym.

    Raises:
        InvalidInput: the name is empty, too long or taken.
    """
    name = " ".join(name.split())
    if not 1 <= len(name) <= 80:
        raise InvalidInput("A reviewer needs a name of 1 to 80 characters.", "Type one.")
    with ws.store.write() as session:
        reviewer = Reviewer(
            id=f"rev-{uuid4().hex[:12]}",
            name=name,
            pseudonym=f"Reviewer {count_reviewers(session) + 1}",
            specialty=specialty.strip(),
            years=years,
            role=role.strip(),
            created_at=at or utc_now(),
            is_demonstration=is_demonstration,
        )
        save_reviewer(session, reviewer)
    return reviewer


def reviewers(ws: Workspace) -> tuple[Reviewer, ...]:
    """Give all reviewers in the order they were added."""
    with ws.store.read() as session:
        return list_reviewers(session)


def reviewer(ws: Workspace, reviewer_id: str) -> Reviewer:
    """Give a reviewer.

    Raises:
        NotFound: there is none of that id.
    """
    with ws.store.read() as session:
        return get_reviewer(session, reviewer_id)


def reviewer_named(ws: Workspace, name: str) -> Reviewer | None:
    """Give the reviewer of that name; None when there is none."""
    with ws.store.read() as session:
        return find_reviewer(session, name)


def dialogues_to_choose(ws: Workspace) -> tuple[DialogueListing, ...]:
    """Give every stored dialogue that has an answer somewhere, for a study to choose from."""
    with ws.store.read() as session:
        return tuple(d for d in list_dialogues(session) if d.n_failed < d.n_turns)


def create_study(
    ws: Workspace,
    name: str,
    mode: ReviewMode,
    dialogue_ids: Sequence[str],
    reviewer_ids: Sequence[str],
    *,
    length: Length = Length.SHORT,
    order_seed: int | None = None,
    is_demonstration: bool = False,
    at: datetime | None = None,
) -> Study:
    """Create a study in which every reviewer gets every dialogue, each in an order of their own that is stored.

    Args:
        ws: the running study folder.
        name: unique.
        mode: blinded, or open review.
        dialogue_ids: at least one.
        reviewer_ids: may be empty; reviewers can be added later.
        length: short or full form.
        order_seed: of labels and orders; drawn once and stored when None.
        is_demonstration: marks everything that comes out of it.
        at: the time of creation; now when None.

    Raises:
        InvalidInput: no name, a taken name, no dialogue, or a reviewer of a blinded study who has one of the
            dialogues in an open review.
        NotFound: a dialogue or reviewer is not stored.
    """
    name = " ".join(name.split())
    if not 1 <= len(name) <= 120:
        raise InvalidInput("A study needs a name of 1 to 120 characters.", "Type one.")
    if not dialogue_ids:
        raise InvalidInput("A study needs at least one dialogue.", "Choose some from the list.")
    study = Study(
        id=f"study-{uuid4().hex[:12]}",
        name=name,
        mode=mode,
        length=length,
        instrument_version=INSTRUMENT.version,
        order_seed=secrets.randbelow(2**31) if order_seed is None else order_seed,
        created_at=at or utc_now(),
        is_demonstration=is_demonstration,
    )
    with ws.store.write() as session:
        save_study(session, study)
        _assign(session, study, dialogue_ids, reviewer_ids, at or utc_now())
    return study


def add_to_study(
    ws: Workspace,
    study_id: str,
    reviewer_ids: Sequence[str],
    dialogue_ids: Sequence[str] = (),
    at: datetime | None = None,
) -> int:
    """Give reviewers the study's dialogues and the further ones named; returns how many assignments are new.

    Existing assignments keep label and place; new ones follow after them.

    Raises:
        NotFound: the study, a reviewer or a dialogue is not stored.
        InvalidInput: the study is locked.
    """
    with ws.store.write() as session:
        study = get_study(session, study_id)
        if study.locked_at is not None:
            raise InvalidInput("This study is locked.", "Create a new one.")
        present = list_assignments(session, study_id=study_id)
        wanted = list(dict.fromkeys([*(a.dialogue_id for a in present), *dialogue_ids]))
        everyone = list(dict.fromkeys([*(a.reviewer_id for a in present), *reviewer_ids]))
        return _assign(session, study, wanted, everyone, at or utc_now())


def _assign(
    session: Session, study: Study, dialogue_ids: Sequence[str], reviewer_ids: Sequence[str], at: datetime
) -> int:
    listed = {d.id: d for d in list_dialogues(session)}
    unknown = [d for d in dialogue_ids if d not in listed]
    if unknown:
        raise NotFound(f"{len(unknown)} of the chosen dialogues are not stored.", "Choose again.")
    present = list_assignments(session, study_id=study.id)
    labels = {a.dialogue_id: a.label for a in present}
    fresh = blinded_labels([_candidate(listed[d]) for d in dialogue_ids if d not in labels], study.order_seed)
    shift = len(labels)
    labels |= {d: f"Dialogue {shift + int(text.removeprefix('Dialogue '))}" for d, text in fresh.items()}
    n_new = 0
    for reviewer_id in reviewer_ids:
        who = get_reviewer(session, reviewer_id)
        mine = [a for a in present if a.reviewer_id == reviewer_id]
        has = {a.dialogue_id for a in mine}
        if study.mode is ReviewMode.BLINDED:
            _refuse_after_open_review(session, reviewer_id, [d for d in dialogue_ids if d not in has])
        candidates = [_candidate(listed[d]) for d in dialogue_ids if d not in has]
        order = reviewer_order(candidates, who.pseudonym, study.order_seed)
        last = max((a.position for a in mine), default=0)
        save_assignments(
            session,
            [
                Assignment(
                    id=f"asg-{uuid4().hex[:16]}",
                    study_id=study.id,
                    dialogue_id=dialogue_id,
                    reviewer_id=reviewer_id,
                    label=labels[dialogue_id],
                    position=last + n,
                )
                for n, dialogue_id in enumerate(order, start=1)
            ],
        )
        n_new += len(order)
    _log_lead(session, at, f"assigned in {study.name}", str(n_new))
    return n_new


def _candidate(dialogue: DialogueListing) -> Candidate:
    name = f"{dialogue.setting}/{dialogue.repeat}"
    return Candidate(dialogue_id=dialogue.id, case_id=dialogue.case_id, name=name)


def _refuse_after_open_review(session: Session, reviewer_id: str, dialogue_ids: Sequence[str]) -> None:
    shown = {study.id for study in list_studies(session) if study.mode is ReviewMode.OPEN}
    seen = {a.dialogue_id for a in list_assignments(session, reviewer_id=reviewer_id) if a.study_id in shown}
    both = seen.intersection(dialogue_ids)
    if both:
        raise InvalidInput(
            f"{get_reviewer(session, reviewer_id).name} has {len(both)} of these dialogues in an open review, "
            "where the judge's scores are shown.",
            "Leave this reviewer or these dialogues out of the blinded study.",
        )


def studies(ws: Workspace) -> tuple[StudyLine, ...]:
    """Give all studies, oldest first, with how far they are."""
    with ws.store.read() as session:
        found = list_studies(session)
        everything = list_assignments(session)
    lines = []
    for study in found:
        mine = [a for a in everything if a.study_id == study.id]
        lines.append(
            StudyLine(
                study=study,
                n_dialogues=len({a.dialogue_id for a in mine}),
                n_reviewers=len({a.reviewer_id for a in mine}),
                n_assignments=len(mine),
                n_committed=sum(a.is_committed for a in mine),
                n_in_progress=sum(_state(a) == "in progress" for a in mine),
            )
        )
    return tuple(lines)


def coverage(ws: Workspace, study_id: str) -> tuple[CoverageLine, ...]:
    """Give one line per dialogue of a study, by label. It names settings: for the lead, never for a reviewer.

    Raises:
        NotFound: no such study.
    """
    with ws.store.read() as session:
        get_study(session, study_id)
        assignments = list_assignments(session, study_id=study_id)
        names = {r.id: r.name for r in list_reviewers(session)}
        listed = {d.id: d for d in list_dialogues(session)}
    by_dialogue: dict[str, list[Assignment]] = {}
    for assignment in assignments:
        by_dialogue.setdefault(assignment.dialogue_id, []).append(assignment)
    lines = [
        CoverageLine(
            label=mine[0].label,
            dialogue_id=dialogue_id,
            case_id=listed[dialogue_id].case_id,
            setting=listed[dialogue_id].setting,
            states={names[a.reviewer_id]: _state(a) for a in mine},
            reasons=tuple(a.skipped_because for a in mine if a.skipped_because),
        )
        for dialogue_id, mine in by_dialogue.items()
    ]
    return tuple(sorted(lines, key=lambda line: int(line.label.rsplit(" ", 1)[-1])))


def _state(assignment: Assignment) -> str:
    if assignment.is_committed:
        return "committed"
    if assignment.skipped_because:
        return "set aside"
    return "in progress" if assignment.furthest_turn > 1 else "left"


def lock(ws: Workspace, study_id: str, at: datetime | None = None) -> None:
    """Close a study: no rating enters it any more.

    Raises:
        NotFound: no such study.
    """
    with ws.store.write() as session:
        study = get_study(session, study_id)
        lock_study(session, study_id, at or utc_now())
        _log_lead(session, at or utc_now(), f"locked {study.name}")


def assignments_of(ws: Workspace, study_id: str) -> tuple[Assignment, ...]:
    """Give a study's assignments in each reviewer's order; empty when nobody has been given anything."""
    with ws.store.read() as session:
        return list_assignments(session, study_id=study_id)


def _log_lead(session: Session, at: datetime, what: str, new: str = "") -> None:
    event = ReviewEvent(
        at=at,
        actor="lead",
        what=what[:60],
        new=new,
        instrument_version=INSTRUMENT.version,
        app_version=__version__,
        is_revealed=True,
    )
    add_event(session, event)
