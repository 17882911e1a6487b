"""Durable work on dbos: cases and model calls in queues that survive any process. The only room that imports dbos.

`core.runs.host` is imported by whoever needs the queues, since dbos takes its time.
"""

from core.runs.slots import Slot, take_slot
from core.runs.work import CallNotSent, Work, case_key

__all__ = ["CallNotSent", "Slot", "Work", "case_key", "take_slot"]
