from core.domain.items import Target
from core.domain.review import RowKind
from core.review.match_rows import match_table
from tests.review.example import make_evaluation


def table(target: Target, figure_id: str | None = None):
    evaluation = make_evaluation("d", "e")
    return match_table(evaluation, evaluation.result(target, figure_id), 3, "Image 1", "rules", {"R1/G1": "agree"})


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
