"""The case representation: what an article says about one patient, every value with its evidence spans."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from core.domain.article import Span
from core.domain.record import MadeBy, Record


class Element(StrEnum):
    """Clinical case elements (the paper's section 3.2). They exclude the final diagnosis and image-derived findings."""

    PATIENT_INFORMATION = "patient_information"
    PRIMARY_CONCERN = "primary_concern"
    PRESENT_ILLNESS = "present_illness"
    MEDICAL_HISTORY = "medical_history"
    FAMILY_HISTORY = "family_history"
    PSYCHOSOCIAL_HISTORY = "psychosocial_history"
    PHYSICAL_EXAMINATION = "physical_examination"
    ROUTINE_LABS = "routine_labs"
    KEY_FINDINGS = "key_findings"
    DIAGNOSTIC_METHODS = "diagnostic_methods"
    TIMELINE = "timeline"
    INTERVENTIONS = "interventions"
    OUTCOME = "outcome"


HISTORY_ELEMENTS = (
    Element.PATIENT_INFORMATION,
    Element.PRIMARY_CONCERN,
    Element.PRESENT_ILLNESS,
    Element.MEDICAL_HISTORY,
    Element.FAMILY_HISTORY,
    Element.PSYCHOSOCIAL_HISTORY,
)
EXAMINATION_ELEMENTS = (Element.PHYSICAL_EXAMINATION, Element.ROUTINE_LABS)


class Modality(StrEnum):
    """Closed list of figure modalities; the only word about a figure that a model may see."""

    RADIOGRAPH = "radiograph"
    CT = "CT"
    MRI = "MRI"
    ULTRASOUND = "ultrasound"
    ECHOCARDIOGRAM = "echocardiogram"
    ECG = "ECG"
    EEG_EMG = "EEG/EMG"
    ANGIOGRAM = "angiogram"
    NUCLEAR_MEDICINE = "nuclear medicine"
    PET = "PET"
    ENDOSCOPY = "endoscopy"
    FUNDUS_PHOTOGRAPH = "fundus photograph"
    OCT = "OCT"
    SLIT_LAMP = "slit lamp"
    CLINICAL_PHOTOGRAPH = "clinical photograph"
    INTRAOPERATIVE_PHOTOGRAPH = "intraoperative photograph"
    GROSS_PATHOLOGY = "gross pathology"
    HISTOLOGY_HE = "histology H&E"
    HISTOLOGY_OTHER = "histology other stain"
    IMMUNOHISTOCHEMISTRY = "immunohistochemistry"
    CYTOLOGY = "cytology"
    ELECTRON_MICROSCOPY = "electron microscopy"
    MICROBIOLOGY = "microbiology"
    CHART_OR_DRAWING = "chart or drawing"
    OTHER = "other"


class FigureFlag(StrEnum):
    """Why a figure may not be diagnostic evidence of this patient."""

    TREATMENT = "treatment"
    OUTCOME = "outcome"
    OTHER_PERSON = "another person"
    CHART = "chart or drawing"


class Value(Record):
    """Verbatim or minimally reorganised source text with where it stands in the article."""

    id: str = Field(description="unique in the case version, for example `present_illness-2`, `fig1-finding-1`")
    text: str = Field(min_length=1)
    spans: tuple[Span, ...] = Field(min_length=1)


class UnsupportedValue(Record):
    """A value whose text was not found in the article: kept aside, shown, counted, never used."""

    field: str
    text: str


class FigureEvidence(Record):
    """What the text (never the pixels) says about one figure."""

    figure_id: str
    label: str
    modality: Modality
    modality_text: Value | None = None
    findings: tuple[Value, ...] = ()
    significance: tuple[Value, ...] = ()
    flags: tuple[FigureFlag, ...] = ()
    is_excluded: bool = Field(default=False, description="left out of dialogues by a recorded decision")


class Eligibility(Record):
    """Whether the case may be used, with every failed condition. Warnings do not refuse."""

    state: Literal["eligible", "ineligible", "waiting"] = Field(description="waiting: only image files are missing")
    reasons: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def is_eligible(self) -> bool:
        """True when the case can be released for runs."""
        return self.state == "eligible"


class Verdict(StrEnum):
    """How badly a text before (or in) synthesis gives the answer away."""

    BLOCKS = "blocks"
    WARNS = "warns"
    NOTES = "notes"


class LeakAction(StrEnum):
    """What was done about a hit."""

    NONE = "none"
    MOVED = "moved"
    TRIMMED = "trimmed"
    WITHHELD = "withheld"
    EDITED = "edited"
    WAIVED = "waived"


class LeakPolicy(StrEnum):
    """`hold`: the case waits for the lead. `auto`: blocks are trimmed or withheld, warns are moved to synthesis."""

    HOLD = "hold"
    AUTO = "auto"


class LeakHit(Record):
    """One place where a text that a model would see names the answer or a part of it."""

    turn: int = Field(ge=1)
    stage: str = Field(description="history, examination, image or synthesis")
    value_id: str = Field(
        description="id of the value whose text holds the hit; `label` or `modality` of a figure else"
    )
    term: str = Field(description="the answer's term that was found")
    text: str = Field(description="the words found, as they stand in the value")
    start: int = Field(ge=0, description="offset in the value's text")
    end: int = Field(ge=0)
    verdict: Verdict
    action: LeakAction = LeakAction.NONE
    decided_by: str = Field(default="", description="a person, or `automatic`; empty while open")
    reason: str = ""

    @property
    def is_open(self) -> bool:
        """True for a blocking hit nobody has dealt with: the case must not be run."""
        return self.verdict is Verdict.BLOCKS and self.action is LeakAction.NONE


class Disclosure(Record):
    """What the leak audit decided to disclose of one value: where, and in which words (None: withheld)."""

    value_id: str
    text: str | None
    moved_to_synthesis: bool = False


class CaseRepresentation(Record):
    """One version of a case. A correction is a new version; runs name the version they were made on."""

    case_id: str
    version: int = Field(ge=1)
    article_version: int = Field(ge=1)
    elements: dict[Element, tuple[Value, ...]]
    figures: tuple[FigureEvidence, ...] = Field(default=(), description="in source order")
    final_diagnosis: tuple[Value, ...] = ()
    reasoning: tuple[Value, ...] = ()
    abbreviations: dict[str, str] = Field(
        default_factory=dict, description="short form -> long form, as the article defines"
    )
    unsupported: tuple[UnsupportedValue, ...] = ()
    eligibility: Eligibility
    leaks: tuple[LeakHit, ...] = ()
    disclosures: tuple[Disclosure, ...] = Field(
        default=(), description="changes by the audit; a value not listed is disclosed as is"
    )
    leak_policy: LeakPolicy = LeakPolicy.HOLD
    held_reason: str = Field(default="", description="why the audit holds the case; empty when it does not")
    change_reason: str = Field(default="", description="why this version was made; empty for an extraction")
    made_by: MadeBy

    def values(self, element: Element) -> tuple[Value, ...]:
        """Give an element's values; empty when the article says nothing."""
        return self.elements.get(element, ())

    @property
    def is_released(self) -> bool:
        """True when a model may be run on this version: eligible, audited, no blocking hit open, not held."""
        return self.eligibility.is_eligible and not self.held_reason and not any(hit.is_open for hit in self.leaks)
