"""Rank correlations with ties. Both are blind to a shift: show the bias beside them.

Sources: Spearman, Am J Psychol 1904 (average ranks for ties); Kendall, Biometrika 1945, 33:239 (tau-b).
"""

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from core.stats.bootstrap import DRAWS, case_weights, percentile_interval
from core.stats.pairs import Pairs, Rating, estimate, pair_up, tables_by_case
from core.stats.result import Estimate, undefined

Floats = NDArray[np.float64]
MAX_TABLE = 12


def spearman(
    first: Sequence[Rating],
    second: Sequence[Rating],
    *,
    cases: Sequence[Hashable] | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> Estimate:
    """Give Spearman's rho with average ranks, -1 to 1; undefined when a side is constant or below three pairs.

    Args:
        first: values of one side, None where missing.
        second: values of the other, in the same order.
        cases: what each pair belongs to, for the bootstrap; None makes each pair its own case.
        draws: of the bootstrap; 0 for no interval.
        seed: of the bootstrap.
    """
    return _rank("Spearman's rho", _spearman_of_tables, _spearman, first, second, cases, draws, seed)


def kendall_tau_b(
    first: Sequence[Rating],
    second: Sequence[Rating],
    *,
    cases: Sequence[Hashable] | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> Estimate:
    """Give Kendall's tau-b, -1 to 1; undefined when a side is constant or below three pairs.

    Args:
        first: values of one side, None where missing.
        second: values of the other, in the same order.
        cases: what each pair belongs to, for the bootstrap; None makes each pair its own case.
        draws: of the bootstrap; 0 for no interval.
        seed: of the bootstrap.
    """
    return _rank("Kendall's tau-b", _tau_of_tables, _tau, first, second, cases, draws, seed)


def _rank(
    name: str,
    of_tables: Callable[[Floats], Floats],
    of_values: Callable[[Floats, Floats], float],
    first: Sequence[Rating],
    second: Sequence[Rating],
    cases: Sequence[Hashable] | None,
    draws: int,
    seed: int,
) -> Estimate:
    pairs = pair_up(first, second, cases)
    n = len(pairs.first)
    if n < 3:
        return undefined(name, n, f"a rank correlation needs three pairs (n = {n})")
    for side, values in (("first", pairs.first), ("second", pairs.second)):
        if (values == values[0]).all():
            return undefined(name, n, f"all ratings of the {side} side equal {values[0]:g} (n = {n})")
    scale = sorted(set(pairs.first.tolist()) | set(pairs.second.tolist()))
    if len(scale) <= MAX_TABLE:
        q = len(scale)
        tables = tables_by_case(pairs, scale).reshape(pairs.n_cases, q * q)
        return estimate(
            name, tables, lambda sums: of_tables(sums.reshape(-1, q, q)), n=n, reason="", draws=draws, seed=seed
        )
    return _by_values(name, pairs, of_values, draws, seed)


def _by_values(
    name: str, pairs: Pairs, statistic: Callable[[Floats, Floats], float], draws: int, seed: int
) -> Estimate:
    n = len(pairs.first)
    value = statistic(pairs.first, pairs.second)
    if not draws or pairs.n_cases < 2:
        return Estimate(name, value, n)
    members = [np.flatnonzero(pairs.case == case) for case in range(pairs.n_cases)]
    sampled = np.full(draws, np.nan)
    for at, weights in enumerate(case_weights(pairs.n_cases, draws, seed).astype(int)):
        rows = np.concatenate([np.tile(members[case], times) for case, times in enumerate(weights) if times])
        one, other = pairs.first[rows], pairs.second[rows]
        if np.ptp(one) > 0 and np.ptp(other) > 0:
            sampled[at] = statistic(one, other)
    interval, note = percentile_interval(sampled, seed=seed)
    return Estimate(name, value, n, interval, note=note)


def _spearman(first: Floats, second: Floats) -> float:
    return float(stats.spearmanr(first, second).statistic)


def _tau(first: Floats, second: Floats) -> float:
    return float(stats.kendalltau(first, second).statistic)


def _spearman_of_tables(tables: Floats) -> Floats:
    """Correlation of mid-ranks, m tables of q x q counts; NaN where a side is constant."""
    n = tables.sum(axis=(1, 2))
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    centred = [side.cumsum(axis=1) - side / 2 - n[:, None] / 2 for side in (rows, columns)]
    cross = np.einsum("mij,mi,mj->m", tables, centred[0], centred[1])
    spread = (rows * centred[0] ** 2).sum(axis=1) * (columns * centred[1] ** 2).sum(axis=1)
    return np.divide(cross, np.sqrt(spread), out=np.full_like(cross, np.nan), where=spread > 1e-9)


def _tau_of_tables(tables: Floats) -> Floats:
    """(C - D) / sqrt((pairs not tied in rows)(pairs not tied in columns)); NaN where a side is constant."""
    n = tables.sum(axis=(1, 2))
    # Suffix sums: what lies to the lower right of each cell, and to the lower left.
    right = np.cumsum(np.cumsum(tables[:, ::-1, ::-1], axis=1), axis=2)[:, ::-1, ::-1]
    left = np.cumsum(np.cumsum(tables[:, ::-1, :], axis=1), axis=2)[:, ::-1, :]
    concordant = (tables[:, :-1, :-1] * right[:, 1:, 1:]).sum(axis=(1, 2))
    discordant = (tables[:, :-1, 1:] * left[:, 1:, :-1]).sum(axis=(1, 2))
    total = n * (n - 1) / 2
    untied = [total - (side * (side - 1) / 2).sum(axis=1) for side in (tables.sum(axis=2), tables.sum(axis=1))]
    spread = untied[0] * untied[1]
    gap = concordant - discordant
    return np.divide(gap, np.sqrt(np.maximum(spread, 0)), out=np.full_like(gap, np.nan), where=spread > 1e-9)
