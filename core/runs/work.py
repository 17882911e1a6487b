"""What goes through the queues, without the queues: light to import, so that an idle app does not load dbos."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Work:
    """What is done with the entries of the queues.

    Attributes:
        take_case: takes a case of a run as far as it goes: (run id, case id, round). Called again after a crash, so
            what is done already must cost nothing.
        send_call: gives the outcome of a request: (id, payload) -> outcome; None when it must not be sent now.
    """

    take_case: Callable[[str, str, int], None]
    send_call: Callable[[str, str], str | None]


class CallNotSent(Exception):
    """A request was taken out of its queue without being sent: its run is paused or cancelled."""


def case_key(run_id: str, round_: int, case_id: str) -> str:
    """Give the id under which a case of a run is in the queue."""
    return f"{run_id}/{round_}/{case_id}"
