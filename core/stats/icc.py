"""Intraclass correlations of a complete block of ratings.

Sources: Shrout and Fleiss, Psychol Bull 1979, 86:420; McGraw and Wong, Psychol Methods 1996, 1:30 (intervals).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

from core.stats.pairs import Rating, equal_ratings_reason
from core.stats.panel import rating_cells
from core.stats.result import Estimate, Interval, undefined

Kind = Literal["1,1", "2,1", "3,1", "1,k", "2,k", "3,k"]


@dataclass(frozen=True)
class MeanSquares:
    """The two-way analysis of variance of a block.

    Attributes:
        n: targets (rows).
        k: raters (columns).
        between: BMS, between targets.
        within: WMS, within targets.
        raters: JMS, between raters.
        error: EMS, residual.
    """

    n: int
    k: int
    between: float
    within: float
    raters: float
    error: float


def mean_squares(block: np.ndarray) -> MeanSquares:
    """Give the mean squares of a complete block, n_targets x n_raters, both at least 2."""
    n, k = block.shape
    grand = block.mean()
    between = k * ((block.mean(axis=1) - grand) ** 2).sum()
    raters = n * ((block.mean(axis=0) - grand) ** 2).sum()
    total = ((block - grand) ** 2).sum()
    within = total - between
    error = max(within - raters, 0.0)
    return MeanSquares(n, k, between / (n - 1), within / (n * (k - 1)), raters / (k - 1), error / ((n - 1) * (k - 1)))


def icc(ratings: Sequence[Sequence[Rating]], kind: Kind = "2,1", level: float = 0.95) -> Estimate:
    """Give an intraclass correlation with its F-based interval.

    `2,1` and `2,k`: two-way random, absolute agreement of a single reviewer and of the panel's mean; the others are
    its kin (`1`: one-way, `3`: two-way mixed, consistency).

    Args:
        ratings: n_targets x n_raters, None where not rated. Rows with a gap are left out, since the model needs a
            complete block; the note says how many.
        kind: which.
        level: of the interval.

    Returns:
        n is the number of complete rows. Undefined below two rows or raters, or when nothing varies.
    """
    name = f"ICC({kind})"
    cells = rating_cells(ratings)
    block = cells[~np.isnan(cells).any(axis=1)]
    dropped = len(cells) - len(block)
    if len(block) < 2 or block.shape[1] < 2:
        return undefined(name, len(block), f"needs two complete rows and two raters (n = {len(block)})")
    reason = equal_ratings_reason(block)
    ms = mean_squares(block)
    if reason or ms.between + ms.within < 1e-12:
        return undefined(name, len(block), reason or "the ratings do not vary")
    value = _value(ms, kind)
    if value is None:
        return undefined(name, len(block), "the rows do not differ")
    note = f"{ms.k} raters" + (f", {dropped} rows with gaps left out" if dropped else "")
    return Estimate(name, value, len(block), _interval(ms, kind, level), note=note)


def _value(ms: MeanSquares, kind: Kind) -> float | None:
    b, w, j, e, n, k = ms.between, ms.within, ms.raters, ms.error, ms.n, ms.k
    above, below = {
        "1,1": (b - w, b + (k - 1) * w),
        "2,1": (b - e, b + (k - 1) * e + k * (j - e) / n),
        "3,1": (b - e, b + (k - 1) * e),
        "1,k": (b - w, b),
        "2,k": (b - e, b + (j - e) / n),
        "3,k": (b - e, b),
    }[kind]
    return float(above / below) if abs(below) > 1e-12 else None


def _interval(ms: MeanSquares, kind: Kind, level: float) -> Interval | None:
    n, k = ms.n, ms.k
    tail = 0.5 + level / 2
    model, size = kind.split(",")
    if model == "2":
        ends = _two_way_random(ms, tail)
    else:
        rest = ms.within if model == "1" else ms.error
        df = n * (k - 1) if model == "1" else (n - 1) * (k - 1)
        if rest <= 1e-12:
            return None
        f = ms.between / rest
        ratios = f / stats.f.ppf(tail, n - 1, df), f * stats.f.ppf(tail, df, n - 1)
        ends = tuple(float((r - 1) / (r + k - 1)) for r in ratios)
    if ends is None:
        return None
    if size == "k":
        ends = tuple(k * end / (1 + (k - 1) * end) for end in ends)
    return Interval(ends[0], ends[1], level, "F distribution (McGraw and Wong 1996)")


def _two_way_random(ms: MeanSquares, tail: float) -> tuple[float, float] | None:
    n, k, b, j, e = ms.n, ms.k, ms.between, ms.raters, ms.error
    rho = _value(ms, "2,1")
    if e <= 1e-12 or rho is None or rho >= 1:
        return None
    a_part = k * rho / (n * (1 - rho))
    b_part = 1 + k * rho * (n - 1) / (n * (1 - rho))
    df = (a_part * j + b_part * e) ** 2 / ((a_part * j) ** 2 / (k - 1) + (b_part * e) ** 2 / ((n - 1) * (k - 1)))
    up, down = stats.f.ppf(tail, n - 1, df), stats.f.ppf(tail, df, n - 1)
    mixed = k * j + (k * n - k - n) * e
    return float(n * (b - up * e) / (up * mixed + n * b)), float(n * (down * b - e) / (mixed + n * down * b))
