"""Cohen's kappa, plain and weighted, over the fixed scale 1-5.

Sources: Cohen, Educ Psychol Meas 1960, 20:37; Cohen, Psychol Bull 1968, 70:213 (weights).
"""

from collections.abc import Hashable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.stats.bootstrap import DRAWS
from core.stats.pairs import SCALE, Rating, equal_ratings_reason, estimate, pair_up, tables_by_case
from core.stats.result import Estimate

Floats = NDArray[np.float64]
Weights = Literal["unweighted", "linear", "quadratic"]


def disagreement_weights(q: int, weights: Weights) -> Floats:
    """Give the q x q disagreement weights: 0 / 1, |i - j|, or (i - j) squared."""
    distance = np.abs(np.subtract.outer(np.arange(q), np.arange(q))).astype(float)
    return {"unweighted": (distance > 0).astype(float), "linear": distance, "quadratic": distance**2}[weights]


def kappa_of_tables(tables: Floats, weights: Floats) -> Floats:
    """Give weighted kappa of each table: 1 - sum(w O) / sum(w E), E = row x column / n.

    Args:
        tables: m x q x q counts.
        weights: q x q disagreement weights, 0 on the diagonal.

    Returns:
        m values; NaN where no disagreement is expected (all ratings equal) or a table is empty.
    """
    n = tables.sum(axis=(1, 2))
    observed = (tables * weights).sum(axis=(1, 2))
    crossed = np.einsum("mi,mj,ij->m", tables.sum(axis=2), tables.sum(axis=1), weights)
    expected = np.divide(crossed, n, out=np.zeros_like(crossed), where=n > 0)
    return 1 - np.divide(observed, expected, out=np.full_like(observed, np.nan), where=expected > 1e-12)


def weighted_kappa(
    first: Sequence[Rating],
    second: Sequence[Rating],
    weights: Weights = "quadratic",
    *,
    cases: Sequence[Hashable] | None = None,
    scale: Sequence[float] = SCALE,
    draws: int = DRAWS,
    seed: int = 0,
) -> Estimate:
    """Give Cohen's kappa of two sides' ratings.

    Quadratic kappa equals the ICC for large n; it depends on prevalence, so show Gwet's AC2 beside it.

    Args:
        first: ratings on the scale, None where not rated.
        second: ratings of the other side, in the same order.
        weights: `unweighted`, `linear` or `quadratic`.
        cases: what each pair belongs to, for the bootstrap; None makes each pair its own case.
        scale: the fixed domain; a reduced domain would change the value.
        draws: of the bootstrap; 0 for no interval.
        seed: of the bootstrap.

    Raises:
        ValueError: a rating is not on the scale, or lengths differ.
    """
    pairs = pair_up(first, second, cases)
    q = len(scale)
    name = {"unweighted": "kappa"}.get(weights, f"{weights} weighted kappa")
    matrix = disagreement_weights(q, weights)
    return estimate(
        name,
        tables_by_case(pairs, scale).reshape(pairs.n_cases, q * q),
        lambda sums: kappa_of_tables(sums.reshape(-1, q, q), matrix),
        n=len(pairs.first),
        reason=equal_ratings_reason(pairs.first, pairs.second),
        draws=draws,
        seed=seed,
        note=f"{pairs.n_missing} pairs without both ratings left out" if pairs.n_missing else "",
    )


def confusion(first: Sequence[Rating], second: Sequence[Rating], scale: Sequence[float] = SCALE) -> NDArray[np.int64]:
    """Give the q x q table of counts, the first side in rows; pairs with a gap are left out.

    Raises:
        ValueError: a rating is not on the scale, or lengths differ.
    """
    return tables_by_case(pair_up(first, second), scale).sum(axis=0).astype(np.int64)
