"""The named results of statistics. An undefined value says why; no statistic gives NaN or a made-up number."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
    """A two-sided interval.

    Attributes:
        low: lower end.
        high: upper end.
        level: nominal coverage, 0-1.
        method: how it was made, for example `percentile bootstrap over cases, 2,000 draws, seed 0`.
    """

    low: float
    high: float
    level: float = 0.95
    method: str = ""


@dataclass(frozen=True)
class Estimate:
    """One statistic.

    Attributes:
        name: what it is, for example `quadratic weighted kappa`.
        value: the estimate; None when undefined.
        n: units it rests on (cases, turns or pairs; the function says which).
        interval: None when none was asked for or none exists.
        undefined_reason: why there is no value, in words for people; empty when there is one.
        note: what a reader must know, for example how many draws were undefined.
    """

    name: str
    value: float | None
    n: int
    interval: Interval | None = None
    undefined_reason: str = ""
    note: str = ""


def undefined(name: str, n: int, reason: str) -> Estimate:
    """Give an estimate without a value."""
    return Estimate(name=name, value=None, n=n, undefined_reason=reason)
