"""The narrative sorted: every sentence, or clause where a sentence holds two things, with what it is about.

Each clause is scored by cues, by what its section is for, by what stood before it, and by how far the story has come;
the highest score wins. Sentences with one kind stay whole.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.article import SectionRole
from core.extraction.case_text import Statement
from core.extraction.cues import CUES, ROLE_PRIOR, WEAK_EXAMINATION, Kind
from core.extraction.demographics import read_presentation
from core.extraction.vocabulary import DRUG, IMAGING_STUDY, OPERATION, ROUTINE_TEST, SPECIAL_TEST
from core.language.sentences import split_clauses

_FEWEST_TO_DECIDE = 2.5
_FEWEST_BY_WORDS = 1.5
"""A clause is set apart only by its own words, never by its section's prior alone."""
_HISTORY_KINDS = frozenset({Kind.CONCERN, Kind.ILLNESS, Kind.MEDICAL, Kind.FAMILY, Kind.SOCIAL})
_TEST_KINDS = frozenset({Kind.ROUTINE, Kind.SPECIAL, Kind.IMAGING})
# How much the kind of the sentence before speaks for the same kind again.
_STICKY = {
    Kind.EXAMINATION: 1.0,
    Kind.ROUTINE: 0.8,
    Kind.SPECIAL: 1.5,
    Kind.IMAGING: 1.5,
    Kind.OUTCOME: 0.5,
    Kind.ILLNESS: 0.7,
    Kind.TREATMENT: 0.5,
}
_PERIOD_BEFORE = re.compile(
    r"\b(?:years?|months?|weeks?) (?:ago|earlier|before|prior|previously)|\bpreviously\b|\b(?:before|prior to) "
    r"(?:admission|presentation|referral|current)|\bhad (?:been|undergone|received|taken)\b|general practitioner|"
    r"local (?:clinic|hospital)|\belsewhere\b|primary health|\b(?:years|months|weeks) prior\b|\bhad type\b|\bpast\b",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"\d|\b(?:normal|unremarkable|elevated|raised|high|low|increased|decreased|reduced|an?emi[ac]|leu[ck]ocytosis|"
    r"\w+penia|"
    r"within|negative|positive|done|performed|completed|abnormal|impaired|deranged|revealed|showed|unknown)\b",
    re.IGNORECASE,
)
_EMPIRICAL = re.compile(
    r"\b(?:empiric(?:al(?:ly)?)?|suspected|(?:no|without|little|partial|failed to|did not) (?:\w+ )?(?:improv\w+|"
    r"respon\w+|effect|"
    r"relief|benefit)|instead of|presumed|presumptive|initially|prescribed|symptomatic(?:ally)?|despite)\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:returned to|had (?:returned|fallen|risen|normali[sz]ed|dropped|decreased|resolved|improved)|"
    r"normali[sz]ed|stayed|remained|became (?:normal|negative))\b",
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

    @property
    def is_before_clinic(self) -> bool:
        """True while neither an examination nor a test nor a treatment was told."""
        return not self.seen & {Kind.EXAMINATION, *_TEST_KINDS, Kind.TREATMENT}


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
    plain = statement.plain
    scores = score_kinds(plain, statement.role)
    named = [kind for kind in (Kind.IMAGING, Kind.SPECIAL) if scores[kind] >= 2.5]
    weak = len(WEAK_EXAMINATION.findall(plain))
    if weak:
        # `lesion`, `mass`, `firm` describe the study that is named, or go on with what was being described.
        described = max(named, key=lambda one: scores[one]) if named else story.previous
        if described is Kind.TREATMENT and story.is_tested:
            described = Kind.SPECIAL  # what was taken out is described next
        elif story.is_before_clinic and not scores[Kind.EXAMINATION]:
            described = Kind.ILLNESS  # how it looked to the patient
        described = described if described in (Kind.SPECIAL, Kind.IMAGING, Kind.ILLNESS) else Kind.EXAMINATION
        scores[described] += 1.5 * (1 + 0.25 * min(weak - 1, 4))
    if _MEASURED.search(plain) and scores[Kind.EXAMINATION] >= 2:
        scores[Kind.EXAMINATION] += 1.0
    elif story.is_before_clinic and scores[Kind.EXAMINATION] < 3 and statement.role is not SectionRole.EXAMINATION:
        scores[Kind.EXAMINATION] *= 0.4
    if named and (IMAGING_STUDY.search(plain, 0, 45) or SPECIAL_TEST.search(plain, 0, 45)):
        scores[max(named, key=lambda one: scores[one])] += 1.0
    if not named or story.previous is not Kind.EXAMINATION:
        near = story.paragraph == statement.paragraph or story.previous in (Kind.OUTCOME, Kind.TREATMENT)
        scores[story.previous] += _STICKY.get(story.previous, 0.4) * (1.0 if near else 0.6)
    if story.is_before_clinic:
        scores[Kind.ILLNESS] += 0.7
        scores[Kind.OUTCOME] -= 2.5
    elif story.is_tested:
        scores[Kind.SOCIAL] -= 1.5
        scores[Kind.MEDICAL] -= 1
    if Kind.DIAGNOSIS in story.seen and not story.is_before_clinic and not _PERIOD_BEFORE.search(plain):
        scores[Kind.ILLNESS] -= 1.5
        scores[Kind.TREATMENT] += 0.3
    if Kind.OUTCOME in story.seen or (Kind.TREATMENT in story.seen and story.is_tested):
        scores[Kind.ILLNESS] -= 1.5
        scores[Kind.CONCERN] -= 3
        scores[Kind.OUTCOME] += 0.5
    if scores[Kind.ROUTINE] > 0 and scores[Kind.SPECIAL] + (story.previous is Kind.SPECIAL) >= 1 and _only_cells(plain):
        scores[Kind.ROUTINE] -= 2.5  # cells in a tissue, not in a blood count
    if scores[Kind.ROUTINE] > 0:
        scores[Kind.ROUTINE] += 0.7 if re.search(r"\d", plain) else 0.0
        scores[Kind.ROUTINE] -= 0.0 if _RESULT.search(plain) else 2.0
    kind = max(scores, key=lambda one: scores[one])
    if kind is Kind.CONCERN and story.has_concern:
        kind = Kind.ILLNESS
    kind = _as_evidence(kind, scores, statement)
    told_treatment = Kind.OUTCOME in story.seen or {Kind.TREATMENT, Kind.DIAGNOSIS} <= story.seen
    if kind in _TEST_KINDS and told_treatment and _CHANGED.search(plain):
        kind = Kind.OUTCOME
    if kind is Kind.TREATMENT and _is_earlier(statement, story):
        kind = Kind.MEDICAL if scores[Kind.MEDICAL] > scores[Kind.ILLNESS] else Kind.ILLNESS
    elif kind in (Kind.DIAGNOSIS, Kind.OUTCOME, Kind.SPECIAL) and story.is_before_clinic and story.has_patient:
        if _PERIOD_BEFORE.search(plain) or statement.role is SectionRole.HISTORY:
            kind = Kind.MEDICAL
        elif kind in (Kind.OUTCOME, Kind.DIAGNOSIS):
            kind = Kind.ILLNESS  # what was thought or happened before the clinic
    return kind, scores[kind]


EXCLUDES = re.compile(
    r"\b(?:ruled out|ruling out|rules out|excluded|excluding|less likely|unlikely|argued against|spoke against|"
    r"decreased the likelihood|"
    r"made [^.;]{3,60} (?:less |un)likely)\b",
    re.IGNORECASE,
)


def _as_evidence(kind: Kind, scores: dict[Kind, float], statement: Statement) -> Kind:
    """Give the test's kind for a sentence that argues from a test: a decisive result is evidence, negative or not."""
    if statement.role is SectionRole.DIFFERENTIAL:
        return kind
    if kind is Kind.DIAGNOSIS and scores[Kind.SPECIAL] >= _NAMES_TEST:
        return Kind.SPECIAL
    if kind is Kind.DIAGNOSIS and "diagnos" not in statement.plain.lower():
        if scores[Kind.IMAGING] >= _NAMES_TEST:
            return Kind.IMAGING
        if ROUTINE_TEST.search(statement.plain) and EXCLUDES.search(statement.plain):
            return Kind.SPECIAL
    if kind is Kind.ROUTINE and EXCLUDES.search(statement.plain):
        return Kind.SPECIAL
    return kind


_NAMES_TEST = 2.5
_MEASURED = re.compile(
    r"\d+(?:[.,/]\d+)? ?(?:mm ?hg|beats|bpm|breaths|°|degrees|%|kg|cm|/min|per minute|x\b|/10|"
    r"/20)|\b\d+/\d+\b",
    re.IGNORECASE,
)
_CELLS = re.compile(
    r"(?:neutrophil|lymphocyt|eosinophil|erythrocyt|leu[ck]ocyt|monocyt)\w*|(?:white|red) (?:blood )?cells?",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"count|\d+ ?%|[×x] ?10|/ ?(?:[µμ]l|l\b|mm)", re.IGNORECASE)


def _only_cells(plain: str) -> bool:
    """Tell whether the only routine words are names of cells without a count."""
    names = [match.group() for match in ROUTINE_TEST.finditer(plain)]
    return bool(names) and all(_CELLS.fullmatch(name) for name in names) and not _COUNTED.search(plain)


def _is_earlier(statement: Statement, story: _Story) -> bool:
    """Tell whether a treatment belongs to the history: told before any test, or dated before this episode."""
    if statement.role in (SectionRole.TREATMENT, SectionRole.OUTCOME):
        return False
    if statement.role is SectionRole.HISTORY or story.is_before_clinic:
        return True
    if Kind.TREATMENT in story.seen or Kind.OUTCOME in story.seen:
        return False
    return bool(_PERIOD_BEFORE.search(statement.plain)) or (
        not story.is_tested and not OPERATION.search(statement.plain)
    )


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
    story = _Story()
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
            result.append(Sorted(before, _decide(before, story)[0]))
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


def _complaint(rest: Statement, story: _Story) -> list[tuple[Statement, Kind]]:
    """Give what stands after the patient: known illness before the move to the clinic, and the complaint."""
    move = _MOVE.search(rest.plain)
    if move and _BACKGROUND.match(rest.plain[: move.start()]):
        background = rest.cut(0, move.start())
        return [(background, Kind.MEDICAL), *_pieces_led_by_concern(rest.cut(move.start(), len(rest.text)), story)]
    return _pieces_led_by_concern(rest, story)


def _pieces_led_by_concern(statement: Statement, story: _Story) -> list[tuple[Statement, Kind]]:
    pieces = _pieces(statement, story)
    first, kind = pieces[0]
    if not story.has_concern and kind not in (Kind.FAMILY, Kind.SOCIAL):
        pieces[0] = (first, Kind.CONCERN)
    return pieces


def _pieces(statement: Statement, story: _Story) -> list[tuple[Statement, Kind]]:
    """Give the statement whole with its kind, or its clauses where they clearly differ."""
    whole, _ = _decide(statement, story)
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
        kind, score = _decide(piece, story)
        by_words = score_kinds(piece.plain, SectionRole.OTHER)[kind]
        if kind is Kind.EXAMINATION and whole in _TEST_KINDS and by_words < _STRONG_CUE:
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
    if _only_cells(plain):
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
    if not joints or not _RESULT.search(plain[: joints[-1].start()]) or not _RESULT.search(plain[joints[-1].end() :]):
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
