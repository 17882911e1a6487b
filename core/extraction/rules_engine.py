"""Extraction by the rules engine: an article becomes a case representation, each value with its place in the source."""

import re
from collections.abc import Sequence
from datetime import datetime

from core.domain.article import CaseReport, PartKind, SectionRole
from core.domain.case import CaseRepresentation, Element, LeakPolicy, Value
from core.domain.record import MadeBy
from core.extraction.case_text import CaseText, Statement
from core.extraction.cues import Kind
from core.extraction.diagnosis import find_final_diagnosis
from core.extraction.eligibility import decide_eligibility
from core.extraction.figures import ValueMaker, gather_figure_texts, read_figure
from core.extraction.kinds import EXCLUDES
from core.extraction.laboratory import is_routine, read_rows
from core.extraction.leaks import audit_leaks
from core.extraction.modality import name_modality
from core.extraction.reasoning import find_reasoning
from core.extraction.sort import Sorted, sort_narrative
from core.extraction.vocabulary import PROCEDURE_NAME
from core.language.abbreviations import find_abbreviations

_ELEMENT_OF = {
    Kind.CONCERN: Element.PRIMARY_CONCERN,
    Kind.ILLNESS: Element.PRESENT_ILLNESS,
    Kind.MEDICAL: Element.MEDICAL_HISTORY,
    Kind.FAMILY: Element.FAMILY_HISTORY,
    Kind.SOCIAL: Element.PSYCHOSOCIAL_HISTORY,
    Kind.EXAMINATION: Element.PHYSICAL_EXAMINATION,
    Kind.ROUTINE: Element.ROUTINE_LABS,
    Kind.SPECIAL: Element.KEY_FINDINGS,
    Kind.TREATMENT: Element.INTERVENTIONS,
    Kind.OUTCOME: Element.OUTCOME,
}
_TIME = re.compile(
    r"\b(?:(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|several|few)[- ](?:hours?|days?|weeks?|"
    r"months?|years?)[- ](?:history|ago|"
    r"earlier|before|prior|previously|later|after|duration|post)|(?:on|at|by) (?:hospital |postoperative |"
    r"post-?operative |admission )?(?:day|week|month) "
    r"\d+|on the (?:\w+ )(?:hospital |postoperative )?day|on admission|(?:in|since) (?:january|february|march|"
    r"april|may|june|july|august|september|october|"
    r"november|december|\d{4})|(?:for|over|during) the (?:past|last|next|following) |(?:\d+|one|two|three|four|"
    r"five|six) (?:days?|weeks?|months?|years?) later|"
    r"the (?:next|following|same) day|for (?:the )?(?:\d+|one|two|three|four|five|six|seven|several) (?:days|weeks|"
    r"months|years)|since childhood|in childhood)\b",
    re.IGNORECASE,
)
_TIMELINE_KINDS = (Kind.CONCERN, Kind.ILLNESS, Kind.MEDICAL, Kind.EXAMINATION, Kind.ROUTINE)


def extract_case(
    article: CaseReport,
    *,
    article_version: int,
    code_version: str,
    at: datetime,
    version: int = 1,
    leak_policy: LeakPolicy = LeakPolicy.HOLD,
) -> CaseRepresentation:
    """Give the case representation of an article by rules, audited for leaks.

    Every value's text is the source text its spans point to. An article that holds nothing of a kind gives no value
    of that kind; an article that is no case gives a representation whose eligibility says why. Never raises for what
    an article says or lacks.

    Args:
        article: the case report as stored.
        article_version: the stored version of it.
        code_version: version of this program, for the record.
        at: when, with its zone.
        version: number of the case version to make.
        leak_policy: what the audit does with what it finds (protocol.md section 5).
    """
    text = CaseText(article)
    abbreviations = find_abbreviations(
        "\n".join(part.text for part in article.parts if part.kind in ABBREVIATION_PARTS)
    )
    pieces = sort_narrative(text.narrative)
    figure_texts, taken = gather_figure_texts(text, pieces)
    make = ValueMaker()
    figures = tuple(read_figure(one, text.discussion, make) for one in figure_texts)
    diagnosis = find_final_diagnosis(text, pieces, abbreviations)
    elements = _elements(text, pieces, taken, make)
    reasoning = find_reasoning(text, pieces, diagnosis)
    diagnosis_values = _number("final_diagnosis", diagnosis, make)
    reasoning_values = _number("reasoning", reasoning, make)
    case = CaseRepresentation(
        case_id=article.id,
        version=version,
        article_version=article_version,
        elements=elements,
        figures=figures,
        final_diagnosis=diagnosis_values,
        reasoning=reasoning_values,
        abbreviations=abbreviations,
        eligibility=decide_eligibility(article, elements, figures, diagnosis_values, reasoning_values, text),
        leak_policy=leak_policy,
        made_by=MadeBy(engine="rules", model="rules baseline", code_version=code_version, at=at),
    )
    return audit_leaks(article, case, leak_policy)


ABBREVIATION_PARTS = frozenset({PartKind.SECTION, PartKind.ABSTRACT, PartKind.CAPTION, PartKind.TABLE, PartKind.BACK})


def _number(field: str, statements: Sequence[Statement], make: ValueMaker) -> tuple[Value, ...]:
    return tuple(make(f"{field}-{n}", [one]) for n, one in enumerate(statements, 1))


def _elements(
    text: CaseText, pieces: Sequence[Sorted], taken: set[int], make: ValueMaker
) -> dict[Element, tuple[Value, ...]]:
    found: dict[Element, list[Statement]] = {element: [] for element in Element}
    study, so_far = "", None
    for at, piece in enumerate(pieces):
        statement = piece.statement
        found[Element.DIAGNOSTIC_METHODS] += _procedures(statement, found[Element.DIAGNOSTIC_METHODS])
        if piece.is_patient:
            found[Element.PATIENT_INFORMATION].append(statement)
            continue
        if at in taken:
            continue
        if piece.kind in _TIMELINE_KINDS and _TIME.search(statement.plain):
            found[Element.TIMELINE].append(statement)
        if piece.kind is Kind.IMAGING:
            named = name_modality(statement.plain, only_named=True)
            if named:
                study, so_far = statement.plain[named.start : named.end], None
            target = _imaging_element(statement, study)
            # A normal detail of a study that showed something decisive stays with it.
            target = Element.KEY_FINDINGS if target and so_far is Element.KEY_FINDINGS else target
            if target:
                so_far = target
                found[target].append(statement)
        elif piece.kind is Kind.SPECIAL and not has_result(statement.plain):
            continue
        elif piece.kind is Kind.ROUTINE and not _TABLE_MENTION.sub("", statement.plain).strip(" ."):
            continue
        elif piece.kind in _ELEMENT_OF:
            found[_ELEMENT_OF[piece.kind]].append(statement)
    routine, special = read_rows(text)
    found[Element.ROUTINE_LABS] += routine
    found[Element.KEY_FINDINGS] += special
    return {
        element: _number(element.value, list(dict.fromkeys(statements)), make)
        for element, statements in found.items()
        if statements
    }


def _imaging_element(statement: Statement, study: str) -> Element | None:
    """Imaging without a figure: a normal baseline study that excludes nothing is routine, any other a key finding.

    `study` names the study spoken of, by this sentence or the one before.
    """
    if not has_result(statement.plain):
        return None
    is_baseline = is_routine(statement.plain, study) and not EXCLUDES.search(statement.plain)
    return Element.ROUTINE_LABS if is_baseline else Element.KEY_FINDINGS


_TABLE_MENTION = re.compile(
    r"\(?(?:as |are |is |were )*(?:shown|listed|summari[sz]ed|presented|given|detailed|"
    r"see)? ?(?:in )?tables? [\d, and-]+\)?",
    re.IGNORECASE,
)
_ONLY_DONE = re.compile(
    r"\b(?:was|were|been|be|to) (?:\w+ly )?(?:perform\w*|done|carried out|sent|extracted|prepared|obtained|taken|"
    r"request\w*|organi[sz]ed|ordered|"
    r"subjected|submitted|conducted|undertaken|scheduled|arranged|described|available|collected|using|used|"
    r"considered)\b|\bunderwent\b|\bsent for\b",
    re.IGNORECASE,
)
_FOUND = re.compile(
    r"\b(?:show(?:ed|s|ing)?|reveal\w*|demonstrat\w+|disclos\w+|confirm\w*|normal|unremarkable|negative|positive|"
    r"noted|seen|found|detected|"
    r"identified|visuali[sz]ed|suggest\w*|consistent|evident|no evidence|not (?:possible|detected|seen|found)|"
    r"elevated|raised|increased|decreased|"
    r"abnormal\w*|indicat\w+|exhibit\w*|grew|yielded|contained|ruled|excluded|displayed|observed|established|"
    r"diagnosed)\b",
    re.IGNORECASE,
)


def has_result(plain: str) -> bool:
    """Tell whether a sentence about a test says what it showed, not only that it was done or where it is listed."""
    rest = _TABLE_MENTION.sub("", plain)
    return len(rest.split()) > 2 and (not _ONLY_DONE.search(rest) or bool(_FOUND.search(rest)))


def _procedures(statement: Statement, known: Sequence[Statement]) -> list[Statement]:
    if statement.role in (SectionRole.OUTCOME,):
        return []
    names = {one.plain.lower() for one in known}
    found = []
    for match in PROCEDURE_NAME.finditer(statement.plain):
        name = match.group().lower()
        if name not in names:
            names.add(name)
            found.append(statement.cut(match.start(), match.end()))
    return found
