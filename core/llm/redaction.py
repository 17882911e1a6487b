"""Keys out of every text that leaves this room."""

import re
from dataclasses import dataclass
from urllib.parse import quote

HIDDEN = "[key removed]"

# Keys as providers write them in error texts, also with their middle masked.
_KEY_SHAPES = re.compile(r"\b(?:sk|pk|rk)-[A-Za-z0-9_*.-]{6,}|\b[Bb]earer\s+[A-Za-z0-9._~+/*=-]{6,}")
# Shorter ones are the placeholders of local servers (`none`, `EMPTY`): words that an answer may hold by right.
_SHORTEST_SECRET = 12


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
        """Give a provider's error text without the key and without anything shaped like one."""
        return _KEY_SHAPES.sub(HIDDEN, _without(text, self.key) if len(self.key) >= 4 else text)


def _without(text: str, key: str) -> str:
    for form in dict.fromkeys((key, quote(key, safe=""))):
        text = text.replace(form, HIDDEN)
    return text
