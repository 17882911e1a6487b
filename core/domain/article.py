"""A published case report as stored: plain text in parts with stable offsets, figures in order, licence."""

from enum import StrEnum
from functools import cached_property
from typing import Any, Literal

from pydantic import Field

from core.domain.record import Record


class PartKind(StrEnum):
    """What a part of the article is. Only `section` and `table` parts can hold case content."""

    TITLE = "title"
    ABSTRACT = "abstract"
    KEYWORDS = "keywords"
    SECTION = "section"
    CAPTION = "caption"
    TABLE = "table"
    BOX = "box"
    DECLARATION = "declaration"
    BACK = "back"


class SectionRole(StrEnum):
    """What a section is for, read from its title and place; subsections inherit unless their own title says more."""

    INTRODUCTION = "introduction"
    CASE = "case"
    HISTORY = "history"
    EXAMINATION = "examination"
    INVESTIGATIONS = "investigations"
    DIFFERENTIAL = "differential"
    DIAGNOSIS = "diagnosis"
    TREATMENT = "treatment"
    OUTCOME = "outcome"
    TIMELINE = "timeline"
    DISCUSSION = "discussion"
    CONCLUSION = "conclusion"
    LEARNING_POINTS = "learning points"
    DECLARATION = "declaration"
    METHODS = "methods"
    RESULTS = "results"
    OTHER = "other"


CASE_ROLES = frozenset(
    {
        SectionRole.CASE,
        SectionRole.HISTORY,
        SectionRole.EXAMINATION,
        SectionRole.INVESTIGATIONS,
        SectionRole.DIFFERENTIAL,
        SectionRole.DIAGNOSIS,
        SectionRole.TREATMENT,
        SectionRole.OUTCOME,
        SectionRole.TIMELINE,
    }
)


class Span(Record):
    """A pointer into the plain text of one part: `part.text[start:end]`."""

    part: str = Field(description="id of the part")
    start: int = Field(ge=0)
    end: int = Field(ge=0, description="exclusive")
    found: Literal["exact", "normalised", "fuzzy"] = "exact"
    ratio: float = Field(default=1.0, ge=0, le=1, description="similarity of the quote to the text; 1 unless fuzzy")


class Part(Record):
    """One part of the article with its own plain text. Paragraphs are separated by a newline."""

    id: str = Field(description="stable inside one version of the article, for example `s2.1`, `fig1.caption`")
    kind: PartKind
    role: SectionRole = SectionRole.OTHER
    path: tuple[str, ...] = Field(default=(), description="section titles from the outside in, numbers stripped")
    text: str


class ImageRef(Record):
    """An image of the store by the hash of its bytes; the bytes are in the image store."""

    sha256: str
    media_type: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    width_px: int = Field(gt=0)
    height_px: int = Field(gt=0)
    size_bytes: int = Field(gt=0)
    notes: tuple[str, ...] = Field(default=(), description="what import did to it: `converted from TIFF`, `first page`")


class Graphic(Record):
    """One graphic of a figure as the article names it, and the image found for it."""

    href: str
    file_name: str | None = Field(default=None, description="name of the file it was read from; None when missing")
    image: ImageRef | None = None
    problem: str = Field(
        default="", description="why there is no image: `missing`, `not decodable` ...; empty when there is"
    )


class Panel(Record):
    """A lettered part of a caption: `caption.text[start:end]` speaks of panel `letter`."""

    letter: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class Figure(Record):
    """A figure of the article itself, in source order."""

    id: str = Field(description="`fig1`, `fig2` ... by order in the article")
    label: str = Field(description="as printed, for example `Figure 1` or `Image 1`; empty when the article gives none")
    caption_part: str | None = Field(
        default=None, description="id of the caption's part; None when there is no caption"
    )
    graphics: tuple[Graphic, ...]
    panels: tuple[Panel, ...] = ()
    citations: tuple[Span, ...] = Field(default=(), description="the sentences that cite it, in reading order")
    first_cited_in: str | None = Field(default=None, description="innermost section title of the first citation")
    citation_rank: int | None = Field(default=None, description="1 = cited first of all figures; None when never cited")


class Licence(Record):
    """The licence as read. An empty code means not stated, which is not the same as free."""

    code: str = Field(default="", description="`CC BY`, `CC BY-NC-ND`, `CC0`, `TDM`, or empty when not stated")
    url: str = ""
    text: str = ""

    @property
    def forbids_adaptation(self) -> bool:
        """True when the code holds ND."""
        return "ND" in self.code.upper().replace("-", " ").split()

    @property
    def forbids_commercial_use(self) -> bool:
        """True when the code holds NC."""
        return "NC" in self.code.upper().replace("-", " ").split()


class Identifiers(Record):
    """Identifiers of the article; None where the source names none."""

    pmcid: str | None = Field(default=None, pattern=r"^PMC\d+$")
    pmid: str | None = None
    doi: str | None = None


class SetAside(Record):
    """Text of the body that is stored but is no case content: declarations, boxes, captions ..."""

    name: str
    chars: int


class SeparatePatient(Record):
    """One of several patients whom an article reports, and the text that is about this one."""

    name: str = Field(description="as the article counts them, for example `Case 1` or `Patient 2`")
    spans: tuple[Span, ...] = Field(description="stretches of section parts, in reading order")


class CaseReport(Record):
    """One published article as stored. `parts` hold every character of its text."""

    id: str = Field(description="`PMC123`, or `art-` and 12 hex digits of the source where no PMCID is known")
    identifiers: Identifiers
    title: str
    article_type: str = Field(description="as written; empty when missing")
    subjects: tuple[str, ...] = ()
    journal: str = ""
    authors: tuple[str, ...] = ()
    published_on: str = Field(default="", description="ISO date as far as known: `2019`, `2019-05` or `2019-05-14`")
    language: str = Field(default="", description="as the article states it, for example `en`")
    licence: Licence
    is_retracted: bool | None = Field(default=None, description="None when the source does not say")
    parts: tuple[Part, ...]
    figures: tuple[Figure, ...] = ()
    body_chars: int = Field(ge=0, description="characters of body text in the source, white space collapsed")
    kept_chars: int = Field(ge=0, description="of these in section and table parts")
    set_aside: tuple[SetAside, ...] = ()
    patients: tuple[SeparatePatient, ...] = Field(
        default=(),
        description="two or more when the article reports several patients apart from each other; else empty",
    )
    warnings: tuple[str, ...] = ()
    source: str = Field(description="file name the article was read from; no path of the machine")
    source_sha256: str

    @cached_property
    def _by_id(self) -> dict[str, Part]:
        return {part.id: part for part in self.parts}

    def model_copy(self, **changes: Any) -> "CaseReport":
        """Give a copy; pydantic would copy the index of the parts along, although they may be others."""
        copied = super().model_copy(**changes)
        copied.__dict__.pop("_by_id", None)
        return copied

    def part(self, part_id: str) -> Part:
        """Give the part of that id; KeyError when the article has none."""
        return self._by_id[part_id]

    def text_at(self, span: Span) -> str:
        """Give the source text a span points to; KeyError for an unknown part."""
        return self.part(span.part).text[span.start : span.end]

    def caption(self, figure: Figure) -> str:
        """Give a figure's caption; empty when it has none."""
        return self.part(figure.caption_part).text if figure.caption_part else ""
