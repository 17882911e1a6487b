"""The final diagnosis as the article reports it, with its essential modifiers."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.article import PartKind, SectionRole
from core.extraction.anatomy import is_anatomy, is_qualifier
from core.extraction.case_text import CaseText, Statement, level
from core.extraction.diagnosis_phrases import (
    FAMILY,
    OWN,
    PATTERNS,
    REPORTS,
    TENTATIVE,
    TITLE_CUT,
    TITLE_LEAD,
    plain_phrase,
    trim_phrase,
)
from core.extraction.same_disease import OtherName, other_names, says_no_more
from core.extraction.sort import Sorted
from core.extraction.vocabulary import DISEASE, UNSPECIFIC_DISEASE
from core.language.negation import Assertion, context_of
from core.language.terms import STOP_WORDS, Token, content_stems, expand_abbreviations, tokenise

_FEWEST_SCORE = 2.0
_MOST_DIAGNOSES = 4
_MOST_STEMS = 14
_STRONG_ENOUGH_ALONE = 4
"""Strength of an expression after which a name in the title counts as a disease without a known disease word."""
_OWN_PATIENT = re.compile(r"\b(?:the|our|this|present) patient\b", re.IGNORECASE)
_REJECTED_AFTER = re.compile(
    r"\W*(?:was|were|is) (?:\w+ )?(?:suspected|considered|excluded|ruled out|unlikely|less likely)", re.IGNORECASE
)
_TITLE_INNER = re.compile(
    r"\b(?:caused by|secondary to|due to|features of|revealing|complicated by|complicating|with|diagnosed as|as)\s+",
    re.IGNORECASE,
)
_ADJECTIVE = re.compile(r"(?:al|ic|ous|ar|ary|ed|ing|ive|oid|eal|ent|ant|form|genic|less)$")


@dataclass(frozen=True)
class Candidate:
    """A stretch of text that may be the final diagnosis, or words it better.

    Attributes:
        statement: where it stands.
        score: how strongly the article reports it.
        stems: its content stems, abbreviations expanded.
        diseases: the stems of its disease words.
        is_reported: stated as this patient's, not denied, suspected, past or of a relative.
        is_wording: found as a name in running text; it only words a diagnosis that others report.
        is_title: from the title; all its words are essential.
    """

    statement: Statement
    score: float
    stems: tuple[str, ...]
    diseases: frozenset[str]
    is_reported: bool
    is_wording: bool = False
    is_title: bool = False


def find_final_diagnosis(
    text: CaseText, pieces: Sequence[Sorted], abbreviations: dict[str, str]
) -> tuple[Statement, ...]:
    """Give the reported final diagnosis first, then what words it more fully, then further established diagnoses.

    Read from case, discussion, conclusion, abstract, introduction and title. Denied, suspected, initial, past and
    relatives' diagnoses are not candidates. What several places agree on wins. At most four phrases; empty when the
    article reports none.
    """
    found = _collect(text, abbreviations)
    reported = [one for one in found if not one.is_wording]
    if not reported:
        return ()
    support = _support(text, abbreviations)
    main = _main(reported, support)
    if main is None:
        return ()
    found += _wordings(text, main, abbreviations)
    synonyms = other_names(
        expand_abbreviations(one.plain, abbreviations)
        for group in (text.introduction, text.narrative, text.discussion)
        for one in group
    )
    return tuple(one.statement for one in _without_contained(_with_more(main, found, support), synonyms))


def _collect(text: CaseText, abbreviations: dict[str, str]) -> list[Candidate]:
    found: list[Candidate] = []
    title = frozenset(
        stem
        for one in text.title
        for stem in content_stems(one.plain)
        if not is_anatomy(stem) and not is_qualifier(stem)
    )
    for statement in text.narrative:
        found += _from_patterns(statement, 1.0, abbreviations, title)
    for statement in text.discussion:
        own = bool(OWN.search(statement.plain) or _OWN_PATIENT.search(statement.plain))
        weight = 0.9 if own or statement.role is SectionRole.CONCLUSION else 0.3
        found += _from_patterns(statement, weight, abbreviations, title)
        if own:
            found += _from_reports(statement, 3.0, abbreviations)
    for statement in text.abstract:
        found += _from_patterns(statement, 0.8, abbreviations, title)
        found += _from_reports(statement, 3.5, abbreviations)
    for statement in text.introduction:
        if OWN.search(statement.plain):
            found += _from_reports(statement, 3.5, abbreviations)
    for statement in text.title:
        found += _from_title(statement, abbreviations)
    return found


def _candidate(
    piece: Statement, score: float, abbreviations: dict[str, str], *, is_reported: bool, is_wording: bool = False
) -> Candidate:
    expanded = expand_abbreviations(piece.plain, abbreviations)
    stems = tuple(dict.fromkeys(content_stems(expanded)))
    diseases = frozenset(stem for match in DISEASE.finditer(expanded) for stem in content_stems(match.group()))
    if not diseases:  # a name without a known disease word stands for itself
        diseases = frozenset(stem for stem in stems if not is_anatomy(stem) and not is_qualifier(stem))
    return Candidate(piece, score, stems, diseases, is_reported, is_wording)


def _from_patterns(
    statement: Statement, weight: float, abbreviations: dict[str, str], title_stems: frozenset[str] = frozenset()
) -> list[Candidate]:
    found = []
    for strength, pattern in PATTERNS:
        for match in pattern.finditer(statement.plain):
            piece = trim_phrase(statement, match.end(), abbreviations)
            if piece is None and strength >= _STRONG_ENOUGH_ALONE:
                piece = plain_phrase(statement, match.end())
                if piece is not None and not set(content_stems(piece.plain)) & title_stems:
                    piece = None
            if piece is None:
                continue
            start = piece.start - statement.start
            end = start + len(piece.text)
            context = context_of(statement.plain, start, end)
            before = statement.plain[max(0, match.start() - 60) : match.end()]
            if context.assertion is Assertion.NEGATED or FAMILY.search(before):
                continue
            penalty = 1.0
            if TENTATIVE.search(before) or context.is_past or TENTATIVE.search(statement.plain[end : end + 40]):
                penalty = 0.35
            elif context.assertion is Assertion.SUSPECTED:
                penalty = 0.6
            if _REJECTED_AFTER.match(statement.plain[end:]):
                penalty = 0.2
            found.append(_candidate(piece, strength * weight * penalty, abbreviations, is_reported=penalty == 1.0))
    return found


def _from_reports(statement: Statement, score: float, abbreviations: dict[str, str]) -> list[Candidate]:
    found = []
    for match in REPORTS.finditer(statement.plain):
        piece = trim_phrase(statement, match.end(), abbreviations)
        if piece and not re.search(r"\b(?:year|month|day|week)s?[- ]old\b", piece.plain):
            found.append(_candidate(piece, score, abbreviations, is_reported=True))
    return found


def _from_title(statement: Statement, abbreviations: dict[str, str]) -> list[Candidate]:
    plain = statement.plain
    cut = TITLE_CUT.search(plain)
    end = cut.start() if cut and cut.start() > 8 else len(plain)
    lead = TITLE_LEAD.match(plain)
    starts = [lead.end() if lead and lead.end() < end - 5 else 0]
    starts += [match.end() for match in re.finditer(r":\s+|\?\s+", plain[:end])]
    starts += [match.end() for match in _TITLE_INNER.finditer(plain[:end])]
    found = []
    for start in dict.fromkeys(starts):
        piece = trim_phrase(statement.cut(start, end), 0, abbreviations)
        if piece:
            one = _candidate(piece, 4.0 if start == starts[0] else 3.0, abbreviations, is_reported=True)
            found.append(replace(one, is_title=True))
    return found


def _support(text: CaseText, abbreviations: dict[str, str]) -> Counter[str]:
    """Count, for every stem, in how many places of the article that name a diagnosis it stands."""
    places = [one.text for one in text.title] * 2 + [one.text for one in text.abstract]
    places += [part.text for part in text.article.parts if part.kind is PartKind.KEYWORDS]
    places += [one.text for one in text.discussion if one.role is SectionRole.CONCLUSION or OWN.search(one.plain)]
    places += [one.text for one in text.narrative if re.search(r"diagnos|confirm|consistent with", one.plain)]
    support: Counter[str] = Counter()
    for place in places:
        support.update(set(content_stems(expand_abbreviations(level(place), abbreviations))))
    return support


def _main(found: Sequence[Candidate], support: Counter[str]) -> Candidate | None:
    votes: Counter[str] = Counter()
    for one in found:
        votes.update(dict.fromkeys(one.stems, one.score))

    def worth(one: Candidate) -> float:
        if not one.stems or one.score < 0.8:
            return 0.0
        agreement = sum(min(votes[stem], 25) + min(support[stem], 8) for stem in one.stems) / (len(one.stems) + 1.0)
        named = max((votes[stem] for stem in one.diseases if stem not in _UNSPECIFIC), default=0.0)
        return one.score + 0.5 * agreement + 0.15 * min(named, 20) + (0.0 if one.is_reported else -3.0)

    best = max(found, key=worth)
    if worth(best) < _FEWEST_SCORE:
        return None
    fuller = [
        one
        for one in found
        if set(best.stems) < set(one.stems)
        and one.is_reported
        and len(one.stems) <= _MOST_STEMS
        and all(_is_essential(stem) or stem in one.diseases for stem in set(one.stems) - set(best.stems))
    ]
    return max(fuller, key=lambda one: (one.score, len(one.stems))) if fuller else best


_UNSPECIFIC = frozenset(stem for word in UNSPECIFIC_DISEASE for stem in content_stems(word))


def _is_essential(stem: str) -> bool:
    return is_anatomy(stem) or is_qualifier(stem)


def _wordings(text: CaseText, main: Candidate, abbreviations: dict[str, str]) -> list[Candidate]:
    """Give the phrases in running text around the main disease word: its modifiers and where it sits."""
    core = {stem for stem in main.diseases if stem not in _UNSPECIFIC} or set(main.diseases)
    short_forms = {
        short for short, long in abbreviations.items() if core & set(content_stems(long)) and DISEASE.search(long)
    }
    found = []
    places = [*text.narrative, *text.abstract, *text.title]
    places += [one for one in text.discussion if OWN.search(one.plain) or one.role is SectionRole.CONCLUSION]
    for statement in places:
        tokens = tokenise(statement.plain)
        for at, token in enumerate(tokens):
            word = statement.plain[token.start : token.end]
            if token.stem not in core and word not in short_forms and word.rstrip("s") not in short_forms:
                continue
            first = at
            while first > 0 and at - first < 5 and _modifies(tokens[first - 1], tokens[first], statement.plain):
                first -= 1
            piece = trim_phrase(statement, tokens[first].start, abbreviations)
            if piece is None or first == at and len(piece.plain.split()) < 2:
                continue
            start = piece.start - statement.start
            context = context_of(statement.plain, start, start + len(piece.text))
            if context.assertion is not Assertion.NEGATED and not context.is_family:
                found.append(_candidate(piece, 1.0, abbreviations, is_reported=True, is_wording=True))
    return found


def _modifies(token: Token, following: Token, plain: str) -> bool:
    between = plain[token.end : following.start]
    if between.strip(" -") or token.word in STOP_WORDS:
        return False
    return is_anatomy(token.stem) or is_qualifier(token.stem) or bool(_ADJECTIVE.search(token.word))


def _with_more(main: Candidate, found: Sequence[Candidate], support: Counter[str]) -> list[Candidate]:
    """Give the main diagnosis, then wordings that add essential modifiers, then other reported diagnoses."""
    chosen = [main]
    covered = set(main.stems)

    def news(one: Candidate) -> list[str]:
        return [stem for stem in one.stems if stem not in covered and (_is_essential(stem) or stem in one.diseases)]

    core = {stem for stem in main.diseases if stem not in _UNSPECIFIC} or main.diseases
    pool = [one for one in found if one.is_reported and len(one.stems) <= _MOST_STEMS and one is not main]
    while len(chosen) < _MOST_DIAGNOSES - 1:
        same = [one for one in pool if core & one.diseases and news(one) and (one.is_title or _is_clean(one, covered))]
        if not same:
            break
        best = max(same, key=lambda one: (len(news(one)), one.is_title, one.score, -len(one.stems)))
        chosen.append(best)
        covered |= set(best.stems)
    doubted = {stem for one in found if not one.is_reported for stem in one.diseases} - set(main.stems)
    others = sorted(
        (
            one
            for one in pool
            if not one.is_wording and one.score >= 2.5 and not core & one.diseases and not doubted & one.diseases
        ),
        key=lambda one: one.score + 0.3 * sum(min(support[stem], 6) for stem in one.diseases),
        reverse=True,
    )
    for one in others:
        if len(chosen) >= _MOST_DIAGNOSES:
            break
        fresh = [stem for stem in one.stems if stem not in covered]
        if one.diseases - covered - _UNSPECIFIC and len(fresh) >= 0.5 * len(one.stems):
            chosen.append(one)
            covered |= set(one.stems)
    return chosen


def _without_contained(chosen: Sequence[Candidate], synonyms: Sequence[OtherName]) -> list[Candidate]:
    """Give the phrases without those that say no more than another; the fuller one takes the first's place."""
    kept: list[Candidate] = []
    for at, one in enumerate(chosen):
        fuller = [
            other
            for place, other in enumerate(chosen)
            if place != at
            and says_no_more(one.stems, other.stems, synonyms)
            and (not says_no_more(other.stems, one.stems, synonyms) or (len(other.stems), at) > (len(one.stems), place))
        ]
        best = max(fuller, key=lambda other: len(other.stems)) if fuller else one
        if best not in kept:
            kept.append(best)
    return kept


def _is_clean(one: Candidate, covered: set[str]) -> bool:
    """A further wording holds no words but the disease's, its modifiers and what is known already."""
    loose = [stem for stem in one.stems if stem not in covered and stem not in one.diseases and not _is_essential(stem)]
    return len(loose) <= 1
