"""A population mean from few human ratings and many judge scores.

Source: Angelopoulos et al., Prediction-powered inference, Science 2023, 382:669 (mean, lambda = 1).
"""

from collections.abc import Sequence

import numpy as np
from scipy import stats

from core.stats.pairs import Rating, pair_up
from core.stats.result import Estimate, Interval, undefined


def prediction_powered_mean(
    human: Sequence[Rating], judged: Sequence[Rating], unlabelled: Sequence[Rating], level: float = 0.95
) -> Estimate:
    """Give mean(judge on unlabelled) - mean(judge - human on labelled), with a normal interval.

    SE^2 = var(f_U) / N + var(f_L - Y_L) / n, variances with divisor n. It equals the human mean when the judge is
    constant on both sets. The labelled cases must be a random sample of the same population.

    Args:
        human: ratings of the labelled cases, None where missing.
        judged: the judge's scores of the same cases.
        unlabelled: the judge's scores of the cases without a human rating.
        level: of the interval.

    Returns:
        n is the number of labelled cases; undefined below two labelled or two unlabelled cases.
    """
    name = "prediction-powered mean"
    pairs = pair_up(judged, human)
    rest = np.array([value for value in unlabelled if value is not None], dtype=float)
    rest = rest[~np.isnan(rest)]
    n, many = len(pairs.first), len(rest)
    if n < 2 or many < 2:
        return undefined(name, n, f"needs two labelled and two unlabelled cases (there are {n} and {many})")
    error = pairs.first - pairs.second
    value = float(rest.mean() - error.mean())
    spread = float(np.sqrt(rest.var() / many + error.var() / n)) * float(stats.norm.ppf(0.5 + level / 2))
    interval = Interval(value - spread, value + spread, level, "normal approximation, prediction-powered")
    return Estimate(name, value, n, interval, note=f"{many} unlabelled cases")
