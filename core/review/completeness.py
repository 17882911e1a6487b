"""Which fields still have no answer, and how long the rest may take."""

from collections.abc import Mapping

from core.domain.instrument import Dimension
from core.domain.review import Draft, Length, Missing, SafetyRisk
from core.domain.review_views import OpenField, Question
from core.review.form import SAFETY, SEVERITY, SUPPORTED, detail_field

Drafts = Mapping[tuple[int, str], Draft]

_MINUTES = {Length.SHORT: (1.0, 3.5), Length.FULL: (1.8, 6.0)}


def value_of(drafts: Drafts, turn: int, field: str):  # noqa: ANN201 - DraftContent
    """Give a field's newest value; None when not answered. An empty text or choice is no answer."""
    draft = drafts.get((turn, field))
    if draft is None or draft.value in ("", ()):
        return None
    return draft.value


def turns_without_rating(drafts: Drafts, n_turns: int) -> tuple[int, ...]:
    """Give the turns whose support has not been rated."""
    return tuple(n for n in range(1, n_turns + 1) if value_of(drafts, n, SUPPORTED) is None)


def open_fields(drafts: Drafts, n_turns: int, questions: tuple[Question, ...]) -> tuple[OpenField, ...]:
    """Give what is missing before a commit: required fields, then what is asked but may stay open.

    Args:
        drafts: (turn, field) -> newest save.
        n_turns: turns of the dialogue.
        questions: what is asked once per dialogue.
    """
    required = [
        OpenField(step=f"turn-{n}", label=f"Turn {n}: supported by what was shown", is_required=True)
        for n in turns_without_rating(drafts, n_turns)
    ]
    wished = []
    for question in questions:
        value = value_of(drafts, 0, question.field)
        if value is None:
            if question.is_required:
                required.append(OpenField(step="rate", label=question.label, is_required=True))
            continue
        if question.field in {d.value for d in Dimension}:
            dimension = Dimension(question.field)
            reason = value_of(drafts, 0, detail_field(dimension, "reason"))
            if value == Missing.CANNOT_JUDGE.value and not (isinstance(reason, str) and reason.strip()):
                required.append(
                    OpenField(step="rate", label=f"{question.label}: why it cannot be judged", is_required=True)
                )
            if isinstance(value, int):
                if value_of(drafts, 0, detail_field(dimension, "confidence")) is None:
                    wished.append(OpenField(step="rate", label=f"{question.label}: confidence", is_required=False))
                if value <= 3 and value_of(drafts, 0, detail_field(dimension, "evidence")) is None:
                    wished.append(
                        OpenField(step="rate", label=f"{question.label}: turns it rests on", is_required=False)
                    )
        if question.field == SAFETY and value != SafetyRisk.NONE.value and value_of(drafts, 0, SEVERITY) is None:
            wished.append(OpenField(step="rate", label="Safety: how bad", is_required=False))
    return (*required, *wished)


def hints(drafts: Drafts) -> tuple[str, ...]:
    """Give remarks on an unusual set of scores: shown, never forced (review.md section 2)."""
    scores = {d: value_of(drafts, 0, d.value) for d in Dimension}
    numbers = {d: v for d, v in scores.items() if isinstance(v, int)}
    found = []
    overall = numbers.get(Dimension.OVERALL)
    others = [v for d, v in numbers.items() if d is not Dimension.OVERALL]
    is_major = value_of(drafts, 0, SAFETY) == SafetyRisk.LIKELY.value or value_of(drafts, 0, SEVERITY) == "severe"
    if overall is not None and overall >= 4 and is_major:
        found.append("Overall is 4 or more although you see a major risk of harm.")
    if overall is not None and others and all(abs(overall - v) > 1 for v in others):
        found.append("Overall is more than 1 away from every other score.")
    if len(numbers) == len(Dimension) and len(set(numbers.values())) == 1:
        times = [drafts[(0, d.value)].saved_at for d in Dimension]
        if (max(times) - min(times)).total_seconds() <= 10:
            found.append("All five scores are equal and were given within 10 seconds.")
    return tuple(found)


def minutes_left(n_turns: int, turns_done: int, length: Length) -> int:
    """Give expected minutes, from about one per turn (short) and the final ratings (review.md section 2)."""
    per_turn, final = _MINUTES[length]
    return max(1, round(per_turn * max(0, n_turns - turns_done) + final))
