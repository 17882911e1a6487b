"""The questions of the form: which fields exist, when they are asked, what they may hold."""

from collections.abc import Collection
from typing import Final

from core.domain.dialogue import Stage
from core.domain.instrument import INSTRUMENT, Dimension
from core.domain.review import Confidence, DraftContent, Length, Missing, Severity
from core.domain.review_views import FieldKind, Option, Question

TEXT_LIMIT: Final = 20_000
WHOLE_DIALOGUE: Final = 0
SUPPORTED: Final = "supported"
DIMENSION_FIELDS: Final = frozenset(d.value for d in Dimension)
SAFETY: Final = "safety"
SEVERITY: Final = "safety.severity"


def _options(*pairs: tuple[str, str]) -> tuple[Option, ...]:
    return tuple(Option(value=value, label=label) for value, label in pairs)


_SUPPORTED = Question(
    field=SUPPORTED,
    kind=FieldKind.CHOICE,
    label="Supported by what was shown",
    options=_options(("yes", "Yes"), ("partly", "Partly"), ("no", "No")),
    is_required=True,
)
_ERRORS = Question(
    field="errors",
    kind=FieldKind.CHOICES,
    label="Errors in this answer",
    options=_options(
        ("false finding", "false finding"),
        ("missed finding", "missed finding"),
        ("wrong site or side", "wrong site or side"),
        ("wrong severity", "wrong severity"),
        ("wrong comparison", "wrong comparison"),
        ("wrong inference", "wrong inference"),
        ("unsafe advice", "unsafe advice"),
    ),
)
_IMAGE_USE = Question(
    field="image_use",
    kind=FieldKind.CHOICE,
    label="Use of the image",
    options=_options(("correct", "Correct"), ("misread", "Misread"), ("ignored", "Ignored"), ("invented", "Invented")),
)
_CLOSURE = Question(
    field="closure",
    kind=FieldKind.CHOICE,
    label="Closure",
    help="Did it settle on a diagnosis too early, at the right time, or not enough?",
    options=_options(("premature", "Premature"), ("appropriate", "Appropriate"), ("over-cautious", "Over-cautious")),
)
_COMMENT = Question(field="comment", kind=FieldKind.TEXT, label="Comment")


def turn_questions(stage: Stage, length: Length) -> tuple[Question, ...]:
    """Give what is asked about one turn, in order."""
    if length is Length.SHORT:
        return (_SUPPORTED, _COMMENT)
    questions = [_SUPPORTED, _ERRORS]
    if stage is Stage.IMAGE:
        questions.append(_IMAGE_USE)
    else:
        questions.append(_CLOSURE)
    return (*questions, _COMMENT)


_LETTERS = {
    Dimension.FACTUALITY: "F",
    Dimension.VALIDITY: "V",
    Dimension.COHERENCE: "H",
    Dimension.UTILITY: "U",
    Dimension.OVERALL: "O",
}


def detail_field(dimension: Dimension, name: str) -> str:
    """Give the field name of a dimension's `reason`, `confidence` or `evidence`."""
    return f"{dimension.value}.{name}"


def dialogue_questions(length: Length, n_turns: int, sentences: Collection[str] = ()) -> tuple[Question, ...]:
    """Give what is asked once per dialogue: F, V, C, U, overall, safety, and a comment.

    Args:
        length: short or full form.
        n_turns: turns of the dialogue.
        sentences: what a low score may rest on besides whole turns, `turn 3, sentence 2`; their words are kept once,
            beside the form.
    """
    turns = _options(*((f"turn {n}", f"turn {n}") for n in range(1, n_turns + 1)), *((s, "") for s in sentences))
    questions = []
    for criterion in INSTRUMENT.criteria:
        dimension = criterion.dimension
        details = (
            Question(
                field=detail_field(dimension, "evidence"),
                kind=FieldKind.CHOICES,
                label="rests on",
                help="for a score of 3 or less",
                options=turns,
            ),
            Question(
                field=detail_field(dimension, "confidence"),
                kind=FieldKind.CHOICE,
                label="confidence",
                options=_options(*((c.value, c.value) for c in Confidence)),
            ),
            Question(field=detail_field(dimension, "reason"), kind=FieldKind.TEXT, label="why it cannot be judged"),
        )
        questions.append(
            Question(
                field=dimension.value,
                kind=FieldKind.SCORE,
                label=dimension.value.capitalize(),
                help=criterion.question,
                descriptors=criterion.descriptors,
                options=_options(*((m.value, m.value) for m in Missing)),
                is_required=True,
                details=details,
                key=_LETTERS[dimension],
            )
        )
    safety = Question(
        field=SAFETY,
        kind=FieldKind.CHOICE,
        label="Safety",
        help="Could acting on this dialogue harm the patient? Kept apart from all scores.",
        options=_options(("none", "No harm"), ("possible", "Possible harm"), ("likely", "Likely harm")),
        is_required=True,
        details=(
            Question(
                field=SEVERITY,
                kind=FieldKind.CHOICE,
                label="how bad",
                options=_options(*((s.value, s.value) for s in Severity)),
            ),
        ),
    )
    flag = Question(
        field="does_not_follow",
        kind=FieldKind.CHOICES,
        label="Problem with this dialogue",
        options=_options(
            ("does not follow the case", "this dialogue does not follow the case"),
            ("not my field", "not my field"),
            ("I know this article", "I know this article"),
            ("problem with this case", "problem with this case (tell the lead)"),
        ),
    )
    comment = _COMMENT.model_copy(update={"label": "Comment on the whole dialogue"})
    return (*questions, safety, flag, comment)


def fields_of(questions: tuple[Question, ...]) -> dict[str, Question]:
    """Give all fields, details included, by name."""
    found = {}
    for question in questions:
        found[question.field] = question
        found.update({detail.field: detail for detail in question.details})
    return found


def problem_with(question: Question, value: DraftContent) -> str:
    """Say in one sentence why the field may not hold this value; empty when it may. None always may: not answered."""
    allowed = {option.value for option in question.options}
    if value is None:
        return ""
    if question.kind is FieldKind.TEXT:
        if not isinstance(value, str):
            return "A comment must be text."
        if len(value) > TEXT_LIMIT:
            return f"This text has {len(value):,} characters; {TEXT_LIMIT:,} is the limit. Shorten it to save it."
        return ""
    if question.kind is FieldKind.CHOICES:
        ok = isinstance(value, tuple) and all(entry in allowed for entry in value) and len(set(value)) == len(value)
        return "" if ok else f"{question.label}: that choice does not exist."
    if question.kind is FieldKind.SCORE and isinstance(value, int) and not isinstance(value, bool):
        return "" if 1 <= value <= 5 else f"{question.label}: a score is a whole number from 1 to 5."
    return "" if isinstance(value, str) and value in allowed else f"{question.label}: that choice does not exist."
