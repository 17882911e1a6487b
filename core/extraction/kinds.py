"""What a clause is about: cues, its section, what stood before it and how far the story has come, scored together."""

import re

from core.domain.article import SectionRole
from core.extraction.case_text import Statement
from core.extraction.cues import CUES, ROLE_PRIOR, WEAK_EXAMINATION, Kind
from core.extraction.vocabulary import IMAGING_STUDY, OPERATION, ROUTINE_TEST, SPECIAL_TEST

TEST_KINDS = frozenset({Kind.ROUTINE, Kind.SPECIAL, Kind.IMAGING})
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
RESULT = re.compile(
    r"\d|\b(?:normal|unremarkable|elevated|raised|high|low|increased|decreased|reduced|an?emi[ac]|leu[ck]ocytosis|"
    r"\w+penia|"
    r"within|negative|positive|done|performed|completed|abnormal|impaired|deranged|revealed|showed|unknown)\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:returned to|had (?:returned|fallen|risen|normali[sz]ed|dropped|decreased|resolved|improved)|"
    r"normali[sz]ed|stayed|remained|became (?:normal|negative))\b",
    re.IGNORECASE,
)

# A clause that opens with time passed, once treatment was told, tells how the patient was then.
_TIME_PASSED = re.compile(
    r"^\W*(?:(?:at|after|within|by|over) (?:the )?(?:about |around |approximately |nearly |only |next |following )?)?"
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|a few)[- ]"
    r"(?:days?|weeks?|months?|years?)\b(?! (?:before|prior|earlier|ago|history|old))",
    re.IGNORECASE,
)
_SO_LONG_AFTER = re.compile(
    r"\b(?:after|within|at) (?:the )?(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|a few)[- ]"
    r"(?:minutes?|hours?|days?|weeks?|months?|years?)\b"
    r"(?! of (?:age|pregnancy|gestation|life|amenorr\w+|treatment with))",
    re.IGNORECASE,
)
_LED_BY_BASELINE = re.compile(
    rf"^\W*(?:(?:a|an|the|his|her|all|other|routine|basic|initial|baseline|standard|full|complete|further|"
    rf"results of) )*"
    rf"(?:{ROUTINE_TEST.pattern}|blood (?:tests?|work|results?)|laboratory (?:tests?|results?|findings|studies|"
    rf"values))",
    re.IGNORECASE,
)
_ALL_NORMAL = re.compile(
    r"\b(?:was|were|are|is) (?:all |also |both |completely |entirely )*(?:normal|unremarkable|within (?:the )?"
    r"(?:normal|reference)|negative|non-?contributory|normal or negative)\b[^;,]{0,30}$",
    re.IGNORECASE,
)
# Words of the microscope: no clinician sees these at the bedside.
_MICROSCOPE = re.compile(
    r"\b(?:stroma\w*|myxoid|nuclei|nuclear|cytoplasm\w*|spindle[- ]cells?|mitos[ei]s|mitotic|fascicles|"
    r"few cells|inflammatory cells|epithelial cells|giant cells|collagen\w* (?:fib\w+|bundles))\b",
    re.IGNORECASE,
)


class Story:
    """How far the narrative has come, for the scores of the next clause."""

    def __init__(self) -> None:
        self.previous = Kind.NOTHING
        self.paragraph = -1
        self.has_concern = False
        self.has_patient = False
        self.seen: set[Kind] = set()

    def note(self, kind: Kind, paragraph: int) -> None:
        """Remember a clause that was told."""
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
        return not self.seen & {Kind.EXAMINATION, *TEST_KINDS, Kind.TREATMENT}


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


def decide(statement: Statement, story: Story) -> tuple[Kind, float]:
    """Give the kind of a clause and its score: its own words, its section and the story so far."""
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
    if scores[Kind.ROUTINE] > 0 and scores[Kind.SPECIAL] + (story.previous is Kind.SPECIAL) >= 1 and only_cells(plain):
        scores[Kind.ROUTINE] -= 2.5  # cells in a tissue, not in a blood count
    if scores[Kind.ROUTINE] > 0:
        scores[Kind.ROUTINE] += 0.7 if re.search(r"\d", plain) else 0.0
        scores[Kind.ROUTINE] -= 0.0 if RESULT.search(plain) else 2.0
    if scores[Kind.SPECIAL] > scores[Kind.ROUTINE] > 0 and _is_normal_baseline(plain):
        scores[Kind.ROUTINE] = scores[Kind.SPECIAL] + 0.5
    kind = max(scores, key=lambda one: scores[one])
    if kind is Kind.CONCERN and story.has_concern:
        kind = Kind.ILLNESS
    kind = _as_evidence(kind, scores, statement)
    told_treatment = Kind.OUTCOME in story.seen or {Kind.TREATMENT, Kind.DIAGNOSIS} <= story.seen
    if kind in TEST_KINDS and told_treatment and _CHANGED.search(plain):
        kind = Kind.OUTCOME
    is_after_treatment = (told_treatment or story.is_tested) and story.previous in (Kind.TREATMENT, Kind.OUTCOME)
    if kind in TEST_KINDS and is_after_treatment and _SO_LONG_AFTER.search(plain):
        kind = Kind.OUTCOME
    if kind is Kind.EXAMINATION and told_treatment and _TIME_PASSED.match(plain):
        kind = Kind.OUTCOME
    if kind is Kind.EXAMINATION and _MICROSCOPE.search(plain):
        kind = Kind.SPECIAL
    if kind is Kind.TREATMENT and _is_earlier(statement, story):
        kind = Kind.MEDICAL if scores[Kind.MEDICAL] > scores[Kind.ILLNESS] else Kind.ILLNESS
    elif kind in (Kind.DIAGNOSIS, Kind.OUTCOME, Kind.SPECIAL) and story.is_before_clinic and story.has_patient:
        if _PERIOD_BEFORE.search(plain) or statement.role is SectionRole.HISTORY:
            kind = Kind.MEDICAL
        elif kind in (Kind.OUTCOME, Kind.DIAGNOSIS):
            kind = Kind.ILLNESS  # what was thought or happened before the clinic
    return kind, scores[kind]


def _is_normal_baseline(plain: str) -> bool:
    """Tell whether a list of results opens with a baseline test and says of all of them only that they were normal."""
    return bool(_LED_BY_BASELINE.search(plain) and _ALL_NORMAL.search(plain)) and not EXCLUDES.search(plain)


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


def only_cells(plain: str) -> bool:
    """Tell whether the only routine words are names of cells without a count."""
    names = [match.group() for match in ROUTINE_TEST.finditer(plain)]
    return bool(names) and all(_CELLS.fullmatch(name) for name in names) and not _COUNTED.search(plain)


def _is_earlier(statement: Statement, story: Story) -> bool:
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
