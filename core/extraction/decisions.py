"""Decisions of a person on leak hits, each a new version of the case.

A disclosure covers a whole value, which may hold several hits: deciding one never gives back words that another
decision took away, and never closes a hit whose words a model would still see.
"""

from datetime import datetime

from core.domain.case import CaseRepresentation, Disclosure, LeakAction, LeakHit, Value, Verdict
from core.domain.record import MadeBy
from core.errors import InvalidInput, NotFound
from core.extraction.clearing import cleared_wording, cut_clauses
from core.extraction.leaks import held_reason


def apply_decision(
    case: CaseRepresentation,
    hit: LeakHit,
    action: LeakAction,
    who: str,
    reason: str = "",
    *,
    at: datetime,
    code_version: str = "",
    text: str | None = None,
) -> CaseRepresentation:
    """Give the next version of the case with one leak hit decided.

    `moved` shows the value at synthesis instead (only for hits that warn, before synthesis); `trimmed` cuts the naming
    clause; `withheld` never discloses the value; `edited` discloses `text` instead; `waived` leaves the words and needs
    a reason; `none` takes every decision on the value back. Other hits of the value whose words are no longer disclosed
    are closed with it; those whose words are disclosed again are open again. A held case stays held while the reason
    for it lasts.

    Args:
        case: the version the decision was made on.
        hit: one of `case.leaks`.
        action: what to do.
        who: the person.
        reason: why; needed for `waived`.
        at: when, with its zone.
        code_version: version of this program.
        text: the edited wording, for `edited` only.

    Raises:
        NotFound: the hit is not one of this version.
        InvalidInput: the action does not fit the hit, or a reason or text is missing.
    """
    if hit not in case.leaks:
        raise NotFound("This leak hit is not part of this version of the case.", "Reload the case and decide again.")
    value = next((one for values in case.elements.values() for one in values if one.id == hit.value_id), None)
    if value is None and action not in (LeakAction.WAIVED, LeakAction.NONE):
        raise InvalidInput(
            "A figure's label or modality cannot be cut.", "Waive the hit with a reason, or exclude the figure."
        )
    _check_action(hit, action, reason, text)
    others = [one for one in case.leaks if one.value_id == hit.value_id and one != hit] if value else []
    before = tuple(one for one in case.disclosures if one.value_id == hit.value_id)
    made = _disclosures(value, hit, others, action, text, before) if value else ()
    changed = {
        one: _other(one, action, who, reason, value, made) for one in others if value and action is not LeakAction.NONE
    }
    changed |= {one: _decided(one, LeakAction.NONE, who, "") for one in others if action is LeakAction.NONE}
    changed[hit] = _decided(hit, action, who, reason)
    decided = case.model_copy(
        update={
            "version": case.version + 1,
            "disclosures": (*(one for one in case.disclosures if one.value_id != hit.value_id), *made),
            "leaks": tuple(changed.get(one, one) for one in case.leaks),
            "change_reason": reason or f"leak of “{hit.term}”: {action}",
            "made_by": MadeBy(engine="person", model=who, code_version=code_version, at=at),
        }
    )
    return decided.model_copy(update={"held_reason": held_reason(decided) if case.held_reason else ""})


def _check_action(hit: LeakHit, action: LeakAction, reason: str, text: str | None) -> None:
    if action is LeakAction.WAIVED and not reason.strip():
        raise InvalidInput(
            "A leak can be waived only with a reason.", "Say why these words do not give the answer away."
        )
    if action is LeakAction.MOVED and (hit.verdict is Verdict.BLOCKS or hit.stage == "synthesis"):
        raise InvalidInput(
            "Only a warning before the synthesis turn can be moved there.", "Trim or withhold the value instead."
        )
    if (action is LeakAction.EDITED) != bool(text and text.strip()):
        raise InvalidInput("An edited disclosure needs its text, and only that.", "Give the words to disclose.")


def _disclosures(
    value: Value,
    hit: LeakHit,
    others: list[LeakHit],
    action: LeakAction,
    text: str | None,
    before: tuple[Disclosure, ...],
) -> tuple[Disclosure, ...]:
    trimmed = [(one.start, one.end) for one in others if one.action is LeakAction.TRIMMED]
    moved = [(one.start, one.end) for one in others if one.action is LeakAction.MOVED]
    if action is LeakAction.NONE:
        return ()
    if action is LeakAction.WITHHELD:
        return (Disclosure(value_id=value.id, text=None),)
    if action is LeakAction.EDITED and text:
        return (Disclosure(value_id=value.id, text=text.strip()),)
    if action is LeakAction.MOVED:
        return (Disclosure(value_id=value.id, text=cut_clauses(value.text, trimmed), moved_to_synthesis=True),)
    if action is LeakAction.WAIVED and hit.action is LeakAction.NONE:
        return before
    if action is LeakAction.TRIMMED:
        trimmed.append((hit.start, hit.end))
    return tuple(cleared_wording(value, trimmed, moved))


def _other(
    other: LeakHit, action: LeakAction, who: str, reason: str, value: Value, made: tuple[Disclosure, ...]
) -> LeakHit:
    if other.action is LeakAction.WAIVED:
        return other
    in_place = action in (LeakAction.TRIMMED, LeakAction.WAIVED) and other.action in (
        LeakAction.TRIMMED,
        LeakAction.MOVED,
    )
    if in_place:
        return other
    early = [one.text or "" for one in made if not one.moved_to_synthesis] if made else [value.text]
    late = [one.text or "" for one in made if one.moved_to_synthesis]
    is_shown = any(other.text in text for text in early)
    is_shown |= any(other.text in text for text in late) and other.verdict is Verdict.BLOCKS
    if is_shown:
        return _decided(other, LeakAction.NONE, who, "")
    return _decided(other, action, who, reason) if other.action is LeakAction.NONE else other


def _decided(hit: LeakHit, action: LeakAction, who: str, reason: str) -> LeakHit:
    opened = action is LeakAction.NONE
    return hit.model_copy(
        update={"action": action, "decided_by": "" if opened else who, "reason": "" if opened else reason}
    )
