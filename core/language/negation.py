"""Whether a phrase is stated, denied, suspected, or said of a relative or of the past.

Source: Chapman et al., "A simple algorithm for identifying negated findings and diseases in discharge summaries",
J Biomed Inform 2001 (NegEx), and Harkema et al., "ConText", J Biomed Inform 2009: trigger words open a scope that ends
at a conjunction or at the end of the sentence. The trigger lists here are our own, shorter selection.
"""

import re
from enum import StrEnum
from typing import NamedTuple


class Assertion(StrEnum):
    """How a text stands to a phrase in it."""

    STATED = "stated"
    SUSPECTED = "suspected"
    NEGATED = "negated"


class PhraseContext(NamedTuple):
    """What the words around a phrase say about it."""

    assertion: Assertion
    is_family: bool
    is_past: bool


_NEGATION_BEFORE = re.compile(
    r"\b(?:no|not|without|denie[sd]|denying|negative\s+for|absence\s+of|absent|lack(?:ed|ing|s)?(?:\s+of)?|never|neither|nor|none|"
    r"free\s+of|failed\s+to|cannot|didn['’]t|unremarkable\s+for|ruled?\s+out|ruling\s+out|exclud(?:ed|es|ing|e)|"
    r"rather\s+than|instead\s+of|unlikely(?:\s+to\s+be)?|inconsistent\s+with)\b",
    re.IGNORECASE,
)
_NEGATION_AFTER = re.compile(
    r"^[^.;]{0,40}?\b(?:(?:was|were|is|are|has\s+been|have\s+been|being)\s+(?:\w+\s+)?(?:negative|absent|excluded|ruled\s+out|unlikely|"
    r"not\s+(?:seen|found|present|detected|observed|identified|noted|evident))|negative\b|unlikely|ruled\s+out)",
    re.IGNORECASE,
)
_NOT_NEGATING = re.compile(
    r"\b(?:no\s+(?:change|increase|doubt|further)|not\s+only|no\s+longer|not\s+(?:been\s+)?(?:excluded|ruled\s+out)|"
    r"without\s+(?:difficulty|any\s+doubt|complications?))\b",
    re.IGNORECASE,
)
_SUSPICION_BEFORE = re.compile(
    r"\b(?:suspect(?:ed|ing|s)?|suspicio(?:n|us)(?:\s+(?:of|for))?|possib(?:le|ly|ility(?:\s+of)?)|probabl[ey]|presum(?:ed|ptive|ably)|"
    r"likely|may\s+(?:be|have|represent)|might|could\s+(?:be|have|represent)|differential(?:\s+diagnos[ei]s)?|consider(?:ed|ing)?|"
    r"suggest(?:ed|ing|ive|s)?|concern(?:ed|ing)?\s+(?:for|about)|rule\s+out|query|questionable|favou?r(?:ed|ing|s)?|"
    r"impression\s+of|provisional|initially\s+(?:thought|diagnosed)|thought\s+to\s+be|risk\s+of|screen(?:ed|ing)?\s+for|"
    r"test(?:ed|ing)?\s+for|evaluat(?:e|ed|ion)\s+for|to\s+exclude|hypothes[ie]s\s+of|mimic(?:s|ked|king)?)\b",
    re.IGNORECASE,
)
_SUSPICION_AFTER = re.compile(
    r"^[^.;]{0,30}?\b(?:(?:was|were|is)\s+(?:suspected|considered|thought|presumed|possible|probable|likely|suggested)|"
    r"(?:might|may|could)\s+be)\b",
    re.IGNORECASE,
)
_FAMILY = re.compile(
    r"\b(?:famil(?:y|ial)\s+(?:history|members?)|mothers?|fathers?|parents?|sisters?|brothers?|siblings?|uncles?|aunts?|cousins?|"
    r"grand(?:mother|father|parents?)|sons?|daughters?|relatives?|husband|wife|spouse)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:(?:past|previous|prior|medical|surgical)\s+(?:medical\s+|surgical\s+)?history|history\s+of|previously|formerly|known\s+case\s+of|"
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|several|many)\s+(?:years?|months?)\s+(?:ago|earlier|before|prior|previously)|"
    r"in\s+childhood|in\s+(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_SCOPE_END = re.compile(
    r"[.;:]\s|\bbut\b|\bhowever\b|\balthough\b|\bexcept\b|\bwhich\b|,\s+(?:and\s+)?(?:he|she|it|they|the\s+patient|there)\b|"
    r"\b(?:revealed|showed|demonstrated|confirmed)\b",
    re.IGNORECASE,
)
_SCOPE_CHARS = 90


def context_of(sentence: str, start: int, end: int) -> PhraseContext:
    """Give how a sentence stands to its phrase `sentence[start:end]`.

    Triggers before the phrase reach it over at most 90 characters and not over the end of their clause. Negation wins
    over suspicion. Family and past look at the whole clause before the phrase.
    """
    before = sentence[:start]
    scope = before[-_SCOPE_CHARS:]
    ends = [boundary.end() for boundary in _SCOPE_END.finditer(scope)]
    if ends:
        scope = scope[ends[-1] :]
    scope = _NOT_NEGATING.sub(lambda match: "_" * len(match.group()), scope)
    after = sentence[end : end + 80]
    if _NEGATION_BEFORE.search(scope) or _NEGATION_AFTER.search(after):
        assertion = Assertion.NEGATED
    elif _SUSPICION_BEFORE.search(scope) or _SUSPICION_AFTER.search(after):
        assertion = Assertion.SUSPECTED
    else:
        assertion = Assertion.STATED
    return PhraseContext(assertion, bool(_FAMILY.search(before)), bool(_PAST.search(before)))


def is_negated(sentence: str, start: int, end: int) -> bool:
    """Tell whether the sentence denies its phrase `sentence[start:end]`."""
    return context_of(sentence, start, end).assertion is Assertion.NEGATED
