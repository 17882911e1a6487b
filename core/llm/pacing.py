"""When to ask again and how many at a time: one layer, ours; the packages' own retries are off."""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from core.llm.registry import ModelEntry

MAX_TRIES = 4
BASE_S = 1.0
CAP_S = 30.0
LONGEST_WAIT_S = 60.0
"""A provider that asks to wait longer is not waited for: the call is deferred and can be made later."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Clock:
    """Time as calls see it; tests give their own, so that nothing sleeps.

    Attributes:
        sleep: waits the given seconds.
        monotonic: seconds, for latencies.
        jitter: a number from 0 to 1, drawn anew each time.
        now: the time of day, UTC.
    """

    sleep: Callable[[float], None] = time.sleep
    monotonic: Callable[[], float] = time.monotonic
    jitter: Callable[[], float] = random.random
    now: Callable[[], datetime] = _utc_now


def wait_before_try(tries_made: int, retry_after_s: float | None, jitter: float) -> float:
    """Give the seconds to wait before the next try.

    Full jitter: a draw from 0 to min(30 s, 1 s x 2^(tries - 1)) (Brooker, "Exponential Backoff And Jitter", AWS
    Architecture Blog 2015). A wait that the provider asks for is kept to, with up to a second on top, so that waiting
    calls do not come back at the same moment.
    """
    if retry_after_s is not None:
        return retry_after_s + jitter
    return jitter * min(CAP_S, BASE_S * 2 ** (tries_made - 1))


class TokenBucket:
    """Lets requests through at a rate: a minute's worth may not pass at once, a second's worth may.

    Args:
        per_minute: requests a minute; None lets all through.
        clock: time, for tests.
    """

    def __init__(self, per_minute: int | None, clock: Clock) -> None:
        self._rate = per_minute / 60 if per_minute else 0.0
        self._size = max(1.0, self._rate)
        self._clock = clock
        self._tokens = self._size
        self._at = clock.monotonic()
        self._lock = threading.Lock()

    def take(self) -> None:
        """Wait until a request may go out."""
        if not self._rate:
            return
        with self._lock:
            now = self._clock.monotonic()
            self._tokens = min(self._size, self._tokens + (now - self._at) * self._rate) - 1
            self._at = now
            # A debt is a place in the queue: whoever comes later waits longer, so none is passed over.
            wait_s = max(0.0, -self._tokens / self._rate)
        if wait_s:
            self._clock.sleep(wait_s)


class Gate:
    """What all requests of this process to one provider pass: so many at a time, so many a minute.

    Args:
        concurrency: requests at a time.
        per_minute: requests a minute; None sets no limit.
        clock: time, for tests.
    """

    def __init__(self, concurrency: int, per_minute: int | None = None, clock: Clock | None = None) -> None:
        self._places = threading.BoundedSemaphore(concurrency)
        self._bucket = TokenBucket(per_minute, clock or Clock())

    def __enter__(self) -> None:
        self._bucket.take()
        self._places.acquire()

    def __exit__(self, *_: object) -> None:
        self._places.release()


_gates: dict[tuple[object, ...], Gate] = {}
_gates_lock = threading.Lock()


def provider_gate(entry: ModelEntry) -> Gate:
    """Give the gate that all models of one provider in this process with the same limits go through."""
    with _gates_lock:
        limits = (entry.concurrency, entry.requests_per_minute)
        key = (entry.engine, entry.base_url or "", *limits)
        return _gates.get(key) or _gates.setdefault(key, Gate(*limits))
