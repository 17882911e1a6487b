"""Small made-up case reports as the importer would give them."""

from datetime import UTC, datetime

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
from core.domain.case import CaseRepresentation, LeakPolicy
from core.extraction import extract_case
from core.language.sentences import split_sentences

AT = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
IMAGE = ImageRef(sha256="0" * 64, media_type="image/png", width_px=10, height_px=10, size_bytes=10)

HISTORY = (
    "A 45-year-old woman presented to our clinic with a three-week history of swelling of the left knee. "
    "She had no fever. Her past medical history included hypertension. Her mother had died of stroke. "
    "She had never smoked and worked as a baker."
)
EXAMINATION = (
    "On examination her temperature was 37.1 °C and her blood pressure was 130/80 mmHg. "
    "The knee was swollen and warm, and no lymph nodes were palpable."
)
TESTS = (
    "Haemoglobin was 13.1 g/dL and C-reactive protein was 4 mg/L. "
    "Magnetic resonance imaging showed a lobulated mass in the suprapatellar recess (Fig. 1). "
    "Biopsy revealed villous synovial proliferation with haemosiderin consistent with tenosynovial giant cell tumour."
)
TREATMENT = "Synovectomy was performed under general anaesthesia. At one year of follow-up there was no recurrence."
DISCUSSION = (
    "Tenosynovial giant cell tumour is rare. In our patient the haemosiderin in the biopsy confirmed the diagnosis of "
    "tenosynovial giant cell tumour of the knee."
)
CAPTION = "Sagittal MRI of the left knee showing a lobulated mass with low signal."


def section(number: int, role: SectionRole, text: str, title: str = "") -> Part:
    return Part(id=f"s{number}", kind=PartKind.SECTION, role=role, path=(title or role.value,), text=text)


def article(
    *sections: Part,
    title: str = "Tenosynovial giant cell tumour of the knee: a case report",
    abstract: str = "",
    captions: tuple[str, ...] = (CAPTION,),
    has_images: bool = True,
    **changes: object,
) -> CaseReport:
    """Give a case report of these parts; `Fig. 1` in a section cites the first caption's figure, and so on."""
    parts = [Part(id="title", kind=PartKind.TITLE, text=title), *sections]
    if abstract:
        parts.append(Part(id="abstract", kind=PartKind.ABSTRACT, text=abstract))
    figures = []
    for number, caption in enumerate(captions, 1):
        if caption:
            parts.append(Part(id=f"fig{number}.caption", kind=PartKind.CAPTION, text=caption))
        citations = tuple(
            Span(part=part.id, start=sentence.start, end=sentence.end)
            for part in sections
            for sentence in split_sentences(part.text)
            if f"Fig. {number}" in part.text[sentence.start : sentence.end]
        )
        image = IMAGE if has_images else None
        figures.append(
            Figure(
                id=f"fig{number}",
                label=f"Fig. {number}",
                caption_part=f"fig{number}.caption" if caption else None,
                graphics=(Graphic(href=f"f{number}", image=image, problem="" if has_images else "missing"),),
                citations=citations,
            )
        )
    body = sum(len(part.text) for part in sections)
    values = {
        "id": "art-000000000001",
        "identifiers": Identifiers(),
        "title": title,
        "article_type": "case-report",
        "language": "en",
        "licence": Licence(code="CC BY"),
        "parts": tuple(parts),
        "figures": tuple(figures),
        "body_chars": body,
        "kept_chars": body,
        "source": "made-up.xml",
        "source_sha256": "1" * 64,
    }
    return CaseReport(**{**values, **changes})


def structured(**changes: object) -> CaseReport:
    """Give a well-structured article with a heading for each stage."""
    return article(
        section(1, SectionRole.HISTORY, HISTORY),
        section(2, SectionRole.EXAMINATION, EXAMINATION),
        section(3, SectionRole.INVESTIGATIONS, TESTS),
        section(4, SectionRole.TREATMENT, TREATMENT),
        section(5, SectionRole.DISCUSSION, DISCUSSION),
        **changes,
    )


def undivided(**changes: object) -> CaseReport:
    """Give the same story as one paragraph under one heading."""
    story = " ".join([HISTORY, EXAMINATION, TESTS, TREATMENT])
    return article(section(1, SectionRole.CASE, story), section(2, SectionRole.DISCUSSION, DISCUSSION), **changes)


def extract(report: CaseReport, policy: LeakPolicy = LeakPolicy.HOLD) -> CaseRepresentation:
    return extract_case(report, article_version=1, code_version="test", at=AT, leak_policy=policy)
