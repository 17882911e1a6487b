"""Known answers of evaluation.md section 5."""

import pytest

from core.domain.reports import Reading, ReportSide, Tally
from core.language.guards import guarded_similarity, similarity
from core.reports.scores import aligned_findings, combine, score_pair, trace
from tests.reports.made import attribute, direction, facts, presence

BOTH_SIDES = frozenset(ReportSide)


def test_the_manuals_vector_is_met() -> None:
    # P_dis 2/3, R_dis 1/2, P_attr 3/4, R_attr 1/2: P = (2/3 + 3/4) / 2 = .7083, R = .5, F1 = 2PR / (P + R) = .5862
    disease = Tally(matched_prediction=2, n_prediction=3, matched_reference=1, n_reference=2)
    attributes = Tally(matched_prediction=3, n_prediction=4, matched_reference=1, n_reference=2)
    precision, recall, f1 = combine(disease, attributes, BOTH_SIDES)
    assert (round(precision, 4), round(recall, 4), round(f1, 4)) == (0.7083, 0.5, 0.5862)


def test_the_manuals_vector_is_met_from_facts_and_answers() -> None:
    ref = [presence(1), presence(2), presence(3), presence(4)]
    pred = [presence(1), presence(2), presence(3)]
    reference = facts(*ref, attribute(ref[0], 1), attribute(ref[0], 2))
    prediction = facts(*pred, *(attribute(pred[0], n) for n in (1, 2)), *(attribute(pred[1], n) for n in (1, 2)))
    # Prediction: findings 1 and 2 of 3 confirmed, 3 of 4 attributes; reference: 2 of 4 findings, 1 of 2 attributes.
    from_reference = direction(F1="yes>1", F2="yes>2", F3="not_stated", F1_1="yes", F1_2="yes", F2_1="yes", F2_2="no")
    from_prediction = direction(F1="yes>1", F2="yes>2", F3="no", F4="not_stated", F1_1="yes", F1_2="not_stated")
    score = score_pair(reference, prediction, from_reference, from_prediction).open
    assert score.precision == pytest.approx(0.70833, abs=1e-4)
    assert score.recall == pytest.approx(0.5)
    assert score.f1 == pytest.approx(0.58621, abs=1e-4)
    assert score.flags == ()


def test_two_empty_reports_agree() -> None:
    score = score_pair(facts(), facts(), direction(), direction()).open
    assert (score.precision, score.recall, score.f1, score.flags) == (1.0, 1.0, 1.0, ("both_empty",))


def test_an_empty_prediction_has_no_precision_and_no_score() -> None:
    score = score_pair(facts(presence(1)), facts(), direction(), direction(F1="not_stated")).open
    assert (score.precision, score.recall, score.f1, score.flags) == (None, 0.0, 0.0, ("no_prediction_facts",))


def test_an_empty_reference_has_no_recall() -> None:
    score = score_pair(facts(), facts(presence(1)), direction(F1="not_stated"), direction()).open
    assert (score.precision, score.recall, score.f1, score.flags) == (0.0, None, 0.0, ("no_reference_facts",))


def test_nothing_matched_is_zero_not_undefined() -> None:
    score = score_pair(facts(presence(1)), facts(presence(1)), direction(F1="no"), direction(F1="no")).open
    assert (score.precision, score.recall, score.f1) == (0.0, 0.0, 0.0)


def test_not_stated_against_an_expected_no_matches_only_in_the_closed_reading() -> None:
    reference = facts(presence(1), presence(2, expected="no"))
    prediction = facts(presence(1))
    score = score_pair(reference, prediction, direction(F1="yes>1"), direction(F1="yes>1", F2="not_stated"))
    assert score.open.disease.recall == 0.5
    assert score.closed.disease.recall == 1.0
    assert score.reading(Reading.OPEN).f1 < score.reading(Reading.CLOSED).f1
    assert score.negative_share == pytest.approx(1 / 3)


def test_not_stated_never_matches_an_expected_yes() -> None:
    score = score_pair(facts(presence(1)), facts(presence(1)), direction(F1="not_stated"), direction(F1="not_stated"))
    assert score.closed.f1 == 0.0


def test_several_findings_may_meet_one() -> None:
    reference = facts(presence(1, "bilateral pleural effusion"))
    prediction = facts(presence(1, "left pleural effusion"), presence(2, "right pleural effusion"))
    score = score_pair(reference, prediction, direction(F1="yes>1", F2="yes>1"), direction(F1="yes>1")).open
    assert (score.precision, score.recall) == (1.0, 1.0)


def test_attributes_count_only_for_findings_aligned_in_both_directions() -> None:
    ref, pred = presence(1, "left nodule"), presence(1, "left nodule")
    reference, prediction = facts(ref, attribute(ref, 1)), facts(pred, attribute(pred, 1))
    one_way = score_pair(
        reference, prediction, direction(F1="yes>1", F1_1="yes"), direction(F1="not_stated", F1_1="not_stated")
    )
    assert one_way.open.attribute.is_vacuous
    assert "no_aligned_finding" in one_way.open.flags
    assert (one_way.open.precision, one_way.open.recall) == (1.0, 0.0)


def test_a_denied_finding_is_never_aligned() -> None:
    reference, prediction = facts(presence(1, expected="no")), facts(presence(1, expected="no"))
    answers = direction(F1="no>1")
    assert aligned_findings(reference.facts, answers, prediction.facts, answers) == {}


def test_a_side_without_attributes_has_its_disease_value_alone_and_is_flagged() -> None:
    ref, pred = presence(1, "nodule"), presence(1, "nodule")
    reference, prediction = facts(ref, presence(2), attribute(ref, 1)), facts(pred)
    score = score_pair(
        reference, prediction, direction(F1="yes>1"), direction(F1="yes>1", F2="not_stated", F1_1="not_stated")
    ).open
    assert score.precision == 1.0
    assert score.recall == pytest.approx((0.5 + 0.0) / 2)
    assert score.flags == ("no_prediction_attributes",)


def test_alignment_without_a_named_counterpart_needs_like_entities_with_equal_guards() -> None:
    same = facts(presence(1, "left pleural effusion")), facts(presence(1, "pleural effusion, left"))
    other = facts(presence(1, "left pleural effusion")), facts(presence(1, "right pleural effusion"))
    answers = direction(F1="yes")
    assert aligned_findings(same[0].facts, answers, same[1].facts, answers) == {"1": "1"}
    assert aligned_findings(other[0].facts, answers, other[1].facts, answers) == {}


@pytest.mark.parametrize(
    ("one", "other", "unguarded"),
    [
        ("left pleural effusion", "right pleural effusion", 0.837),
        ("hypertension", "hypotension", 0.870),
        ("pneumothorax", "no pneumothorax", 0.889),
        ("T1 hyperintensity", "T2 hyperintensity", 0.941),
    ],
)
def test_guards_keep_apart_what_string_similarity_merges(one: str, other: str, unguarded: float) -> None:
    assert similarity(one, other) == pytest.approx(unguarded, abs=5e-4)
    assert guarded_similarity(one, other) < 0.8
    assert guarded_similarity(one, other) == guarded_similarity(other, one)
    assert similarity(one, other) == similarity(other, one)


def test_the_trace_holds_every_question_with_both_sentences() -> None:
    reference, prediction = facts(presence(1, "cyst")), facts(presence(1, "cyst"), presence(2, "mass"))
    rows = trace(reference, prediction, direction(F1="yes>1", F2="not_stated"), direction(F1="yes>1"))
    assert [(row.side.value, row.fact.id) for row in rows] == [
        ("reference", "F1"),
        ("prediction", "F1"),
        ("prediction", "F2"),
    ]
    assert rows[0].other_sentence == "Sentence about cyst."
    assert rows[2].other_sentence == "" and not rows[2].is_matched_open


def test_facet_and_system_values_are_kept() -> None:
    ref, pred = presence(1, "cyst"), presence(1, "cyst")
    reference, prediction = facts(ref, attribute(ref, 1)), facts(pred, attribute(pred, 1))
    answers = direction(F1="yes>1", F1_1="yes")
    score = score_pair(reference, prediction, answers, answers).open
    assert [(group.name, group.tally.f1) for group in score.facets] == [("size", 1.0)]
    assert [(group.name, group.tally.n_reference) for group in score.systems] == [("other", 1)]
