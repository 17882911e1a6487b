"""How far a judge is from people: bias, absolute error, exact and adjacent agreement, limits of agreement.

Source of the limits: Bland and Altman, Lancet 1986, i:307.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from core.stats.bootstrap import DRAWS
from core.stats.pairs import Rating, estimate, pair_up, sum_by_case
from core.stats.result import Estimate, Interval


@dataclass(frozen=True)
class Differences:
    """First minus second (judge minus human), on the scale of the ratings.

    Attributes:
        bias: mean difference.
        mae: mean absolute difference.
        exact: share of equal ratings, 0-1.
        adjacent: share within one point, 0-1.
    """

    bias: Estimate
    mae: Estimate
    exact: Estimate
    adjacent: Estimate


def differences(
    first: Sequence[Rating],
    second: Sequence[Rating],
    *,
    cases: Sequence[Hashable] | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> Differences:
    """Give bias, mean absolute error, exact and adjacent agreement with bootstrap intervals over cases.

    Args:
        first: the judge's scores; means of repeats are allowed. None where not scored.
        second: people's ratings, in the same order.
        cases: what each pair belongs to; None makes each pair its own case.
        draws: of the bootstrap; 0 for no interval.
        seed: of the bootstrap.
    """
    pairs = pair_up(first, second, cases)
    gap = pairs.first - pairs.second
    # Half a billionth of slack: means of repeats are not exact in binary.
    near = 1e-9
    rows = np.column_stack([np.ones(len(gap)), gap, abs(gap), abs(gap) <= near, abs(gap) <= 1 + near]).astype(float)
    sums = sum_by_case(rows, pairs.case, pairs.n_cases)
    note = f"{pairs.n_missing} pairs without both ratings left out" if pairs.n_missing else ""

    def one(name: str, column: int) -> Estimate:
        def mean(totals: np.ndarray) -> np.ndarray:
            return totals[:, column] / totals[:, 0]

        return estimate(name, sums, mean, n=len(gap), reason="", draws=draws, seed=seed, note=note)

    return Differences(
        one("bias", 1), one("mean absolute error", 2), one("exact agreement", 3), one("adjacent agreement", 4)
    )


@dataclass(frozen=True)
class BlandAltman:
    """Limits of agreement of first minus second.

    Attributes:
        n: pairs.
        bias: mean difference with its t interval; None below two pairs.
        sd: standard deviation of the differences (n - 1).
        lower: lower limit with its approximate interval.
        upper: upper limit with its approximate interval.
        means: mean of each pair, for the plot.
        gaps: difference of each pair, for the plot.
        undefined_reason: why there are no limits; empty when there are.
    """

    n: int
    bias: Estimate
    sd: float | None
    lower: Estimate
    upper: Estimate
    means: tuple[float, ...]
    gaps: tuple[float, ...]
    undefined_reason: str = ""


def bland_altman(
    first: Sequence[Rating], second: Sequence[Rating], z: float = 1.96, level: float = 0.95
) -> BlandAltman:
    """Give bias and limits of agreement, bias +- z SD; SE(bias) = s / sqrt n, SE(limit) = sqrt(3 s^2 / n).

    For whole-number ratings the limits are approximate. Pairs with a gap are left out; below two pairs the limits are
    undefined.
    """
    pairs = pair_up(first, second)
    gap, n = pairs.first - pairs.second, len(pairs.first)
    means = tuple(((pairs.first + pairs.second) / 2).tolist())
    if n < 2:
        reason = f"limits of agreement need two pairs (n = {n})"
        gone = [Estimate(name, None, n, undefined_reason=reason) for name in ("bias", "lower limit", "upper limit")]
        return BlandAltman(n, gone[0], None, gone[1], gone[2], means, tuple(gap.tolist()), reason)
    bias, sd = float(gap.mean()), float(gap.std(ddof=1))
    t = float(stats.t.ppf(0.5 + level / 2, n - 1))
    method = f"t distribution, {n - 1} degrees of freedom"

    def around(name: str, value: float, error: float) -> Estimate:
        return Estimate(name, value, n, Interval(value - t * error, value + t * error, level, method))

    limit_error = float(np.sqrt(3 * sd**2 / n))
    return BlandAltman(
        n=n,
        bias=around("bias", bias, sd / float(np.sqrt(n))),
        sd=sd,
        lower=around("lower limit of agreement", bias - z * sd, limit_error),
        upper=around("upper limit of agreement", bias + z * sd, limit_error),
        means=means,
        gaps=tuple(gap.tolist()),
    )
