"""Two settings on their common cases, with a paired bootstrap."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.scoring.columns import SettingColumns
from core.scoring.scores import METRICS, DialogueScores, Metric
from core.stats.bootstrap import DRAWS, case_weights, percentile_interval, ratio_draws
from core.stats.result import Interval


@dataclass(frozen=True)
class Difference:
    """Two settings on what both have.

    Attributes:
        metric: what is compared.
        first: value of the first setting on the common units; None when there are none.
        second: the same of the second.
        difference: first - second; None when there are no common units.
        interval: paired percentile bootstrap over cases.
        n: common units with a value in both.
        n_cases: cases they belong to.
    """

    metric: Metric
    first: float | None
    second: float | None
    difference: float | None
    interval: Interval | None
    n: int
    n_cases: int


def compare_settings(
    scores: Sequence[DialogueScores], first: str, second: str, draws: int = DRAWS, seed: int = 0
) -> tuple[Difference, ...]:
    """Give the difference of two settings for every metric, on the units that both have scored.

    Args:
        scores: of both settings, others are not used.
        first: setting whose values are taken from.
        second: setting whose values are subtracted.
        draws: of the paired bootstrap: each draw takes the same cases for both.
        seed: of the bootstrap.
    """
    sides = [SettingColumns([entry for entry in scores if entry.setting == setting]) for setting in (first, second)]
    weights: dict[int, np.ndarray] = {}
    return tuple(_difference(metric, sides[0], sides[1], weights, draws, seed) for metric in METRICS)


def _difference(
    metric: Metric, one: SettingColumns, other: SettingColumns, weights: dict[int, np.ndarray], draws: int, seed: int
) -> Difference:
    common = one.unit_values(metric).keys() & other.unit_values(metric).keys()
    cases = {case_id: at for at, case_id in enumerate(sorted({case_id for case_id, _ in common}))}
    if not cases:
        return Difference(metric, None, None, None, None, 0, 0)
    sums = [side.case_sums(metric, cases, set(common)) for side in (one, other)]
    if len(cases) not in weights:
        weights[len(cases)] = case_weights(len(cases), draws, seed)
    sampled = [ratio_draws(side[:, :1], side[:, 1:], weights[len(cases)])[:, 0] for side in sums]
    values = [float(side[:, 0].sum() / side[:, 1].sum()) for side in sums]
    return Difference(
        metric=metric,
        first=values[0],
        second=values[1],
        difference=values[0] - values[1],
        interval=percentile_interval(sampled[0] - sampled[1], seed=seed)[0] if len(cases) > 1 else None,
        n=len(common),
        n_cases=len(cases),
    )
