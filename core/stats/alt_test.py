"""Whether a judge may stand in for a reviewer: the Alternative Annotator Test.

Source: Calderon, Reichart and Dror, The Alternative Annotator Test for LLM-as-a-Judge, ACL 2025.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from core.stats.multiple import benjamini_yekutieli
from core.stats.pairs import Rating
from core.stats.panel import rating_cells

MIN_REVIEWERS = 3
MIN_FOR_T_TEST = 30
EPSILON = {"expert": 0.2, "skilled": 0.15, "crowd": 0.1}
"""Cost benefit of a judge over each kind of reviewer, as the paper proposes."""


@dataclass(frozen=True)
class ReviewerTest:
    """The judge against one left-out reviewer.

    Attributes:
        reviewer: column of the ratings.
        n: items both the judge, this reviewer and at least one other have rated.
        judge_wins: share of items on which the judge is at least as close to the others, 0-1.
        reviewer_wins: the same of the reviewer.
        p_value: one-sided, of reviewer_wins - judge_wins < epsilon.
        is_rejected: whether the judge is shown to be as good, after correction over reviewers.
        method: `t test`, or `Wilcoxon` below 30 items.
    """

    reviewer: int
    n: int
    judge_wins: float
    reviewer_wins: float
    p_value: float
    is_rejected: bool
    method: str


@dataclass(frozen=True)
class AltTest:
    """The test over all reviewers.

    Attributes:
        winning_rate: share of reviewers against whom the judge is shown as good, 0-1; None when undefined.
        advantage: mean share of items the judge wins, 0-1; None when undefined.
        passes: winning_rate >= 0.5; None when undefined.
        epsilon: as used.
        reviewers: one test each.
        undefined_reason: why there is no result; empty when there is.
    """

    winning_rate: float | None
    advantage: float | None
    passes: bool | None
    epsilon: float
    reviewers: tuple[ReviewerTest, ...]
    undefined_reason: str = ""


def alt_test(
    judge: Sequence[Rating], ratings: Sequence[Sequence[Rating]], epsilon: float = EPSILON["expert"], q: float = 0.05
) -> AltTest:
    """Give the Alternative Annotator Test for ordinal ratings.

    Each reviewer j is left out; closeness of x to the others is the negative root mean square difference of x's rating
    to theirs on an item. d = [reviewer at least as close] - [judge at least as close]; a one-sided test of
    mean(d) < epsilon, corrected over reviewers by Benjamini and Yekutieli.

    Args:
        judge: n_items scores, None where not scored.
        ratings: n_items x n_reviewers, None where not rated; gaps leave the item out for that reviewer.
        epsilon: what a reviewer costs more than the judge, 0-1.
        q: false discovery rate.

    Returns:
        Undefined below three reviewers, or when a reviewer shares fewer than two items with judge and others.
    """
    cells = rating_cells(ratings)
    if cells.shape[1] < MIN_REVIEWERS:
        return _without(epsilon, f"the test needs three reviewers (there are {cells.shape[1]})")
    scores = np.array([np.nan if value is None else value for value in judge], dtype=float)
    if len(scores) != len(cells):
        raise ValueError("judge and reviewers need the same items")
    tests = []
    for reviewer in range(cells.shape[1]):
        others = np.delete(cells, reviewer, axis=1)
        usable = ~np.isnan(scores) & ~np.isnan(cells[:, reviewer]) & (~np.isnan(others)).any(axis=1)
        if usable.sum() < 2:
            return _without(epsilon, f"reviewer {reviewer + 1} shares fewer than two items with judge and others")
        far_judge = _distance(scores[usable], others[usable])
        far_reviewer = _distance(cells[usable, reviewer], others[usable])
        judge_wins, reviewer_wins = far_judge <= far_reviewer + 1e-12, far_reviewer <= far_judge + 1e-12
        gap = reviewer_wins.astype(float) - judge_wins.astype(float)
        p_value, method = _p_value(gap, epsilon)
        tests.append((reviewer, len(gap), float(judge_wins.mean()), float(reviewer_wins.mean()), p_value, method))
    rejected = benjamini_yekutieli([test[4] for test in tests], q)
    found = tuple(
        ReviewerTest(at, n, judge_share, reviewer_share, p_value, is_rejected, method)
        for (at, n, judge_share, reviewer_share, p_value, method), is_rejected in zip(tests, rejected, strict=True)
    )
    rate = sum(rejected) / len(rejected)
    return AltTest(rate, sum(test.judge_wins for test in found) / len(found), rate >= 0.5, epsilon, found)


def _without(epsilon: float, reason: str) -> AltTest:
    return AltTest(None, None, None, epsilon, (), reason)


def _distance(values: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.sqrt(np.nanmean((values[:, None] - others) ** 2, axis=1))


def _p_value(gap: NDArray[np.float64], epsilon: float) -> tuple[float, str]:
    shifted = gap - epsilon
    if np.ptp(gap) == 0:
        return (0.0 if shifted[0] < 0 else 1.0), "no variation"
    if len(gap) < MIN_FOR_T_TEST:
        return float(stats.wilcoxon(shifted, alternative="less").pvalue), "Wilcoxon"
    return float(stats.ttest_1samp(shifted, 0, alternative="less").pvalue), "t test"
