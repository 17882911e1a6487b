"""The small words of reports: denial, reserve, exception, side and level, and described values."""

import re
from collections.abc import Iterable, Sequence

from core.domain.reports import Facet
from core.language.terms import Token
from core.reports.findings import BOTH, OTHER, Described, measure_mm
from core.reports.lexicon import Hit, lexicon

_UNCHANGED = re.compile(
    r"\b(?:no|without)\s+(?:(?:significant|interval|appreciable|definite)\s+)*change\w*\b", re.IGNORECASE
)
_HEDGE = re.compile(
    r"\b(?:possibl[ey]|probabl[ey]|likely|may|might|could|suspect\w*|suspicious|suggest\w*|questionable|question of|"
    r"cannot be (?:completely )?excluded|can\s?not exclude|not excluded|concerning for|element of|versus)\b",
    re.IGNORECASE,
)
_NOT_DENIED = re.compile(
    r"\b(?:cannot|can\s?not|not)\s+(?:be\s+)?(?:completely\s+)?(?:exclude|excluded|ruled out)\b|\bnot only\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:no|not|without|absence of|absent|negative for|free of|free from|nor|neither|denies|rather than|lack of|"
    r"removal of)\b",
    re.IGNORECASE,
)
_DENIAL_AFTER = re.compile(
    r"\b(?:(?:is|are|was|were|has|have)\s+(?:(?!(?:not|nearly|almost|partially|partly)\b)\w+\s+)?"
    r"(?:absent|resolved|excluded|ruled out|cleared|removed)|"
    r"(?:is|are|was|were)\s+not\s+(?:seen|found|present|detected|observed|identified|noted|evident|visible|demonstrated)|"
    r"not\s+(?:seen|identified|present|evident)|"
    r"(?<!not )(?<!nearly )(?<!almost )(?<!partially )(?<!partly )resolved)\b",
    re.IGNORECASE,
)
_PARTIAL = re.compile(r"\b(?:otherwise|remaining|remainder|aside from|apart from|except|other)\b", re.IGNORECASE)
_NEW_STATEMENT = frozenset("there a an the is are small mild moderate large stable unchanged new".split())
_DENIES_VALUE = frozenset({"not", "no", "without", "neither", "nor"})
_PLURAL = re.compile(r"(?:are|were|have)\b", re.IGNORECASE)
_JOINING = re.compile(r"\b(?:and|or|nor)\b", re.IGNORECASE)
_JOINING_OR = re.compile(r"\b(?:or|nor)\b", re.IGNORECASE)
_LIMITS = {
    "acute": "acute",
    "active": "acute",
    "displaced": "displaced",
    "new": "new",
    "large": "large",
    "significant": "significant",
    "enlarged": "enlarged",
    "tension": "tension",
    "other": OTHER,
    "otherwise": OTHER,
    "remaining": OTHER,
}
_SIDES = {"left": {"left"}, "right": {"right"}, "bilateral": BOTH, "bilaterally": BOTH, "both": BOTH, "bibasilar": BOTH}
_SIDES |= {"bibasal": BOTH, "biapical": BOTH, "leftward": {"left"}, "rightward": {"right"}}
_LEVELS = {
    "upper": "upper",
    "middle": "middle",
    "mid": "middle",
    "lower": "lower",
    "superior": "upper",
    "inferior": "lower",
}


def is_denied(text: str, first: int, after: int) -> bool:
    """Tell whether a segment denies its words `text[first:after]`.

    A cue before them reaches over lists (`no A, B or C`) up to a comma that begins a new statement. A cue after them
    (`is not seen`, `has resolved`) reaches back over a comma only with a plural verb or a joining word.
    """
    masked = _NOT_DENIED.sub(lambda m: "_" * len(m.group()), text)
    masked = _UNCHANGED.sub(lambda m: "_" * len(m.group()), masked)
    later = _DENIAL_AFTER.search(masked, after)
    if later and (
        "," not in masked[after : later.start()]
        or _PLURAL.match(later.group())
        or _JOINING.search(masked, after, later.start())
    ):
        return True
    cues = list(_DENIAL.finditer(masked, 0, first))
    if not cues:
        return False
    for comma in re.finditer(r",\s*(\w+)", masked[cues[-1].end() : first]):
        rest = masked[cues[-1].end() + comma.start() :]
        if comma[1].lower() in _NEW_STATEMENT and not _JOINING_OR.search(rest):
            return False
    return True


def is_hedged(text: str) -> bool:
    """Tell whether a segment states its findings with reserve."""
    return bool(_HEDGE.search(text))


def is_partial(text: str) -> bool:
    """Tell whether a statement has an exception (`otherwise clear`)."""
    return bool(_PARTIAL.search(text))


def denies_somewhere(text: str) -> bool:
    """Tell whether a segment without a known finding denies what it speaks of."""
    masked = _NOT_DENIED.sub("", _UNCHANGED.sub("", text))
    return bool(_DENIAL.search(masked) or _DENIAL_AFTER.search(masked))


def quote_end(text: str, end: int) -> int:
    """Give where the words of a denial end: at `end` when its cue stands before, else at the end of the segment."""
    return end if _DENIAL.search(text, 0, end) else len(text)


def limits_in(words: Iterable[str]) -> frozenset[str]:
    """Give the words that narrow a denial, normalised."""
    return frozenset(_LIMITS[word] for word in words if word in _LIMITS)


def site_of(
    tokens: Sequence[Token], regions: Sequence[Hit] = (), all_tokens: Sequence[Token] | None = None
) -> tuple[frozenset[str], frozenset[str]]:
    """Give side and level; such a word inside a region's name (`upper lobe`, `left ventricle`) belongs to the name."""
    named = {(all_tokens or tokens)[i].start for hit in regions for i in range(hit.first, hit.after)}
    side = frozenset().union(*(_SIDES[t.word] for t in tokens if t.word in _SIDES and t.start not in named))
    level = frozenset(_LEVELS[t.word] for t in tokens if t.word in _LEVELS and t.start not in named)
    return side, level


def values_of(
    text: str, tokens: Sequence[Token], inside: tuple[int, int] | tuple[()], start: int = 0
) -> tuple[Described, ...]:
    """Give the facet values among tokens; words inside the finding's or a region's own name are no value."""
    words = lexicon()
    named = {
        i for hit in words.region_index.find(tokens) if hit.after - hit.first > 1 for i in range(hit.first, hit.after)
    }
    free = [t for i, t in enumerate(tokens) if i not in named and (not inside or not inside[0] <= t.start < inside[1])]
    found = []
    for hit in words.value_index.find(free):
        if {t.word for t in free[max(0, hit.first - 2) : hit.first]} & _DENIES_VALUE:
            continue
        said = text[free[hit.first].start - start : free[hit.after - 1].end - start]
        found.append(Described(words.facet_of[hit.label], hit.label, said))
    if match := _UNCHANGED.search(text):
        found.append(Described(Facet.TEMPORAL_CHANGE, "stable", match.group()))
    if lengths := measure_mm(text):
        value = " x ".join(f"{length:g}" for length in lengths) + " mm"
        found.append(Described(Facet.SIZE, value, value))
    return tuple({(described.facet, described.value): described for described in reversed(found)}.values())[::-1]
