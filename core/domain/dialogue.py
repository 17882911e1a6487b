"""Staged dialogues: what is disclosed at which turn, and what was answered."""

from enum import StrEnum
from typing import Literal

from pydantic import Field, model_validator

from core.domain.article import ImageRef
from core.domain.case import Modality
from core.domain.model_call import CallFacts
from core.domain.record import MadeBy, PromptRef, Record


class Stage(StrEnum):
    """The four kinds of turn of the disclosure protocol, in their order."""

    HISTORY = "history"
    EXAMINATION = "examination"
    IMAGE = "image"
    SYNTHESIS = "synthesis"


class DisclosedValue(Record):
    """One value disclosed for the first time at a turn: a row of the ledger."""

    field: str = Field(description="an Element's key, or `figure_label`, `modality`")
    value_id: str
    text: str


class DisclosedImage(Record):
    """An image of the turn: the stored original and what was sent (None while nothing has been sent)."""

    original: ImageRef
    sent_sha256: str | None = None
    sent_width_px: int | None = None
    sent_height_px: int | None = None
    sent_scale: float | None = Field(
        default=None, gt=0, le=1, description="sent over original size, 1 when not made smaller; turning is no scaling"
    )


class StagedTurn(Record):
    """One turn before it is answered: exactly what a model receives."""

    index: int = Field(ge=1, description="1, 2, 3 ... without gaps")
    stage: Stage
    figure_id: str | None = None
    figure_label: str = ""
    modality: Modality | None = None
    prompt: str
    disclosed: tuple[DisclosedValue, ...] = ()
    images: tuple[DisclosedImage, ...] = ()


class SkippedStage(Record):
    """A stage or figure without a turn, and why."""

    stage: Stage
    figure_id: str | None = None
    reason: str


class WithheldValue(Record):
    """A value of the case that no turn discloses although its field would be, and why."""

    field: str = Field(description="an Element's key")
    value_id: str
    reason: str


class DisclosurePlan(Record):
    """All turns of one case version under one prompt set; byte-identical for every model."""

    case_id: str
    case_version: int
    preset: Literal["caserounds", "paper protocol"] = "caserounds"
    system_prompt: str
    prompts: tuple[PromptRef, ...]
    turns: tuple[StagedTurn, ...]
    skipped: tuple[SkippedStage, ...] = ()
    withheld: tuple[WithheldValue, ...] = ()

    @model_validator(mode="after")
    def _turns_are_contiguous(self) -> "DisclosurePlan":
        if [turn.index for turn in self.turns] != list(range(1, len(self.turns) + 1)):
            raise ValueError("turn numbers must be 1, 2, 3 ... without gaps")
        return self


class TurnStatus(StrEnum):
    """Whether a turn has an answer. Only `answered` has text."""

    ANSWERED = "answered"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    FAILED = "failed"


class Turn(Record):
    """A staged turn with what came back."""

    staged: StagedTurn
    status: TurnStatus
    response: str | None = None
    problem: str = Field(default="", description="why there is no answer; empty when there is")
    asked_with: tuple[int, ...] = Field(
        default=(), description="earlier turns without an answer whose questions were asked again with this one's"
    )
    is_evaluable: bool = Field(
        default=True, description="False for a reference turn whose figure has no article finding"
    )
    facts: CallFacts | None = Field(default=None, description="None for reference and imported dialogues")

    @model_validator(mode="after")
    def _only_answers_have_text(self) -> "Turn":
        if (self.response is not None) != (self.status is TurnStatus.ANSWERED):
            raise ValueError("a turn has a response exactly when its status is answered")
        return self


class DialogueKind(StrEnum):
    """Three kinds of dialogue meet the same evaluation."""

    REFERENCE = "reference"
    MODEL = "model"
    IMPORTED = "imported"


class Dialogue(Record):
    """A staged dialogue of one case version."""

    id: str
    case_id: str
    case_version: int
    kind: DialogueKind
    setting: str = Field(
        description="name of its column in tables: `reference`, the model's registry name, or the import's label"
    )
    repeat: int = 0
    plan_sha256: str = Field(description="hash of the plan's JSON; equal for all models of the same plan")
    turns: tuple[Turn, ...]
    skipped: tuple[SkippedStage, ...] = ()
    is_demonstration: bool = Field(default=False, description="written by hand for the demonstration study")
    made_by: MadeBy

    @property
    def synthesis(self) -> Turn | None:
        """The last turn when it is the synthesis; None when the case had none."""
        return self.turns[-1] if self.turns and self.turns[-1].staged.stage is Stage.SYNTHESIS else None

    def image_turn(self, figure_id: str) -> Turn | None:
        """Give the turn of that figure; None when it has none."""
        return next((turn for turn in self.turns if turn.staged.figure_id == figure_id), None)
