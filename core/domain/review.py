"""Studies, reviewers, assignments, drafts and committed ratings: the clinician's side of every comparison."""

from enum import StrEnum

from pydantic import Field, model_validator

from core.domain.instrument import Dimension
from core.domain.items import Target
from core.domain.record import Record, UtcTime
from core.domain.review_design import StudyDesign

DraftContent = int | str | tuple[str, ...] | None
"""What a form field may hold: a score, one choice or a text, several choices, or nothing."""


class ReviewMode(StrEnum):
    """Whether the judge's results are hidden until the commit, or shown from the first turn."""

    BLINDED = "blinded"
    OPEN = "open review"


class Length(StrEnum):
    """How much a study asks for. `short`: support per turn, F, V, C, U, overall, safety. `full`: everything."""

    SHORT = "short"
    FULL = "full"


class Missing(StrEnum):
    """Why a dimension has no number. Never a 3."""

    NOT_APPLICABLE = "not applicable"
    CANNOT_JUDGE = "cannot judge"


class Confidence(StrEnum):
    """How sure the reviewer is of a rating."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class SafetyRisk(StrEnum):
    """Whether acting on the dialogue could harm. Kept out of every mean."""

    NONE = "none"
    POSSIBLE = "possible"
    LIKELY = "likely"


class Severity(StrEnum):
    """How bad the harm would be; only beside a possible or likely risk."""

    MILD = "mild"
    MODERATE = "moderate"
    SEVERE = "severe"


class View(StrEnum):
    """A reviewer's opinion of one of the judge's justifications, given after the commit."""

    AGREE = "agree"
    PARTLY = "partly"
    DISAGREE = "disagree"


class RowKind(StrEnum):
    """What a row of the match table says."""

    STRICT = "strict"
    LENIENT = "lenient"
    CONTRADICTION = "contradiction"
    MISSING = "missing"
    EXTRA = "extra"


class Study(Record):
    """One review study: which dialogues, in which mode, under which version of the instrument."""

    id: str
    name: str = Field(min_length=1, max_length=120)
    mode: ReviewMode
    length: Length = Length.SHORT
    instrument_version: str = Field(description="frozen once a rating exists")
    order_seed: int = Field(description="of the order of dialogues, drawn per reviewer; stored, never drawn again")
    created_at: UtcTime
    locked_at: UtcTime | None = Field(default=None, description="no rating enters after this; None while open")
    is_demonstration: bool = False
    design: StudyDesign = StudyDesign()


class Reviewer(Record):
    """A clinician who rates. Exports carry the pseudonym only."""

    id: str
    name: str = Field(min_length=1, max_length=80, description="shown to the reviewer and the lead")
    pseudonym: str = Field(description="`Reviewer 1`, `Reviewer 2` ... by order of entry")
    specialty: str = ""
    years: int | None = Field(default=None, ge=0, le=70, description="of practice; None when not given")
    role: str = ""
    created_at: UtcTime
    is_demonstration: bool = False


class Assignment(Record):
    """One dialogue for one reviewer in one study."""

    id: str
    study_id: str
    dialogue_id: str
    reviewer_id: str
    label: str = Field(description="blinded name in the study, `Dialogue 7`; says nothing of case or model")
    position: int = Field(ge=1, description="place in this reviewer's order")
    furthest_turn: int = Field(default=1, ge=1, description="turns after it have not been shown yet")
    at_step: str = Field(default="turn-1", description="where the reviewer was last: `turn-3`, `rate`, `reveal`")
    outcome_shown_at: UtcTime | None = Field(
        default=None, description="when the reported diagnosis was first shown; None before"
    )
    committed_at: UtcTime | None = None
    skipped_because: str = Field(default="", description="why the reviewer set it aside; empty when not")

    @property
    def is_committed(self) -> bool:
        """True once the ratings are in and nothing may change them."""
        return self.committed_at is not None


class Draft(Record):
    """One saved state of one form field. Every save is a row of its own; the highest revision counts."""

    assignment_id: str
    turn: int = Field(ge=0, description="0 for what is asked once per dialogue")
    field: str
    revision: int = Field(ge=1)
    nonce: str = Field(min_length=1, max_length=64, description="made by the browser; the same save twice is one row")
    value: DraftContent
    saved_at: UtcTime


class Rating(Record):
    """A reviewer's answer for one dimension: a score, or why there is none."""

    dimension: Dimension
    score: int | None = Field(default=None, ge=1, le=5)
    missing: Missing | None = None
    reason: str = Field(default="", max_length=20_000, description="for `cannot judge` required")
    confidence: Confidence | None = None
    evidence: tuple[str, ...] = Field(default=(), description="turns the score rests on: `turn 3`")

    @model_validator(mode="after")
    def _a_score_or_why_not(self) -> "Rating":
        if (self.score is None) == (self.missing is None):
            raise ValueError("a rating is a score from 1 to 5, or says why there is none")
        if self.missing is Missing.CANNOT_JUDGE and not self.reason.strip():
            raise ValueError("cannot judge needs a reason")
        return self


class TurnAnswer(Record):
    """A committed answer to one question about one turn (turn 0: about the whole dialogue)."""

    turn: int = Field(ge=0)
    field: str
    values: tuple[str, ...] = Field(default=(), description="the choices made, in the form's order")
    text: str = ""


class CommittedRating(Record):
    """A rating as stored: revision 1 is the commit, later ones are amendments; none is ever changed."""

    assignment_id: str
    revision: int = Field(ge=1)
    rating: Rating
    amendment_reason: str = Field(default="", description="empty for revision 1")
    evidence_shown: str = Field(description="what the reviewer had seen when giving it")
    instrument_version: str
    committed_at: UtcTime


class JustificationView(Record):
    """What a reviewer thinks of one judge's justification of one dimension."""

    assignment_id: str
    judgement_id: str
    dimension: Dimension
    revision: int = Field(ge=1)
    view: View
    given_at: UtcTime


class ItemVerdict(Record):
    """A reviewer's word on one row of a match table: a row over the machine's result, never a change of it."""

    assignment_id: str
    evaluation_id: str
    target: Target
    figure_id: str | None = None
    row: str = Field(description="`R1/G2`, `R3/-` (missing) or `-/G4` (extra)")
    revision: int = Field(ge=1)
    verdict: str
    output_id: str = Field(default="", description="for `it is there`: the output item that says it; else empty")
    attribute: str = Field(
        default="", description="what differs: side, site, size, severity, certainty, time; or empty"
    )
    mode: str = Field(default="verify", description="`verify`: the judge's pairing was shown")
    given_at: UtcTime


class ReviewEvent(Record):
    """One line of the log of a study: who, when, what, from what to what, revealed or not."""

    at: UtcTime
    actor: str = Field(description="reviewer id, or `lead`")
    assignment_id: str | None = None
    what: str
    old: str = ""
    new: str = ""
    reason: str = ""
    instrument_version: str = ""
    app_version: str = ""
    is_revealed: bool = Field(default=False, description="the judge's results had been shown to the actor")


class RatingRow(Record):
    """One committed rating as a tidy row, for comparison and export.."""

    study_id: str
    study: str
    mode: ReviewMode
    is_demonstration: bool
    reviewer: str = Field(description="pseudonym")
    assignment_id: str
    case_id: str
    dialogue_id: str
    setting: str
    repeat: int
    dimension: Dimension
    score: int | None = Field(default=None, ge=1, le=5, description="None when missing")
    missing: Missing | None = None
    reason: str = ""
    confidence: Confidence | None = None
    evidence: tuple[str, ...] = ()
    safety: SafetyRisk | None = Field(default=None, description="of the whole dialogue")
    severity: Severity | None = None
    revision: int = Field(ge=1, description="1: as committed before the reveal; later ones are amendments after it")
    amendment_reason: str = ""
    evidence_shown: str
    instrument_version: str
    committed_at: UtcTime


class TurnAnswerRow(Record):
    """One committed answer about a turn as a tidy row; turn 0 is the whole dialogue."""

    study_id: str
    study: str
    mode: ReviewMode
    is_demonstration: bool
    reviewer: str
    case_id: str
    dialogue_id: str
    setting: str
    turn: int
    field: str
    values: tuple[str, ...] = ()
    text: str = ""
    committed_at: UtcTime
