"""The human ceiling: judge and reviewer against the same leave-one-out target.

Comparing the judge with a panel mean that holds the reviewer, or each with another mean, would favour whoever is
closer to the average; here both are compared with the mean of the other reviewers on the same items.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from core.stats.bootstrap import DRAWS
from core.stats.pairs import Rating, estimate, number_cases, sum_by_case
from core.stats.panel import rating_cells
from core.stats.result import Estimate


@dataclass(frozen=True)
class Ceiling:
    """Mean absolute difference to the mean of the other reviewers, pooled over left-out reviewers.

    Attributes:
        judge: of the judge.
        reviewer: of the left-out reviewers, on the same items.
        difference: judge - reviewer; below 0 the judge is closer to the others than a reviewer is.
    """

    judge: Estimate
    reviewer: Estimate
    difference: Estimate


def leave_one_out(
    judge: Sequence[Rating],
    ratings: Sequence[Sequence[Rating]],
    *,
    cases: Sequence[Hashable] | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> Ceiling:
    """Give how far judge and reviewers are from the mean of the other reviewers, with intervals over cases.

    Args:
        judge: n_items scores, None where not scored.
        ratings: n_items x n_reviewers, None where not rated.
        cases: what each item belongs to; None makes each item its own case.
        draws: of the bootstrap; 0 for no interval. With fewer than five reviewers their variance is poorly known.
        seed: of the bootstrap.

    Returns:
        n counts (item, left-out reviewer) pairs; undefined when no item has two reviewers and a judge's score.
    """
    cells = rating_cells(ratings)
    scores = np.array([np.nan if value is None else value for value in judge], dtype=float)
    if len(scores) != len(cells):
        raise ValueError("judge and reviewers need the same items")
    labels = list(range(len(cells))) if cases is None else list(cases)
    rows, owners = [], []
    for reviewer in range(cells.shape[1]):
        others = np.delete(cells, reviewer, axis=1)
        rated = ~np.isnan(others)
        usable = ~np.isnan(scores) & ~np.isnan(cells[:, reviewer]) & rated.any(axis=1)
        target = np.where(rated, others, 0).sum(axis=1)[usable] / rated.sum(axis=1)[usable]
        judge_gap, reviewer_gap = abs(scores[usable] - target), abs(cells[usable, reviewer] - target)
        rows.append(np.column_stack([np.ones(len(target)), judge_gap, reviewer_gap, judge_gap - reviewer_gap]))
        owners += [labels[at] for at in np.flatnonzero(usable)]
    table = np.concatenate(rows) if rows else np.zeros((0, 4))
    case, n_cases = number_cases(owners, np.ones(len(owners), dtype=bool))
    sums = sum_by_case(table, case, n_cases)
    note = f"{cells.shape[1]} reviewers" + (
        "; with fewer than five, their variance is poorly known" if cells.shape[1] < 5 else ""
    )

    def one(name: str, column: int) -> Estimate:
        def mean(totals: np.ndarray) -> np.ndarray:
            return totals[:, column] / totals[:, 0]

        return estimate(name, sums, mean, n=len(table), reason="", draws=draws, seed=seed, note=note)

    return Ceiling(
        judge=one("judge to the mean of the others", 1),
        reviewer=one("reviewer to the mean of the others", 2),
        difference=one("judge minus reviewer", 3),
    )
