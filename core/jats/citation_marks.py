"""Removing the marks of bibliographic citations together with their brackets.

While text is collected, a citation stands between `OPEN` and `CLOSE`, control characters that XML cannot hold, so
that the text around it can be looked at as one string.
"""

import re

OPEN, CLOSE = "\x03", "\x04"

_ONE = f"{OPEN}[^{CLOSE}]*{CLOSE}"
_BETWEEN = r"(?:[\s,;&\-\u2010-\u2015\u2212]|\band\b|\])*[\[]?\s*"
_RUN = re.compile(f"{_ONE}(?:{_BETWEEN}{_ONE})*")
_INSIDE = re.compile(f"{OPEN}([^{CLOSE}]*){CLOSE}")
_IS_WORD = re.compile(r"[^\W\d_]{2,}")
_BRACKETED = re.compile("[\\[(\u27e8]\\s*\x05\\s*[\\])\u27e9]")
_WORDS_BRACKETED = re.compile(r"\s*[\[(]\s*\x06([^\x06]*)\x06\s*[\])]")
_MARK = re.compile(r"(?:[,;]?\s*\x05(?=\s*[)\]])|\s*\x05)")


def without_citation_marks(text: str) -> str:
    """Give the text without its citation marks and without the brackets, commas and dashes that belong to them.

    Numbers go wherever they stand (`rapidly.1` becomes `rapidly.`, `[3, 5-7]` goes whole). Names and years go only
    inside brackets of their own (`(Smith, 2004)`); in a sentence (`as Smith (2004) showed`) they are part of it and stay.
    """
    if OPEN not in text:
        return text
    text = _RUN.sub(_token, text)
    if "\x06" in text:
        text = _WORDS_BRACKETED.sub("", text).replace("\x06", "")
    previous = None
    while previous != text:
        previous = text
        text = _BRACKETED.sub("\x05", text)
    return _MARK.sub("", text)


def _token(match: re.Match[str]) -> str:
    run = match.group(0)
    if any(_IS_WORD.search(inner) for inner in _INSIDE.findall(run)):
        return "\x06" + run.replace(OPEN, "").replace(CLOSE, "") + "\x06"
    return "\x05"
