"""Where a quote stands in the article: exactly, after levelling, or closely. Not found means not accepted."""

import re
from collections.abc import Iterable
from functools import lru_cache

from rapidfuzz import fuzz

from core.domain.article import CaseReport, Part, PartKind, Span
from core.extraction.case_text import level

LEAST_RATIO = 0.9
"""Least similarity of a quote to the source text that still counts as its evidence (own choice)."""

_ORDER = (PartKind.SECTION, PartKind.TABLE, PartKind.CAPTION, PartKind.ABSTRACT, PartKind.TITLE, PartKind.BOX)
_CHARACTERS = re.compile(r"\w", re.UNICODE)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉µ", "01234567890123456789μ")
_FEWEST_FOR_FUZZY = 20


def find_quote(article: CaseReport, quote: str, parts: Iterable[str] | None = None) -> Span | None:
    """Give the first place of a quote, sections before tables, captions, abstract, title and boxes.

    `exact` when the words stand there as they are; `normalised` when only white space, case, dashes, quotes or
    punctuation differ; `fuzzy` with its ratio (0.9 or more) when letters differ a little. None when the article does
    not hold it, and for an empty quote.

    Args:
        article: where to look.
        quote: the words.
        parts: ids of the only parts to look in; all parts but declarations, keywords and back matter when None.
    """
    quote = quote.strip()
    letters = _squeeze(quote)[0]
    if not letters:
        return None
    wanted = None if parts is None else set(parts)
    candidates = [
        part for kind in _ORDER for part in article.parts if part.kind is kind and (wanted is None or part.id in wanted)
    ]
    for part in candidates:
        at = part.text.find(quote)
        if at >= 0:
            return Span(part=part.id, start=at, end=at + len(quote))
    for part in candidates:
        if (span := _levelled(part, letters)) is not None:
            return span
    if len(quote) < _FEWEST_FOR_FUZZY:
        return None
    best: Span | None = None
    for part in candidates:
        span = _closest(part, quote)
        if span is not None and (best is None or span.ratio > best.ratio):
            best = span
    return best


@lru_cache(maxsize=4096)
def _squeeze(text: str) -> tuple[str, tuple[int, ...]]:
    """Give the letters and digits of a text in lower case, and the offset of each."""
    plain = level(text).translate(_SUPERSCRIPTS).lower()
    if len(plain) != len(text):
        plain = level(text)
    offsets = tuple(match.start() for match in _CHARACTERS.finditer(plain))
    return "".join(plain[at] for at in offsets), offsets


def _levelled(part: Part, letters: str) -> Span | None:
    squeezed, offsets = _squeeze(part.text)
    at = squeezed.find(letters)
    while at >= 0:
        start, end = offsets[at], offsets[at + len(letters) - 1] + 1
        begins_word = start == 0 or not part.text[start - 1].isalnum()
        ends_word = end == len(part.text) or not part.text[end].isalnum()
        if begins_word and ends_word:
            return Span(part=part.id, start=start, end=end, found="normalised")
        at = squeezed.find(letters, at + 1)
    return None


def _closest(part: Part, quote: str) -> Span | None:
    if len(part.text) < len(quote) * 0.8:
        return None
    found = fuzz.partial_ratio_alignment(level(quote), level(part.text), score_cutoff=LEAST_RATIO * 100)
    if found is None or found.dest_end <= found.dest_start:
        return None
    start, end = found.dest_start, found.dest_end
    while start > 0 and part.text[start - 1].isalnum() and part.text[start].isalnum():
        start -= 1
    while end < len(part.text) and part.text[end].isalnum() and part.text[end - 1].isalnum():
        end += 1
    return Span(part=part.id, start=start, end=end, found="fuzzy", ratio=round(found.score / 100, 4))
