"""Paired ratings made ready: gaps taken out, cases numbered, tables counted."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.bootstrap import DRAWS, case_weights, percentile_interval
from core.stats.result import Estimate, undefined

Floats = NDArray[np.float64]
Rating = float | int | None
SCALE = (1, 2, 3, 4, 5)
"""The instrument's domain. It is fixed: weights of a reduced domain would be others (statistics.md section 5)."""


@dataclass(frozen=True)
class Pairs:
    """Pairs that both sides rated.

    Attributes:
        first: ratings of one side, n.
        second: ratings of the other, n.
        case: index of each pair's case, n.
        n_cases: number of distinct cases.
        n_missing: pairs left out because a side has no rating.
    """

    first: Floats
    second: Floats
    case: NDArray[np.int64]
    n_cases: int
    n_missing: int


def pair_up(first: Sequence[Rating], second: Sequence[Rating], cases: Sequence[Hashable] | None = None) -> Pairs:
    """Give the pairs that both sides rated; a gap is None or NaN and is never filled.

    Args:
        first: ratings of one side.
        second: ratings of the other, in the same order.
        cases: what each pair belongs to; None makes each pair its own case.

    Raises:
        ValueError: the lengths differ.
    """
    if len(first) != len(second) or (cases is not None and len(cases) != len(first)):
        raise ValueError("paired ratings and their cases need the same length")
    one, other = (np.array([np.nan if v is None else v for v in side], dtype=float) for side in (first, second))
    kept = ~(np.isnan(one) | np.isnan(other))
    case, n_cases = number_cases(range(len(first)) if cases is None else cases, kept)
    return Pairs(one[kept], other[kept], case, n_cases, int((~kept).sum()))


def number_cases(cases: Sequence[Hashable], kept: NDArray[np.bool_]) -> tuple[NDArray[np.int64], int]:
    """Give the index of the case of each kept row, and the number of cases; numbered by first appearance."""
    index: dict[Hashable, int] = {}
    numbered = [index.setdefault(case, len(index)) for case, keep in zip(cases, kept, strict=True) if keep]
    return np.array(numbered, dtype=np.int64), len(index)


def sum_by_case(rows: Floats, case: NDArray[np.int64], n_cases: int) -> Floats:
    """Give the sums of rows (n x k) over each case: n_cases x k."""
    sums = np.zeros((n_cases, rows.shape[1]))
    np.add.at(sums, case, rows)
    return sums


def tables_by_case(pairs: Pairs, scale: Sequence[float] = SCALE) -> Floats:
    """Give the contingency table of each case: n_cases x q x q, first side in rows.

    Raises:
        ValueError: a rating is not on the scale.
    """
    q = len(scale)
    position = {float(value): at for at, value in enumerate(scale)}
    try:
        rows = [position[v] for v in pairs.first.tolist()]
        columns = [position[v] for v in pairs.second.tolist()]
    except KeyError as error:
        raise ValueError(f"the rating {error.args[0]:g} is not on the scale {list(scale)}") from None
    tables = np.zeros((pairs.n_cases, q, q))
    np.add.at(tables, (pairs.case, rows, columns), 1.0)
    return tables


def equal_ratings_reason(*sides: Floats) -> str:
    """Give the sentence for ratings that are all equal; empty when they are not."""
    values = np.concatenate([side.ravel() for side in sides])
    values = values[~np.isnan(values)]
    if len(values) and (values == values[0]).all():
        return f"all ratings equal {values[0]:g} (n = {len(sides[0])})"
    return ""


def estimate(
    name: str,
    additive: Floats,
    statistic: Callable[[Floats], Floats],
    *,
    n: int,
    reason: str,
    draws: int = DRAWS,
    seed: int = 0,
    note: str = "",
) -> Estimate:
    """Give a statistic of sums over cases with its bootstrap interval.

    Args:
        name: of the result.
        additive: n_cases x k: what each case adds.
        statistic: takes sums (m x k) and gives m values, NaN where undefined.
        n: units it rests on.
        reason: why the value is undefined, used when it is.
        draws: of the bootstrap over cases; 0 for no interval. A single case gives none.
        seed: of the bootstrap.
        note: put before the note about undefined draws.
    """
    if n == 0:
        return undefined(name, 0, "no pair was rated by both")
    value = float(statistic(additive.sum(axis=0, keepdims=True))[0])
    if np.isnan(value):
        return undefined(name, n, reason or "the ratings do not vary")
    if not draws or len(additive) < 2:
        return Estimate(name=name, value=value, n=n, note=note)
    interval, about_draws = percentile_interval(
        statistic(case_weights(len(additive), draws, seed) @ additive), seed=seed
    )
    return Estimate(name=name, value=value, n=n, interval=interval, note="; ".join(t for t in (note, about_draws) if t))
