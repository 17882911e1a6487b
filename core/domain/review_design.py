"""How a review study is laid out, and what stands beside its ratings: consent, pairings, adjudications."""

from enum import StrEnum

from pydantic import Field

from core.domain.items import Level, Target
from core.domain.record import Record, UtcTime


class ItemMode(StrEnum):
    """Whether reviewers pair the items of a sample before they see the judge's pairs. The two are reported apart."""

    VERIFY = "verify"
    INDEPENDENT = "independent"


class ReferenceShown(StrEnum):
    """When the article's findings for an image are shown at its turn."""

    NEVER = "never"
    AFTER_RATING = "after the turn's own rating"
    ALWAYS = "always"


class StudyDesign(Record):
    """What the lead laid down when the study was made; never changed afterwards."""

    blinding_seed: int | None = Field(default=None, description="of the labels; the order seed when None")
    overlap: int | None = Field(default=None, ge=1, description="reviewers for each dialogue; everyone when None")
    item_mode: ItemMode = ItemMode.VERIFY
    item_sample_percent: int = Field(default=20, ge=1, le=100, description="of dialogues whose items are paired")
    reference_shown: ReferenceShown = ReferenceShown.NEVER
    cloned_from: str = Field(default="", description="id of the study this one copies; empty when none")


class Unblinding(Record):
    """The lead's recorded look at the settings of a study that is not closed."""

    study_id: str
    at: UtcTime
    who: str = Field(min_length=1, max_length=80)
    why: str = Field(min_length=1, max_length=2000)


class ConsentStep(StrEnum):
    """What happened to a reviewer's consent. The last two are the lead's decision after a withdrawal."""

    CONSENTED = "consented"
    WITHDREW = "withdrew"
    KEPT = "ratings kept"
    EXCLUDED = "ratings excluded"


class ConsentEntry(Record):
    """One line of a reviewer's consent; nothing is overwritten."""

    reviewer_id: str
    at: UtcTime
    step: ConsentStep
    text_version: str = Field(default="", description="version of the consent text that was shown")
    reason: str = Field(default="", max_length=2000)


class PairedItem(Record):
    """A reviewer's own pair, made before the judge's were seen."""

    reference_id: str
    output_id: str
    level: Level


class ItemPairing(Record):
    """A reviewer's pairs of one target; every save is a row, the committed one is the last."""

    assignment_id: str
    evaluation_id: str
    target: Target
    figure_id: str | None = None
    revision: int = Field(ge=1)
    pairs: tuple[PairedItem, ...] = ()
    is_committed: bool = False
    at: UtcTime


class Adjudication(Record):
    """The settled answer where reviewers were far apart, given without knowing who said what."""

    study_id: str
    dialogue_id: str
    question: str = Field(description="a dimension, or `safety`")
    revision: int = Field(ge=1)
    answer: str = Field(min_length=1, max_length=40, description="`1`-`5`, a reason for none, or the safety risk")
    reason: str = Field(min_length=1, max_length=2000)
    adjudicator: str = Field(min_length=1, max_length=80)
    order: tuple[str, ...] = Field(description="assignment ids as they stood for Reviewer A, B, ...")
    at: UtcTime
