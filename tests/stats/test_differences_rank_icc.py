import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.stats.differences import bland_altman, differences
from core.stats.gwet import gwet_ac
from core.stats.icc import icc, mean_squares
from core.stats.kappa import weighted_kappa
from core.stats.rank import kendall_tau_b, spearman
from tests.stats.known import K3, MINI, PANEL, WRIGHT, A, B, C, J


@pytest.mark.parametrize(
    ("reader", "rho", "tau", "mae", "bias", "exact", "adjacent"),
    [
        (A, 0.923560, 0.879465, 0.5, 0.5, 0.5, 1),
        (B, 0.823401, 0.743161, 0.583333, 0.416667, 0.416667, 1),
        (C, 0.838441, 0.755255, 0.666667, 0.666667, 0.5, 0.833333),
    ],
)
def test_judge_against_readers_of_the_cross_package_fixture(reader, rho, tau, mae, bias, exact, adjacent):  # K9
    found = differences(J, reader)
    assert found.mae.value == pytest.approx(mae, abs=1e-6)
    assert found.bias.value == pytest.approx(bias, abs=1e-6)
    assert found.exact.value == pytest.approx(exact, abs=1e-6)
    assert found.adjacent.value == pytest.approx(adjacent, abs=1e-6)
    assert spearman(J, reader, draws=0).value == pytest.approx(rho, abs=1e-6)
    assert kendall_tau_b(J, reader, draws=0).value == pytest.approx(tau, abs=1e-6)


def test_examples_of_the_scipy_documentation():  # K8
    assert kendall_tau_b([12, 2, 1, 12, 2], [1, 4, 7, 1, 0], draws=0).value == pytest.approx(-0.4714045, abs=1e-7)
    assert spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7], draws=0).value == pytest.approx(0.8207827, abs=1e-7)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=3, max_size=40))
@settings(deadline=None, max_examples=60)
def test_rank_correlations_equal_scipy(pairs):
    first, second = zip(*pairs, strict=True)
    rho, tau = spearman(first, second, draws=0), kendall_tau_b(first, second, draws=0)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert rho.value is None and tau.value is None and "equal" in rho.undefined_reason
        return
    assert rho.value == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-9)
    assert tau.value == pytest.approx(stats.kendalltau(first, second).statistic, abs=1e-9)


def test_many_distinct_values_take_the_slow_road_to_the_same_kind_of_result():
    generator = np.random.default_rng(0)
    first = generator.normal(size=30)
    second = first + generator.normal(size=30)
    found = spearman(first.tolist(), second.tolist(), draws=200)
    assert found.value == pytest.approx(stats.spearmanr(first, second).statistic)
    assert found.interval.low < found.value < found.interval.high


def test_peak_flow_meters_of_bland_and_altman():  # K5
    found = bland_altman(WRIGHT, MINI)
    assert found.bias.value == pytest.approx(-2.11765, abs=5e-6)
    assert found.sd == pytest.approx(38.76513, abs=5e-6)
    assert (found.lower.value, found.upper.value) == pytest.approx((-78.0973, 73.8620), abs=5e-5)
    assert (found.bias.interval.low, found.bias.interval.high) == pytest.approx((-22.05, 17.81), abs=5e-3)
    paper = bland_altman(WRIGHT, MINI, z=2)  # the paper takes 2 SD, also for the intervals of the limits
    assert (paper.lower.interval.low, paper.lower.interval.high) == pytest.approx((-114.17, -45.13), abs=5e-3)
    assert (paper.upper.interval.low, paper.upper.interval.high) == pytest.approx((40.89, 109.93), abs=5e-3)
    assert (paper.lower.value, paper.upper.value) == pytest.approx((-79.6479, 75.4126), abs=5e-5)


def test_bland_altman_against_the_panel_mean():  # K9
    found = bland_altman(J, [sum(row) / 3 for row in PANEL], z=1.959964)
    assert found.bias.value == pytest.approx(0.527778, abs=1e-6)
    assert found.sd == pytest.approx(0.521426, abs=1e-6)
    assert (found.lower.value, found.upper.value) == pytest.approx((-0.494199, 1.549755), abs=1e-6)


def test_limits_of_one_pair_are_undefined():
    found = bland_altman([1], [2])
    assert found.lower.value is None and found.undefined_reason


def test_shrout_and_fleiss():  # K3
    ms = mean_squares(np.array(K3, dtype=float))
    assert (ms.between, ms.within, ms.raters, ms.error) == pytest.approx((11.2417, 6.2639, 32.4861, 1.01944), abs=5e-5)
    for kind, expected in (
        ("1,1", 0.16574),
        ("2,1", 0.28976),
        ("3,1", 0.71484),
        ("1,k", 0.44280),
        ("2,k", 0.62005),
        ("3,k", 0.90932),
    ):
        assert icc(K3, kind).value == pytest.approx(expected, abs=5e-6)
    for kind, low, high in (("1,1", -0.133, 0.723), ("2,1", 0.019, 0.761), ("3,1", 0.342, 0.946)):
        interval = icc(K3, kind).interval
        assert (interval.low, interval.high) == pytest.approx((low, high), abs=5e-4)


def test_icc_of_the_cross_package_fixture():  # K9
    for kind, expected in (
        ("1,1", 0.847379),
        ("2,1", 0.847222),
        ("3,1", 0.844615),
        ("1,k", 0.943364),
        ("2,k", 0.943299),
        ("3,k", 0.942220),
    ):
        assert icc(PANEL, kind).value == pytest.approx(expected, abs=1e-6)


def test_icc_leaves_incomplete_rows_out_and_says_so():
    found = icc([*PANEL, [5, None, 4]])
    assert found.value == pytest.approx(0.847222, abs=1e-6) and found.n == 12 and "1 rows" in found.note


def test_icc_without_variation_is_undefined():
    assert icc([[4, 4], [4, 4]]).undefined_reason == "all ratings equal 4 (n = 2)"
    assert icc([[4, 4]]).value is None


def test_a_shifted_judge_looks_excellent_in_ranks_and_not_in_bias():
    # Shift by +1 clipped at 5, uniform over the scale: four of five ratings move.
    human = [1, 2, 3, 4, 5] * 8
    judge = [min(5, value + 1) for value in human]
    assert differences(judge, human).bias.value == pytest.approx(0.8)
    assert spearman(judge, human, draws=0).value == pytest.approx(0.975, abs=5e-4)
    assert kendall_tau_b(judge, human, draws=0).value == pytest.approx(0.949, abs=5e-4)
    assert weighted_kappa(judge, human, draws=0).value == pytest.approx(0.80, abs=5e-3)
    assert gwet_ac(list(zip(judge, human, strict=True)), draws=0).value == pytest.approx(0.814, abs=5e-3)


def test_means_of_repeats_count_as_exact_within_rounding():
    assert differences([(4 + 4 + 4) / 3], [4], draws=0).exact.value == 1


def test_one_case_has_a_value_and_no_interval():
    found = differences([4, 3], [3, 3], cases=["a", "a"]).bias
    assert found.value == 0.5 and found.interval is None
