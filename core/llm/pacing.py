"""When to ask again and how many at a time: one layer, ours; the packages' own retries are off."""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

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


_gates: dict[tuple[str, str], threading.BoundedSemaphore] = {}
_gates_lock = threading.Lock()


def provider_gate(engine: str, address: str, concurrency: int) -> threading.BoundedSemaphore:
    """Give the gate that all models of one provider in this process go through, the first model's width wide."""
    with _gates_lock:
        return _gates.setdefault((engine, address), threading.BoundedSemaphore(concurrency))
