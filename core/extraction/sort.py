"""The narrative sorted: every sentence, or clause where a sentence holds two things, with what it is about.

Each clause is scored by cues, by what its section is for, by what stood before it, and by how far the story has come;
the highest score wins. Sentences with one kind stay whole.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.article import SectionRole
from core.extraction.case_text import Statement
from core.extraction.cues import Kind
from core.extraction.demographics import read_presentation
from core.extraction.kinds import RESULT, TEST_KINDS, Story, decide, only_cells, score_kinds
from core.extraction.vocabulary import DRUG, IMAGING_STUDY, OPERATION, ROUTINE_TEST, SPECIAL_TEST
from core.language.sentences import split_clauses

_FEWEST_TO_DECIDE = 2.5
_FEWEST_BY_WORDS = 1.5
"""A clause is set apart only by its own words, never by its section's prior alone."""
_EMPIRICAL = re.compile(
    r"\b(?:empiric(?:al(?:ly)?)?|suspected|(?:no|without|little|partial|failed to|did not) (?:\w+ )?(?:improv\w+|"
    r"respon\w+|effect|"
    r"relief|benefit)|instead of|presumed|presumptive|initially|prescribed|symptomatic(?:ally)?|despite)\b",
    re.IGNORECASE,
)
_JOINT = re.compile(r";\s+|,\s+(?:and\s+|while\s+|whereas\s+|but\s+)?|\s+and\s+|\s+while\s+|\s+whereas\s+")
_TESTS_AFTER_EMPIRICAL = 3


_STRONG_CUE = 3.0


@dataclass(frozen=True)
class Sorted:
    """A piece of the narrative and what it is about."""

    statement: Statement
    kind: Kind
    is_patient: bool = False


def _group(kind: Kind) -> str:
    if kind in (Kind.CONCERN, Kind.ILLNESS, Kind.MEDICAL):
        return "history"
    return kind.value


def sort_narrative(narrative: Sequence[Statement]) -> tuple[Sorted, ...]:
    """Give every piece of the narrative in order with its kind; pieces are verbatim and do not overlap.

    The first sentence with the patient's age is cut into the patient (marked `is_patient`) and the complaint.
    Treatment that was only tried before further tests is told as history (protocol.md section 2: interventions begin
    with this episode's diagnosis).
    """
    story = Story()
    result: list[Sorted] = []
    for statement in narrative:
        presentation = None if story.has_patient else read_presentation(statement.plain)
        if presentation is None:
            for cut, kind in _pieces(statement, story):
                result.append(Sorted(cut, kind))
                story.note(kind, cut.paragraph)
            continue
        story.has_patient = True
        start, end = presentation.who_start, presentation.who_end
        if len(statement.plain[:start].split()) > 4:
            before = statement.cut(0, start)
            result.append(Sorted(before, decide(before, story)[0]))
        result.append(Sorted(statement.cut(start, end), Kind.NOTHING, is_patient=True))
        rest = statement.cut(end, len(statement.text))
        if len(rest.plain.strip(" .,;").split()) < 2:
            continue
        pieces = _complaint(rest, story) if presentation.complaint_start is not None else _pieces(rest, story)
        for cut, kind in pieces:
            result.append(Sorted(cut, kind))
            story.note(kind, cut.paragraph)
    return _tried_before(tuple(one for one in result if one.statement.text))


_BACKGROUND = re.compile(
    r"^(?:with|who had|who has|having|known|affected by|diagnosed)\b[^.;]*?\b(?:history|known|comorbid\w*|"
    r"diabet\w+|hypertens\w+|stage|diagnosed|"
    r"affected|treated)\b(?! of (?:\w+ ){0,3}(?:pain|cough|fever|dyspn\w+|swelling|mass|weakness|headache|vomiting))",
    re.IGNORECASE,
)
_MOVE = re.compile(
    r"(?:,\s*|\s+)(?:(?:was|were|has|had|who|been|is)\s+)*(?:presented|presents|admitted|referred|attended|"
    r"consulted|hospitali[sz]ed|brought|"
    r"visited|came|arrived|transferred|complained|seen|evaluated)\b",
    re.IGNORECASE,
)


def _complaint(rest: Statement, story: Story) -> list[tuple[Statement, Kind]]:
    """Give what stands after the patient: known illness before the move to the clinic, and the complaint."""
    move = _MOVE.search(rest.plain)
    if move and _BACKGROUND.match(rest.plain[: move.start()]):
        background = rest.cut(0, move.start())
        return [(background, Kind.MEDICAL), *_pieces_led_by_concern(rest.cut(move.start(), len(rest.text)), story)]
    return _pieces_led_by_concern(rest, story)


def _pieces_led_by_concern(statement: Statement, story: Story) -> list[tuple[Statement, Kind]]:
    pieces = _pieces(statement, story)
    first, kind = pieces[0]
    if not story.has_concern and kind not in (Kind.FAMILY, Kind.SOCIAL):
        pieces[0] = (first, Kind.CONCERN)
    return pieces


def _pieces(statement: Statement, story: Story) -> list[tuple[Statement, Kind]]:
    """Give the statement whole with its kind, or its clauses where they clearly differ."""
    whole, _ = decide(statement, story)
    if whole in (Kind.ARGUMENT, Kind.NOTHING):
        return [(statement, whole)]
    cut = _between_tests(statement.plain) or (_after_citation(statement.plain) if statement.figures else None)
    if cut is not None:
        before, after = cut
        return [*_pieces(statement.cut(0, before), story), *_pieces(statement.cut(after, len(statement.text)), story)]
    clauses = split_clauses(statement.text)
    if len(clauses) < 2:
        return [(statement, whole)]
    kinds: list[Kind | None] = []
    for clause in clauses:
        piece = statement.cut(clause.start, clause.end)
        kind, score = decide(piece, story)
        by_words = score_kinds(piece.plain, SectionRole.OTHER)[kind]
        if kind is Kind.EXAMINATION and whole in TEST_KINDS and by_words < _STRONG_CUE:
            by_words = 0.0  # a temperature or a lesion within a test's sentence belongs to the test
        kinds.append(kind if score >= _FEWEST_TO_DECIDE and by_words >= _FEWEST_BY_WORDS else None)
    decided = {_group(kind) for kind in kinds if kind is not None}
    if len(decided) < 2:
        return [(statement, whole)]
    filled: list[Kind] = []
    for at, kind in enumerate(kinds):
        later = next((one for one in kinds[at:] if one is not None), whole)
        filled.append(kind or (filled[-1] if filled else later))
    pieces: list[tuple[Statement, Kind]] = []
    start = clauses[0].start
    for at, clause in enumerate(clauses):
        is_last = at == len(clauses) - 1
        if is_last or _group(filled[at]) != _group(filled[at + 1]):
            pieces.append((statement.cut(start, len(statement.text) if is_last else clause.end), filled[at]))
            start = clauses[at + 1].start if not is_last else clause.end
    return pieces


_CITED_THEN_MORE = re.compile(
    r"\(\s*(?:fig|image|photo)[^)]{1,40}\)+\s*(?:[,;]\s*(?:and\s+|while\s+|whereas\s+|"
    r"but\s+)?|\s+and\s+)",
    re.IGNORECASE,
)


def _after_citation(plain: str) -> tuple[int, int] | None:
    """Give where a sentence passes from what a cited figure shows to another study; None when it does not."""
    for match in _CITED_THEN_MORE.finditer(plain):
        rest = plain[match.end() :]
        if re.search(r"\b(?:fig|image|photo)", rest, re.IGNORECASE) or len(rest.split()) < 4:
            continue
        if IMAGING_STUDY.search(rest, 0, 60) or SPECIAL_TEST.search(rest, 0, 60) or ROUTINE_TEST.search(rest, 0, 60):
            return plain.rindex(")", match.start(), match.end()) + 1, match.end()
    return None


def _between_tests(plain: str) -> tuple[int, int] | None:
    """Give where a sentence passes from routine to special tests or back; None when it holds one sort or mixes them."""
    if only_cells(plain):
        return None
    routine = [match.span() for match in ROUTINE_TEST.finditer(plain)]
    special = [match.span() for match in SPECIAL_TEST.finditer(plain)]
    special = [one for one in special if not any(a < one[1] and one[0] < b for a, b in routine)]
    if not routine or not special:
        return None
    if routine[-1][1] <= special[0][0]:
        start, end = routine[-1][1], special[0][0]
    elif special[-1][1] <= routine[0][0]:
        start, end = special[-1][1], routine[0][0]
    else:
        return None
    if re.search(r"\b(?:of|from|in|on|for|by|via)\s+(?:the\s+|her\s+|his\s+)?$", plain[start:end]):
        return None
    joints = [match for match in _JOINT.finditer(plain, start, end)]
    if not joints or not RESULT.search(plain[: joints[-1].start()]) or not RESULT.search(plain[joints[-1].end() :]):
        return None
    if len(plain[: joints[-1].start()].split()) < 3 or len(plain[joints[-1].end() :].split()) < 3:
        return None
    return joints[-1].start(), joints[-1].end()


def _tried_before(pieces: tuple[Sorted, ...]) -> tuple[Sorted, ...]:
    """Turn treatment that was tried before the tests that led to the diagnosis into history."""
    tests_left = sum(one.kind in (Kind.SPECIAL, Kind.IMAGING) for one in pieces)
    result = []
    for one in pieces:
        tests_left -= one.kind in (Kind.SPECIAL, Kind.IMAGING)
        plain = one.statement.plain
        if (
            one.kind is Kind.TREATMENT
            and one.statement.role not in (SectionRole.TREATMENT, SectionRole.OUTCOME)
            and tests_left >= _TESTS_AFTER_EMPIRICAL
            and not OPERATION.search(plain)
            and not one.statement.figures
            and (DRUG.search(plain) or _EMPIRICAL.search(plain))
            and _EMPIRICAL.search(plain)
        ):
            one = replace(one, kind=Kind.ILLNESS)
        result.append(one)
    return tuple(result)
