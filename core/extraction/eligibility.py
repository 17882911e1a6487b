"""Whether an article can become a case (protocol.md section 1), with every failed condition in plain words."""

import re
from collections.abc import Mapping, Sequence

from core.domain.article import CaseReport, Figure
from core.domain.case import Element, Eligibility, FigureEvidence, Value
from core.extraction.case_text import CaseText
from core.extraction.patients import count_patients, is_animal_case

_OTHER_LANGUAGES = {
    "Spanish": frozenset("el la los las una con por para que del como fue paciente años presentó".split()),
    "Portuguese": frozenset("o os uma com por para que dos das não foi paciente anos apresentou ao".split()),
    "French": frozenset("le les une avec pour que des dans est été patient ans du aux sur".split()),
    "German": frozenset("der die das und mit eine wurde bei nicht patient den dem zu von ist".split()),
    "Italian": frozenset("il gli una con per che della nel è stato paziente anni di del".split()),
}
_ENGLISH = frozenset("the of and was with in to a for on is at by from were".split())
_FEWEST_BODY_CHARS = 400
_RETRACTION = re.compile(
    r"^\W*(?:retraction|retracted|withdrawn|withdrawal|expression of concern|erratum|correction)\b", re.IGNORECASE
)

_CLINICAL = (
    Element.PRIMARY_CONCERN,
    Element.PRESENT_ILLNESS,
    Element.MEDICAL_HISTORY,
    Element.PHYSICAL_EXAMINATION,
)
_TESTS = (Element.ROUTINE_LABS, Element.KEY_FINDINGS, Element.DIAGNOSTIC_METHODS)


def decide_eligibility(
    article: CaseReport,
    elements: Mapping[Element, Sequence[Value]],
    figures: Sequence[FigureEvidence],
    final_diagnosis: Sequence[Value],
    reasoning: Sequence[Value],
    text: CaseText | None = None,
) -> Eligibility:
    """Give the state with every failed condition as a sentence; warnings do not refuse.

    `ineligible` when any lasting condition fails; else `waiting` when only image files are missing; else `eligible`.
    Figures without a graphic of their own do not count. The timeline, an ND or NC licence, tentative language and
    a missing publication date only warn.
    """
    text = text or CaseText(article)
    reasons = _whole_article(article, text)
    if not reasons:
        reasons += _patients(article, text)
    own = [figure for figure in article.figures if figure.graphics]
    if not own:
        reasons.append("It has no figure with a graphic of its own.")
    if not final_diagnosis:
        reasons.append("No final diagnosis reported by the article was found.")
    reasons += _missing_groups(elements, figures, reasoning)
    warnings = _warnings(article, elements, own)
    if reasons:
        return Eligibility(state="ineligible", reasons=tuple(reasons), warnings=tuple(warnings))
    if own and not any(_has_image(figure) for figure in own):
        waiting = "It waits for its image files: none of its figures has one yet. Attach them by hand or import them."
        return Eligibility(state="waiting", reasons=(waiting,), warnings=tuple(warnings))
    return Eligibility(state="eligible", warnings=tuple(warnings))


def _whole_article(article: CaseReport, text: CaseText) -> list[str]:
    if article.is_retracted or _RETRACTION.match(article.title):
        return ["It is a retraction or correction notice, or the article was retracted."]
    if article.body_chars == 0 or not any(part.text.strip() for part in article.parts if part.kind.value == "section"):
        return ["It has no body text of its own."]
    if article.body_chars < _FEWEST_BODY_CHARS:
        return [f"Its body is too short to be a case report ({article.body_chars} characters)."]
    language = _language(article, text)
    if language != "English":
        return [f"Its text is in {language}; only English is supported."]
    return []


def _language(article: CaseReport, text: CaseText) -> str:
    words = [
        word
        for part in article.parts
        if part.kind.value in ("section", "abstract")
        for word in re.findall(r"[^\W\d_]+", part.text[:4000].lower())
    ][:3000]
    if len(words) < 40:
        return "English"
    english = sum(word in _ENGLISH for word in words)
    counts = {name: sum(word in marks for word in words) for name, marks in _OTHER_LANGUAGES.items()}
    best = max(counts, key=lambda name: counts[name])
    if english < 0.08 * len(words) and counts[best] > 2 * english:
        return best
    if english < 0.02 * len(words):
        return "a language other than English"
    return "English"


def _patients(article: CaseReport, text: CaseText) -> list[str]:
    if is_animal_case(article, text):
        return ["Its patient is not a human."]
    count = count_patients(text)
    if count == 0:
        return ["It does not describe a human patient."]
    if count > 1:
        return [f"It reports several patients ({count}); pick one to make a case of it."]
    return []


def _missing_groups(
    elements: Mapping[Element, Sequence[Value]], figures: Sequence[FigureEvidence], reasoning: Sequence[Value]
) -> list[str]:
    groups = {
        "patient information": bool(elements.get(Element.PATIENT_INFORMATION)),
        "clinical findings": any(elements.get(key) for key in _CLINICAL),
        "diagnostic tests": any(elements.get(key) for key in _TESTS) or any(one.findings for one in figures),
        "diagnostic reasoning": bool(reasoning),
    }
    return [f"Nothing was found for {name}." for name, is_there in groups.items() if not is_there]


def _has_image(figure: Figure) -> bool:
    return any(graphic.image is not None for graphic in figure.graphics)


def _warnings(article: CaseReport, elements: Mapping[Element, Sequence[Value]], own: Sequence[Figure]) -> list[str]:
    warnings = []
    missing = [figure.label or figure.id for figure in own if not _has_image(figure)]
    if missing and len(missing) < len(own):
        warnings.append(f"No image file for {', '.join(missing)}; it gives no turn until one is attached.")
    if not elements.get(Element.TIMELINE):
        warnings.append("No timeline was found.")
    if article.licence.forbids_adaptation:
        warnings.append("Its licence forbids adaptations (ND).")
    if article.licence.forbids_commercial_use:
        warnings.append("Its licence forbids commercial use (NC).")
    if not article.licence.code:
        warnings.append("No licence was read from it.")
    return warnings
