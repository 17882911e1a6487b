import pytest

from core.domain.items import Level, Target
from core.domain.review import RowKind
from core.review.after_verdicts import counts_after
from core.review.match_rows import match_table
from tests.review.example import make_evaluation


def table(target: Target, figure_id: str | None = None, verdicts: dict[str, str] | None = None):
    evaluation = make_evaluation("d", "e")
    given = {"R1/G1": "agree"} if verdicts is None else verdicts
    return match_table(evaluation, evaluation.result(target, figure_id), 3, "Image 1", "rules", given)


def test_every_item_of_both_sides_stands_in_exactly_one_row() -> None:
    shown = table(Target.IMAGE_FINDINGS, "fig1")
    assert [(r.row, r.kind) for r in shown.rows] == [
        ("R1/G1", RowKind.LENIENT),
        ("R2/G2", RowKind.CONTRADICTION),
        ("R3/-", RowKind.MISSING),
        ("R4/G3", RowKind.STRICT),
        ("-/G4", RowKind.EXTRA),
    ]


def test_a_contradiction_counts_as_missing_and_extra() -> None:
    # 4 reference, 4 output, one strict and one lenient pair: lenient TP 2, so P = R = F1 = 2/4.
    shown = table(Target.IMAGE_FINDINGS, "fig1")
    assert (shown.tp, shown.n_reference, shown.n_output) == (2, 4, 4)
    assert (shown.precision, shown.recall, shown.f1) == (0.5, 0.5, 0.5)


def test_a_given_verdict_is_shown_and_each_kind_offers_its_own() -> None:
    rows = {r.kind: r for r in table(Target.IMAGE_FINDINGS, "fig1").rows}
    assert rows[RowKind.LENIENT].verdict == "agree"
    assert "should be strict" in rows[RowKind.LENIENT].options
    assert "should be lenient" in rows[RowKind.STRICT].options
    assert "it is there" in rows[RowKind.MISSING].options


def test_an_unscored_target_has_its_reason_and_no_number() -> None:
    shown = table(Target.DIAGNOSTIC_REASONING)
    assert shown.unscored.startswith("invalid")
    assert (shown.precision, shown.recall, shown.f1, shown.rows) == (None, None, None, ())


@pytest.mark.parametrize(
    ("verdicts", "f1"),
    [
        # Machine: 4 reference, 4 output, pairs R1/G1 (lenient) and R4/G3 (strict): F1 = 2*2 / (4 + 4) = 1/2.
        ({}, None),
        ({"R1/G1": "agree", "-/G4": "harmful", "R3/-": "it is there"}, 1 / 2),
        ({"R1/G1": "no match"}, 2 / 8),
        ({"R1/G1": "contradiction", "R4/G3": "no match"}, 0),
        # R3 leaves the reference side: 2*2 / (3 + 4).
        ({"R3/-": "not fair"}, 4 / 7),
        ({"R1/G1": "cannot judge", "R2/G2": "not contradictory"}, 1 / 2),
    ],
)
def test_the_numbers_follow_the_verdicts_and_the_machines_own_stay(verdicts: dict[str, str], f1: float | None) -> None:
    shown = table(Target.IMAGE_FINDINGS, "fig1", verdicts)
    assert shown.f1_after == (f1 if f1 is None else pytest.approx(f1))
    assert shown.f1 == 0.5


def test_at_the_strict_level_a_changed_level_changes_the_count() -> None:
    rows = table(Target.IMAGE_FINDINGS, "fig1", {"R1/G1": "should be strict"}).rows
    assert counts_after(rows, 4, 4, Level.STRICT).tp == 2
    rows = table(Target.IMAGE_FINDINGS, "fig1", {"R4/G3": "should be lenient"}).rows
    assert counts_after(rows, 4, 4, Level.STRICT).tp == 0
    assert counts_after(rows, 4, 4, Level.LENIENT).tp == 2


@pytest.mark.parametrize(
    ("row", "named", "strict", "lenient"),
    [
        # The machine has one strict and one lenient pair. G4 is extra: R3 and G4 make a further pair.
        ("R3/-", ("G4", ""), 2, 3),
        ("R3/-", ("G4", "severity"), 1, 3),
        # G1 stands in a pair with R1 already; an item is in one pair at most.
        ("R3/-", ("G1", ""), 1, 2),
        ("R3/-", ("", ""), 1, 2),
    ],
)
def test_it_is_there_makes_a_pair_with_a_free_output_item(row, named, strict, lenient) -> None:
    evaluation = make_evaluation("dlg-x", "eval-x")
    result = next(r for r in evaluation.results if r.figure_id)
    shown = match_table(evaluation, result, 3, "Image 1", "rules", {row: "it is there"}, {row: named})
    assert counts_after(shown.rows, 4, 4, Level.STRICT).tp == strict
    assert counts_after(shown.rows, 4, 4, Level.LENIENT).tp == lenient
