"""Corrections for many tests.

Sources: Holm, Scand J Stat 1979, 6:65; Benjamini and Yekutieli, Ann Stat 2001, 29:1165.
"""

from collections.abc import Sequence

import numpy as np


def holm(p_values: Sequence[float], alpha: float = 0.05) -> list[bool]:
    """Give which hypotheses are rejected with the family-wise error at most `alpha`, under any dependence."""
    order = np.argsort(p_values, kind="stable")
    rejected = [False] * len(p_values)
    for rank, at in enumerate(order):
        if p_values[at] > alpha / (len(p_values) - rank):
            break
        rejected[at] = True
    return rejected


def benjamini_yekutieli(p_values: Sequence[float], q: float = 0.05) -> list[bool]:
    """Give which hypotheses are rejected with the false discovery rate at most `q`, under any dependence."""
    m = len(p_values)
    order = np.argsort(p_values, kind="stable")
    factor = sum(1 / k for k in range(1, m + 1))
    last = max((rank for rank, at in enumerate(order, start=1) if p_values[at] <= rank * q / (m * factor)), default=0)
    rejected = [False] * m
    for at in order[:last]:
        rejected[at] = True
    return rejected
