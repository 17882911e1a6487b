"""HTTP statuses and headers of the providers as named problems (llm.md section 2 rule 4)."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from core.llm.wire import WireProblem

_RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_UNAVAILABLE = frozenset({401, 402, 403, 404})
_QUOTA_WORDS = ("insufficient_quota", "billing", "credit balance", "spend limit", "spend_limit", "quota exceeded")
_DETAIL_CHARS = 600


def status_problem(status: int, body: object, headers: Mapping[str, str], now: datetime) -> WireProblem:
    """Give the problem that an HTTP error status stands for.

    401, 402, 403, 404 and a used-up quota speak of every further request too; 400, 413, 422 and the like of this one
    alone; 408, 409, 425, 429 and 5xx may pass.
    """
    said = _said(body)
    request_id = headers.get("x-request-id") or headers.get("request-id") or ""
    detail = f"The provider answered {status}: {said}" if said else f"The provider answered {status}."
    if status in _UNAVAILABLE or (status in (400, 429) and any(word in said.lower() for word in _QUOTA_WORDS)):
        return WireProblem("unavailable", detail, request_id=request_id)
    if status in _RETRYABLE or status >= 500:
        wait = retry_after_s(headers, now)
        return WireProblem("provider_error", detail, is_retryable=True, retry_after_s=wait, request_id=request_id)
    if 300 <= status < 400:
        detail = f"The provider answered {status} (a redirect); the address in the registry is not the right one."
        return WireProblem("unavailable", detail, request_id=request_id)
    return WireProblem("rejected", detail, request_id=request_id)


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Give the seconds a provider asks to wait, from `retry-after-ms` or `retry-after` (seconds or a date)."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        value = headers.get("retry-after")
        if value is None:
            return None
        try:
            return max(0.0, float(value))
        except ValueError:
            at = parsedate_to_datetime(value)
            return max(0.0, ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds())
    except (ValueError, TypeError):
        return None


def _said(body: object) -> str:
    if isinstance(body, dict):
        inner = body.get("error", body)
        if isinstance(inner, dict):
            parts = [str(inner[key]) for key in ("type", "code", "message") if inner.get(key)]
            return " - ".join(dict.fromkeys(parts))[:_DETAIL_CHARS] or json.dumps(body)[:_DETAIL_CHARS]
        return str(inner)[:_DETAIL_CHARS]
    return " ".join(str(body).split())[:_DETAIL_CHARS] if body else ""
