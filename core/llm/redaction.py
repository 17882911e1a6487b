"""Keys out of every text that leaves this room."""

import re
from dataclasses import dataclass
from urllib.parse import quote

HIDDEN = "[key removed]"

# Keys as providers write them in error texts, also with their middle masked.
_KEY_SHAPES = re.compile(r"\b(?:sk|pk|rk)-[A-Za-z0-9_*.-]{6,}|\b[Bb]earer\s+[A-Za-z0-9._~+/*=-]{6,}")
# Shorter ones are the placeholders of local servers (`none`, `EMPTY`): words that an answer may hold by right.
_SHORTEST_SECRET = 12
# A notice may hold a key cut off by its length limit, in capitals, or by its first letters only.
_PIECE_CHARS = 8


@dataclass(frozen=True)
class Redactor:
    """Takes one key out of texts.

    Attributes:
        key: the key in use; empty when none is needed.
    """

    key: str

    def __repr__(self) -> str:
        return "Redactor()"

    def answer(self, text: str) -> str:
        """Give a model's or a user's words without the key, otherwise unchanged: `SK-MEL-28` is a cell line."""
        return _without(text, self.key) if len(self.key) >= _SHORTEST_SECRET else text

    def notice(self, text: str) -> str:
        """Give a provider's error text without the key, its pieces of 8 letters and more, and anything shaped like one.

        Upper and lower case make no difference to a piece.
        """
        whole = _KEY_SHAPES.sub(HIDDEN, _without(text, self.key) if len(self.key) >= 4 else text)
        return _without_pieces(whole, self.key) if len(self.key) >= _SHORTEST_SECRET else whole


def _without(text: str, key: str) -> str:
    for form in dict.fromkeys((key, quote(key, safe=""))):
        text = text.replace(form, HIDDEN)
    return text


def _without_pieces(text: str, key: str) -> str:
    pieces = {key[at : at + _PIECE_CHARS].lower() for at in range(len(key) - _PIECE_CHARS + 1)}
    # Not `lower()` of the whole: some letters become two, and places would shift.
    low = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    kept: list[str] = []
    done = at = 0
    while at <= len(low) - _PIECE_CHARS:
        if low[at : at + _PIECE_CHARS] not in pieces:
            at += 1
            continue
        start = at
        while low[at : at + _PIECE_CHARS] in pieces:
            at += 1
        at += _PIECE_CHARS - 1
        kept += [text[done:start], HIDDEN]
        done = at
    return "".join([*kept, text[done:]])
