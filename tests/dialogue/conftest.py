"""A tiny article in which every text has a word of its own, so that a leak can be named by its word."""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from core.domain.article import (
    CaseReport,
    Figure,
    Graphic,
    Identifiers,
    ImageRef,
    Licence,
    Part,
    PartKind,
    SectionRole,
    Span,
)
from core.domain.case import CaseRepresentation, Element, Eligibility, FigureEvidence, Modality, Value
from core.domain.model_call import CallFacts, FailedCall, ModelReply, ModelRequest, OutgoingImage
from core.domain.record import MadeBy

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
FORBIDDEN = (
    "titleword abstractword keywordword captionone captiontwo introword discussword boxword licenceword findingone "
    "findingtwo signifone reasonword diagword therapyword outcomeword secretfile authorword journalword"
).split()

_PARTS = {
    "title": (PartKind.TITLE, SectionRole.OTHER, "Titleword case."),
    "abs": (PartKind.ABSTRACT, SectionRole.OTHER, "Abstractword text."),
    "kw": (PartKind.KEYWORDS, SectionRole.OTHER, "Keywordword"),
    "s1": (PartKind.SECTION, SectionRole.INTRODUCTION, "Introword text."),
    "s2": (
        PartKind.SECTION,
        SectionRole.CASE,
        "A patientword of 40 years. Concernword for two days. Illnessword began. Histword before. Examword was heard. "
        "Labword was 4. Keyword one was positive. Methodword was done. Timeword on day 2. Findingone was seen. "
        "Signifone supports it. Findingtwo was seen. Therapyword was given. Outcomeword was good. Diagword disease. "
        "Reasonword because of it.",
    ),
    "s3": (PartKind.SECTION, SectionRole.DISCUSSION, "Discussword text."),
    "box": (PartKind.BOX, SectionRole.LEARNING_POINTS, "Boxword text."),
    "cap1": (PartKind.CAPTION, SectionRole.OTHER, "Captionone shows it."),
    "cap2": (PartKind.CAPTION, SectionRole.OTHER, "Captiontwo shows it."),
}


def _image(name: str) -> ImageRef:
    digest = hashlib.sha256(name.encode()).hexdigest()
    return ImageRef(sha256=digest, media_type="image/png", width_px=10, height_px=10, size_bytes=9)


def value(name: str, words: str, part: str = "s2") -> Value:
    start = _PARTS[part][2].index(words)
    return Value(id=name, text=words, spans=(Span(part=part, start=start, end=start + len(words)),))


@pytest.fixture
def article() -> CaseReport:
    def figure(number: int, names: tuple[str, ...]) -> Figure:
        graphics = tuple(
            Graphic(href=f"secretfile-{n}", file_name=f"secretfile-{n}.png", image=_image(n)) for n in names
        )
        missing = (Graphic(href="secretfile-x", problem="missing"),)
        return Figure(
            id=f"fig{number}",
            label=f"Figure {number}",
            caption_part=f"cap{min(number, 2)}",
            graphics=graphics or missing,
        )

    return CaseReport(
        id="PMC1",
        identifiers=Identifiers(pmcid="PMC1"),
        title="Titleword case.",
        article_type="case-report",
        authors=("Authorword",),
        journal="Journalword",
        licence=Licence(code="CC BY", text="Licenceword"),
        parts=tuple(Part(id=name, kind=k, role=r, text=t) for name, (k, r, t) in _PARTS.items()),
        figures=(figure(1, ("a", "b")), figure(2, ("c",)), figure(3, ())),
        body_chars=10,
        kept_chars=10,
        source="secretfile.xml",
        source_sha256="0" * 64,
    )


@pytest.fixture
def case() -> CaseRepresentation:
    elements = {
        Element.PATIENT_INFORMATION: (value("patient_information-1", "A patientword of 40 years."),),
        Element.PRIMARY_CONCERN: (value("primary_concern-1", "Concernword for two days."),),
        Element.PRESENT_ILLNESS: (value("present_illness-1", "Illnessword began."),),
        Element.MEDICAL_HISTORY: (value("medical_history-1", "Histword before."),),
        Element.PHYSICAL_EXAMINATION: (value("physical_examination-1", "Examword was heard."),),
        Element.ROUTINE_LABS: (value("routine_labs-1", "Labword was 4."),),
        Element.KEY_FINDINGS: (value("key_findings-1", "Keyword one was positive."),),
        Element.DIAGNOSTIC_METHODS: (value("diagnostic_methods-1", "Methodword"),),
        Element.TIMELINE: (value("timeline-1", "Timeword on day 2."),),
        Element.INTERVENTIONS: (value("interventions-1", "Therapyword was given."),),
        Element.OUTCOME: (value("outcome-1", "Outcomeword was good."),),
    }
    figures = (
        FigureEvidence(
            figure_id="fig1",
            label="Figure 1: captionone",
            modality=Modality.CT,
            findings=(value("fig1-finding-1", "Findingone was seen."),),
            significance=(value("fig1-significance-1", "Signifone supports it."),),
        ),
        FigureEvidence(figure_id="fig2", label="Figure 2", modality=Modality.ECG),
        FigureEvidence(
            figure_id="fig3", label="Figure 3", modality=Modality.MRI, findings=(value("f3", "Findingtwo was seen."),)
        ),
    )
    return CaseRepresentation(
        case_id="PMC1",
        version=1,
        article_version=1,
        elements=elements,
        figures=figures,
        final_diagnosis=(value("final_diagnosis-1", "Diagword disease."),),
        reasoning=(value("reasoning-1", "Reasonword because of it."),),
        eligibility=Eligibility(state="eligible"),
        made_by=MadeBy(engine="rules", model="rules baseline", code_version="0", at=NOW),
    )


class ScriptedModel:
    """Answers from a script and keeps every request; a FailedCall's reason stands in for an answer as `!reason`."""

    name = "scripted"
    engine = "recorded"

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.requests: list[ModelRequest] = []

    def reply(self, request: ModelRequest) -> ModelReply | FailedCall:
        self.requests.append(request)
        text = self.answers.pop(0) if self.answers else f"answer {len(self.requests)}"
        facts = CallFacts(model_asked=self.name, stop_reason="stop", raw_text=text)
        return (
            FailedCall(reason=text[1:], detail="why", facts=facts)
            if text[:1] == "!"
            else ModelReply(text=text, facts=facts)
        )

    def answer(self, request, record, check=None):
        self.requests.append(request)
        raise AssertionError("not asked in these tests")


def load_image(image: ImageRef) -> bytes:
    return image.sha256.encode()


def encode_image(data: bytes, number: int, total: int) -> OutgoingImage:
    return OutgoingImage(
        name=f"image-{number}.png",
        media_type="image/png",
        data=data,
        sha256=hashlib.sha256(data).hexdigest(),
        original_sha256=data.decode(),
        width_px=10,
        height_px=10,
        scale=1,
    )


@pytest.fixture
def scripted() -> Callable[..., ScriptedModel]:
    return ScriptedModel
