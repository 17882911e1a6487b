"""Judge against reviewers: known answers of statistics.md K9, and what must never count."""

import pytest

from core.domain.instrument import Dimension
from core.services.agreement import PairedRating, agreement, agreement_sentence

# statistics.md K9: reviewers A, B, C and judge J on twelve turns, each here a case of its own.
A = [5, 4, 3, 2, 4, 5, 1, 3, 4, 2, 5, 3]
B = [5, 4, 4, 2, 3, 5, 2, 3, 5, 2, 4, 3]
C = [4, 4, 3, 1, 4, 5, 1, 2, 4, 3, 5, 3]
J = [5, 5, 4, 3, 4, 5, 2, 4, 4, 3, 5, 3]


def pair(case: int, reviewer: str, rating: int | None, judged: int | None) -> PairedRating:
    reason = "" if judged is not None else "truncated"
    return PairedRating(f"c{case}", f"d{case}", "model", reviewer, Dimension.UTILITY, rating, judged, reason)


def row_of(pairs):
    return next(row for row in agreement(pairs) if row.dimension is Dimension.UTILITY)


def test_one_reviewer_gives_the_published_kappa_and_bias() -> None:
    row = row_of([pair(i, "A", A[i], J[i]) for i in range(12)])
    assert row.kappa.value == pytest.approx(0.817259, abs=1e-6)
    assert row.bias.value == pytest.approx(0.5)
    assert (row.exact.value, row.within_one.value) == (0.5, 1.0)
    assert row.mae.value == pytest.approx(0.5)
    assert (row.n, row.n_cases, row.n_reviewers) == (12, 12, 1)
    assert row.reviewers_alpha.value is None and row.reviewers_alpha.undefined_reason


def test_the_reviewers_own_alpha_is_that_of_the_panel() -> None:
    pairs = [pair(i, name, side[i], J[i]) for name, side in (("A", A), ("B", B), ("C", C)) for i in range(12)]
    row = row_of(pairs)
    assert row.reviewers_alpha.value == pytest.approx(0.847735, abs=1e-6)
    # Bias of J against the mean of A, B and C: .527778 (K9, Bland-Altman).
    assert row.bias.value == pytest.approx(0.527778, abs=1e-6)
    assert (row.n, row.n_cases, row.n_reviewers) == (36, 12, 3)


def test_absences_lower_n_and_are_counted_apart() -> None:
    row = row_of([pair(0, "A", 4, 4), pair(1, "A", None, 5), pair(2, "A", 3, None), pair(3, "A", 2, 3)])
    assert (row.n_submitted, row.n, row.n_not_rated, row.n_unscored) == (4, 2, 1, 1)
    assert row.bias.value == pytest.approx(0.5)


def test_equal_ratings_leave_kappa_undefined_and_say_why() -> None:
    row = row_of([pair(i, "A", 4, 4) for i in range(20)])
    assert row.kappa.value is None
    assert "all ratings equal 4" in row.kappa.undefined_reason


def test_no_pair_makes_no_number() -> None:
    row = row_of([])
    assert row.judge_mean is None and row.bias.value is None and row.within_one.value is None
    assert "No dialogue" in agreement_sentence(row)


def test_the_confusion_table_holds_every_pair_reviewer_in_rows() -> None:
    row = row_of([pair(0, "A", 2, 5), pair(1, "A", 2, 5), pair(2, "A", 4, 4)])
    assert row.confusion[1][4] == 2 and row.confusion[3][3] == 1
    assert sum(map(sum, row.confusion)) == row.n == 3
