"""Abbreviations as an article defines them itself.

Source: Schwartz and Hearst, "A simple algorithm for identifying abbreviation definitions in biomedical text",
Pacific Symposium on Biocomputing 2003. Read backwards, each letter of the short form must be found in the words before
the bracket, its first letter at the start of a word.
"""

import re

_BRACKETED = re.compile(r"\(([^()\n]{2,80})\)")
_WORD = re.compile(r"[^\s]+")
_SHORT_FORM = re.compile(r"[A-Za-z][A-Za-z0-9α-ωΑ-Ω/&+.-]{1,9}")
_DEFINING_LINE = re.compile(r"^([A-Z][A-Za-z0-9α-ω/-]{1,9})\s*[:=–—\t]\s*([A-Za-z][^\n;]{3,80}?)[.;]?$", re.MULTILINE)


def find_abbreviations(text: str) -> dict[str, str]:
    """Give short form -> long form for every definition in the text, as printed; the first definition counts.

    Found are `long form (SF)`, `SF (long form)` and glossary lines `SF: long form`. A text without definitions gives an
    empty dictionary.
    """
    found: dict[str, str] = {}
    for match in _BRACKETED.finditer(text):
        inside = re.split(r"[;,]", match.group(1))[0].strip().strip("\"'“”‘’")
        before = text[max(0, match.start() - 160) : match.start()].rstrip()
        before = re.split(r"\n|[.!?]\s|[;:()]", before)[-1]
        if _is_short_form(inside):
            long_form = _long_form(inside, before)
            if long_form:
                found.setdefault(inside, long_form)
                continue
        words = before.split()
        if words and len(match.group(1)) >= 6:
            short = words[-1].strip(",\"'“”‘’")
            if _is_short_form(short) and _covers(short, match.group(1).split(",")[0].strip()):
                found.setdefault(short, match.group(1).split(",")[0].strip())
    for match in _DEFINING_LINE.finditer(text):
        if _is_short_form(match.group(1)) and _covers(match.group(1), match.group(2)):
            found.setdefault(match.group(1), match.group(2).strip())
    return found


def _is_short_form(text: str) -> bool:
    return (
        bool(_SHORT_FORM.fullmatch(text))
        and sum(character.isupper() for character in text) >= 2
        and not re.fullmatch(r"[IVX]+", text)
    )


def _letters(short: str) -> str:
    short = re.sub(r"(?<=[A-Z])s$", "", short)
    return "".join(character for character in short if character.isalnum()).lower()


def _long_form(short: str, before: str) -> str | None:
    """Give the shortest run of words at the end of `before` that the short form abbreviates."""
    letters = _letters(short)
    limit = min(len(letters) + 5, len(letters) * 2)
    words = list(_WORD.finditer(before))[-limit:]
    if not words:
        return None
    # Initials first: read backwards letter by letter, PPI would be found in `pump inhibitor` already.
    last = list(re.finditer(r"[^\W_]+", before))[-len(letters) :]
    if "".join(word.group()[0].lower() for word in last) == letters:
        return before[last[0].start() :].strip()
    window_start = words[0].start()
    at = len(before) - 1
    for index in range(len(letters) - 1, -1, -1):
        letter = letters[index]
        while at >= window_start and (
            before[at].lower() != letter or (index == 0 and at > window_start and before[at - 1].isalnum())
        ):
            at -= 1
        if at < window_start:
            return None
        at -= 1
    long_form = before[at + 1 :].strip()
    if len(long_form) <= len(short) or short in long_form.split():
        return None
    return long_form


def _covers(short: str, long_form: str) -> bool:
    found = _long_form(short, long_form)
    return found is not None and len(found) > 0.8 * len(long_form)
