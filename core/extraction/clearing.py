"""What is left of a value when the clauses that give the answer away are cut or moved."""

import re
from collections.abc import Sequence

from core.domain.case import Disclosure, Value
from core.language.sentences import split_clauses

_CONCLUDING_TAIL = re.compile(
    r",?\s+(?:(?:which|that|findings?|features?|and|thus|thereby|strongly|highly|most|all|was|were|is|"
    r"are) )*(?:suggest(?:ing|ive of|ed|s)|consistent with|"
    r"compatible with|in keeping with|indicat(?:ing|ive of|ed)|confirm(?:ing|ed)|diagnostic of|characteristic of|"
    r"supporting|leading to|typical (?:of|for)|due to|"
    r"secondary to|caused by|because of|representing|corresponding to)\b",
    re.IGNORECASE,
)
_FEWEST_WORDS = 3


def cleared_wording(value: Value, cut: Sequence[tuple[int, int]], moved: Sequence[tuple[int, int]]) -> list[Disclosure]:
    """Give the disclosures of a value without the clauses that hold `cut`, those that hold `moved` at synthesis.

    Without any range: no change, so the value is disclosed as it is. Nothing left: one entry that withholds it.
    """
    if not cut and not moved:
        return []
    stays = cut_clauses(value.text, [*cut, *moved])
    changes = [Disclosure(value_id=value.id, text=stays)] if stays else []
    allowed = cut_clauses(value.text, cut)
    if moved and allowed is not None:
        text = _difference(allowed, stays) if stays else allowed
        if text:
            changes.append(Disclosure(value_id=value.id, text=text, moved_to_synthesis=True))
    return changes or [Disclosure(value_id=value.id, text=None)]


def cut_clauses(text: str, ranges: Sequence[tuple[int, int]]) -> str | None:
    """Give the text without the clauses that hold any of the ranges; None when fewer than three words would be left.

    A concluding tail (`..., consistent with X`) is cut alone; else the whole clause goes.
    """
    if not ranges:
        return text
    kept: list[str] = []
    for clause in split_clauses(text):
        inside = [(start, end) for start, end in ranges if start < clause.end and end > clause.start]
        if not inside:
            kept.append(text[clause.start : clause.end])
            continue
        first = min(start for start, _ in inside)
        tails = [match for match in _CONCLUDING_TAIL.finditer(text, clause.start, clause.end) if match.start() < first]
        if tails and len(text[clause.start : tails[0].start()].split()) > _FEWEST_WORDS:
            kept.append(text[clause.start : tails[0].start()])
    kept = _without_fragment(text, kept)
    left = ", ".join(piece.strip(" ,;") for piece in kept)
    if len(left.split()) < _FEWEST_WORDS:
        return None
    return left if left.endswith((".", "?", "!")) or not text.rstrip().endswith(".") else f"{left}."


_OPENING_WORD = re.compile(
    r"^(?:and|or|but|which|who|whose|while|whereas|although|because|so that|"
    r"of)\s+",
    re.IGNORECASE,
)
_NO_SUBJECT = re.compile(
    r"^(?:had|has|have|was|were|is|are|did|does|been|with|without|by|underwent|started|received|revealed|showed|"
    r"denied|led|followed|"
    r"suggesting|indicating|showing|revealing)\b",
    re.IGNORECASE,
)


def _without_fragment(text: str, kept: list[str]) -> list[str]:
    """Give the clauses kept, without joining words at the front and without clauses that lost their subject."""
    while kept and not text.startswith(kept[0]):
        opened = _OPENING_WORD.sub("", kept[0])
        if not _NO_SUBJECT.match(opened):
            return [opened, *kept[1:]]
        kept = kept[1:]
    return kept


def _difference(whole: str, stays: str) -> str:
    """Give the clauses of `whole` that `stays` lacks."""
    gone = [whole[one.start : one.end] for one in split_clauses(whole)]
    return ", ".join(piece for piece in gone if piece.strip(" ,;.") not in stays) or ""
