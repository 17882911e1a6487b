"""Signed, short-lived links to figures, bound to one reviewer's assignment (HMAC-SHA256, RFC 2104)."""

import base64
import hashlib
import hmac
import json
import os
import secrets
from pathlib import Path

from core.domain.record import Record
from core.errors import NotAllowed

LIFETIME_S = 3600
"""Half of it is the least a fresh link lives: the end is rounded so that a rerun gives the same address again."""


class ImageTicket(Record):
    """What a link is for."""

    assignment_id: str
    turn: int
    number: int
    expires_at: int


def read_secret(folder: Path) -> bytes:
    """Give the signing secret of a study; made on first use, readable by its owner alone (0600).

    Two processes that start together agree: the file appears complete under its name, and the first one wins.
    """
    path = folder / "image-links.key"
    try:
        return path.read_bytes()
    except FileNotFoundError:
        pass
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / f".image-links-{secrets.token_hex(8)}"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(secrets.token_bytes(32))
    try:
        os.link(temporary, path)
    except FileExistsError:
        pass
    finally:
        temporary.unlink()
    return path.read_bytes()


def sign(secret: bytes, assignment_id: str, turn: int, number: int, now_s: float) -> str:
    """Give a link token that lives between half and the whole of `LIFETIME_S`."""
    step = LIFETIME_S // 2
    expires_at = (int(now_s) // step + 2) * step
    body = _encode(json.dumps([assignment_id, turn, number, expires_at], separators=(",", ":")).encode())
    return f"{body}.{_encode(_mac(secret, body))}"


def open_ticket(secret: bytes, token: str, now_s: float) -> ImageTicket:
    """Give what the token is for.

    Raises:
        NotAllowed: not signed by this study, changed, or too old. The three are not told apart.
    """
    refusal = NotAllowed("This image link is no longer valid.", "Reload the page to get a new one.")
    body, _, mac = token.partition(".")
    try:
        given = _decode(mac)
        if not hmac.compare_digest(given, _mac(secret, body)):
            raise refusal
        assignment_id, turn, number, expires_at = json.loads(_decode(body))
    except (ValueError, TypeError) as error:
        raise refusal from error
    if now_s >= expires_at:
        raise refusal
    return ImageTicket(assignment_id=assignment_id, turn=turn, number=number, expires_at=expires_at)


def _mac(secret: bytes, body: str) -> bytes:
    return hmac.new(secret, body.encode("utf-8", "replace"), hashlib.sha256).digest()


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
