"""A panel's ratings as counts: units x categories, gaps left out, and sums over cases."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.pairs import Rating, number_cases

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Panel:
    """Ratings of a panel.

    Attributes:
        counts: n_units x q: how many raters gave each category. Units without any rating are left out.
        values: the categories in order, q.
        case: index of each unit's case.
        n_cases: number of distinct cases.
        n_raters: columns of the input.
        n_missing: empty cells among the kept units.
    """

    counts: Floats
    values: Floats
    case: NDArray[np.int64]
    n_cases: int
    n_raters: int
    n_missing: int

    @property
    def n_pairable(self) -> int:
        """Units with two ratings or more."""
        return int((self.counts.sum(axis=1) >= 2).sum())

    @property
    def note(self) -> str:
        """A sentence about raters and gaps."""
        return f"{self.n_raters} raters, {self.n_missing} missing cells"

    def equal_reason(self) -> str:
        """Give the sentence for ratings that are all equal, or that cannot be paired; empty otherwise."""
        if not self.n_pairable:
            return "no unit has two ratings"
        used = self.values[self.counts.sum(axis=0) > 0]
        return f"all ratings equal {used[0]:g} (n = {len(self.counts)})" if len(used) == 1 else ""


def rating_cells(ratings: Sequence[Sequence[Rating]]) -> Floats:
    """Give ratings as an array n_units x n_raters, NaN where not rated; no unit gives 0 x 0.

    Raises:
        ValueError: rows of different length.
    """
    width = len(ratings[0]) if len(ratings) else 0
    if any(len(row) != width for row in ratings):
        raise ValueError("every unit needs one cell for each rater; leave None where a rating is missing")
    cells = [np.nan if value is None else value for row in ratings for value in row]
    return np.array(cells, dtype=float).reshape(len(ratings), width)


def count_panel(
    ratings: Sequence[Sequence[Rating]],
    cases: Sequence[Hashable] | None = None,
    scale: Sequence[float] | None = None,
) -> Panel:
    """Give a panel's ratings as counts.

    Args:
        ratings: n_units x n_raters, None or NaN where not rated.
        cases: what each unit belongs to; None makes each unit its own case.
        scale: fixed categories; None takes the values that occur.

    Raises:
        ValueError: rows of different length, or a rating that is not on the scale.
    """
    cells = rating_cells(ratings)
    rated = ~np.isnan(cells)
    values = np.array(sorted(scale), dtype=float) if scale is not None else np.unique(cells[rated])
    unknown = set(np.unique(cells[rated]).tolist()) - set(values.tolist())
    if unknown:
        raise ValueError(f"the rating {min(unknown):g} is not on the scale {values.tolist()}")
    counts = (cells[:, :, None] == values).sum(axis=1).astype(float).reshape(len(cells), len(values))
    kept = rated.any(axis=1)
    case, n_cases = number_cases(range(len(cells)) if cases is None else cases, kept)
    return Panel(counts[kept], values, case, n_cases, cells.shape[1], int((~rated[kept]).sum()))
