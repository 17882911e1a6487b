"""Lettered parts of a caption: which stretch speaks of panel A, which of B."""

import re

from core.domain.article import Panel

_JOIN = r"\s*(?:[-\u2010-\u2015,&/]|and)\s*"
_MARK = re.compile(
    r"(?<![\w\u2019'])(?:"
    rf"[(\[]?(?P<both>[A-Za-z](?:{_JOIN}[A-Za-z])*)[)\]]"
    rf"|(?P<bare>[A-Z](?:{_JOIN}[A-Z])*|[a-z](?:{_JOIN}[a-z])*)(?:[).:,]|\s[-\u2013\u2014:])(?=\s|[A-Z])"
    rf"|(?P<naked>[A-Z](?:{_JOIN}[A-Z])*|[a-z](?:{_JOIN}[a-z])*)(?=\s+[\w(])"
    r")"
)
_LEAD = re.compile(r"(?:^|[.;:,\n)]\s*|\band\s+)$")
_TRAILING = re.compile(r"\s*(?:[,.;)]|and\b|or\b|$)")
_LETTER = re.compile(r"[A-Za-z](?![a-z])|[-\u2010-\u2015]")
_SECOND = re.compile(r"(?<![^\W_])[Bb](?![^\W_])|[Aa]\s*[-\u2010-\u2015]\s*[A-Za-z](?![^\W_])")
_LIMIT = 20

_Marks = list[tuple[int, int, tuple[str, ...]]]


def find_panels(caption: str) -> tuple[Panel, ...]:
    """Give the panels of a caption in order: `caption[start:end]` is the stretch that speaks of the panel.

    Marks seen in print: `(a)`, `(A)`, `A:`, `A.`, `a,`, `a left eye, b right eye`, `(a, b)`, `a-d`, before their text
    or after it (`axial (a) and coronal (b) sections`). A range or list gives each of its letters the same stretch.
    Letters count only when each is the first one not yet seen, from A on, so that `vitamin B.` or a closing `(c)`
    alone are no panels. Empty when there are fewer than two letters.
    """
    if not _SECOND.search(caption):
        return ()
    marks = [(match, letters) for match in _MARK.finditer(caption) if (letters := _letters(match, caption))]
    best: _Marks = []
    for style in ("both", "bare", "naked"):
        for upper in (True, False):
            chosen = [
                (match.start(), match.end(), letters)
                for match, letters in marks
                if match[style] is not None and letters[0].isupper() == upper
            ]
            kept = _in_sequence(chosen)
            if _count(kept) > _count(best):
                best = kept
    if _count(best) < 2:
        return ()
    stretches = _before_marks(best, caption) if _marks_follow(best, caption) else _after_marks(best, caption)
    return tuple(
        Panel(letter=letter.upper(), start=start, end=end)
        for (start, end), (_, _, letters) in zip(stretches, best, strict=True)
        for letter in letters
    )


def _count(marks: _Marks) -> int:
    return sum(len(letters) for _, _, letters in marks)


def _marks_follow(marks: _Marks, caption: str) -> bool:
    """Say whether the marks stand behind what they mark: none begins a clause, and one is followed by a stop."""
    if any(_LEAD.search(caption[:start]) and not caption[:start].rstrip().endswith(")") for start, _, _ in marks):
        return False
    return any(_TRAILING.match(caption, end) for _, end, _ in marks)


def _after_marks(marks: _Marks, caption: str) -> list[tuple[int, int]]:
    ends = [start for start, _, _ in marks[1:]] + [len(caption)]
    return [(start, start + len(caption[start:end].rstrip())) for (start, _, _), end in zip(marks, ends, strict=True)]


def _before_marks(marks: _Marks, caption: str) -> list[tuple[int, int]]:
    begins = [0] + [end for _, end, _ in marks[:-1]]
    stretches = []
    for begin, (_, end, _) in zip(begins, marks, strict=True):
        skipped = re.match(r"[\s,.;]*(?:and\s+|or\s+)?", caption[begin:end])
        stretches.append((begin + (skipped.end() if skipped else 0), end))
    return stretches


def _letters(match: re.Match[str], caption: str) -> tuple[str, ...]:
    if match["both"] is None and not _LEAD.search(caption[max(0, match.start() - 12) : match.start()]):
        return ()
    letters: list[str] = []
    spanning = False
    for token in _LETTER.findall((match["both"] or match["bare"] or match["naked"]).replace("and", ",")):
        if not token.isalpha():
            spanning = True
        elif spanning and letters and token > letters[-1]:
            letters.extend(chr(code) for code in range(ord(letters[-1]) + 1, ord(token) + 1))
            spanning = False
        else:
            letters.append(token)
            spanning = False
    return tuple(letters)


def _in_sequence(marks: _Marks) -> _Marks:
    kept: _Marks = []
    seen: set[str] = set()
    for start, end, letters in marks:
        lowered = {letter.lower() for letter in letters}
        due = next(chr(code) for code in range(ord("a"), ord("z") + 2) if chr(code) not in seen)
        if letters[0].lower() == due and not lowered & seen and len(letters) <= _LIMIT:
            kept.append((start, end, letters))
            seen |= lowered
    return kept
