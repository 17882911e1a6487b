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
_WORDS_BRACKETED = re.compile(r"\s*[\[(]\s*\x06([^\x06]*)\x06\s*[\])]")
_BRACKETS = {"[": "]", "(": ")", "\u27e8": "\u27e9"}


def without_citation_marks(text: str) -> tuple[str, int]:
    """Give the text without its citation marks, and how many visible characters went with them.

    The brackets, commas and dashes that belong to a mark go with it. Numbers go wherever they stand (`rapidly.1`
    becomes `rapidly.`, `[3, 5-7]` goes whole). Names and years go only inside brackets of their own (`(Smith, 2004)`);
    in a sentence (`as Smith (2004) showed`) they belong to it and stay.
    """
    if OPEN not in text:
        return text, 0
    removed = 0

    def token(match: re.Match[str]) -> str:
        nonlocal removed
        run = match.group(0).replace(OPEN, "").replace(CLOSE, "")
        if any(_IS_WORD.search(inner) for inner in _INSIDE.findall(match.group(0))):
            return f"\x06{run}\x06"
        removed += _visible(run)
        return "\x05"

    def words(match: re.Match[str]) -> str:
        nonlocal removed
        removed += _visible(match.group(0)) - 2
        return ""

    text = _RUN.sub(token, text)
    if "\x06" in text:
        text = _WORDS_BRACKETED.sub(words, text).replace("\x06", "")
    if "\x05" not in text:
        return text, removed
    pieces = text.split("\x05")
    for at in range(len(pieces) - 1):
        left, right = pieces[at].rstrip(), pieces[at + 1]
        following = right.lstrip()
        while left and following and _BRACKETS.get(left[-1]) == following[0]:
            left, right = left[:-1].rstrip(), following[1:]
            following = right.lstrip()
            removed += 2
        if following[:1] in (")", "]") and left[-1:] in (",", ";"):
            left = left[:-1].rstrip()
            removed += 1
        pieces[at], pieces[at + 1] = left, right
    return "".join(pieces), removed


def _visible(text: str) -> int:
    return sum(map(len, text.split()))
