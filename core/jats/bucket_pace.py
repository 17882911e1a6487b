"""When the next request to the bucket may start: a pause between any two, and growing waits after a fault."""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

PAUSE_S = 0.34
"""Between the starts of two requests: about three a second, what NLM asks of programs without a key of their own."""
LONGEST_WAIT_S = 60.0


@dataclass(frozen=True)
class Clock:
    """Time as requests see it; tests give their own, so that nothing sleeps.

    Attributes:
        sleep: waits the given seconds.
        monotonic: seconds.
        jitter: a number from 0 to 1, drawn anew each time.
    """

    sleep: Callable[[float], None] = time.sleep
    monotonic: Callable[[], float] = time.monotonic
    jitter: Callable[[], float] = random.random


class Pace:
    """When the next request to a bucket may start; all clients of this process share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next_s = float("-inf")

    def wait_s(self, pause_s: float, now_s: float) -> float:
        """Give the seconds to wait before a request, whose place is taken by asking."""
        with self._lock:
            start = max(now_s, self._next_s)
            self._next_s = start + pause_s
            return start - now_s


_paces: dict[tuple[str, Clock], Pace] = {}


def pace_of(address: str, clock: Clock) -> Pace:
    """Give the pace that all clients of one bucket in this process keep."""
    return _paces.setdefault((address, clock), Pace())


def wait_before_try(tries_made: int, asked_s: float | None, jitter: float) -> float:
    """Give the seconds to wait: what the bucket asks for, at most a minute; else half to all of 1, 2, 4, 8 s.

    Equal jitter (Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog 2015).
    """
    if asked_s is not None:
        return min(asked_s, LONGEST_WAIT_S) + jitter
    return 2 ** (tries_made - 1) * (1 + jitter) / 2
