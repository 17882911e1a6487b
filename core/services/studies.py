"""What a study lead does: reviewers, studies, who rates what, how far they are."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import uuid4

from core.domain.dialogue import DialogueKind
from core.domain.instrument import INSTRUMENT
from core.domain.review import Assignment, Length, Reviewer, ReviewMode, Study
from core.domain.review_design import StudyDesign, Unblinding
from core.errors import InvalidInput
from core.review.completeness import minutes_left
from core.services.assigning import assign, assign_pairs
from core.services.study_log import log_lead
from core.services.workspace import Workspace
from core.storage.base import utc_now
from core.storage.dialogues import DialogueListing, list_dialogues
from core.storage.review_design import add_unblinding, unblindings_of
from core.storage.review_studies import (
    AssignmentCounts,
    count_assignments,
    count_reviewers,
    find_reviewer,
    get_reviewer,
    get_study,
    list_assignments,
    list_reviewers,
    list_studies,
    lock_study,
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
    """One dialogue of a study: who has it, and how many have committed. For the lead only.

    Attributes:
        case_id, setting: empty while the study is blinded: the lead may be a reviewer too.
        is_control: the dialogue was written from the article; None while the study is blinded.
        states: reviewer's name -> `committed`, `in progress`, `left` or `set aside`; absent when not assigned.
        reasons: why reviewers set it aside, one sentence each.
    """

    label: str
    dialogue_id: str
    case_id: str
    setting: str
    is_control: bool | None
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
    design: StudyDesign | None = None,
    is_demonstration: bool = False,
    at: datetime | None = None,
) -> Study:
    """Create a study; every reviewer gets every dialogue or, with an overlap, a share, in a stored order of their own.

    Args:
        ws: the running study folder.
        name: unique.
        mode: blinded, or open review.
        dialogue_ids: at least one.
        reviewer_ids: may be empty; reviewers can be added later.
        length: short or full form.
        order_seed: of the orders; drawn once and stored when None.
        design: overlap, blinding seed, item mode, when the article's findings are shown; the defaults when None.
        is_demonstration: marks everything that comes out of it.
        at: the time of creation; now when None.

    Raises:
        InvalidInput: no name, a taken name, no dialogue, or a reviewer of a blinded study who has one of the
            dialogues in an open review or in another blinded study.
        NotFound: a dialogue or reviewer is not stored.
    """
    name = _checked_name(name)
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
        design=design or StudyDesign(),
    )
    with ws.store.write() as session:
        save_study(session, study)
        assign(session, study, dialogue_ids, reviewer_ids, at or utc_now())
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
        # With an overlap those of before keep their share and get only what is named now.
        of_before = dialogue_ids if study.design.overlap else wanted
        shares = {r: wanted if r in reviewer_ids else of_before for r in everyone}
        return assign_pairs(session, study, shares, at or utc_now(), wanted)


def studies(ws: Workspace) -> tuple[StudyLine, ...]:
    """Give all studies, oldest first, with how far they are."""
    with ws.store.read() as session:
        found = list_studies(session)
        counted = count_assignments(session)
    nothing = AssignmentCounts(0, 0, 0, 0, 0)
    return tuple(StudyLine(study=study, **asdict(counted.get(study.id, nothing))) for study in found)


def coverage(ws: Workspace, study_id: str) -> tuple[CoverageLine, ...]:
    """Give one line per dialogue of a study, by label; cases and settings are named once the blinding is over.

    Raises:
        NotFound: no such study.
    """
    with ws.store.read() as session:
        study = get_study(session, study_id)
        names_settings = _is_unblinded(study, unblindings_of(session, study_id))
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
            case_id=listed[dialogue_id].case_id if names_settings else "",
            setting=listed[dialogue_id].setting if names_settings else "",
            is_control=listed[dialogue_id].kind == DialogueKind.REFERENCE if names_settings else None,
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
        log_lead(session, at or utc_now(), f"locked {study.name}")


def assignments_of(ws: Workspace, study_id: str) -> tuple[Assignment, ...]:
    """Give a study's assignments in each reviewer's order; empty when nobody has been given anything."""
    with ws.store.read() as session:
        return list_assignments(session, study_id=study_id)


def _is_unblinded(study: Study, unblindings: Sequence[Unblinding]) -> bool:
    return study.mode is ReviewMode.OPEN or study.locked_at is not None or bool(unblindings)


def unblindings(ws: Workspace, study_id: str) -> tuple[Unblinding, ...]:
    """Give who looked behind a study's blinding, oldest first; empty while nobody did."""
    with ws.store.read() as session:
        return unblindings_of(session, study_id)


def unblind(ws: Workspace, study_id: str, who: str, why: str, at: datetime | None = None) -> None:
    """Show the lead cases and settings of a study that is not locked; who, when and why are kept for good.

    Raises:
        NotFound: no such study.
        InvalidInput: no name or no reason.
    """
    who, why = " ".join(who.split())[:80], why.strip()[:2000]
    if not who or not why:
        raise InvalidInput("An unblinding needs your name and a reason.", "Both are kept with the study.")
    at = at or utc_now()
    with ws.store.write() as session:
        study = get_study(session, study_id)
        add_unblinding(session, Unblinding(study_id=study_id, at=at, who=who, why=why))
        log_lead(session, at, f"unblinded {study.name}", study_id, who=who, reason=why)


def clone(ws: Workspace, study_id: str, name: str, reviewer_ids: Sequence[str], at: datetime | None = None) -> Study:
    """Create a study with the same dialogues, layout and seeds for the named reviewers; no rating is copied.

    With the same seeds and overlap the dialogues have the same labels.

    Raises:
        NotFound: no such study.
        InvalidInput: as `create_study`; for one, a reviewer of the blinded study would meet its dialogues again.
    """
    with ws.store.read() as session:
        old = get_study(session, study_id)
        dialogue_ids = sorted({a.dialogue_id for a in list_assignments(session, study_id=study_id)})
    seed = old.order_seed if old.design.blinding_seed is None else old.design.blinding_seed
    return create_study(
        ws,
        name,
        old.mode,
        dialogue_ids,
        reviewer_ids,
        length=old.length,
        order_seed=old.order_seed,
        design=old.design.model_copy(update={"cloned_from": old.id, "blinding_seed": seed}),
        is_demonstration=old.is_demonstration,
        at=at,
    )


def _checked_name(name: str) -> str:
    name = " ".join(name.split())
    if not 1 <= len(name) <= 120:
        raise InvalidInput("A study needs a name of 1 to 120 characters.", "Type one.")
    return name


def expected_minutes(ws: Workspace, dialogue_ids: Sequence[str], length: Length) -> int:
    """Give how many minutes one reviewer needs for these dialogues; 0 for none."""
    wanted = set(dialogue_ids)
    with ws.store.read() as session:
        sizes = [d.n_turns for d in list_dialogues(session) if d.id in wanted]
    return sum(minutes_left(n_turns, 0, length) for n_turns in sizes)
