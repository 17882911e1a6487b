"""The FVCU judge's scores: integers 1-5 with their justification, or unscored with a reason."""

from typing import Literal

from pydantic import Field

from core.domain.instrument import Dimension
from core.domain.model_call import CallFacts
from core.domain.record import MadeBy, Record, Unscored


class JudgedScore(Record):
    """One dimension's score."""

    score: int = Field(ge=1, le=5)
    justification: str = Field(min_length=1)


class Judgement(Record):
    """One judge's scores of one dialogue."""

    id: str
    evaluation_id: str
    dialogue_id: str
    judge: str = Field(description="registry name, or `rules baseline`")
    mode: Literal["summary", "evidence"] = Field(default="summary", description="what the judge was shown")
    instrument_version: str
    repeat: int = 0
    scores: dict[Dimension, JudgedScore | Unscored]
    facts: CallFacts | None = None
    is_demonstration: bool = Field(default=False, description="written by hand for the demonstration study")
    made_by: MadeBy

    def score(self, dimension: Dimension) -> int | None:
        """1-5, or None when unscored."""
        value = self.scores.get(dimension)
        return value.score if isinstance(value, JudgedScore) else None
