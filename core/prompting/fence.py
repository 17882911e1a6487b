"""Fences around article, report and answer text, so that a model reads it as data and never as instructions."""

import hashlib

_TOKEN_HEX_DIGITS = 20


def fence_token(*texts: str, seed: str = "") -> str:
    """Give the delimiter of one call: 20 hex digits that none of its texts can hold.

    The token is a hash over all data of the call. Nobody who writes one of the texts can know it, since the text would
    have to hold a hash of itself; and the same call has the same bytes again, which a cache, a replay and the rule of
    byte-identical prompts (protocol.md section 3) need and a drawn number would break.

    Args:
        texts: everything that will be fenced in the call.
        seed: changes the token without changing the texts, for tests.
    """
    digest = hashlib.sha256()
    for text in (seed, *texts):
        encoded = text.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    token = digest.hexdigest()[:_TOKEN_HEX_DIGITS]
    return token if not any(token in text for text in texts) else fence_token(*texts, seed=token)


def fence(text: str, label: str, token: str | None = None, seed: str = "") -> str:
    """Give `text` between an opening and a closing line that carry `label` and the call's delimiter.

    Args:
        text: data; empty text gives an empty fence, which says that there is none.
        label: what it is, in plain words; shown to the model.
        token: the call's delimiter when several texts are fenced together (`fence_token`); made from `text` else.
        seed: passed to `fence_token`.
    """
    mark = token or fence_token(text, seed=seed)
    return f"<<<{label} {mark}\n{text}\n{label} {mark}>>>"
