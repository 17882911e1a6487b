"""Report pairs and the atomic facts, answers and scores of their cross-verification (AtomiMed, evaluation.md 5)."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from core.domain.model_call import CallFacts
from core.domain.record import MadeBy, Record, Unscored, UtcTime


class Expected(StrEnum):
    """What a report says to its own question."""

    YES = "yes"
    NO = "no"


class Given(StrEnum):
    """What the other report says to a question. Not stated is not a no."""

    YES = "yes"
    NO = "no"
    NOT_STATED = "not_stated"


class FactLevel(StrEnum):
    """Disease: is the finding there. Attribute: how it is described."""

    DISEASE = "disease"
    ATTRIBUTE = "attribute"


class Facet(StrEnum):
    """What an attribute speaks of (AtomiMed, section 2.1)."""

    LOCATION = "location"
    SIZE = "size"
    MORPHOLOGY = "morphology"
    SEVERITY = "severity"
    QUANTITY = "quantity"
    TEMPORAL_CHANGE = "temporal change"


class System(StrEnum):
    """Anatomical system of a finding: five of the paper, four of ours, and other."""

    RESPIRATORY = "respiratory"
    DIGESTIVE = "digestive"
    REPRODUCTIVE = "reproductive"
    URINARY = "urinary"
    ENDOCRINE = "endocrine"
    CARDIOVASCULAR = "cardiovascular"
    NERVOUS = "nervous"
    MUSCULOSKELETAL = "musculoskeletal"
    LYMPHATIC_HAEMATOLOGIC = "lymphatic-haematologic"
    OTHER = "other"


class ReportSide(StrEnum):
    """The two reports of a pair."""

    REFERENCE = "reference"
    PREDICTION = "prediction"


class Reading(StrEnum):
    """How `not_stated` against an expected no counts: open, no match (headline); closed, a match (as published)."""

    OPEN = "open"
    CLOSED = "closed"


class Preset(StrEnum):
    """How reports are verified and findings aligned.

    Ours: yes, no or not stated with quoted words, and alignment under guard tokens. As published: yes or no only, and
    alignment at string similarity 0.8 without guards, so that figures compare with the paper's.
    """

    OURS = "ours"
    AS_PUBLISHED = "as published"


class ReportPair(Record):
    """A reference report and the report a model wrote for the same study."""

    id: str = Field(description="`rp-` and 12 hex digits of dataset, pair and model")
    pair: str = Field(min_length=1, description="the pair's name in the imported file; the same for several models")
    dataset: str = Field(min_length=1)
    modality: str = Field(description="as the file says; empty when it does not")
    model: str = Field(min_length=1, description="who wrote the prediction")
    reference: str = Field(min_length=1, description="the reference report, as imported")
    prediction: str = Field(description="the evaluated report, as imported; an empty one is an answer with no findings")
    source: str = Field(default="", description="name of the file it came from")
    is_demonstration: bool = Field(default=False, description="written for this project")


class Fact(Record):
    """One yes/no question that a report answers about itself."""

    id: str = Field(description="unique in its report: `F1`, `F2` ...")
    finding_id: str = Field(description="the finding it belongs to, `1`, `2` ... in its report")
    level: FactLevel
    facet: Facet | None = Field(default=None, description="for attribute facts only")
    question: str = Field(min_length=1, description="yes/no question, free of polarity")
    expected: Expected = Field(description="its report's own answer; attribute questions are true of their report")
    entity: str = Field(min_length=1, description="the finding as a normalised name with its side and level")
    value: str = Field(default="", description="the attribute's value, for example `small`; empty at disease level")
    system: System
    sentence: str = Field(description="the sentence of its report it came from, verbatim")
    is_hedged: bool = Field(default=False, description="stated with reserve (possible, cannot be excluded)")


class ReportFacts(Record):
    """All facts of one report by one decomposer. Those of a reference are extracted once and shared by all pairs."""

    id: str = Field(description="`rf-` and 16 hex digits of the report's text and what decomposed it")
    text_sha256: str = Field(description="hash of the report's text, hex")
    facts: tuple[Fact, ...] = ()
    unread: tuple[str, ...] = Field(default=(), description="sentences in which no finding was read")
    unscored: Unscored | None = Field(default=None, description="why there are no facts; None when decomposed")
    call: CallFacts | None = None
    made_by: MadeBy


class Answer(Record):
    """What the other report says to one question."""

    fact_id: str
    given: Given
    quote: str = Field(default="", description="the words it rests on, verbatim; empty for not_stated")
    counterpart_id: str | None = Field(default=None, description="the other report's finding that answers it")


class Direction(Record):
    """The questions of one report answered from the other."""

    answers: tuple[Answer, ...] = ()
    unanswered: tuple[str, ...] = Field(default=(), description="fact ids without an answer after asking again alone")
    unscored: Unscored | None = None
    calls: tuple[CallFacts, ...] = ()

    def answer(self, fact_id: str) -> Answer | None:
        """Give the answer to a question; None when there is none."""
        return next((a for a in self.answers if a.fact_id == fact_id), None)


class Tally(Record):
    """Matched questions of both directions. Not one-to-one: several findings may meet one."""

    matched_prediction: int = Field(ge=0, description="questions of the prediction that the reference answers alike")
    n_prediction: int = Field(ge=0)
    matched_reference: int = Field(ge=0, description="questions of the reference that the prediction answers alike")
    n_reference: int = Field(ge=0)

    @property
    def is_vacuous(self) -> bool:
        """True when neither report has a question."""
        return self.n_prediction + self.n_reference == 0

    @property
    def precision(self) -> float | None:
        """0-1; 1 when both sides are empty; None (undefined) when only the prediction is."""
        if self.is_vacuous:
            return 1.0
        return self.matched_prediction / self.n_prediction if self.n_prediction else None

    @property
    def recall(self) -> float | None:
        """0-1; 1 when both sides are empty; None (undefined) when only the reference is."""
        if self.is_vacuous:
            return 1.0
        return self.matched_reference / self.n_reference if self.n_reference else None

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, 0-1; 0 when one side is empty or nothing is matched."""
        return harmonic(self.precision, self.recall)


class GroupScore(Record):
    """The tally of the questions of one facet or one anatomical system."""

    name: str
    tally: Tally


Flag = Literal[
    "both_empty",
    "no_prediction_facts",
    "no_reference_facts",
    "no_aligned_finding",
    "no_prediction_attributes",
    "no_reference_attributes",
]


class ReadingScore(Record):
    """All numbers of one pair in one reading."""

    disease: Tally
    attribute: Tally
    precision: float | None = Field(description="mean of the levels present on the prediction's side; None: undefined")
    recall: float | None = Field(description="mean of the levels present on the reference's side; None: undefined")
    f1: float = Field(ge=0, le=1)
    facets: tuple[GroupScore, ...] = ()
    systems: tuple[GroupScore, ...] = ()
    flags: tuple[Flag, ...] = ()


class PairScore(Record):
    """The score of one pair in both readings."""

    open: ReadingScore
    closed: ReadingScore
    negatives: int = Field(ge=0, description="disease questions of both reports with an expected no")
    n_disease: int = Field(ge=0, description="disease questions of both reports")

    def reading(self, reading: Reading) -> ReadingScore:
        """Give the numbers of one reading."""
        return self.open if reading is Reading.OPEN else self.closed

    @property
    def negative_share(self) -> float | None:
        """0-1: share of negatives among the disease questions; None without any."""
        return self.negatives / self.n_disease if self.n_disease else None


class PairEvaluation(Record):
    """One evaluation of one pair: facts, both directions and the score. A new evaluation is a new row."""

    id: str
    pair_id: str
    reference_facts: ReportFacts
    prediction_facts: ReportFacts
    from_reference: Direction = Field(description="the prediction's questions answered from the reference")
    from_prediction: Direction = Field(description="the reference's questions answered from the prediction")
    score: PairScore | None = Field(default=None, description="None when unscored")
    unscored: Unscored | None = None
    evaluator: str = Field(description="registry name of the model or `rules baseline`, with the preset if not ours")
    preset: Preset = Preset.OURS
    made_by: MadeBy
    at: UtcTime

    @property
    def n_facts(self) -> int:
        """Facts of both reports."""
        return len(self.reference_facts.facts) + len(self.prediction_facts.facts)


class TraceRow(Record):
    """One question with everything its match rests on."""

    side: ReportSide = Field(description="whose question it is")
    fact: Fact
    answer: Answer | None = Field(description="None when it stayed unanswered")
    counterpart: Fact | None = Field(default=None, description="the other report's presence question that answers it")
    other_sentence: str = Field(default="", description="the sentence of the other report with the quoted words")
    is_matched_open: bool
    is_matched_closed: bool
    is_counted: bool = Field(description="False: an attribute of a finding not aligned both ways, in no denominator")


def harmonic(precision: float | None, recall: float | None) -> float:
    """2PR / (P + R), 0-1; 0 when either is undefined or both are 0."""
    if precision is None or recall is None or precision + recall == 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)
