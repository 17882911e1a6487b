import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from core.stats.kappa import confusion, disagreement_weights, kappa_of_tables, weighted_kappa
from tests.stats.known import A, B, C, J, pairs_of


@pytest.mark.parametrize(
    ("reader", "plain", "linear", "quadratic"),
    [(A, 0.339450, 0.612903, 0.817259), (B, 0.222222, 0.517241, 0.75), (C, 0.345455, 0.505155, 0.671233)],
)
def test_kappa_of_the_cross_package_fixture(reader, plain, linear, quadratic):  # K9
    for weights, expected in (("unweighted", plain), ("linear", linear), ("quadratic", quadratic)):
        assert weighted_kappa(J, reader, weights, draws=0).value == pytest.approx(expected, abs=1e-6)


def test_cohens_table_of_1968_with_its_own_weights():  # K4
    table = np.array([[[88, 14, 18], [10, 40, 10], [2, 6, 12]]], dtype=float)
    own = np.array([[0, 1, 3], [1, 0, 6], [3, 6, 0]], dtype=float)
    assert kappa_of_tables(table, own)[0] == pytest.approx(0.347826, abs=1e-6)
    for weights, expected in (("unweighted", 0.491525), ("linear", 0.473684), ("quadratic", 0.454545)):
        assert kappa_of_tables(table, disagreement_weights(3, weights))[0] == pytest.approx(expected, abs=1e-6)


def test_kappa_of_the_abstractors_table():  # K2
    first, second = pairs_of([[13, 0, 0], [0, 20, 7], [0, 4, 56]])
    assert weighted_kappa(first, second, "unweighted", scale=(1, 2, 3), draws=0).value == pytest.approx(
        0.7964094, abs=1e-7
    )


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=30))
@settings(deadline=None, max_examples=60)
def test_kappa_equals_scikit_learn_on_the_fixed_domain(pairs):
    first, second = zip(*pairs, strict=True)
    ours = weighted_kappa(first, second, draws=0)
    if ours.value is None:
        assert len(set(first) | set(second)) == 1
        return
    theirs = cohen_kappa_score(first, second, labels=[1, 2, 3, 4, 5], weights="quadratic")
    assert ours.value == pytest.approx(theirs, abs=1e-9)


def test_the_domain_is_fixed_although_not_every_value_occurs():
    first, second = [1, 1, 2, 5, 5], [1, 2, 2, 5, 4]
    assert weighted_kappa(first, second, draws=0).value == pytest.approx(0.928, abs=5e-4)  # .861 on the reduced domain


def test_constant_ratings_are_undefined_with_their_reason():
    result = weighted_kappa([4] * 20, [4] * 20)
    assert result.value is None and result.interval is None
    assert result.undefined_reason == "all ratings equal 4 (n = 20)"


def test_prevalence_makes_kappa_negative_although_nine_in_ten_agree():
    first, second = [5] * 18 + [5, 4], [5] * 18 + [4, 5]
    assert weighted_kappa(first, second, draws=0).value == pytest.approx(-0.0526, abs=5e-5)


def test_a_gap_leaves_the_pair_out_and_is_counted():
    with_gap = weighted_kappa([*A, None, 5], [*J, 3, float("nan")], draws=0)
    assert with_gap.value == weighted_kappa(A, J, draws=0).value
    assert with_gap.n == 12 and "2 pairs" in with_gap.note


def test_no_pair_at_all_is_undefined():
    assert weighted_kappa([None], [3]).undefined_reason == "no pair was rated by both"


def test_a_rating_off_the_scale_is_refused():
    with pytest.raises(ValueError, match="7 is not on the scale"):
        weighted_kappa([7], [3])


def test_drawing_turns_instead_of_cases_makes_the_interval_too_narrow():
    first = [v for v in A for _ in range(6)]
    second = [v for v in B for _ in range(6)]
    cases = [at for at in range(12) for _ in range(6)]
    by_case = weighted_kappa(first, second, cases=cases).interval
    by_turn = weighted_kappa(first, second).interval
    assert by_case.high - by_case.low > 1.5 * (by_turn.high - by_turn.low)


def test_the_same_seed_gives_the_same_interval():
    assert weighted_kappa(A, J, seed=3) == weighted_kappa(A, J, seed=3)


def test_confusion_has_the_first_side_in_rows():
    table = confusion([1, 1, 5], [2, 2, 5])
    assert table[0, 1] == 2 and table[4, 4] == 1 and table.sum() == 3
