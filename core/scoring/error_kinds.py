"""What an error is about, told by a few documented rules: side or site, number or size, negation, other.

A contradicted pair is sorted by what stands against what (`core.language.guards.conflicting_axes`); a missing or extra
item by what it states. It is a way to look through errors, not a score.
"""

import re
from enum import StrEnum
from functools import lru_cache

from core.language.guards import conflicting_axes


class ErrorCategory(StrEnum):
    """The first that fits counts, in the order negation, side or site, number or size, other."""

    SIDE = "side or site"
    NUMBER = "number or size"
    NEGATION = "negation"
    OTHER = "other"


_DENIES = re.compile(r"\b(?:no|not|without|none|nor|neither|absent|absence|negative|denie[sd]|lack(?:s|ed)?)\b", re.I)
_PLACE = re.compile(
    r"\b(?:left|right|bilateral(?:ly)?|unilateral|upper|lower|middle|midline|superior|inferior|anterior|posterior|"
    r"medial|lateral|proximal|distal|dorsal|ventral|apical|basal|central|peripheral)\b|-sided\b",
    re.IGNORECASE,
)
_SIZE = re.compile(
    r"\d|\b(?:large|small|tiny|huge|giant|single|solitary|multiple|few|several|many|two|three|four|five)(?:er|est)?\b",
    re.IGNORECASE,
)
_SIDE_AXES = frozenset({"side", "level", "depth", "end", "midline", "organ"})
_NUMBER_AXES = frozenset({"number", "count", "amount", "width", "thickness", "severity"})
_NEGATION_AXES = frozenset({"polarity", "result"})


@lru_cache(maxsize=50_000)
def error_category(reference: str, output: str) -> ErrorCategory:
    """Give what a missing item (output empty), an extra item (reference empty) or a contradicted pair is about."""
    if reference and output:
        axes = set(conflicting_axes(reference, output))
        tests = ((_NEGATION_AXES, ErrorCategory.NEGATION), (_SIDE_AXES, ErrorCategory.SIDE))
        for named, category in (*tests, (_NUMBER_AXES, ErrorCategory.NUMBER)):
            if axes & named:
                return category
        return ErrorCategory.OTHER
    text = reference or output
    if _DENIES.search(text):
        return ErrorCategory.NEGATION
    if _PLACE.search(text):
        return ErrorCategory.SIDE
    return ErrorCategory.NUMBER if _SIZE.search(text) else ErrorCategory.OTHER
