"""Guard tokens: the small words that turn a finding into another one although the strings look alike.

`left pleural effusion` and `right pleural effusion` are 0.84 alike as strings; nothing that compares findings may
merge them. Each text states poles on axes (side: left; level: upper; polarity: negated ...). Two texts agree when
every axis is equal, and conflict when an axis is stated by both with nothing in common.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from rapidfuzz import fuzz

from core.language.guard_words import NUMBER_WORDS, ORGANS, POLES
from core.language.terms import content_stems, level_characters, normalise, stem, tokenise

_NEGATION = re.compile(
    r"\b(?:no(?! longer than\b)|not(?! only\b)|without|none|nor|neither|absent|absence of|denie[sd]|lack(?:s|ed|ing)?|"
    r"negative for|free of|free from|ruled out|rules out|excluded|excludes|never|cannot|unlikely)\b|n't\b|"
    r"(?<!gram[ -])(?<!triple[ -])\bnegative\b"
)
_DENIES_EITHER_WAY = re.compile(r"absent$|ruled out|excluded|unlikely|negative$")
_OBJECT_FOLLOWS = re.compile(r"\s+(?!(?:by|on|in|at|with|and|or|but|because|after|from|for)\b)\w")
_SCOPE_END = re.compile(r"[;:]|\.(?!\d)|\b(?:but|however|except|although|whereas|which)\b")
_SIZE = re.compile(
    r"(\d+(?:[.,]\d+)?)\s*(?:x\s*(\d+(?:[.,]\d+)?)\s*)?(?:x\s*(\d+(?:[.,]\d+)?)\s*)?"
    r"(mm|cm|m|mg|g|kg|ml|l|%|percent|years?|months?|weeks?|days?|hours?|minutes?)?\b",
)
_REFERENCE_RANGE = re.compile(r"[(\[](?:normal|reference|ref\b|range|n\s*[:<>=])[^()\[\]]*[)\]]")
_ABOUT = re.compile(
    r"\b(?:about|approximately|approx|around|nearly|almost|roughly|circa|ca|just (?:under|over|above|below))\b|~"
)
NEAR = 0.1
NEAR_WHEN_ABOUT = 0.2
_TO_BASE = {"cm": ("mm", 10.0), "m": ("mm", 1000.0), "g": ("mg", 1000.0), "kg": ("mg", 1e6), "l": ("ml", 1000.0)}
_LEADING_NUMBER = re.compile(r"^[\d.]+(?:e[+-]?\d+)?")
_PREFIX = re.compile(r"\b(hyper|hypo|non|iso|brady|tachy)-?([a-z]{3,})")
_PREFIX_WORDS = frozenset("hypothesis hypothesize hypothesized hypothetical nonetheless hypophysis hypopharynx".split())

GUARD_AXES = ("side", "level", "polarity", "prefix", "number", "weighting", "organ")
"""Axes that must be equal before two findings may be merged (evaluation.md section 5)."""

CONTRADICTING_AXES = frozenset(
    {
        "side",
        "level",
        "polarity",
        "prefix",
        "number",
        "weighting",
        "amount",
        "result",
        "course",
        "behaviour",
        "end",
        "depth",
        "width",
        "thickness",
        "regularity",
        "count",
    }
)


def _number(text: str) -> str:
    value = float(text.replace(",", ".")) if text.count(",") <= 1 and "." not in text else float(text.replace(",", ""))
    return f"{value:g}"


def _numbers(text: str) -> frozenset[str]:
    found = set()
    for match in _SIZE.finditer(text):
        if match.start() and text[match.start() - 1].isalpha():
            continue
        unit = (match.group(4) or "").removesuffix("s")
        unit = "%" if unit == "percent" else unit
        base, factor = _TO_BASE.get(unit, (unit, 1.0))
        for part in match.groups()[:3]:
            if part:
                found.add(f"{float(_number(part)) * factor:g}{base}")
    found.update(NUMBER_WORDS[word] for word in re.findall(r"[a-z]+", text) if word in NUMBER_WORDS)
    return frozenset(found)


@lru_cache(maxsize=50_000)
def guard_tokens(text: str) -> Mapping[str, frozenset[str]]:
    """Give what a text states on each guard axis: axis -> poles. Axes it says nothing about are left out.

    Axes: side, level, depth, end, midline, course, behaviour, amount, result, weighting, severity, organ, number
    (lengths in mm), prefix (`hyper:tension`), polarity (`negated`). `bilateral` and `both` state left and right.
    """
    lower = _REFERENCE_RANGE.sub(" ", level_characters(text).lower())
    words = {token.word for token in tokenise(lower)}
    found: dict[str, set[str]] = {}
    for axis, poles in POLES.items():
        stated = {poles[word] for word in words if word in poles}
        if stated:
            found[axis] = stated
    if words & {"bilateral", "bilaterally"} or re.search(r"\bboth\b", lower):
        found["side"] = {"left", "right"}
    if "unremarkable" in words or "normal" in words:
        found.setdefault("amount", set()).add("normal")
    organs = {ORGANS[word] for word in words if word in ORGANS}
    if organs:
        found["organ"] = organs
    numbers = _numbers(re.sub(r"\b[a-z]+\d+\w*\b", " ", lower))
    if numbers:
        found["number"] = set(numbers)
    prefixes = {
        f"{match.group(1)}:{stem(match.group(2))}"
        for match in _PREFIX.finditer(lower)
        if match.group().replace("-", "") not in _PREFIX_WORDS
    }
    if prefixes:
        found["prefix"] = prefixes
    if _NEGATION.search(lower):
        found["polarity"] = {"negated"}
    return {axis: frozenset(poles) for axis, poles in found.items()}


def is_negated(text: str) -> bool:
    """True when the text holds a word of negation (`no`, `without`, `absence of`, `negative for`, `ruled out` ...)."""
    return "polarity" in guard_tokens(text)


@lru_cache(maxsize=50_000)
def negated_stems(text: str) -> frozenset[str]:
    """Give the stems that a text denies; empty when nothing is denied.

    `no`, `without` ... deny what follows in their clause; `absent`, `ruled out`, `negative` ... what follows them
    directly, or else what stands before them.
    """
    lower = level_characters(text).lower()
    boundaries = [(end.start(), end.end()) for end in _SCOPE_END.finditer(lower)]
    found: set[str] = set()
    clause_start, at, read_to = 0, 0, 0
    for cue in _NEGATION.finditer(lower):
        while at < len(boundaries) and boundaries[at][1] <= cue.start():
            clause_start, at = boundaries[at][1], at + 1
        clause_end = boundaries[at][0] if at < len(boundaries) and boundaries[at][0] >= cue.end() else len(lower)
        if _DENIES_EITHER_WAY.match(cue.group()) and not _OBJECT_FOLLOWS.match(lower, cue.end()):
            found.update(content_stems(lower[clause_start : cue.start()]))
            clause_start = cue.end()  # what stands before is read already
        elif cue.end() > read_to:
            found.update(content_stems(lower[cue.end() : clause_end]))
            read_to = clause_end
    return frozenset(found)


def _polarity_conflict(first: str, second: str) -> bool:
    """True when a word that one text denies is affirmed by the other."""
    denied, other_denied = negated_stems(first), negated_stems(second)
    affirmed = set(content_stems(first)) - denied
    other_affirmed = set(content_stems(second)) - other_denied
    return bool(denied & other_affirmed or other_denied & affirmed)


def guards_agree(first: str, second: str) -> bool:
    """True when both texts state exactly the same on every one of GUARD_AXES."""
    ours, theirs = guard_tokens(first), guard_tokens(second)
    return all(ours.get(axis) == theirs.get(axis) for axis in GUARD_AXES)


def _prefix_conflict(first: frozenset[str], second: frozenset[str], first_text: str, second_text: str) -> bool:
    for ours, other_text, theirs in ((first, second_text, second), (second, first_text, first)):
        for entry in ours:
            prefix, _, base = entry.partition(":")
            rivals = {other.partition(":")[0] for other in theirs if other.partition(":")[2] == base}
            if rivals - {prefix} and prefix not in rivals:
                return True
            if prefix == "non" and base in {token.stem for token in tokenise(other_text)}:
                return True
    return False


def _numbers_conflict(first: frozenset[str], second: frozenset[str], near: float) -> bool:
    """True when a unit is stated by both with no two values near each other; without unit, one number each only."""
    sides: list[dict[str, list[float]]] = []
    for values in (first, second):
        by_unit: dict[str, list[float]] = {}
        for value in values:
            unit = _LEADING_NUMBER.sub("", value)
            by_unit.setdefault(unit, []).append(float(value.removesuffix(unit)))
        sides.append(by_unit)
    for unit in sides[0].keys() & sides[1].keys():
        ours, theirs = sides[0][unit], sides[1][unit]
        if not unit and (len(ours) > 1 or len(theirs) > 1):
            continue
        if not any(abs(a - b) <= near * max(abs(a), abs(b)) for a in ours for b in theirs):
            return True
    return False


def conflicting_axes(first: str, second: str) -> tuple[str, ...]:
    """Give the axes on which two texts cannot both be true of the same finding, in alphabetical order.

    Polarity conflicts when just one is negated and denies a word that the other affirms; prefixes when the same word
    carries rival ones (`hyper`, `hypo`); any other axis when both state it with nothing in common, numbers only when
    they share a unit and none is within a tenth of another (a fifth after `about`). Whether the texts speak of the
    same finding is for the caller to know.
    """
    ours, theirs = guard_tokens(first), guard_tokens(second)
    found = []
    for axis in sorted(set(ours) | set(theirs)):
        one, other = ours.get(axis, frozenset()), theirs.get(axis, frozenset())
        if axis == "polarity":
            clash = one != other and _polarity_conflict(first, second)
        elif axis == "prefix":
            clash = _prefix_conflict(one, other, level_characters(first).lower(), level_characters(second).lower())
        elif axis == "number":
            is_about = bool(_ABOUT.search(first.lower()) or _ABOUT.search(second.lower()))
            clash = _numbers_conflict(one, other, NEAR_WHEN_ABOUT if is_about else NEAR)
        else:
            clash = bool(one and other) and not (one & other)
        if clash:
            found.append(axis)
    return tuple(found)


def similarity(first: str, second: str) -> float:
    """Give how alike two texts are as strings, 0-1, in whatever order they are given.

    The larger of the plain and the word-sorted normalised insert-delete similarity of the normalised texts
    (rapidfuzz `ratio`, `token_sort_ratio`). Two empty texts are 1, one empty text is 0. No guard: see
    `guarded_similarity`.
    """
    one, other = sorted((normalise(first), normalise(second)))
    if not one or not other:
        return float(one == other)
    return max(fuzz.ratio(one, other), fuzz.token_sort_ratio(one, other)) / 100


def guarded_similarity(first: str, second: str) -> float:
    """Give `similarity` when the guard tokens of both texts are equal, else 0; symmetric in its arguments."""
    return similarity(first, second) if guards_agree(first, second) else 0.0
