"""Durable work on dbos: cases and model calls in queues that survive any process. The only room that imports dbos."""

from core.runs.host import CallNotSent, Host, Work, case_key
from core.runs.slots import Slot, take_slot

__all__ = ["CallNotSent", "Host", "Slot", "Work", "case_key", "take_slot"]
