"""Reads findings from report text by rules: segments, polarity, site, described values."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from core.domain.reports import Expected
from core.language.sentences import split_sentences
from core.language.terms import STOP_WORDS, Token, american, tokenise
from core.reports.cues import (
    denies_somewhere,
    is_denied,
    is_hedged,
    is_partial,
    limits_in,
    quote_end,
    site_of,
    values_of,
)
from core.reports.findings import OTHER, Described, Finding
from core.reports.lexicon import ABNORMALITY, ARTICLES, Hit, lexicon

_HEADING = re.compile(r"^\s*(?:\d+[.)]\s*)?(?:([A-Za-z][A-Za-z /&-]{1,40}):\s*)?")
_EMPTY_ITEM = re.compile(r"^\s*(?:[A-Z][A-Za-z /&-]{1,40}:)?\s*\d*[.)]?\s*$")
_ITEM_MARK = re.compile(r"(?:^|(?<=\s))\d+[.)]\s+(?=[A-Z])")
_SEGMENT = re.compile(
    r";\s*|,?\s+\b(?:but|however|although|though|while|whereas|with(?!\s+(?:respect|regard)|in\b)|which|and\s+there\s+(?:is|are))\b\s*"
    r"|,?\s+(?=\b(?:without|no\s+evidence)\b)",
    re.IGNORECASE,
)
_ABNORMAL = re.compile(
    r"\bnot\s+(?:\w+\s+)?(?:normal|clear|intact|unremarkable)\b|(?<!not )(?<!no )\babnormal\b", re.IGNORECASE
)
_JOINT = re.compile(r",\s*(?:and|or|nor)\s+|,\s+|\s+(?:and/or|and|or|nor)\s+|/", re.IGNORECASE)
_PRONOUN = re.compile(r"^(?:it|this|these|they|that)\b", re.IGNORECASE)
_EMPTY_WORDS = STOP_WORDS | frozenset(
    "there no not without definite obvious overt suspicious gross evident visible visualized visualised remains remain "
    "remainder otherwise again still now aside region area side sided size sized degree number compared prior previous "
    "exam examination study comparison limited evaluation technique view projection change changes changed interval "
    "significant appreciable approximately about measuring measures measure up within limits well overall essentially "
    "status post place noted x mm cm cannot excluded may could might questionable element versus portion aspect level "
    "left right bilateral bilaterally both upper middle mid lower greater than more less only type shape outline "
    "between over under along through across involving involves extending extends seen new active acute none normal "
    "unremarkable abnormal clear rotated rotation assessed evaluated chest radiograph findings".split()
)
_MAX_FREE_WORDS = 5
_NOWHERE: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())


@dataclass(frozen=True)
class Reading:
    """Findings of a report in order, and the sentences in which none was read."""

    findings: tuple[Finding, ...]
    unread: tuple[str, ...]


@dataclass(frozen=True)
class _Segment:
    """A stretch of a sentence with one polarity rule; `text` is verbatim."""

    text: str
    tokens: list[Token]
    concepts: list[Hit]
    regions: list[Hit]
    inherited: str | None
    organ: str | None
    site: tuple[frozenset[str], frozenset[str]]


@lru_cache(maxsize=8_192)
def read_report(text: str) -> Reading:
    """Give the findings of a report; the same text always gives the same.

    Mentions of one finding (same name, site and polarity) are one finding with all its values. Empty text gives none.
    """
    merged: dict[tuple[object, ...], Finding] = {}
    unread: list[str] = []
    for sentence in _sentences(text):
        found, values = _read_sentence(sentence)
        if not found and values and merged and _PRONOUN.match(sentence):
            last = next(reversed(merged))
            merged[last] = merged[last].with_values(values)
        elif not found:
            unread.append(sentence)
        for finding in found:
            known = merged.get(finding.key())
            merged[finding.key()] = known.with_values(finding.described) if known else finding
    numbered = tuple(replace(f, id=str(number)) for number, f in enumerate(merged.values(), 1))
    return Reading(numbered, tuple(dict.fromkeys(unread)))


@lru_cache(maxsize=16_384)
def read_entity(entity: str) -> Finding | None:
    """Give an entity's name as a finding, for comparing it; None when no finding is read from it."""
    found, _ = _read_sentence(entity)
    if not found:
        return None
    chosen = next((f for f in found if f.is_known), found[0])
    return replace(chosen, limits=limits_in(token.word for token in tokenise(entity)))


def _sentences(text: str) -> list[str]:
    found = []
    for span in split_sentences(text):
        for piece in _ITEM_MARK.split(text[span.start : span.end]):
            if _EMPTY_ITEM.sub("", piece).strip():
                found.append(piece.strip())
    return found


def _read_sentence(sentence: str) -> tuple[list[Finding], tuple[Described, ...]]:
    heading = _HEADING.match(sentence)
    body = sentence[heading.end() :] if heading else sentence
    heading_regions = lexicon().region_index.find(_words(heading[1])) if heading and heading[1] else []
    organ = heading_regions[0].label if heading_regions else None
    site = _NOWHERE
    found: list[Finding] = []
    values: list[Described] = []
    for text in _segments(body):
        segment = _segment(text, organ, site)
        values += values_of(text, segment.tokens, ())
        read = _read_segment(segment, sentence)
        if not read and found and values and not segment.regions:
            found[-1] = found[-1].with_values(values_of(text, segment.tokens, ()))
        found += read
        organ, site = segment.organ, segment.site
    return found, tuple(values)


def _segments(body: str) -> list[str]:
    aside = re.match(r"(?:aside from|apart from|except for)\s+([^,]+),\s*(.+)", body, re.IGNORECASE | re.DOTALL)
    if aside:
        return [aside[1], "otherwise " + aside[2]] if aside[2] else [aside[1]]
    pieces, at = [], 0
    for joint in _SEGMENT.finditer(body):
        pieces.append(body[at : joint.start()])
        at = joint.end()
    pieces.append(body[at:])
    return [piece.strip(" ,.;:\n") for piece in pieces if piece.strip(" ,.;:\n")]


def _words(text: str) -> list[Token]:
    return [token for token in tokenise(text) if token.word not in ARTICLES]


def _segment(text: str, organ: str | None, site: tuple[frozenset[str], frozenset[str]]) -> _Segment:
    """Give a segment; one that names no region goes on with that of the segment before, and its side."""
    tokens = _words(text)
    words = lexicon()
    concepts = words.concept_index.find(tokens)
    regions = words.region_index.find(tokens)
    inside = {i for hit in concepts for i in range(hit.first, hit.after)}
    outside = [hit for hit in regions if not set(range(hit.first, hit.after)) <= inside]
    if not outside:
        return _Segment(text, tokens, concepts, outside, organ, organ, site)
    return _Segment(text, tokens, concepts, outside, organ, outside[-1].label, site_of(tokens, outside))


def _read_segment(segment: _Segment, sentence: str) -> list[Finding]:
    if not segment.concepts:
        return _read_normality(segment, sentence) or _read_free(segment, sentence)
    found = []
    bounds = _chunks(segment)
    for number, (hit, (start, end)) in enumerate(zip(segment.concepts, bounds, strict=True)):
        found.append(_finding(segment, sentence, hit, start, end, is_last=number == len(bounds) - 1))
    return [f for finding in found for f in _resolved(finding)]


def _chunks(segment: _Segment) -> list[tuple[int, int]]:
    """Give each concept's stretch of the segment: cut at the last joint between two concepts, else after the first."""
    tokens, cuts = segment.tokens, [0]
    for one, other in zip(segment.concepts, segment.concepts[1:], strict=False):
        end_of_one, start_of_other = tokens[one.after - 1].end, tokens[other.first].start
        joints = [m.end() for m in _JOINT.finditer(segment.text, end_of_one, start_of_other)]
        cuts.append(joints[-1] if joints else end_of_one)
    return list(zip(cuts, [*cuts[1:], len(segment.text)], strict=True))


def _finding(segment: _Segment, sentence: str, hit: Hit, start: int, end: int, *, is_last: bool) -> Finding:
    concept = lexicon().concepts[hit.label]
    text, tokens = segment.text, segment.tokens
    first, after = tokens[hit.first].start, tokens[hit.after - 1].end
    chunk = [t for t in tokens if start <= t.start < end]
    inside = (first, after)
    organ = _organ(segment, start, end, concept.region)
    side, level = site_of(chunk, segment.regions, tokens)
    if not side and not is_last:
        side, level = _shared_site(segment, level)
    if not side and not level and not segment.regions and (concept.region is None or concept.region == segment.organ):
        side, level = segment.site
    denied = is_denied(text, first, after)
    described = () if denied else values_of(text[start:end], chunk, inside, start)
    words = {t.word for t in chunk if not first <= t.start < after}
    limits = limits_in(words) if denied else frozenset()
    return Finding(
        name=concept.name,
        organ=organ,
        side=side,
        level=level,
        polarity=Expected.NO if denied else Expected.YES,
        sentence=sentence,
        quote=_quote(sentence, text, 0, quote_end(text, end)) if denied else _quote(sentence, text, start, end),
        described=described,
        limits=limits,
        is_hedged=is_hedged(text),
    )


def _resolved(finding: Finding) -> list[Finding]:
    """Give the finding under the name that its organ gives it; a denied abnormality needs an organ."""
    if finding.name == ABNORMALITY:
        if finding.organ is None:
            return []
        if finding.polarity is Expected.NO:
            return _normal(finding)
        return [finding]
    joined = lexicon().joined.get(f"{finding.organ} {finding.name}")
    return [replace(finding, name=joined, organ=None) if joined else finding]


def _normal(finding: Finding) -> list[Finding]:
    """Give a region's normality; a normal heart or cardiomediastinal silhouette on imaging speaks of size."""
    if finding.organ == "heart":
        return [replace(finding, name="cardiomegaly", organ=None, limits=finding.limits & {OTHER})]
    if finding.organ == "cardiomediastinal silhouette":
        return [*_normal(replace(finding, organ="heart")), replace(finding, organ="mediastinum")]
    return [replace(finding, limits=finding.limits & {OTHER})]


def _organ(segment: _Segment, start: int, end: int, own_region: str | None) -> str | None:
    """Give where a finding lies: named with it, else said before it, else after it in the segment.

    A finding with a region of its own takes only a part of that region (`right upper lobe consolidation`).
    """
    starts = [(segment.tokens[hit.first].start, hit.label) for hit in segment.regions]
    near = [label for at, label in reversed(starts) if start <= at < end]
    if own_region is not None:
        parts = [label for label in near if label != own_region and lexicon().covers(own_region, label)]
        return parts[0] if parts else None
    before = [label for at, label in reversed(starts) if at < start]
    after = [label for at, label in starts if at >= end]
    return next(iter([*near, *before, *filter(None, [segment.inherited]), *after]), None)


def _shared_site(segment: _Segment, level: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Give the site after the last of several joined findings (`A and B in the left base`): it is that of all."""
    last = segment.concepts[-1].after
    tail = segment.tokens[last:]
    if tail and tail[0].word in {"in", "at", "of", "within", "on"}:
        side, tail_level = site_of(tail)
        return side, level or tail_level
    return frozenset(), level


def _read_normality(segment: _Segment, sentence: str) -> list[Finding]:
    """Give each region of the segment as without abnormality, or with one (`not clear`, `abnormal`), as it says."""
    is_abnormal = bool(_ABNORMAL.search(segment.text))
    if not segment.regions or not (is_abnormal or lexicon().normal_index.find(segment.tokens)):
        return []
    found: list[Finding] = []
    side, level = site_of(segment.tokens, segment.regions)
    for region in dict.fromkeys(hit.label for hit in segment.regions):
        finding = Finding(
            name=ABNORMALITY,
            organ=region,
            side=side,
            level=level,
            polarity=Expected.YES if is_abnormal else Expected.NO,
            sentence=sentence,
            quote=_quote(sentence, segment.text, 0, len(segment.text)),
            is_hedged=is_hedged(segment.text),
            limits=frozenset({OTHER}) if is_partial(segment.text) and not is_abnormal else frozenset(),
        )
        found += [finding] if is_abnormal else _normal(finding)
    return found


def _read_free(segment: _Segment, sentence: str) -> list[Finding]:
    """Give a finding the lexicon does not know: what is left of the segment without describing and empty words."""
    value_words = {i for hit in lexicon().value_index.find(segment.tokens) for i in range(hit.first, hit.after)}
    region_words = {i for hit in segment.regions for i in range(hit.first, hit.after)}
    kept = [
        american(t.word)
        for i, t in enumerate(segment.tokens)
        if i not in value_words and i not in region_words and t.word not in _EMPTY_WORDS and not t.word[0].isdigit()
    ]
    if not kept or len(kept) > _MAX_FREE_WORDS:
        return []
    first, after = segment.tokens[0].start, segment.tokens[-1].end
    denied = denies_somewhere(segment.text)
    side, level = site_of(segment.tokens, segment.regions)
    return [
        Finding(
            name=" ".join(kept),
            organ=segment.organ,
            side=side,
            level=level,
            polarity=Expected.NO if denied else Expected.YES,
            sentence=sentence,
            quote=_quote(sentence, segment.text, first, after),
            described=() if denied else values_of(segment.text, segment.tokens, ()),
            is_known=False,
            is_hedged=is_hedged(segment.text),
        )
    ]


def _quote(sentence: str, text: str, start: int, end: int) -> str:
    quote = re.sub(r"\s+(?:and|or|nor)$", "", text[start:end].strip(" ,.;:"))
    return quote if quote in sentence else sentence
