"""What the review pages receive. Before the commit of a blinded dialogue nothing here names a model or a judge."""

from enum import StrEnum

from pydantic import Field

from core.domain.dialogue import Stage
from core.domain.instrument import Dimension
from core.domain.items import Target
from core.domain.record import Record, UtcTime
from core.domain.review import (
    CommittedRating,
    Draft,
    DraftContent,
    Length,
    ReviewMode,
    RowKind,
    TurnAnswer,
    View,
)


class FieldKind(StrEnum):
    """What a field holds."""

    CHOICE = "choice"
    CHOICES = "choices"
    TEXT = "text"
    SCORE = "score"


class Option(Record):
    """One choice: the stored value and the words on screen."""

    value: str
    label: str


class Question(Record):
    """One field of the form."""

    field: str
    kind: FieldKind
    label: str
    help: str = ""
    options: tuple[Option, ...] = ()
    is_required: bool = False
    descriptors: tuple[str, ...] = Field(default=(), description="of the scores 1-5; empty for other kinds")
    details: tuple["Question", ...] = Field(default=(), description="asked beside it: reason, confidence, evidence")
    key: str = Field(default="", description="letter that puts it in focus")


class EvidenceLine(Record):
    """One disclosed value under the words for its field."""

    field: str = Field(description="words for people, `Physical examination`")
    text: str


class ImageView(Record):
    """One image of a turn: where to get it, and neutral words about it."""

    token: str = Field(description="for the image route; short-lived")
    alt: str
    width_px: int
    height_px: int
    notice: str = Field(default="", description="that the answer was given on a smaller version; empty when not")


class TurnView(Record):
    """One turn as a reviewer sees it."""

    index: int
    stage: Stage
    title: str = Field(description="`History`, `Image 2 · CT`")
    evidence: tuple[EvidenceLine, ...]
    images: tuple[ImageView, ...]
    answer: str | None = Field(description="None when there is none")
    problem: str = Field(default="", description="why there is no answer, in neutral words")


class StepView(Record):
    """One place of the step bar."""

    key: str = Field(description="`turn-1` ..., `rate`, `reveal`")
    title: str
    is_open: bool = Field(description="may be opened now")
    is_done: bool


class ReviewView(Record):
    """Everything a reviewer may see of one assignment at one step before the reveal."""

    assignment_id: str
    label: str
    study: str
    mode: ReviewMode
    length: Length
    is_demonstration: bool
    position: int
    n_assigned: int
    is_committed: bool
    is_locked: bool
    skipped_because: str
    step: str
    steps: tuple[StepView, ...]
    turns: tuple[TurnView, ...] = Field(description="up to the furthest turn reached, never beyond")
    n_turns: int
    questions: dict[int, tuple[Question, ...]] = Field(description="turn -> its questions; 0: the whole dialogue")
    drafts: dict[str, Draft] = Field(description="`turn/field` -> newest save")
    sentences: dict[str, str] = Field(
        default={},
        description="`turn 3, sentence 2` -> its words, for a low score to rest on; empty before the ratings",
    )
    last_saved_at: UtcTime | None


class Outcome(Record):
    """The reported diagnosis and the source's reasoning, shown before F, V, C, U and overall."""

    final_diagnosis: tuple[str, ...]
    reasoning: tuple[str, ...]
    shown_at: UtcTime


class OpenField(Record):
    """A field without an answer."""

    step: str
    label: str
    is_required: bool


class JudgedDimension(Record):
    """One judge's word on one dimension, with what the reviewer thinks of it."""

    dimension: Dimension
    score: int | None
    justification: str
    unscored: str = Field(default="", description="why there is no score; empty when there is")
    view: View | None = None


class JudgeView(Record):
    """One judge's scores of the dialogue."""

    judgement_id: str
    judge: str
    shown: str = Field(description="what the judge was shown: `summary` or `evidence`")
    instrument_version: str
    repeat: int
    is_demonstration: bool
    dimensions: tuple[JudgedDimension, ...]


class TableRow(Record):
    """One row of a match table."""

    row: str = Field(description="key of the row: `R1/G2`, `R3/-`, `-/G4`")
    kind: RowKind
    reference: str
    reference_sentence: str
    output: str
    output_sentence: str
    reason: str = ""
    is_annotation: bool = False
    verdict: str = Field(default="", description="the reviewer's; empty when not given")
    options: tuple[str, ...] = Field(default=(), description="verdicts that may be given")
    said_by: str = Field(default="", description="with `it is there`: id of the output item that says it; else empty")
    attribute: str = Field(default="", description="what differs, as the reviewer says; empty when not said")


class MatchTable(Record):
    """The items of one target (and figure) side by side."""

    evaluation_id: str
    made_by: str = Field(description="decomposer and matcher")
    target: Target
    figure_id: str | None
    title: str
    turn: int = Field(description="turn whose answer the output items were read from")
    rows: tuple[TableRow, ...]
    outputs: dict[str, str] = Field(default={}, description="output item id -> its words, to be picked from")
    unscored: str = ""
    headline: str = Field(description="level of the headline numbers")
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    tp: int = 0
    n_reference: int = 0
    n_output: int = 0
    f1_after: float | None = Field(
        default=None, description="when the reviewer's verdicts are followed; None without any"
    )


class Reveal(Record):
    """What is shown after the commit (open review: from the first turn)."""

    setting: str
    article: str = Field(description="citation; only after the commit, since a title often tells the diagnosis")
    licence: str
    own: dict[Dimension, CommittedRating] = Field(description="newest revision; empty in open review before commit")
    first: dict[Dimension, CommittedRating] = Field(description="as committed")
    answers: tuple[TurnAnswer, ...]
    judges: tuple[JudgeView, ...]
    tables: tuple[MatchTable, ...]


class AssignmentLine(Record):
    """One line of My reviews."""

    assignment_id: str
    label: str
    study_id: str
    study: str
    mode: ReviewMode
    is_demonstration: bool
    state: str = Field(
        description="`left`, `in progress`, `done`, `set aside`, `locked`, or `waiting`: an open review of a dialogue "
        "that is still to be rated blinded"
    )
    step: str
    place: str = Field(description="`turn 3 of 7`, `ratings`, `done`")
    minutes_left: int


class DraftChange(Record):
    """One change of one field, as the browser sends it."""

    turn: int = Field(ge=0)
    field: str = Field(min_length=1, max_length=60)
    value: DraftContent
    base: int = Field(ge=0, description="revision the change was made on; 0 for none")
    nonce: str = Field(min_length=1, max_length=64)
    after: tuple[str, ...] = Field(
        default=(), max_length=200, description="nonces of this browser's own earlier changes since `base`"
    )


class SaveResult(Record):
    """What became of a change."""

    turn: int
    field: str
    nonce: str
    state: str = Field(description="`saved`, `conflict` (a newer value is stored) or `refused`")
    message: str = ""
