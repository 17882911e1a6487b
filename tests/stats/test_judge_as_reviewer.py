import pytest

from core.stats.alt_test import alt_test
from core.stats.ceiling import leave_one_out
from core.stats.multiple import benjamini_yekutieli, holm
from core.stats.prediction_powered import prediction_powered_mean
from tests.stats.known import PANEL, J

H1 = [1 + i % 5 for i in range(60)]
H2 = [min(5, h + (i % 3 == 0)) for i, h in enumerate(H1)]
H3 = [max(1, h - (i % 4 == 0)) for i, h in enumerate(H1)]
LLM = [h if i % 2 else min(5, h + 1) for i, h in enumerate(H1)]
REVIEWERS = list(zip(H1, H2, H3, strict=True))


def test_the_synthetic_known_answer():  # K6
    found = alt_test(LLM, REVIEWERS)
    assert found.advantage == pytest.approx(0.75)
    assert [t.judge_wins for t in found.reviewers] == pytest.approx([0.683333, 0.733333, 0.833333], abs=1e-6)
    assert [t.reviewer_wins for t in found.reviewers] == pytest.approx([1.0, 0.866667, 0.9], abs=1e-6)
    assert [t.p_value for t in found.reviewers] == pytest.approx([0.970565, 0.205425, 0.025055], abs=1e-6)
    assert found.winning_rate == 0 and found.passes is False
    assert alt_test(LLM, REVIEWERS, 0.3).winning_rate == pytest.approx(1 / 3)


def test_a_judge_that_is_every_reviewer_wins_everywhere():  # K6
    found = alt_test(H1, [(h, h, h) for h in H1])
    assert (found.winning_rate, found.advantage, found.passes) == (1, 1, True)


def test_two_reviewers_are_too_few():
    found = alt_test([3, 4], [(3, 4), (4, 4)])
    assert found.winning_rate is None and "three reviewers" in found.undefined_reason


def test_few_items_take_the_rank_test_and_gaps_are_left_out():
    found = alt_test([*LLM[:20], None], [*REVIEWERS[:20], (3, 3, 3)])
    assert {t.method for t in found.reviewers} == {"Wilcoxon"} and {t.n for t in found.reviewers} == {20}


def test_corrections_over_many_tests():  # K6: rejects index 0 only
    p_values = [0.001, 0.02, 0.03, 0.5]
    assert benjamini_yekutieli(p_values) == [True, False, False, False]
    # Holm: .001 <= .05/4, .02 > .05/3.
    assert holm(p_values) == [True, False, False, False]
    assert holm([0.5, 0.01, 0.02]) == [False, True, True]
    assert holm([]) == benjamini_yekutieli([]) == []


def test_the_prediction_powered_mean():  # K7
    human = [4, 3, 5, 2, 4, 3, 4, 5, 1, 3]
    judged = [5, 3, 5, 3, 4, 4, 4, 5, 2, 4]
    found = prediction_powered_mean(human, judged, [5, 4, 4, 3, 5, 5, 4, 5, 3, 4] * 5)
    assert found.value == pytest.approx(3.7)
    assert (found.interval.low, found.interval.high) == pytest.approx((3.327091, 4.072909), abs=1e-6)
    assert prediction_powered_mean([4], [4], [4, 4]).value is None


def test_judge_and_reviewer_are_compared_with_the_same_target():
    found = leave_one_out(J, PANEL)
    # First item 5 5 4 against judge 5: the others' means are 4.5, 4.5, 5; the judge is .5, .5, 0 away, they .5, .5, 1.
    first = leave_one_out(J[:1], PANEL[:1], draws=0)
    assert first.judge.value == pytest.approx(1 / 3) and first.reviewer.value == pytest.approx(2 / 3)
    assert found.judge.n == found.reviewer.n == 36
    assert found.difference.value == pytest.approx(found.judge.value - found.reviewer.value)
    assert "fewer than five" in found.judge.note


def test_one_reviewer_gives_no_ceiling():
    assert leave_one_out([3], [[3]]).judge.value is None
    assert leave_one_out([], []).judge.value is None
