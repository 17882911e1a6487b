from datetime import UTC, datetime

import pytest

from core.llm.http_problems import retry_after_s, status_problem
from core.llm.pacing import wait_before_try

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Mon, 30 Nov 2026 12:01:30 GMT"}, 90.0),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_the_wait_a_provider_asks_for_is_read_in_every_form(headers: dict, seconds: float | None) -> None:
    assert retry_after_s(headers, NOW) == seconds


def test_waits_are_drawn_from_a_doubling_range_with_a_cap() -> None:
    # full jitter at its upper end: 1, 2, 4, 8, 16, 30, 30 s
    assert [wait_before_try(tries, None, 1.0) for tries in range(1, 8)] == [1, 2, 4, 8, 16, 30, 30]
    assert wait_before_try(5, None, 0.0) == 0


def test_an_asked_wait_is_never_shortened() -> None:
    assert wait_before_try(1, 20.0, 0.0) == 20.0
    assert wait_before_try(1, 20.0, 1.0) == 21.0


@pytest.mark.parametrize(
    ("status", "body", "reason", "is_retryable"),
    [
        (401, {"error": {"message": "no"}}, "unavailable", False),
        (402, None, "unavailable", False),
        (404, {"error": "no such model"}, "unavailable", False),
        (429, {"error": {"code": "insufficient_quota", "message": "x"}}, "unavailable", False),
        (400, {"error": {"message": "Your credit balance is too low"}}, "unavailable", False),
        (429, {"error": {"message": "slow down"}}, "provider_error", True),
        (529, {"error": {"type": "overloaded_error"}}, "provider_error", True),
        (599, "text", "provider_error", True),
        (400, {"error": {"message": "image too large"}}, "rejected", False),
        (413, "", "rejected", False),
        (302, "", "unavailable", False),
    ],
)
def test_each_status_has_its_reason(status: int, body: object, reason: str, is_retryable: bool) -> None:
    problem = status_problem(status, body, {}, NOW)
    assert (problem.reason, problem.is_retryable) == (reason, is_retryable)
    assert str(status) in problem.detail
