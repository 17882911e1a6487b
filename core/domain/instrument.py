"""The rating instrument, version 1: one source for the reviewer's form and the judge's anchored prompt."""

from enum import StrEnum
from typing import Final

from pydantic import Field

from core.domain.record import Record


class Dimension(StrEnum):
    """What is rated 1-5; `overall` is a judgement of its own, never the mean of the others."""

    FACTUALITY = "factuality"
    VALIDITY = "validity"
    COHERENCE = "coherence"
    UTILITY = "utility"
    OVERALL = "overall"


class Criterion(Record):
    """One dimension: its question and what each score means."""

    dimension: Dimension
    question: str
    descriptors: tuple[str, ...] = Field(min_length=5, max_length=5, description="for 1, 2, 3, 4, 5")

    def descriptor(self, score: int) -> str:
        """Give the words of a score 1-5."""
        return self.descriptors[score - 1]


class Instrument(Record):
    """A version of the instrument; frozen once a rating uses it."""

    version: str
    general_rules: tuple[str, ...]
    criteria: tuple[Criterion, ...]

    def criterion(self, dimension: Dimension) -> Criterion:
        """Give the criterion of a dimension."""
        return next(c for c in self.criteria if c.dimension is dimension)


INSTRUMENT: Final = Instrument(
    version="1",
    general_rules=(
        "Judge with what was available at that point of the dialogue.",
        "An error is major if acting on it could change diagnosis, urgency, treatment or follow-up.",
        "Do not reward length or style.",
        "Do not guess the model.",
    ),
    criteria=(
        Criterion(
            dimension=Dimension.FACTUALITY,
            question="Are the case-specific clinical, imaging, laboratory, pathology, microbiology, molecular claims supported by the available evidence?",
            descriptors=(
                "dominated by invention or contradiction: a major finding or value is made up or reversed and the reasoning leans on it",
                "one major unsupported or false claim, or several minor ones that together mislead",
                "no major falsehood, but two or more minor inaccuracies, or a key claim that the evidence neither supports nor excludes is stated as fact",
                "all important claims supported; at most one minor slip or harmless unsupported detail",
                "every checkable claim is supported; uncertainty is stated where the evidence is uncertain",
            ),
        ),
        Criterion(
            dimension=Dimension.VALIDITY,
            question="Are the inferences clinically reasonable given the evidence named in the reasoning?",
            descriptors=(
                "conclusion contradicts the findings it cites, or a consequential conclusion has no inference behind it",
                "a necessary inference is wrong, so the lead diagnosis is not warranted",
                "lead diagnosis defensible, but a step is weak: over-certain, a discriminating finding unused, an alternative dropped without reason",
                "inferences sound; one minor leap or slightly misjudged certainty without effect on the diagnosis",
                "each conclusion follows from named findings, for and against are weighed, certainty matches the evidence",
            ),
        ),
        Criterion(
            dimension=Dimension.COHERENCE,
            question="Is it internally consistent and logically organised in what you were shown?",
            descriptors=(
                "contradicts itself or an earlier turn on a main point unsaid, or the line of thought cannot be traced",
                "main thread broken: an important premise from nowhere, or new evidence ignored and an outdated view carried on",
                "can be followed with effort; a change of mind unexplained, or one step has to be supplied",
                "consistent and in order; a small gap or repetition",
                "each step builds on established ones; new evidence integrated, revisions stated with reasons",
            ),
        ),
        Criterion(
            dimension=Dimension.UTILITY,
            question="Does it cover, prioritise and synthesise the case-defining evidence needed to reach the reported diagnosis?",
            descriptors=(
                "leads away from it, or says nothing that bears on it",
                "misses most case-defining evidence, or buries it unprioritised",
                "some case-defining evidence used, but an important piece missing or not brought together",
                "covers and weighs the case-defining evidence; a minor omission or surplus",
                "covers all of it, puts the decisive pieces first, and synthesises them into the diagnosis",
            ),
        ),
        Criterion(
            dimension=Dimension.OVERALL,
            question="Taken as a colleague's diagnostic reasoning on this case, how acceptable? (own judgement, not the mean; a major factuality or validity error, or missing case-defining evidence, lowers it)",
            descriptors=(
                "unacceptable",
                "poor: needs rewriting",
                "borderline: an important point must be corrected",
                "good: small edits",
                "excellent: I would sign it",
            ),
        ),
    ),
)
