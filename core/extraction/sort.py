"""The narrative sorted: every sentence, or clause where a sentence holds two things, with what it is about.

Each clause is scored by cues, by what its section is for, by what stood before it, and by how far the story has come;
the highest score wins. Sentences with one kind stay whole.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.article import SectionRole
from core.extraction.case_text import Statement
from core.extraction.cues import CUES, ROLE_PRIOR, Kind
from core.extraction.demographics import read_presentation
from core.language.sentences import split_clauses

_FEWEST_TO_DECIDE = 1.5
_HISTORY_KINDS = frozenset({Kind.CONCERN, Kind.ILLNESS, Kind.MEDICAL, Kind.FAMILY, Kind.SOCIAL})
_TEST_KINDS = frozenset({Kind.ROUTINE, Kind.SPECIAL, Kind.IMAGING})
_STICKY = {
    Kind.EXAMINATION: 1.0,
    Kind.ROUTINE: 0.8,
    Kind.SPECIAL: 1.0,
    Kind.IMAGING: 1.0,
    Kind.OUTCOME: 1.0,
    Kind.ILLNESS: 0.7,
}
_PERIOD_BEFORE = re.compile(
    r"\b(?:years?|months?|weeks?) (?:ago|earlier|before|prior|previously)|\bpreviously\b|\b(?:before|prior to) "
    r"(?:admission|presentation|referral)|\bhad (?:been|undergone|received|taken)\b|general practitioner|"
    r"local (?:clinic|hospital)|"
    r"\belsewhere\b|primary health",
    re.IGNORECASE,
)
_VALUE = re.compile(r"\d")


@dataclass(frozen=True)
class Sorted:
    """A piece of the narrative and what it is about."""

    statement: Statement
    kind: Kind
    is_patient: bool = False


class _Story:
    """How far the narrative has come, for the scores of the next clause."""

    def __init__(self) -> None:
        self.previous = Kind.NOTHING
        self.paragraph = -1
        self.has_concern = False
        self.has_patient = False
        self.seen: set[Kind] = set()

    def note(self, kind: Kind, paragraph: int) -> None:
        self.previous, self.paragraph = kind, paragraph
        self.seen.add(kind)
        self.has_concern |= kind is Kind.CONCERN

    @property
    def is_tested(self) -> bool:
        """True once a special test, imaging or a diagnosis was told: what follows is no longer history."""
        return bool(self.seen & {Kind.SPECIAL, Kind.DIAGNOSIS, Kind.IMAGING})


def score_kinds(plain: str, role: SectionRole) -> dict[Kind, float]:
    """Give the score of every kind for a clause from its words and its section alone."""
    scores = dict.fromkeys(Kind, 0.0)
    for cue in CUES:
        found = cue.pattern.findall(plain)
        if found:
            scores[cue.kind] += cue.weight * (1 + 0.25 * min(len(found) - 1, 4))
    for kind, weight in ROLE_PRIOR.get(role, {}).items():
        scores[kind] += weight
    return scores


def _decide(statement: Statement, story: _Story) -> tuple[Kind, float]:
    scores = score_kinds(statement.plain, statement.role)
    if story.paragraph == statement.paragraph or story.previous in (Kind.OUTCOME, Kind.TREATMENT):
        scores[story.previous] += _STICKY.get(story.previous, 0.4)
    if not story.seen & {Kind.EXAMINATION, *_TEST_KINDS, Kind.TREATMENT}:
        scores[Kind.ILLNESS] += 0.7
        scores[Kind.OUTCOME] -= 1.5
    if Kind.OUTCOME in story.seen or (Kind.TREATMENT in story.seen and story.is_tested):
        scores[Kind.ILLNESS] -= 1.5
        scores[Kind.CONCERN] -= 3
        scores[Kind.OUTCOME] += 0.7
    if _VALUE.search(statement.plain) and scores[Kind.ROUTINE]:
        scores[Kind.ROUTINE] += 0.7
    kind = max(scores, key=lambda one: scores[one])
    if kind is Kind.CONCERN and story.has_concern:
        kind = Kind.ILLNESS
    if kind is Kind.TREATMENT and (_is_earlier(statement, story)):
        kind = Kind.MEDICAL if scores[Kind.MEDICAL] > scores[Kind.ILLNESS] else Kind.ILLNESS
    return kind, scores[kind]


def _is_earlier(statement: Statement, story: _Story) -> bool:
    """Tell whether a treatment belongs to the history: told before any test, or dated before this episode."""
    if statement.role in (SectionRole.TREATMENT, SectionRole.OUTCOME):
        return False
    if statement.role is SectionRole.HISTORY:
        return True
    if Kind.TREATMENT in story.seen:
        return False
    return not story.is_tested or bool(_PERIOD_BEFORE.search(statement.plain) and Kind.OUTCOME not in story.seen)


def _group(kind: Kind) -> str:
    if kind in (Kind.CONCERN, Kind.ILLNESS, Kind.MEDICAL):
        return "history"
    return kind.value


def sort_narrative(narrative: Sequence[Statement]) -> tuple[Sorted, ...]:
    """Give every piece of the narrative in order with its kind; pieces are verbatim and do not overlap.

    The first sentence with the patient's age is cut into the patient (marked `is_patient`) and the complaint.
    """
    story = _Story()
    result: list[Sorted] = []
    for statement in narrative:
        rest = [statement]
        if not story.has_patient and (presentation := read_presentation(statement.plain)):
            story.has_patient = True
            result.append(
                Sorted(statement.cut(presentation.who_start, presentation.who_end), Kind.NOTHING, is_patient=True)
            )
            rest = _around_patient(statement, presentation.who_start, presentation.who_end, result, story)
            if presentation.complaint_start is not None and rest:
                first = rest[-1]
                pieces = _pieces(first, story)
                head, head_kind = pieces[0]
                if _group(head_kind) == "history" or head_kind in (Kind.DIAGNOSIS, Kind.OUTCOME, Kind.TREATMENT):
                    pieces[0] = (head, Kind.CONCERN if not story.has_concern else head_kind)
                for piece, kind in pieces:
                    result.append(Sorted(piece, kind))
                    story.note(kind, piece.paragraph)
                continue
        for piece in rest:
            for cut, kind in _pieces(piece, story):
                result.append(Sorted(cut, kind))
                story.note(kind, cut.paragraph)
    return tuple(one for one in result if one.statement.text)


def _around_patient(statement: Statement, start: int, end: int, result: list[Sorted], story: _Story) -> list[Statement]:
    rest = []
    if len(statement.plain[:start].split()) > 4:
        before = statement.cut(0, start)
        kind, _ = _decide(before, story)
        result.insert(len(result) - 1, Sorted(before, kind))
    if len(statement.plain[end:].strip(" .,;").split()) >= 2:
        rest.append(statement.cut(end, len(statement.text)))
    return rest


def _pieces(statement: Statement, story: _Story) -> list[tuple[Statement, Kind]]:
    """Give the statement whole with its kind, or its clauses where they clearly differ."""
    whole, _ = _decide(statement, story)
    clauses = split_clauses(statement.text)
    if len(clauses) < 2:
        return [(statement, whole)]
    kinds: list[Kind | None] = []
    for clause in clauses:
        kind, score = _decide(statement.cut(clause.start, clause.end), story)
        kinds.append(kind if score >= _FEWEST_TO_DECIDE + 1 else None)
    decided = {_group(kind) for kind in kinds if kind is not None}
    if len(decided) < 2 or whole in (Kind.ARGUMENT, Kind.NOTHING):
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
