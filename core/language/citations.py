"""Citations of figures and tables inside running text: words about the article, not about the patient."""

import re

_NUMBER = r"(?:[A-Z]?\d+\s?[A-Za-z]{0,2}|[A-Z])\b(?:\s?\([A-Za-z,\s–-]{1,9}\))?"
_REFERENCE = (
    r"(?:(?:see|also|cf\.?|and|as shown in|shown in|online|supplementa(?:l|ry))\s+)*"
    r"(?:fig(?:ure)?s?|images?|tables?|videos?|plates?|photos?|pictures?)\b\.?\s*"
    rf"{_NUMBER}(?:\s*(?:,|;|&|-|–|—|and|to)\s*{_NUMBER})*"
)
_BRACKET = re.compile(r"\s*([(\[])([^()\[\]]*(?:\([^()]{0,12}\)[^()\[\]]*)*)([)\]])")
_ONE = re.compile(_REFERENCE, re.IGNORECASE)
_EDGE = re.compile(r"^[\s,;:]*(?:and\s+)?|[\s,;:]+$")


def without_figure_citations(text: str) -> str:
    """Give a sentence without bracketed citations of figures and tables; other bracketed words stay.

    `A mass was seen (Fig. 1A, B).` gives `A mass was seen.`; `(3 cm, Fig. 2)` gives `(3 cm)`. Citations that are part
    of the sentence (`Figure 1 shows`) stay: without them it would not be one.
    """

    def shorter(match: re.Match[str]) -> str:
        inside = match.group(2)
        if not _ONE.search(inside):
            return match.group()
        left = _EDGE.sub("", _ONE.sub("", inside))
        left = re.sub(r"\s*([,;])(?:\s*[,;])+", r"\1", left).strip()
        if not any(letter.isalnum() for letter in left):
            return ""
        space = match.group()[: len(match.group()) - len(match.group().lstrip())]
        return f"{space}{match.group(1)}{left}{match.group(3)}"

    return _BRACKET.sub(shorter, text)
