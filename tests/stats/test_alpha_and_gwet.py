import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.stats.alpha import krippendorff_alpha
from core.stats.gwet import gwet_ac
from tests.stats.known import K1, PANEL, A, J, pairs_of


@pytest.mark.parametrize(
    ("metric", "expected"),
    [("nominal", 0.743421), ("ordinal", 0.815388), ("interval", 0.849107), ("ratio", 0.797403)],
)
def test_alpha_of_krippendorffs_own_data(metric, expected):  # K1
    assert krippendorff_alpha(K1, metric, draws=0).value == pytest.approx(expected, abs=1e-6)


def test_gwet_of_the_same_data():  # K2
    assert gwet_ac(K1, "unweighted", draws=0).value == pytest.approx(0.77544, abs=5e-6)
    assert gwet_ac(K1, "linear", draws=0).value == pytest.approx(0.85874, abs=5e-6)
    assert gwet_ac(K1, "quadratic", draws=0).value == pytest.approx(0.91400, abs=5e-6)


def test_gwet_of_the_abstractors_table():  # K2
    ratings = list(zip(*pairs_of([[13, 0, 0], [0, 20, 7], [0, 4, 56]]), strict=True))
    assert gwet_ac(ratings, "unweighted", scale=(1, 2, 3), draws=0).value == pytest.approx(0.8493305, abs=1e-7)
    assert krippendorff_alpha(ratings, "nominal", draws=0).value == pytest.approx(0.7972585, abs=1e-7)


def test_the_panel_of_the_cross_package_fixture():  # K9
    for metric, expected in (("nominal", 0.373757), ("ordinal", 0.847735), ("interval", 0.839613)):
        assert krippendorff_alpha(PANEL, metric, draws=0).value == pytest.approx(expected, abs=1e-6)
    for weights, expected in (("unweighted", 0.37961), ("linear", 0.70083), ("quadratic", 0.88523)):
        assert gwet_ac(PANEL, weights, draws=0).value == pytest.approx(expected, abs=5e-6)
    assert gwet_ac(list(zip(A, J, strict=True)), draws=0).value == pytest.approx(0.89474, abs=5e-6)


def test_the_panel_with_gaps():  # K9: A4, B8, C1 and C12 missing
    ratings = [list(row) for row in PANEL]
    ratings[3][0] = ratings[7][1] = ratings[0][2] = ratings[11][2] = None
    alpha = krippendorff_alpha(ratings, draws=0)
    assert alpha.value == pytest.approx(0.858958, abs=1e-6)
    assert "4 missing cells" in alpha.note
    assert gwet_ac(ratings, draws=0).value == pytest.approx(0.88290, abs=5e-6)


@given(st.lists(st.lists(st.one_of(st.none(), st.integers(1, 5)), min_size=3, max_size=3), min_size=2, max_size=15))
@settings(deadline=None, max_examples=60)
def test_alpha_equals_the_krippendorff_package(ratings):
    ours = krippendorff_alpha(ratings, draws=0)
    cells = np.array([[np.nan if v is None else v for v in row] for row in ratings], dtype=float).T
    pairable = cells[:, (~np.isnan(cells)).sum(axis=0) >= 2]
    if len(np.unique(pairable[~np.isnan(pairable)])) < 2:
        assert ours.value is None and ours.undefined_reason
        return
    theirs = krippendorff.alpha(cells, level_of_measurement="ordinal")
    assert ours.value == pytest.approx(theirs, abs=1e-9)


def test_prevalence_paradox():  # 18 x (5, 5), (5, 4), (4, 5)
    ratings = [(5, 5)] * 18 + [(5, 4), (4, 5)]
    assert krippendorff_alpha(ratings, draws=0).value == pytest.approx(-0.0263, abs=5e-5)
    assert gwet_ac(ratings, draws=0).value == pytest.approx(0.99314, abs=5e-6)


def test_constant_ratings_are_undefined_for_alpha_and_noted_for_gwet():
    ratings = [(4, 4)] * 20
    assert krippendorff_alpha(ratings).undefined_reason == "all ratings equal 4 (n = 20)"
    assert gwet_ac(ratings).value == 1 and "all ratings equal 4" in gwet_ac(ratings).note


def test_alpha_of_pooled_data_is_not_the_mean_of_alphas():
    first, second = PANEL[:6], PANEL[6:]
    pooled = krippendorff_alpha(PANEL, draws=0).value
    mean = (krippendorff_alpha(first, draws=0).value + krippendorff_alpha(second, draws=0).value) / 2
    assert pooled != pytest.approx(mean, abs=1e-3)


def test_one_rater_and_no_rating_are_undefined():
    assert krippendorff_alpha([[3], [4]]).undefined_reason == "no pair was rated by both"
    assert gwet_ac([[None, None]]).value is None
    assert gwet_ac([]).value is None


def test_intervals_hold_the_estimate():
    for result in (krippendorff_alpha(PANEL), gwet_ac(PANEL)):
        assert result.interval.low <= result.value <= result.interval.high
