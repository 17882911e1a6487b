"""The shapes a model's reply must fit in decomposition, matching and judging. Anything else is not an answer."""

from typing import Literal

from pydantic import Field, field_validator

from core.domain.record import Record


class DecomposedItem(Record):
    """One atomic statement as a model gives it."""

    text: str = Field(description="one statement that can be understood alone")
    sentence: str = Field(description="the sentence it comes from, copied word for word")


class DecomposedItems(Record):
    """Reply of the decomposer for diagnoses and reasoning."""

    items: tuple[DecomposedItem, ...] = Field(description="in the order of the text; empty when there are none")


class DecomposedImageItem(Record):
    """One observation as a model gives it."""

    text: str = Field(description="one visible observation that can be understood alone")
    sentence: str = Field(description="the sentence it comes from, copied word for word")
    is_annotation: bool = Field(description="true when it speaks of marks drawn on the figure")


class DecomposedImageItems(Record):
    """Reply of the decomposer for image findings."""

    items: tuple[DecomposedImageItem, ...] = Field(description="in the order of the text; empty when there are none")


class ProposedPair(Record):
    """One pair as a model gives it."""

    reference_id: str = Field(description="id of a reference item")
    output_id: str = Field(description="id of an output item")
    level: Literal["strict", "lenient", "contradiction"]
    reason: str = Field(description="why the pair has this level, in a few words")


class ProposedPairs(Record):
    """Reply of the matcher."""

    pairs: tuple[ProposedPair, ...] = Field(description="empty when nothing corresponds")


class DimensionScore(Record):
    """One dimension as a model scores it."""

    score: Literal[1, 2, 3, 4, 5]
    justification: str = Field(description="brief, names the evidence it rests on")

    @field_validator("score", mode="before")
    @classmethod
    def _a_truth_value_is_no_score(cls, value: object) -> object:
        if isinstance(value, bool):
            raise ValueError("a score is a whole number from 1 to 5")
        return value


class JudgeScores(Record):
    """Reply of the judge."""

    factuality: DimensionScore
    validity: DimensionScore
    coherence: DimensionScore
    utility: DimensionScore
    overall: DimensionScore
