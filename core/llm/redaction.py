"""Keys out of every text that leaves this room."""

import re
from collections.abc import Callable
from urllib.parse import quote

HIDDEN = "[key removed]"

# Keys as providers write them, also when they mask the middle of one in an error text.
_KEY_SHAPES = re.compile(r"\b(?:sk|pk|rk)-[A-Za-z0-9_*.-]{6,}|\bBearer\s+[A-Za-z0-9._~+/*=-]{6,}", re.IGNORECASE)


def redactor(key: str) -> Callable[[str], str]:
    """Give a function that takes the key, its encoded forms and anything shaped like a key out of a text.

    Args:
        key: the key in use; empty when none is needed.
    """
    forms = [form for form in dict.fromkeys((key, quote(key, safe=""))) if len(form) >= 4]

    def redact(text: str) -> str:
        for form in forms:
            text = text.replace(form, HIDDEN)
        return _KEY_SHAPES.sub(HIDDEN, text)

    return redact
