import random

import pytest

from core.domain.instrument import Dimension
from core.domain.items import Target
from core.scoring.compare import compare_settings
from core.scoring.scores import METRICS, Measure
from core.scoring.table import (
    failed_units,
    largest_mean_f1,
    score_table,
    tables_by_case_group,
    tables_by_modality,
    unit_values,
)
from tests.scoring.builders import scores, unit

DIAGNOSIS = "final_diagnosis.strict"
IMAGES = "image_findings.lenient"


def image(figure_id, tp, fp, fn, modality="CT", failed=""):
    return unit(tp, fp, fn, Target.IMAGE_FINDINGS, figure_id, modality, failed)


def test_the_vector_of_three_cases():
    # P 1, 0, .5; R 1, 0, 1; F1 1, 0, 2*2/(4+2) = .6667; sums TP 3, FP 5, FN 1.
    table = score_table([scores("a", unit(1, 0, 0)), scores("b", unit(0, 3, 1)), scores("c", unit(2, 2, 0))])
    rows = {m: table.row(f"{DIAGNOSIS}.{m}", "model-a") for m in Measure}
    assert [rows[m].value for m in ("precision", "recall", "f1")] == pytest.approx([0.5, 0.6667, 0.5556], abs=5e-5)
    assert [rows[m].micro for m in ("precision", "recall", "f1")] == pytest.approx([0.375, 0.75, 0.5])
    assert rows["extra_rate"].value == pytest.approx(0.625)
    assert all(row.n == row.scored == row.submitted == 3 for row in rows.values())


def test_both_sides_empty_is_vacuous_and_counts_as_one():
    row = score_table([scores("a", unit(0, 0, 0))]).row(f"{DIAGNOSIS}.precision", "model-a")
    assert row.value == 1 and row.vacuous == 1 and row.n == 1 and row.undefined == 0


def test_reference_empty_only_leaves_recall_undefined_and_counted():
    table = score_table([scores("a", unit(0, 2, 0)), scores("b", unit(1, 0, 0))])
    recall = table.row(f"{DIAGNOSIS}.recall", "model-a")
    assert recall.value == 1 and recall.n == 1 and recall.undefined == 1 and recall.scored == 2
    assert table.row(f"{DIAGNOSIS}.precision", "model-a").value == 0.5
    assert table.row(f"{DIAGNOSIS}.f1", "model-a").value == 0.5


def test_output_empty_only_leaves_precision_undefined_and_counted():
    table = score_table([scores("a", unit(0, 0, 2)), scores("b", unit(1, 0, 0))])
    precision = table.row(f"{DIAGNOSIS}.precision", "model-a")
    assert precision.value == 1 and precision.n == 1 and precision.undefined == 1
    assert table.row(f"{DIAGNOSIS}.recall", "model-a").value == 0.5
    assert table.row(f"{DIAGNOSIS}.f1", "model-a").value == 0.5


def test_f1_is_averaged_over_cases_not_made_from_averages():
    table = score_table([scores("a", unit(1, 0, 0)), scores("b", unit(0, 3, 1)), scores("c", unit(2, 2, 0))])
    assert table.row(f"{DIAGNOSIS}.f1", "model-a").value < largest_mean_f1(0.5, 2 / 3)


def test_image_findings_are_averaged_over_turns_and_bootstrapped_over_cases():
    table = score_table(
        [
            scores("a", image("fig1", 1, 0, 0), image("fig2", 1, 0, 0), image("fig3", 1, 0, 0)),
            scores("b", image("fig1", 0, 1, 1)),
        ]
    )
    row = table.row(f"{IMAGES}.recall", "model-a")
    assert row.value == 0.75 and row.n == 4  # by case it would be .5
    assert (row.interval.low, row.interval.high) == (0, 1)


def test_a_failed_turn_is_unscored_and_counts_as_zero_in_the_second_figure_only():
    table = score_table([scores("a", unit(1, 0, 0)), scores("b", unit(failed="turn_refused"))])
    recall = table.row(f"{DIAGNOSIS}.recall", "model-a")
    assert recall.value == 1 and recall.with_failures == 0.5
    assert (recall.n, recall.scored, recall.submitted) == (1, 1, 2)
    assert recall.unscored == (("turn_refused", 1),)
    assert table.row(f"{DIAGNOSIS}.precision", "model-a").with_failures is None


def test_a_broken_judge_call_is_never_a_zero():
    table = score_table([scores("a", unit(1, 0, 0)), scores("b", unit(failed="invalid"))])
    recall = table.row(f"{DIAGNOSIS}.recall", "model-a")
    assert recall.value == 1 and recall.with_failures == 1 and recall.scored == 1 and recall.submitted == 2


def test_repeats_are_averaged_within_their_case_first():
    table = score_table(
        [scores("a", unit(1, 0, 0), repeat=0), scores("a", unit(0, 1, 1), repeat=1), scores("b", unit(1, 0, 0))]
    )
    row = table.row(f"{DIAGNOSIS}.recall", "model-a")
    assert row.value == 0.75 and row.n == 2 and row.scored == 3  # over dialogues it would be .667
    assert row.micro == pytest.approx(1.5 / 2)


def test_the_judges_scores_have_their_own_coverage():
    table = score_table(
        [
            scores("a", unit(1, 0, 0), fvcu=dict.fromkeys(Dimension, 4.0)),
            scores("b", unit(1, 0, 0), fvcu=dict.fromkeys(Dimension, None), reason="invalid"),
        ]
    )
    row = table.row("fvcu.utility", "model-a")
    assert (row.value, row.n, row.scored, row.submitted) == (4.0, 1, 1, 2)
    assert row.unscored == (("invalid", 1),) and row.interval is None


def test_nothing_scored_has_no_value_and_no_interval():
    row = score_table([scores("a", unit(failed="turn_failed"))]).row(f"{DIAGNOSIS}.f1", "model-a")
    assert row.value is None and row.interval is None and row.micro is None and row.with_failures == 0
    assert score_table([]).rows == ()


def test_one_case_has_no_interval():
    assert score_table([scores("a", unit(1, 1, 1))]).row(f"{DIAGNOSIS}.f1", "model-a").interval is None


def test_the_order_of_dialogues_changes_no_number():
    entries = [scores(f"case-{n}", unit(n % 3, n % 2, 1)) for n in range(9)]
    assert score_table(entries).rows == score_table(entries[::-1]).rows


def test_two_settings_are_compared_on_the_cases_both_have():
    entries = [scores(c, unit(1, 0, 0)) for c in "abc"]
    entries += [scores("a", unit(0, 1, 1), setting="model-b"), scores("b", unit(1, 0, 0), setting="model-b")]
    entries += [scores("d", unit(1, 0, 0), setting="model-b")]
    found = {d.metric.key: d for d in compare_settings(entries, "model-a", "model-b")}
    recall = found[f"{DIAGNOSIS}.recall"]
    assert (recall.first, recall.second, recall.difference, recall.n) == (1, 0.5, 0.5, 2)
    assert recall.interval.low == 0 and recall.interval.high == 1
    assert found["fvcu.utility"].difference is None and found["fvcu.utility"].n == 0


def test_a_setting_compared_with_itself_differs_by_nothing():
    entries = [scores(c, unit(n, 1, 1), setting=s) for s in ("x", "y") for n, c in enumerate("abcd")]
    for difference in compare_settings(entries, "x", "y"):
        if difference.difference is not None:
            assert difference.difference == 0 and difference.interval.low == difference.interval.high == 0


def test_only_zero_and_one_where_more_is_possible_is_warned_of():
    entries = [scores(f"c{n}", unit(2 * (n % 2), 0 if n % 2 else 3, 0 if n % 2 else 2)) for n in range(8)]
    assert any("only the values 0 and 1" in warning for warning in score_table(entries).warnings)
    single = [scores(f"c{n}", unit(n % 2, 1 - n % 2, 0)) for n in range(8)]
    assert not any("only the values 0 and 1" in warning for warning in score_table(single).warnings)


def test_equal_values_and_identical_settings_are_warned_of():
    entries = [scores(f"c{n}", unit(1, 1, 1), setting=s) for s in ("x", "y") for n in range(5)]
    warnings = score_table(entries).warnings
    assert any(w.startswith("x: all 5 values of final_diagnosis.strict.f1 are 0.50") for w in warnings)
    assert any(w.startswith("x and y have the same values everywhere") for w in warnings)


def test_breakdowns_split_by_group_of_cases_and_by_modality():
    entries = [
        scores("a", image("fig1", 1, 0, 0, "CT"), image("fig2", 0, 0, 1, "MRI")),
        scores("b", image("fig1", 0, 0, 1)),
    ]
    by_group = tables_by_case_group(entries, {"a": "surgery"})
    assert list(by_group) == ["not stated", "surgery"]
    assert by_group["surgery"].row(f"{IMAGES}.recall", "model-a").value == 0.5
    by_modality = tables_by_modality(entries)
    assert by_modality["CT"].row(f"{IMAGES}.recall", "model-a").value == 0.5
    assert by_modality["MRI"].row(f"{IMAGES}.recall", "model-a").n == 1


def test_values_by_unit_and_failed_units_are_at_hand_for_plots_and_lists():
    entries = [scores("a", unit(1, 1, 0), image("fig1", failed="turn_refused", tp=0, fp=0, fn=0))]
    precision = next(m for m in METRICS if m.key == f"{DIAGNOSIS}.precision")
    assert unit_values(entries, precision) == {("a", None): 0.5}
    assert [u.figure_id for _, u in failed_units(entries)] == ["fig1"]


def test_two_thousand_dialogues_are_scored_with_intervals():
    draw = random.Random(0)
    entries = [
        scores(
            f"case-{n % 400}",
            unit(draw.randint(0, 3), draw.randint(0, 3), draw.randint(0, 3)),
            unit(draw.randint(0, 3), draw.randint(0, 3), 1, Target.DIAGNOSTIC_REASONING),
            *(image(f"fig{k}", draw.randint(0, 2), draw.randint(0, 2), 1) for k in range(draw.randint(1, 6))),
            setting=f"model-{n // 400}",
            fvcu={dimension: float(draw.randint(1, 5)) for dimension in Dimension},
        )
        for n in range(2000)
    ]
    table = score_table(entries)
    assert table.n_cases == {f"model-{k}": 400 for k in range(5)}
    assert all(table.row("fvcu.overall", setting).interval is not None for setting in table.settings)


# The published table: reference, o4-mini, Claude Haiku 4.5.
PUBLISHED = [
    *zip((0.99, 0.32, 0.20), (1.00, 0.45, 0.39), (0.99, 0.35, 0.25), strict=True),
    *zip((0.67, 0.25, 0.19), (0.77, 0.34, 0.38), (0.69, 0.28, 0.24), strict=True),
    *zip((0.62, 0.12, 0.06), (0.81, 0.41, 0.39), (0.67, 0.17, 0.11), strict=True),
]
PUBLISHED_FVCU = (4.62, 3.00, 2.88, 4.92, 3.12, 2.62, 5.00, 4.54, 4.29, 4.25, 2.29, 2.12, 4.79, 2.75, 2.50)


@pytest.mark.parametrize(("precision", "recall", "f1"), PUBLISHED)
def test_published_f1_is_possible_with_the_published_precision_and_recall(precision, recall, f1):
    assert f1 - 0.005 <= largest_mean_f1(precision + 0.005, recall + 0.005)


@pytest.mark.parametrize("value", PUBLISHED_FVCU)
def test_published_judge_means_are_means_of_24_integers_under_our_rounding(value):
    assert f"{value:.2f}" in {f"{k / 24:.2f}" for k in range(24, 121)}
