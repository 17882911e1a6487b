"""Whether two phrases word the same disease: once as a title words it, once as the text does."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.language.terms import content_stems

_LINKS = frozenset(
    stem
    for word in (
        "associated secondary due caused related complicated by with in of a case report presenting presented".split()
    )
    for stem in content_stems(word)
)
"""Words that join the parts of a diagnosis and name nothing."""
_SPELT = {stem: content_stems("disk")[0] for stem in content_stems("disc")}
_SYNONYM = re.compile(
    r"([^.;:()]{4,90}?)[,(]?\s*\b(?:also|otherwise|formerly|previously)\s+(?:known|called|termed|named|referred to)"
    r"\s+(?:as\s+)?(?:the\s+|an?\s+)?[\"']?([A-Za-z][\w' -]{3,50}?)[\"']?"
    r"(?=[,.;)]|\s(?:is|are|was|were|which|and|or|has|have|that|in|by)\b|$)",
    re.IGNORECASE,
)


class OtherName(NamedTuple):
    """A name that the article gives as another one for what it has just named."""

    before: frozenset[str]
    name: frozenset[str]


def other_names(texts: Iterable[str]) -> tuple[OtherName, ...]:
    """Give the synonyms that sentences define (`X, also known as Y`), by the stems of both sides; often empty."""
    return tuple(
        OtherName(named(content_stems(match.group(1))), named(content_stems(match.group(2))))
        for text in texts
        if "as " in text or "called" in text or "named" in text or "termed" in text
        for match in _SYNONYM.finditer(text)
    )


def named(stems: Iterable[str]) -> frozenset[str]:
    """Give the stems that name something, one spelling for each: without joining words."""
    return frozenset(_SPELT.get(stem, stem) for stem in stems if stem not in _LINKS)


def says_no_more(one: Sequence[str], other: Sequence[str], synonyms: Sequence[OtherName] = ()) -> bool:
    """Tell whether every naming word of `one` stands in `other`, a defined synonym standing for what it names.

    Args:
        one: content stems, abbreviations expanded.
        other: the same of the phrase that may be fuller.
        synonyms: of the article.
    """
    ours, theirs = named(one), named(other)
    if not ours:
        return False
    if ours <= theirs:
        return True
    return any(
        pair.name and pair.name <= ours and ours - pair.name <= theirs and _names_it(theirs, pair) for pair in synonyms
    )


def _names_it(stems: frozenset[str], pair: OtherName) -> bool:
    """The words just before the synonym are the disease's: at least two of them, or all the phrase has."""
    shared = stems & pair.before
    return len(shared) >= min(2, len(stems)) and bool(shared)
