"""Krippendorff's alpha for any number of raters with gaps.

Source: Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011. With two raters and no gaps nominal alpha is
Scott's pi with a small-sample correction.
"""

from collections.abc import Hashable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.stats.bootstrap import DRAWS
from core.stats.pairs import Rating, estimate, sum_by_case
from core.stats.panel import count_panel
from core.stats.result import Estimate

Floats = NDArray[np.float64]
Metric = Literal["nominal", "ordinal", "interval", "ratio"]


def _distances(values: Floats, totals: Floats, metric: Metric) -> Floats:
    """Give squared differences m x q x q; ordinal ones depend on the totals of each draw."""
    one, other = values[:, None], values[None, :]
    if metric == "nominal":
        fixed = (one != other).astype(float)
    elif metric == "interval":
        fixed = (one - other) ** 2
    elif metric == "ratio":
        fixed = np.divide(one - other, one + other, out=np.zeros((len(values),) * 2), where=one + other != 0) ** 2
    else:
        # (sum_{g=c..k} n_g - (n_c + n_k) / 2)^2
        upto = totals.cumsum(axis=1)
        middle = upto - totals / 2
        return (middle[:, :, None] - middle[:, None, :]) ** 2
    return np.broadcast_to(fixed, (len(totals), *fixed.shape))


def krippendorff_alpha(
    ratings: Sequence[Sequence[Rating]],
    metric: Metric = "ordinal",
    *,
    cases: Sequence[Hashable] | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> Estimate:
    """Give Krippendorff's alpha: 1 - observed / expected disagreement.

    Args:
        ratings: n_units x n_raters, None where not rated; units with fewer than two ratings drop out.
        metric: of the difference between values; `ordinal` for 1-5 ratings.
        cases: what each unit belongs to, for the bootstrap; None makes each unit its own case.
        draws: of the bootstrap; 0 for no interval.
        seed: of the bootstrap.

    Returns:
        n is the number of units with two ratings or more; undefined when all their ratings are equal.
    """
    panel = count_panel(ratings, cases)
    q = len(panel.values)
    size = panel.counts.sum(axis=1)
    pairable = size >= 2
    counts = np.where(pairable[:, None], panel.counts, 0.0)
    share = 1 / np.where(pairable, size - 1, 1)
    together = counts[:, :, None] * counts[:, None, :] - np.einsum("uc,ck->uck", counts, np.eye(q))
    coincidences = (together * share[:, None, None]).reshape(len(counts), q * q)

    def alpha(sums: Floats) -> Floats:
        table = sums.reshape(-1, q, q)
        totals = table.sum(axis=2)
        n = totals.sum(axis=1)
        distances = _distances(panel.values, totals, metric)
        observed = (table * distances).sum(axis=(1, 2))
        expected = np.einsum("mi,mj,mij->m", totals, totals, distances)
        expected = np.divide(expected, n - 1, out=np.zeros_like(expected), where=n > 1)
        return 1 - np.divide(observed, expected, out=np.full_like(observed, np.nan), where=expected > 1e-12)

    return estimate(
        f"Krippendorff's alpha, {metric}",
        sum_by_case(coincidences, panel.case, panel.n_cases),
        alpha,
        n=panel.n_pairable,
        reason=panel.equal_reason(),
        draws=draws,
        seed=seed,
        note=panel.note,
    )
