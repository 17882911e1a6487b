"""Who gets which dialogue: everyone everything, or each dialogue a balanced share of the reviewers."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import uuid4

from core.domain.review import Assignment, ReviewMode, Study
from core.errors import InvalidInput, NotFound
from core.review.order import Candidate, blinded_labels, reviewer_order, spread
from core.services.study_log import log_lead
from core.storage.base import Session
from core.storage.dialogues import DialogueListing, list_dialogues
from core.storage.review_studies import get_reviewer, list_assignments, list_studies, save_assignments


def assign(
    session: Session, study: Study, dialogue_ids: Sequence[str], reviewer_ids: Sequence[str], at: datetime
) -> int:
    """Give the reviewers the dialogues, all or by the study's overlap, and return how many assignments are new.

    Raises:
        NotFound: a dialogue or reviewer is not stored.
        InvalidInput: a reviewer of a blinded study has one of the dialogues in an open review.
    """
    overlap = study.design.overlap
    if overlap is None or not reviewer_ids or overlap >= len(reviewer_ids):
        return assign_pairs(session, study, {r: list(dialogue_ids) for r in reviewer_ids}, at, dialogue_ids)
    names = {r: get_reviewer(session, r).pseudonym for r in reviewer_ids}
    listed = {d.id: d for d in list_dialogues(session)}
    _refuse_unknown(dialogue_ids, listed)
    candidates = [candidate(listed[d]) for d in dialogue_ids]
    by_name = spread(candidates, sorted(names.values()), overlap, study.order_seed)
    wanted = {r: [c.dialogue_id for c in by_name[name]] for r, name in names.items()}
    return assign_pairs(session, study, wanted, at, dialogue_ids)


def assign_pairs(
    session: Session,
    study: Study,
    wanted: Mapping[str, Sequence[str]],
    at: datetime,
    dialogue_ids: Sequence[str] = (),
) -> int:
    """Give each reviewer (id) the named dialogues that they do not have; returns how many assignments are new.

    Existing assignments keep label and place; new ones follow after them in an order drawn by the study's seed.

    Args:
        session: of a unit of writing.
        study: whose.
        wanted: reviewer id -> dialogue ids.
        at: when.
        dialogue_ids: every dialogue that needs a label, assigned or not.

    Raises:
        NotFound, InvalidInput: as `assign`.
    """
    listed = {d.id: d for d in list_dialogues(session)}
    everything = list(dict.fromkeys([*dialogue_ids, *(d for ids in wanted.values() for d in ids)]))
    _refuse_unknown(everything, listed)
    present = list_assignments(session, study_id=study.id)
    labels = _labels(study, present, everything, listed)
    n_new = 0
    for reviewer_id, dialogues in wanted.items():
        who = get_reviewer(session, reviewer_id)
        mine = [a for a in present if a.reviewer_id == reviewer_id]
        has = {a.dialogue_id for a in mine}
        fresh = [d for d in dialogues if d not in has]
        if study.mode is ReviewMode.BLINDED:
            _refuse_what_is_shown(session, study, reviewer_id, fresh)
        order = reviewer_order([candidate(listed[d]) for d in fresh], who.pseudonym, study.order_seed)
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
    log_lead(session, at, f"assigned in {study.name}", str(n_new))
    return n_new


def _labels(
    study: Study, present: Sequence[Assignment], dialogue_ids: Sequence[str], listed: Mapping[str, DialogueListing]
) -> dict[str, str]:
    labels = {a.dialogue_id: a.label for a in present}
    seed = study.order_seed if study.design.blinding_seed is None else study.design.blinding_seed
    fresh = blinded_labels([candidate(listed[d]) for d in dialogue_ids if d not in labels], seed)
    shift = max((int(label.rsplit(" ", 1)[-1]) for label in labels.values()), default=0)
    return labels | {d: f"Dialogue {shift + int(text.removeprefix('Dialogue '))}" for d, text in fresh.items()}


def candidate(dialogue: DialogueListing) -> Candidate:
    """Give a dialogue as the drawing of orders and labels knows it."""
    name = f"{dialogue.setting}/{dialogue.repeat}"
    return Candidate(dialogue_id=dialogue.id, case_id=dialogue.case_id, name=name)


def _refuse_unknown(dialogue_ids: Sequence[str], listed: Mapping[str, DialogueListing]) -> None:
    unknown = [d for d in dialogue_ids if d not in listed]
    if unknown:
        raise NotFound(f"{len(unknown)} of the chosen dialogues are not stored.", "Choose again.")


def _refuse_what_is_shown(session: Session, study: Study, reviewer_id: str, dialogue_ids: Sequence[str]) -> None:
    """Refuse dialogues whose judge this reviewer sees elsewhere: in an open review, or after another commit."""
    modes = {other.id: other.mode for other in list_studies(session) if other.id != study.id}
    reasons = {
        ReviewMode.OPEN: "in an open review, where the judge's scores are shown",
        ReviewMode.BLINDED: "in another blinded study, where the judge's scores are shown after the commit",
    }
    given = [a for a in list_assignments(session, reviewer_id=reviewer_id) if a.dialogue_id in set(dialogue_ids)]
    for mode, reason in reasons.items():
        both = {a.dialogue_id for a in given if modes.get(a.study_id) is mode}
        if both:
            raise InvalidInput(
                f"{get_reviewer(session, reviewer_id).name} has {len(both)} of these dialogues {reason}.",
                "Leave this reviewer or these dialogues out of the blinded study.",
            )
