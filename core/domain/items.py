"""Atomic items, their matches, and the counts that follow (evaluation.md sections 1-3)."""

from enum import StrEnum
from typing import Literal

from pydantic import Field, model_validator

from core.domain.record import MadeBy, Record, Unscored


class Target(StrEnum):
    """What is scored."""

    FINAL_DIAGNOSIS = "final_diagnosis"
    DIAGNOSTIC_REASONING = "diagnostic_reasoning"
    IMAGE_FINDINGS = "image_findings"


class Side(StrEnum):
    """The article's side of the table, or the evaluated dialogue's."""

    REFERENCE = "reference"
    OUTPUT = "output"


class Level(StrEnum):
    """How a reference item and an output item meet."""

    STRICT = "strict"
    LENIENT = "lenient"
    CONTRADICTION = "contradiction"


HEADLINE_LEVEL = {
    Target.FINAL_DIAGNOSIS: Level.STRICT,
    Target.DIAGNOSTIC_REASONING: Level.LENIENT,
    Target.IMAGE_FINDINGS: Level.LENIENT,
}


class Item(Record):
    """One atomic statement. Its text never changes."""

    id: str = Field(description="neutral: `R1`, `R2` ... or `G1`, `G2` ... within one side, target and figure")
    side: Side
    target: Target
    text: str = Field(min_length=1)
    sentence: str = Field(description="the sentence it came from, verbatim")
    figure_id: str | None = Field(default=None, description="for image findings only")
    is_annotation: bool = Field(default=False, description="speaks of arrows, coloured markers or panel letters")
    count: int = Field(default=1, ge=1, description="how many exact duplicates were merged into it")


class Proposal(Record):
    """A pair the matcher proposes; code decides what becomes of it."""

    reference_id: str
    output_id: str
    level: Level
    reason: str = ""


class Match(Record):
    """A pair as accepted. `level` is strict or lenient."""

    reference_id: str
    output_id: str
    level: Level
    reason: str = ""


class MatchNote(Record):
    """What code did against the matcher's words, for the log and the reviewer."""

    kind: Literal[
        "unknown_id", "duplicate", "level_conflict", "not_chosen", "contradiction_with_match", "assignment_tension"
    ]
    reference_id: str = ""
    output_id: str = ""
    detail: str = ""


class Matching(Record):
    """The resolved matches of one target (and figure): totals hold by construction."""

    matches: tuple[Match, ...] = ()
    contradictions: tuple[Match, ...] = ()
    notes: tuple[MatchNote, ...] = ()
    seed: int = Field(default=0, description="of the order in which items were shown to the matcher")


class Counts(Record):
    """True positives, false positives, false negatives at one level."""

    tp: int = Field(ge=0)
    fp: int = Field(ge=0)
    fn: int = Field(ge=0)

    @property
    def is_vacuous(self) -> bool:
        """True when both sides are empty."""
        return self.tp + self.fp + self.fn == 0

    @property
    def precision(self) -> float | None:
        """0-1; None (undefined) when the output is empty and the reference is not; 1 when both are empty."""
        if self.is_vacuous:
            return 1.0
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else None

    @property
    def recall(self) -> float | None:
        """0-1; None (undefined) when the reference is empty and the output is not; 1 when both are empty."""
        if self.is_vacuous:
            return 1.0
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else None

    @property
    def f1(self) -> float:
        """2TP / (2TP + FP + FN), 0-1; 1 when both sides are empty, 0 when only one is."""
        return 1.0 if self.is_vacuous else 2 * self.tp / (2 * self.tp + self.fp + self.fn)


class TargetResult(Record):
    """One target of one dialogue (for image findings: of one figure), with everything its numbers rest on."""

    target: Target
    figure_id: str | None = None
    reference_items: tuple[Item, ...] = ()
    output_items: tuple[Item, ...] = ()
    matching: Matching = Matching()
    unscored: Unscored | None = Field(default=None, description="why it has no numbers; None when scored")

    def counts(self, level: Level) -> Counts | None:
        """Counts at `strict` or `lenient` level; None when unscored. tp + fn and tp + fp are the two sides' sizes."""
        if self.unscored is not None:
            return None
        accepted = [m for m in self.matching.matches if level is Level.LENIENT or m.level is Level.STRICT]
        tp = len(accepted)
        return Counts(tp=tp, fp=len(self.output_items) - tp, fn=len(self.reference_items) - tp)

    @model_validator(mode="after")
    def _one_to_one(self) -> "TargetResult":
        references = {item.id for item in self.reference_items}
        outputs = {item.id for item in self.output_items}
        for pairs in (self.matching.matches, self.matching.contradictions):
            if not all(m.reference_id in references and m.output_id in outputs for m in pairs):
                raise ValueError("a match names an item that is not on its side")
        used_references = [m.reference_id for m in self.matching.matches]
        used_outputs = [m.output_id for m in self.matching.matches]
        if len(set(used_references)) != len(used_references) or len(set(used_outputs)) != len(used_outputs):
            raise ValueError("an item stands in more than one match")
        return self


class Evaluation(Record):
    """The atomic evaluation of one dialogue by one decomposer and matcher."""

    id: str
    dialogue_id: str
    reference_set_id: str = Field(description="the shared reference items; another set is another evaluation")
    results: tuple[TargetResult, ...] = Field(description="diagnosis, reasoning, then one per evaluable image turn")
    warnings: tuple[str, ...] = Field(
        default=(), description="what a person should know, for example an answer that asks for its score"
    )
    made_by: MadeBy

    def result(self, target: Target, figure_id: str | None = None) -> TargetResult | None:
        """Give the result of a target (and figure); None when there is none."""
        return next((r for r in self.results if r.target is target and r.figure_id == figure_id), None)


class ReferenceSet(Record):
    """Reference items of one case version, decomposed once and shared by all dialogues and judges."""

    id: str
    case_id: str
    case_version: int
    items: tuple[Item, ...]
    unscored: dict[Target, Unscored] = Field(default_factory=dict, description="targets whose decomposition failed")
    unscored_figures: dict[str, Unscored] = Field(
        default_factory=dict, description="figure id -> why the decomposition of its finding failed"
    )
    made_by: MadeBy
