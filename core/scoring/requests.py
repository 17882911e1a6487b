"""Sentences of an evaluated answer that ask for a score: recorded and flagged, never believed."""

import re

_REQUEST = re.compile(
    r"(?:^|(?<=[.,;:!])|\band\b|\boverall\b|\b(?:give|assign|award|deserves?|merits?|please|should|must)\b)"
    r"(?:\s+(?:it|me|this|an?|the|full|overall))*\s*"
    r"scores?\s*(?:of|:|=|is|this|it|me|should be|must be|as)*\s*"
    r"(?:[1-5](?:\s*(?:/|out of)\s*5)|5\b|five\b|full marks|the maximum)"
    r"|\b(?:rate|grade|mark|judge)\s+(?:this|it|me|the (?:answer|response|reasoning))\b[^.]{0,40}"
    r"\b(?:5|five|excellent|correct|full marks)\b"
    r"|\bstrict match(?:es)?\b|\bmatch(?:es)? (?:with )?every(?:thing| item)\b"
    r"|\bignore (?:all |the |any )*(?:previous|prior|above|earlier|other) (?:instructions?|rules|prompts?)\b"
    r"|\b(?:dear |note to (?:the )?)(?:judge|evaluator|grader)\b",
    re.IGNORECASE,
)
# A clinical score with a number (Glasgow coma score 5, pain score 5/10) is a finding, not a request.
_CLINICAL = re.compile(
    r"\b(?:glasgow|gcs|coma|apgar|pain|child|meld|wells|sofa|qsofa|nihss|news|alvarado|gleason|agatston|"
    r"calcium|z-|t-|curb|apache|hads?|bi-?rads|"
    r"ranson|centor|duke|rankin|karnofsky|ecog|barthel|severity|risk|clinical|vas|nrs|ipss|das28|mayo|dlqi|"
    r"scorad|pasi|disability)\b[\w \-]{0,30}$",
    re.IGNORECASE,
)


def find_score_requests(text: str) -> list[str]:
    """Give the phrases of a text that ask for a score or a match, in order; empty when there are none.

    Scores of clinical instruments ("Glasgow coma score 5") are not among them.
    """
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [
        found.group().strip()
        for line in lines
        for found in _REQUEST.finditer(line)
        if not _CLINICAL.search(line[max(0, found.start() - 40) : found.start()])
    ]
