"""An extraction compared with reference annotations, field by field (the table of `python -m core quality`).

A quote is found when at least 60 % of its letters and digits stand in one value of the field. Everything is counted
over quotes, not over articles; `n_articles` says on how many articles a row rests.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from core.domain.article import CaseReport
from core.domain.case import EXAMINATION_ELEMENTS, HISTORY_ELEMENTS, CaseRepresentation, Element, Modality, Value
from core.extraction.case_text import level
from core.language.terms import content_stems, expand_abbreviations

FOUND_SHARE = 0.6
"""Share of a quote's letters that must stand in a value (own choice, the same for all fields)."""

_RUN = 8
"""Fewest letters in a row that count as the same words."""

_HISTORY = (
    Element.PRESENT_ILLNESS,
    Element.MEDICAL_HISTORY,
    Element.FAMILY_HISTORY,
    Element.PSYCHOSOCIAL_HISTORY,
    Element.PRIMARY_CONCERN,
    Element.PATIENT_INFORMATION,
)
_FIELDS: tuple[tuple[str, tuple[Element, ...]], ...] = (
    ("demographics", (Element.PATIENT_INFORMATION,)),
    ("chief_complaint", (Element.PRIMARY_CONCERN, Element.PRESENT_ILLNESS)),
    ("history", _HISTORY),
    ("examination", (Element.PHYSICAL_EXAMINATION,)),
    ("routine_labs", (Element.ROUTINE_LABS,)),
    ("key_findings", (Element.KEY_FINDINGS,)),
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹µ", "0123456789μ")
_MODALITY_WORDS: dict[Modality, str] = {
    Modality.RADIOGRAPH: r"radiograph|x-?ray|mammogra",
    Modality.CT: r"\bct\b|computed tomogra",
    Modality.MRI: r"\bmri\b|magnetic",
    Modality.ULTRASOUND: r"ultraso|sonogra|doppler",
    Modality.ECHOCARDIOGRAM: r"echocardiogra",
    Modality.ECG: r"\becg\b|electrocardiogra",
    Modality.EEG_EMG: r"\beeg\b|\bemg\b|electroenceph|electromyo",
    Modality.ANGIOGRAM: r"angiogra",
    Modality.NUCLEAR_MEDICINE: r"scintigra|nuclear|bone scan|spect",
    Modality.PET: r"\bpet\b|positron",
    Modality.ENDOSCOPY: r"endoscop|colonoscop|gastroscop|bronchoscop|laryngoscop|cystoscop",
    Modality.FUNDUS_PHOTOGRAPH: r"fundus",
    Modality.OCT: r"\boct\b|optical coherence",
    Modality.SLIT_LAMP: r"slit",
    Modality.CLINICAL_PHOTOGRAPH: r"clinical photo|photograph of the patient|clinical picture",
    Modality.INTRAOPERATIVE_PHOTOGRAPH: r"intra-?operative|operative",
    Modality.GROSS_PATHOLOGY: r"gross|macroscop|specimen",
    Modality.HISTOLOGY_HE: r"h&e|hematoxylin|^histology|micrograph",
    Modality.HISTOLOGY_OTHER: r"histology|stain|\bpas\b",
    Modality.IMMUNOHISTOCHEMISTRY: r"immuno",
    Modality.CYTOLOGY: r"cytolog|smear",
    Modality.ELECTRON_MICROSCOPY: r"electron",
    Modality.MICROBIOLOGY: r"microbiolog|culture",
    Modality.CHART_OR_DRAWING: r"chart|drawing|graph\b|plot|pedigree|audiogram|diagram",
    Modality.OTHER: r"other",
}


@dataclass(frozen=True)
class QualityRow:
    """One line of the table.

    Attributes:
        field: what was compared.
        gold: reference quotes (or figures, terms, decisions).
        found: how many of them the extraction has.
        recall: found / gold; None without reference quotes.
        precision: share of the extraction's values that overlap a reference quote; None where not meaningful. The
            references quote only parts of an article, so this is a lower bound.
        n_articles: articles with at least one reference quote.
        missed: what was not found, `article: quote`.
    """

    field: str
    gold: int
    found: int
    recall: float | None
    precision: float | None
    n_articles: int
    missed: tuple[str, ...] = ()


@dataclass
class _Count:
    gold: int = 0
    found: int = 0
    values: int = 0
    values_right: int = 0
    articles: set[str] = field(default_factory=set)
    missed: list[str] = field(default_factory=list)

    def add(self, article: str, quote: str, is_found: bool) -> None:
        self.gold += 1
        self.found += is_found
        self.articles.add(article)
        if not is_found:
            self.missed.append(f"{article}: {quote}")

    def row(self, name: str, *, has_precision: bool = False) -> QualityRow:
        precision = self.values_right / self.values if has_precision and self.values else None
        recall = self.found / self.gold if self.gold else None
        return QualityRow(name, self.gold, self.found, recall, precision, len(self.articles), tuple(self.missed))


@lru_cache(maxsize=10_000)
def _letters(text: str) -> str:
    return re.sub(r"[^\w]|_", "", level(text).translate(_SUPERSCRIPTS).lower())


def share_found(quote: str, text: str) -> float:
    """Give the share (0-1) of the quote's letters that stand in the text in runs of eight or more."""
    wanted, there = _letters(quote), _letters(text)
    if not wanted or not there:
        return 0.0
    if wanted in there:
        return 1.0
    covered = bytearray(len(wanted))
    for at in range(len(wanted) - _RUN + 1):
        if wanted[at : at + _RUN] in there:
            covered[at : at + _RUN] = b"\1" * _RUN
    return sum(covered) / len(wanted)


def is_found(quote: str, texts: Iterable[str]) -> bool:
    """Tell whether the quote stands in one of the texts or is spread over them."""
    texts = list(texts)
    return any(share_found(quote, text) >= FOUND_SHARE for text in texts) or (
        share_found(quote, " ".join(texts)) >= FOUND_SHARE
    )


def compare_with_gold(
    cases: Mapping[str, CaseRepresentation],
    articles: Mapping[str, CaseReport],
    gold: Sequence[Mapping[str, Any]],
    shown_before_synthesis: Callable[[CaseRepresentation], Iterable[str]] | None = None,
) -> tuple[QualityRow, ...]:
    """Give the rows of the quality table in the order of protocol.md section 2.

    Args:
        cases: the extraction by article id; an article of `gold` that is missing (refused at import) counts as
            decided ineligible and gives nothing else.
        articles: the articles by id.
        gold: the reference annotations (the format of ../shared/corpus/README.md).
        shown_before_synthesis: gives every text that a model would see before the synthesis turn; made from
            elements and disclosures when None.
    """
    counts: dict[str, _Count] = {}

    def count(name: str) -> _Count:
        return counts.setdefault(name, _Count())

    shown = shown_before_synthesis or texts_before_synthesis
    for one in gold:
        case, article = cases.get(one["id"]), articles.get(one["id"])
        decided = case is not None and case.eligibility.state != "ineligible"
        count("eligibility").add(one["id"], str(one["ineligible_reason"]), decided == one["eligible"])
        if case is None or article is None or not one["eligible"]:
            continue
        _count_figures(count, one, case)
        _count_elements(count, one, case)
        _count_diagnosis(count, one, case)
        _count_leaks(count, one, case, shown)
    order = ["eligibility", "figures", "figure order", "modality", *(name for name, _ in _FIELDS), "test group"]
    order += ["image_findings", "significance", "final_diagnosis", "reasoning", "leak terms kept out", "leak audit"]
    order += ["released", "still disclosed"]
    precise = {name for name, _ in _FIELDS} | {"image_findings"}
    return tuple(counts[name].row(name, has_precision=name in precise) for name in order if name in counts)


def texts_before_synthesis(case: CaseRepresentation) -> list[str]:
    """Give the texts that a model would see before the synthesis turn, after the audit's decisions."""
    changed = {one.value_id for one in case.disclosures}
    texts = [
        value.text
        for element in (*HISTORY_ELEMENTS, *EXAMINATION_ELEMENTS)
        for value in case.values(element)
        if value.id not in changed
    ]
    early = {value.id for element in (*HISTORY_ELEMENTS, *EXAMINATION_ELEMENTS) for value in case.values(element)}
    texts += [one.text for one in case.disclosures if one.text and not one.moved_to_synthesis and one.value_id in early]
    return texts + [text for figure in case.figures for text in (str(figure.modality),)]


def _texts(values: Iterable[Value]) -> list[str]:
    return [value.text for value in values]


def _count_figures(count: Callable[[str], _Count], one: Mapping[str, Any], case: CaseRepresentation) -> None:
    labels = [_letters(figure.label) for figure in case.figures]
    wanted = [_letters(figure["label"]) for figure in one["figures"]]
    for label in wanted:
        count("figures").add(one["id"], label, label in labels)
    count("figure order").add(one["id"], " ".join(wanted), labels == wanted)
    by_label = {_letters(figure.label): figure for figure in case.figures}
    for figure in one["figures"]:
        found = by_label.get(_letters(figure["label"]))
        matches = found is not None and bool(
            re.search(_MODALITY_WORDS[found.modality], figure["modality"], re.IGNORECASE)
        )
        got = found.modality if found else "no figure"
        count("modality").add(one["id"], f"{figure['label']}: {figure['modality']} (got {got})", matches)
    for figure in one["image_findings"]:
        found = by_label.get(_letters(figure["label"]))
        texts = _texts(found.findings) if found else []
        for quote in figure["quotes"]:
            count("image_findings").add(one["id"], f"{figure['label']}: {quote}", is_found(quote, texts))
        count("image_findings").values += len(texts)
        count("image_findings").values_right += sum(
            any(share_found(quote, text) >= FOUND_SHARE for quote in figure["quotes"]) for text in texts
        )
        for quote in figure["significance"]:
            meanings = _texts(found.significance) if found else []
            count("significance").add(one["id"], f"{figure['label']}: {quote}", is_found(quote, meanings))


def _quotes(one: Mapping[str, Any], name: str) -> list[str]:
    found = one[name]
    return [found] if isinstance(found, str) else list(found or [])


def _count_elements(count: Callable[[str], _Count], one: Mapping[str, Any], case: CaseRepresentation) -> None:
    for name, elements in _FIELDS:
        texts = [value.text for element in elements for value in case.values(element)]
        quotes = _quotes(one, name)
        for quote in quotes:
            count(name).add(one["id"], quote, is_found(quote, texts))
        count(name).values += len(texts)
        count(name).values_right += sum(any(_touches(quote, text) for quote in quotes) for text in texts)
    for quote in one["reasoning"]:
        count("reasoning").add(one["id"], quote, is_found(quote, _texts(case.reasoning)))
    groups = {name: _texts(case.values(Element(name))) for name in ("routine_labs", "key_findings")}
    of_figures = [text for figure in case.figures for text in _texts(figure.findings) + _texts(figure.significance)]
    image_quotes = [quote for figure in one["image_findings"] for quote in figure["quotes"] + figure["significance"]]
    for name in groups:
        for quote in one[name]:
            right = is_found(quote, groups[name])
            if not right and name == "key_findings" and is_found(quote, of_figures):
                # A sentence about a shown figure belongs to that figure (protocol.md section 2).
                right = any(
                    share_found(quote, image) > 0.5 or share_found(image, quote) > 0.5 for image in image_quotes
                )
            count("test group").add(one["id"], f"{name}: {quote}", right)


def _touches(quote: str, text: str) -> bool:
    return share_found(quote, text) >= 0.5 or share_found(text, quote) >= 0.5


def _count_diagnosis(count: Callable[[str], _Count], one: Mapping[str, Any], case: CaseRepresentation) -> None:
    said = set()
    for value in case.final_diagnosis:
        said |= set(content_stems(expand_abbreviations(value.text, case.abbreviations)))
    shares = []
    for item in one["final_diagnosis"]:
        wanted = set(content_stems(expand_abbreviations(item, case.abbreviations)))
        shares.append(len(wanted & said) / len(wanted) if wanted else 0.0)
    best = max(shares, default=0.0)
    got = " | ".join(value.text for value in case.final_diagnosis)
    count("final_diagnosis").add(one["id"], f"best {best:.2f}; got {got}", best >= FOUND_SHARE)


def _count_leaks(
    count: Callable[[str], _Count],
    one: Mapping[str, Any],
    case: CaseRepresentation,
    shown: Callable[[CaseRepresentation], Iterable[str]],
) -> None:
    own = " ".join(quote for name in ("history", "examination", "routine_labs") for quote in one[name])
    patterns = {
        term: re.compile(rf"(?<!\w){re.escape(level(term))}(?!\w)", re.IGNORECASE) for term in one["leak_terms"]
    }
    counted = {term: pattern for term, pattern in patterns.items() if not pattern.search(level(own))}
    early = [value for element in (*HISTORY_ELEMENTS, *EXAMINATION_ELEMENTS) for value in case.values(element)]
    hits: dict[str, list[tuple[int, int]]] = {}
    for hit in case.leaks:
        hits.setdefault(hit.value_id, []).append((hit.start, hit.end))
    for value in early:
        for term, pattern in patterns.items():
            for match in pattern.finditer(level(value.text)):
                caught = any(start < match.end() and end > match.start() for start, end in hits.get(value.id, ()))
                count("leak audit").add(one["id"], f"{term} in {value.id}: {value.text[:90]}", caught)
    if case.eligibility.state == "ineligible":
        return
    # Whether image files are there is not the audit's doing.
    is_cleared = not case.held_reason and not any(hit.is_open for hit in case.leaks)
    count("released").add(one["id"], case.held_reason or "a blocking hit is open", is_cleared)
    if not is_cleared:
        return
    visible = [level(text) for text in shown(case)]
    for term, pattern in counted.items():
        seen = [text for text in visible if pattern.search(text)]
        count("leak terms kept out").add(one["id"], f"{term}: {seen[:1]}", not seen)
    quotes = [*one["history"], *one["examination"]]
    kept = sum(is_found(quote, visible) for quote in quotes)
    if quotes:
        count("still disclosed").add(one["id"], f"{kept} of {len(quotes)}", kept >= 0.6 * len(quotes))
