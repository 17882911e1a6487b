"""Gwet's AC1 and AC2: agreement corrected for chance, stable when nearly all ratings are alike.

Source: Gwet, Br J Math Stat Psychol 2008, 61:29 (AC1); Gwet, Handbook of Inter-Rater Reliability, 4th ed., 2014,
chapters 4-5 (AC2, gaps). Never shown alone: it is near 1 whenever ratings hardly vary.
"""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.stats.bootstrap import DRAWS
from core.stats.kappa import Weights, disagreement_weights
from core.stats.pairs import SCALE, Rating, estimate, sum_by_case
from core.stats.panel import count_panel
from core.stats.result import Estimate

Floats = NDArray[np.float64]


def agreement_weights(q: int, weights: Weights) -> Floats:
    """Give the q x q agreement weights: identity, 1 - |i - j| / (q - 1), or 1 - (i - j)^2 / (q - 1)^2."""
    disagreement = disagreement_weights(q, weights)
    return 1 - disagreement / max(disagreement.max(), 1.0)


def gwet_ac(
    ratings: Sequence[Sequence[Rating]],
    weights: Weights = "quadratic",
    *,
    cases: Sequence[Hashable] | None = None,
    scale: Sequence[float] = SCALE,
    draws: int = DRAWS,
    seed: int = 0,
) -> Estimate:
    """Give AC1 (`unweighted`) or AC2: (p_a - p_e) / (1 - p_e).

    p_a is the mean over units with two ratings or more of sum_k r_k (r*_k - 1) / (r (r - 1)), r* = W r; p_e is
    T_w / (q (q - 1)) sum pi_k (1 - pi_k), pi_k the mean share of category k over all units.

    Args:
        ratings: n_units x n_raters, None where not rated.
        weights: of agreement.
        cases: what each unit belongs to, for the bootstrap; None makes each unit its own case.
        scale: the fixed domain.
        draws: of the bootstrap; 0 for no interval.
        seed: of the bootstrap.

    Returns:
        n is the number of units with two ratings or more. Ratings that are all equal give 1 with a note: they agree,
        but nothing could have shown a disagreement.

    Raises:
        ValueError: a rating is not on the scale.
    """
    panel = count_panel(ratings, cases, scale)
    q = len(panel.values)
    matrix = agreement_weights(q, weights)
    size = panel.counts.sum(axis=1)
    pairable = size >= 2
    agreeing = (panel.counts * (panel.counts @ matrix - 1)).sum(axis=1)
    agreeing = np.divide(agreeing, size * (size - 1), out=np.zeros_like(agreeing), where=pairable)
    shares = panel.counts / size[:, None] if len(size) else panel.counts
    rows = np.column_stack([agreeing, pairable.astype(float), np.ones(len(size)), shares])
    scale_factor = matrix.sum() / (q * (q - 1))

    def coefficient(sums: Floats) -> Floats:
        p_a = np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), np.nan), where=sums[:, 1] > 0)
        pi = sums[:, 3:] / sums[:, 2:3]
        p_e = scale_factor * (pi * (1 - pi)).sum(axis=1)
        return (p_a - p_e) / (1 - p_e)

    equal = panel.equal_reason()
    return estimate(
        "Gwet's AC1" if weights == "unweighted" else f"Gwet's AC2, {weights}",
        sum_by_case(rows, panel.case, panel.n_cases),
        coefficient,
        n=panel.n_pairable,
        reason=equal,
        draws=draws,
        seed=seed,
        note="; ".join(text for text in (equal, panel.note) if text),
    )
