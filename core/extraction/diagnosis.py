"""The final diagnosis as the article reports it, with its essential modifiers, and the sentences that argue for it."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.domain.article import PartKind, SectionRole
from core.extraction.case_text import CaseText, Statement, level
from core.extraction.sort import Sorted
from core.extraction.vocabulary import DISEASE
from core.language.negation import Assertion, context_of
from core.language.terms import content_stems, expand_abbreviations

_END = re.compile(
    r"""[.;:]|\s-\s|,\s+(?:which|who|that|and\s+(?:he|she|the\s+patient|was|started|treated|treatment)|he|she|based|because|a\s+rare|an\s+uncommon|
    treated|successfully|confirmed|so|therefore|thus|although|but|where|with\s+(?:no|the\s+patient|subsequent)|after
    |following|in\s+(?:a|an|our|this)|we)\b
    |\s(?:based\s+on|on\s+the\s+bas[ei]s|was|were|is|are|has|had|have|be|been|being|who|which|that|because|since
    |given|by\s+(?:means|histo\w+|biops\w+|
    using|the|immuno\w+|ct|mri)|on\s+(?:histo\w+|biops\w+|the|ct|mri|imaging|ultraso\w+|immuno\w+|admission|day)|upon
    |according|as\s+(?:evidenced|shown|
    suggested|well\s+as)|after|following|before|treated|successfully|misdiagnosed|detected|diagnosed|discovered
    |identified|presenting|presented|
    manifest(?:ing|ed)|mimicking|masquerading|managed|requiring|for\s+which|from\s+(?:the|our)|through|via|when|while
    |where|whose|without\s+(?:any|the)|
    could|can|may|might|should|must|would|will|to\s+(?:be|our)|at\s+(?:the|our|a)|during|within|until|despite|whom
    |made|established|confirmed|
    (?:in|of|affecting)\s+(?:a|an|our|this|his|her|the|one|two)\s+(?:[\w-]+\s+){0,4}?(?:patients?|wom[ae]n|m[ae]n
    |boys?|girls?|child|infant|females?|males?|
    lady|gentleman|adolescent|neonate|newborn|adult|case|literature|setting|context|years?[- ]old|\d+[- ]\w+[- ]old
    |\d+)|in\s+(?:a|an)\s+\d|
    in\s+(?:pregnancy|childhood|adults|children)|and\s+(?:was|were|he|she|is|the\s+patient|underwent|started|treated
    |received|discuss\w*|review\w*|to|its|
    their|reported|literature|a\s+review|were|has|had))\b""",
    re.IGNORECASE | re.VERBOSE,
)
_LEAD = re.compile(
    r"""^(?:\W+|(?:an?|the|our|his|her|their|this|that|extremely|very|rare|unusual|uncommon|interesting|unique|first|typical|classic(?:al)?|challenging|
    documented|reported|known|new|single|such|atypical|peculiar|exceptional|remarkable|complex|fatal|another|one|new
    |case|cases|clinical|diagnosis|form|
    example|occurrence|presence|having|being|with|as|of|to\s+be|with\s+a|suffering|from|affected|by|variant|entity
    |patient|is|was|be|following)\b[\s,]*)+""",
    re.IGNORECASE | re.VERBOSE,
)
_TAIL = re.compile(
    r"(?:[\s,;:(]+(?:and|or|with|of|in|a|an|the|as|by|on|at|to|for|from|case|cases|report|patient|due|secondary|"
    r"also|then|only|which|who))+$",
    re.IGNORECASE,
)
_CITATION = re.compile(r"\s*(?:\((?:fig|table|image)[^)]*\)|\[[\d,\s-]+\])", re.IGNORECASE)

# Expressions that report a diagnosis, with how much they say; the diagnosis begins where the match ends.
_PATTERNS: tuple[tuple[float, re.Pattern[str]], ...] = tuple(
    (weight, re.compile(pattern, re.IGNORECASE))
    for weight, pattern in (
        (
            8,
            r"\b(?:final|definit(?:ive|e)|confirmed|ultimate) diagnos[ei]s(?: of the patient)?(?: (?:was|is|were|"
            r"of|made was|as)|\s*[:=-])+ ",
        ),
        (
            6,
            r"\bdiagnosis of (?=[^.;]{3,110}\b(?:was|were|is|has been) (?:finally |then |thus |subsequently |"
            r"therefore |definitively |"
            r"further |histologically |later |also )?(?:made|confirmed|established|reached|given|proven|proved|"
            r"rendered|verified|supported|achieved))",
        ),
        (
            6,
            r"\b(?:established|confirmed|confirming|made|reached|supported|supporting|yielded|rendered|clinched|"
            r"secured|verified) (?:the |a |our |this )?"
            r"(?:final |definitive |definite |histological |pathological |clinical )?diagnosis (?:of|as) ",
        ),
        (
            5,
            r"\b(?:led to|leading to|resulted in|allowed|in) (?:the |a |us to make the )?(?:final |definitive |"
            r"correct )?diagnosis of ",
        ),
        (
            5,
            r"\b(?:was|were|is|been|being) (?:finally |then |subsequently |eventually |therefore |thus |"
            r"ultimately |definitively |later |histologically |"
            r"pathologically |clinically |further )?(?:diagnosed|labell?ed|classified|identified) (?:as|with|"
            r"to have|as having|to be) ",
        ),
        (
            5,
            r"\bwe (?:finally |therefore |thus |then )?(?:diagnosed|made (?:the|a) diagnosis)(?: (?:this|the|our|"
            r"her|him)(?: \w+)?)? (?:with|as|of) ",
        ),
        (4, r"\bdiagnos(?:ed|is) (?:as|with|of) "),
        (4, r"\bdiagnosis (?:was|is) (?:consistent with |compatible with |in keeping with |that of )?"),
        (
            3.5,
            r"\b(?:histopatholog\w+|histolog\w+|patholog\w+|biops\w+|immunohistochem\w+|culture|autopsy|"
            r"examination|analysis|findings|results?)\b"
            r"[^.;]{0,60}?\b(?:confirmed|revealed|showed|demonstrated|proved|established|were consistent with|"
            r"was consistent with|consistent with|"
            r"compatible with|diagnostic of|in keeping with) (?:the presence of |a |an |the )?",
        ),
        (
            3,
            r"\b(?:confirmed|confirming|confirmation of|proved to be|proven to be|turned out to be|found to have|"
            r"found to be|diagnostic of|"
            r"consistent with|compatible with|in keeping with|pathognomonic (?:of|for)|"
            r"compatible with) (?:the presence of |a |an )?",
        ),
        (2.5, r"\b(?:secondary to|caused by|due to) "),
    )
)
_REPORTS = re.compile(
    r"\b(?:case|cases|patient|presentation|instance|example|occurrence|(?:wom[ae]n|m[ae]n|(?:fe)?male|boy|girl|"
    r"infant|child|lady|gentleman)) "
    r"(?:of|with|affected by|suffering from|diagnosed with|who had|who was diagnosed with|developing|having) ",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:we (?:report|present|describe|discuss|document|encountered)|(?:this|our|the present) (?:case|report|"
    r"patient)|(?:is|was) (?:reported|presented|described)|"
    r"here(?:in)?|reported here)\b",
    re.IGNORECASE,
)
_TENTATIVE = re.compile(
    r"\b(?:initial(?:ly)?|provisional|presumptive|presumed|working|preliminary|differential|suspect\w*|possible|"
    r"clinical(?:ly)? (?:diagnosis of|diagnosed)|"
    r"misdiagnos\w+|tentative|first|preoperative|considered|suspicion|impression|mistaken|erroneous\w*|previous\w*|"
    r"originally|delayed|"
    r"years (?:ago|before|earlier|prior)|months (?:ago|before|earlier|prior)|history of|past|known|in childhood|"
    r"prior to)\b",
    re.IGNORECASE,
)
_FAMILY = re.compile(r"\b(?:famil\w+|mother|father|brother|sister|parents|siblings)\b", re.IGNORECASE)
_TITLE_CUT = re.compile(
    r"""(?:[:.]\s*|\s[-–—]\s*|,\s*)?(?:\b(?:an?\s+)?(?:\w+\s+){0,2}?(?:case\s+(?:report|stud(?:y|ies)|series|presentation|description)|report\s+of\s+(?:a|an|one|two|three)\b
    .*?case\w*|review\s+of\s+(?:the\s+)?literature|literature\s+review|clinical\s+(?:report|image|picture)
    |systematic\s+review|lessons?\s+learn\w+|a\s+diagnostic\s+(?:challenge|
    dilemma)|an?\s+(?:\w+\s+)?review)\b.*)$""",
    re.IGNORECASE | re.VERBOSE,
)
_TITLE_LEAD = re.compile(
    r"""^(?:.*?\b(?:case|cases|presentation|manifestation|report|diagnosis|management|treatment|cause|form)s?\s+(?:report\s+)?(?:of|on)\s+|an?\s+|the\s+|rare\s+|unusual\s+|
    successful\s+\w+\s+of\s+|probable\s+(?=probable))+""",
    re.IGNORECASE | re.VERBOSE,
)
_FEWEST_SCORE = 2.0
_MOST_DIAGNOSES = 3
_MOST_WORDS = 24


@dataclass(frozen=True)
class Candidate:
    """A stretch of text that may be the final diagnosis."""

    statement: Statement
    score: float
    stems: tuple[str, ...]
    is_reported: bool


def find_final_diagnosis(
    text: CaseText, pieces: Sequence[Sorted], abbreviations: dict[str, str]
) -> tuple[Statement, ...]:
    """Give the reported final diagnosis first, then further diagnoses that the article states as established.

    Read from case, discussion, conclusion, abstract, introduction and title. Denied, suspected, initial, past and
    relatives' diagnoses are not candidates. What several places agree on wins; of equals the most specific wording.
    Empty when the article reports none.
    """
    narrative = tuple(dict.fromkeys(piece.statement for piece in pieces)) if pieces else text.narrative
    found: list[Candidate] = []
    for statement in text.narrative:
        found += _from_patterns(statement, 1.0, abbreviations)
    for statement in text.discussion:
        own = bool(_OWN.search(statement.plain) or re.search(r"\b(?:the|our|this) patient\b", statement.plain))
        weight = 0.9 if own or statement.role is SectionRole.CONCLUSION else 0.35
        found += _from_patterns(statement, weight, abbreviations)
        if own:
            found += _from_reports(statement, 3.0, abbreviations)
    for statement in text.abstract:
        found += _from_patterns(statement, 0.8, abbreviations)
        found += _from_reports(statement, 3.5, abbreviations)
    for statement in text.introduction:
        if _OWN.search(statement.plain):
            found += _from_reports(statement, 3.5, abbreviations)
    for statement in text.title:
        found += _from_title(statement, abbreviations)
    if not found:
        return ()
    return _choose(found, _support(text, narrative, abbreviations))


def _clean(statement: Statement, start: int, abbreviations: dict[str, str]) -> Statement | None:
    rest = statement.plain[start:]
    if lead := _LEAD.match(rest):
        start += lead.end()
        rest = statement.plain[start:]
    at, end = 0, len(rest)
    while match := _END.search(rest, at):
        if match.start() == 0:
            at = match.end()
            continue
        if rest[: match.start()].count("(") > rest[: match.start()].count(")"):
            at = match.end()
            continue
        end = match.start()
        break
    words = list(re.finditer(r"\S+", rest[:end]))
    if len(words) > _MOST_WORDS:
        end = words[_MOST_WORDS - 1].end()
    body = rest[:end]
    if tail := _CITATION.search(body):
        body = body[: tail.start()]
    while tail := _TAIL.search(body):
        body = body[: tail.start()]
    if body.count("(") > body.count(")"):
        body = body[: body.rindex("(")].rstrip()
    piece = statement.cut(start, start + len(body))
    expanded = expand_abbreviations(piece.plain, abbreviations)
    if not piece.text or not DISEASE.search(expanded):
        return None
    return piece


def _candidate(piece: Statement, score: float, abbreviations: dict[str, str], *, is_reported: bool) -> Candidate:
    stems = tuple(dict.fromkeys(content_stems(expand_abbreviations(piece.text, abbreviations))))
    return Candidate(piece, score, stems, is_reported)


def _from_patterns(statement: Statement, weight: float, abbreviations: dict[str, str]) -> list[Candidate]:
    found = []
    for strength, pattern in _PATTERNS:
        for match in pattern.finditer(statement.plain):
            piece = _clean(statement, match.end(), abbreviations)
            if piece is None:
                continue
            start = piece.start - statement.start
            context = context_of(statement.plain, start, start + len(piece.text))
            before = statement.plain[max(0, match.start() - 60) : match.end()]
            if context.assertion is Assertion.NEGATED or _FAMILY.search(before):
                continue
            penalty = 1.0
            if _TENTATIVE.search(before) or context.assertion is Assertion.SUSPECTED or context.is_past:
                penalty = 0.35
            if re.match(
                r"\W*(?:was|were|is) (?:suspected|considered|excluded|ruled out|unlikely)",
                statement.plain[start + len(piece.text) :],
            ):
                penalty = 0.2
            found.append(_candidate(piece, strength * weight * penalty, abbreviations, is_reported=penalty == 1.0))
    return found


def _from_reports(statement: Statement, score: float, abbreviations: dict[str, str]) -> list[Candidate]:
    found = []
    for match in _REPORTS.finditer(statement.plain):
        piece = _clean(statement, match.end(), abbreviations)
        if piece and not re.search(r"\b(?:year|month|day|week)s?[- ]old\b", piece.plain):
            found.append(_candidate(piece, score, abbreviations, is_reported=True))
    return found


def _from_title(statement: Statement, abbreviations: dict[str, str]) -> list[Candidate]:
    plain = statement.plain
    cut = _TITLE_CUT.search(plain)
    end = cut.start() if cut and cut.start() > 8 else len(plain)
    found = []
    starts = [0]
    if lead := _TITLE_LEAD.match(plain):
        starts = [lead.end()]
    starts += [match.end() for match in re.finditer(r":\s+|\?\s+", plain[:end])]
    starts += [
        match.end()
        for match in re.finditer(
            r"\b(?:caused by|secondary to|due to|features of|revealing|complicated by|complicating|with|"
            r"diagnosed as)\s+",
            plain[:end],
        )
    ]
    for start in starts:
        piece = _clean(statement.cut(start, end), 0, abbreviations)
        if piece:
            found.append(_candidate(piece, 4.0 if start == starts[0] else 2.5, abbreviations, is_reported=True))
    return found


def _support(text: CaseText, narrative: Iterable[Statement], abbreviations: dict[str, str]) -> Counter[str]:
    """Count, for every stem, in how many places of the article that name a diagnosis it stands."""
    places = [one.text for one in text.title] * 2 + [one.text for one in text.abstract]
    places += [part.text for part in text.article.parts if part.kind is PartKind.KEYWORDS]
    places += [one.text for one in text.discussion if one.role is SectionRole.CONCLUSION or _OWN.search(one.plain)]
    places += [one.text for one in narrative if re.search(r"diagnos|confirm|consistent with", one.plain)]
    support: Counter[str] = Counter()
    for place in places:
        support.update(set(content_stems(expand_abbreviations(level(place), abbreviations))))
    return support


def _disease_stems(candidate: Candidate, abbreviations: dict[str, str] | None = None) -> set[str]:
    text = expand_abbreviations(candidate.statement.plain, abbreviations or {})
    return {stem for match in DISEASE.finditer(text) for stem in content_stems(match.group())}


def _choose(found: list[Candidate], support: Counter[str]) -> tuple[Statement, ...]:
    votes: Counter[str] = Counter()
    for one in found:
        for stem in set(one.stems):
            votes[stem] += one.score

    def worth(one: Candidate) -> float:
        if not one.stems:
            return 0.0
        agreement = sum(min(votes[stem], 30) + min(support[stem], 8) for stem in one.stems) / (len(one.stems) + 1.5)
        return one.score + 0.5 * agreement + 0.15 * min(len(one.stems), 8)

    ranked = sorted((one for one in found if one.score >= 0.8), key=worth, reverse=True)
    if not ranked or worth(ranked[0]) < _FEWEST_SCORE:
        return ()
    best = ranked[0]
    wordings = [
        one
        for one in ranked
        if set(_core(best, votes)) <= set(one.stems) and one.is_reported and worth(one) >= 0.6 * worth(best)
    ]
    main = max(wordings or [best], key=lambda one: (min(len(one.stems), 12), one.score))
    chosen = [main]
    covered = set(main.stems) | set(best.stems)
    for one in ranked:
        new = [stem for stem in one.stems if stem not in covered]
        if (
            len(chosen) < _MOST_DIAGNOSES
            and one.is_reported
            and one.score >= 3
            and len(new) >= max(2, 0.5 * len(one.stems))
            and _disease_stems(one) - covered
        ):
            chosen.append(one)
            covered |= set(one.stems)
    return tuple(one.statement for one in chosen)


def _core(candidate: Candidate, votes: Counter[str]) -> list[str]:
    diseases = _disease_stems(candidate)
    ranked = sorted(diseases, key=lambda stem: votes[stem], reverse=True)
    return ranked[:1]


REASONING = re.compile(
    r"\b(?:suggest\w*|consistent with|compatible with|in keeping with|confirm\w*|diagnos\w+|based on|"
    r"on the basis of|because of|led (?:us )?to|"
    r"exclud\w+|rul(?:ed?|ing) out|unlikely|less likely|differential|indicat(?:ed|ing|es|ive)|support(?:s|ed|ing)?|"
    r"pointed (?:to|toward)s?|"
    r"suspicion|suspected|presumed|establish\w*|characteristic|pathognomonic|due to|secondary to|attributed to|"
    r"in contrast|was thought|were thought|"
    r"made us|prompted|rais(?:ed|ing) (?:the )?(?:suspicion|concern|possibility)|misdiagnos\w+|could be explained|"
    r"explained by)\b",
    re.IGNORECASE,
)
_ABOUT_CASE = re.compile(
    r"\b(?:our|this|the|the present|present|current) (?:patient|case)(?:'s)?\b|\bin (?:our|this|"
    r"the present) (?:patient|case)\b|\b(?:he|she|his|her) (?:had|was|"
    r"presented|underwent|did)\b|\bwe (?:diagnosed|thought|considered|believe|performed|suspected|excluded|assume|"
    r"concluded|made|found|detected)\b",
    re.IGNORECASE,
)


def find_reasoning(text: CaseText, pieces: Sequence[Sorted], diagnosis: Sequence[Statement]) -> tuple[Statement, ...]:
    """Give the source sentences with the case-specific evidence or process that led to the diagnosis, in order.

    From the narrative: sentences that argue, and sentences of tests that name a word of the diagnosis. From the
    discussion: arguing sentences about this patient, and arguing sentences that cite a figure.
    """
    stems = {stem for one in diagnosis for stem in content_stems(one.text)}
    chosen: list[Statement] = []
    from core.extraction.cues import Kind

    evidence = {Kind.SPECIAL, Kind.IMAGING, Kind.DIAGNOSIS}
    for piece in pieces:
        if piece.kind in (Kind.OUTCOME, Kind.TREATMENT, Kind.NOTHING) and not re.search(
            r"diagnos|suggest|confirm|consistent", piece.statement.plain, re.IGNORECASE
        ):
            continue
        argues = REASONING.search(piece.statement.plain) is not None
        names = len(stems & set(content_stems(piece.statement.text))) >= 1
        if (
            argues and (piece.kind in evidence or names or piece.kind is Kind.ARGUMENT or piece.kind is Kind.ROUTINE)
        ) or (names and piece.kind in (Kind.SPECIAL, Kind.IMAGING)):
            chosen.append(piece.statement)
    for one in text.discussion:
        if not REASONING.search(one.plain):
            continue
        if _ABOUT_CASE.search(one.plain) or one.figures:
            chosen.append(one)
    return tuple(dict.fromkeys(chosen))
