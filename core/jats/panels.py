"""Lettered parts of a caption: which stretch speaks of panel A, which of B."""

import re

from core.domain.article import Panel

_MARK = re.compile(
    r"(?<![\w\u2019'])(?:"
    r"[(\[](?P<both>[A-Za-z](?:\s*(?:[-\u2010-\u2015,&/]|and)\s*[A-Za-z])*)[)\]]"
    r"|(?P<bare>[A-Z](?:\s*(?:[-\u2010-\u2015,&/]|and)\s*[A-Z])*|[a-z](?:\s*(?:[-\u2010-\u2015,&]|and)\s*[a-z])*)(?:[).:,]|\s[-\u2013\u2014:])"
    r")(?=\s|$|[A-Z])"
)
_LEAD = re.compile(r"(?:^|[.;:,\n)]\s*|\band\s+)$")


def find_panels(caption: str) -> tuple[Panel, ...]:
    """Give the panels of a caption in order: `caption[start:end]` from the letter to the next panel's letter.

    Marks seen in print: `(a)`, `(A)`, `A:`, `A.`, `a,`, `(a, b)`, `a-d`. A range or list gives one panel a letter
    over the same stretch. Only letters that begin with A and follow one another count, so that `vitamin B.` or a
    closing `(c)` alone are no panels. Empty when there are fewer than two letters.
    """
    marks = [(match, letters) for match in _MARK.finditer(caption) if (letters := _letters(match, caption))]
    best: list[tuple[int, tuple[str, ...]]] = []
    for style in ("both", "bare"):
        for upper in (True, False):
            chosen = [(m.start(), ls) for m, ls in marks if m[style] is not None and ls[0].isupper() == upper]
            kept = _in_sequence(chosen)
            if sum(len(letters) for _, letters in kept) > sum(len(letters) for _, letters in best):
                best = kept
    if sum(len(letters) for _, letters in best) < 2:
        return ()
    ends = [start for start, _ in best[1:]] + [len(caption)]
    return tuple(
        Panel(letter=letter.upper(), start=start, end=start + len(caption[start:end].rstrip()))
        for (start, letters), end in zip(best, ends, strict=True)
        for letter in letters
    )


def _letters(match: re.Match[str], caption: str) -> tuple[str, ...]:
    text = match["both"] or match["bare"]
    if match["bare"] is not None and not _LEAD.search(caption[: match.start()]):
        return ()
    letters: list[str] = []
    tokens = re.findall(r"[A-Za-z](?![a-z])|[-\u2010-\u2015]", text.replace("and", ","))
    spanning = False
    for token in tokens:
        if not token.isalpha():
            spanning = True
            continue
        if spanning and letters and token > letters[-1]:
            letters.extend(chr(code) for code in range(ord(letters[-1]) + 1, ord(token) + 1))
        else:
            letters.append(token)
        spanning = False
    return tuple(letters)


def _in_sequence(marks: list[tuple[int, tuple[str, ...]]]) -> list[tuple[int, tuple[str, ...]]]:
    kept: list[tuple[int, tuple[str, ...]]] = []
    due = "a"
    for start, letters in marks:
        if letters[0].lower() == due and len(letters) < 20:
            kept.append((start, letters))
            due = chr(ord(letters[-1].lower()) + 1)
    return kept
