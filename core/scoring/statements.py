"""Which sentences of an answer are statements about the patient at all."""

import re

from core.language.terms import content_stems
from core.scoring.clauses import strip_markup
from core.scoring.requests import find_score_requests

CONTENT_OF_A_CLAIM = 3
_CITED = r"(?:figs?|figures?|images?|tables?|panels?|photos?|videos?|plates?)\b\.?"
_CITATION = re.compile(
    rf"\s*[\[(](?:see\s+)?{_CITED}[^()\[\]]*(?:\([^()]*\)[^()\[\]]*)*(?:[\])]|$)"
    rf"|\s*[;,]\s*(?:see\s+)?{_CITED}\s*\d[^()\[\];,]*(?:\([^()]*\))?(?=[\])])",
    re.IGNORECASE,
)
_ABOUT_TEXT = re.compile(
    r"^(?:thank you|thanks|i hope|here is|below is|in summary\W*$|as an ai|i am (?:an|not)|please note|disclaimer|"
    r"based on (?:the )?(?:available|provided|given) (?:information|data|evidence)\W*$|"
    r"let me|step \d+\W*$|the (?:following|diagnostic reasoning)\b[^.]*:$)",
    re.IGNORECASE,
)

_BARE_HEADING = re.compile(
    r"^[\W\d]*(?:final diagnos[ie]s|diagnostic reasoning|reasoning|primary|secondary|diagnos[ie]s)\W*$", re.IGNORECASE
)

_UNREPORTED = (
    r"(?:reported|disclosed|stated|given|provided|available|described|specified|documented|offered|named|mentioned)"
)
# `No finding was disclosed` tells nothing about the patient; `no abnormal finding was reported` and `no effusion` do.
_SAYS_NOTHING = re.compile(
    rf"^(?:[^\W\d][\w /-]{{0,40}}:\s*)?(?:none|nil|n/?a|nothing|unknown|"
    rf"(?:none|nothing|(?:it )?(?:is |was )?not)\s+(?:(?:is|was|has been)\s+)?(?:yet\s+)?(?:{_UNREPORTED}|applicable)|"
    r"no\s+(?:(?:further|other|additional|specific|explicit|key|such|image|imaging|diagnostic|final|article-derived)\s+)*"
    r"(?:reasoning|findings?|information|data|diagnos[ie]s|observations?|descriptions?|details?|evidence|steps?)"
    rf"(?:\s+(?:(?:is|are|was|were|has been|have been)\s+)?{_UNREPORTED}"
    r"(?:\s+(?:for|in|by|at|on|about)\s+(?:the |this |that |these )?"
    r"(?:article|report|case|text|source|authors?|figure|image|turn|dialogue|case report)s?)?)?)\W*$",
    re.IGNORECASE,
)

_HEADING_LINE = re.compile(r"#{1,6}\s+[^\n]*|(?:\d{1,2}[.)]\s*)?(\*{2,3}|__)[^*_]{1,60}\1:?|[^\n]{1,60}:\W*")


def is_statement(sentence: str) -> bool:
    """True for a sentence that can hold a claim: no heading, no talk about the text, no bare request for a score.

    A sentence that asks for a score and says something else is kept: what it says is judged like any claim.
    """
    bare = strip_markup(sentence)
    if not re.search(r"\w{2,}", bare) or _HEADING_LINE.fullmatch(sentence.strip()):
        return False
    if _BARE_HEADING.match(bare) or _ABOUT_TEXT.match(bare) or says_nothing(bare):
        return False
    return not _only_asks_for_a_score(bare)


def says_nothing(sentence: str) -> bool:
    """True for a sentence that only says that nothing is there: `Not stated.` or `No finding was disclosed.`."""
    return _SAYS_NOTHING.match(strip_markup(sentence)) is not None


def without_citations(text: str) -> str:
    """Give a text without references to figures and tables in brackets."""
    return _CITATION.sub("", text)


def _only_asks_for_a_score(text: str) -> bool:
    requests = find_score_requests(text)
    for words in requests:
        text = text.replace(words, " ")
    return bool(requests) and len(content_stems(text)) < CONTENT_OF_A_CLAIM
