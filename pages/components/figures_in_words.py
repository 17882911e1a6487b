"""How numbers stand in tables: two places, an interval, their n, and words where there is no number."""

from core.services.agreement import Estimate

UNDEFINED = "–"


def number(value: float | None, sign: bool = False) -> str:
    """Give a value to two places; a dash when there is none."""
    if value is None:
        return UNDEFINED
    return f"{value:+.2f}" if sign else f"{value:.2f}"


def percent(value: float | None) -> str:
    """Give a share in whole per cent; a dash when there is none."""
    return UNDEFINED if value is None else f"{value:.0%}"


def with_interval(value: float | None, interval, sign: bool = False) -> str:
    """Give `0.62 (0.41 to 0.78)`; without an interval the value alone; a dash when there is no value."""
    if value is None or interval is None:
        return number(value, sign)
    return f"{number(value, sign)} ({number(interval.low, sign)} to {number(interval.high, sign)})"


def estimate(one: Estimate, sign: bool = False) -> str:
    """Give an estimate with its interval, or why it is undefined."""
    if one.value is None:
        return f"undefined: {one.undefined_reason}"
    return with_interval(one.value, one.interval, sign)
