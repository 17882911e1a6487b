"""Bootstrap by case: everything of a case stays together in each draw.

Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapters 8 and 13 (percentile interval); Davison
and Hinkley, Bootstrap Methods and their Application, 1997, section 3.8 (clusters are the units of resampling).
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.stats.result import Interval

Floats = NDArray[np.float64]
DRAWS = 2_000
MIN_DEFINED_SHARE = 0.9
KEPT_CELLS = 1_000_000


def case_weights(n_cases: int, draws: int = DRAWS, seed: int = 0) -> Floats:
    """Give how often each case stands in each draw: draws x n_cases, each row sums to n_cases; not to be written to.

    The same arguments give the same weights, so that two statistics of the same cases share their draws.
    """
    return _kept_weights(n_cases, draws, seed) if n_cases * draws <= KEPT_CELLS else _weights(n_cases, draws, seed)


def _weights(n_cases: int, draws: int, seed: int) -> Floats:
    if n_cases == 0:
        return np.zeros((draws, 0))
    generator = np.random.default_rng(seed)
    drawn = generator.integers(0, n_cases, size=(draws, n_cases))
    drawn += np.arange(draws)[:, None] * n_cases
    weights = np.bincount(drawn.ravel(), minlength=draws * n_cases).reshape(draws, n_cases).astype(float)
    weights.flags.writeable = False
    return weights


_kept_weights = lru_cache(maxsize=8)(_weights)


def percentile_interval(draws: Floats, level: float = 0.95, seed: int = 0) -> tuple[Interval | None, str]:
    """Give the percentile interval of a statistic's draws (NaN where a draw is undefined), and a note.

    No interval when fewer than nine draws in ten are defined, or there is one distinct draw only because there is a
    single case; the note says how many were undefined.
    """
    defined = draws[~np.isnan(draws)]
    note = "" if len(defined) == len(draws) else f"{len(draws) - len(defined)} of {len(draws)} draws were undefined"
    if len(draws) == 0 or len(defined) < MIN_DEFINED_SHARE * len(draws):
        return None, note
    low, high = np.percentile(defined, [50 * (1 - level), 50 * (1 + level)])
    method = f"percentile bootstrap over cases, {len(draws):,} draws, seed {seed}"
    return Interval(low=float(low), high=float(high), level=level, method=method), note


def ratio_draws(numerators: Floats, denominators: Floats, weights: Floats) -> Floats:
    """Give a ratio of sums over cases in every draw: draws x n_statistics; NaN where the denominator is 0.

    Args:
        numerators: n_cases x n_statistics, for example the sum of a case's values.
        denominators: n_cases x n_statistics, for example how many values the case has.
        weights: draws x n_cases, of `case_weights`.
    """
    above, below = weights @ numerators, weights @ denominators
    return np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
