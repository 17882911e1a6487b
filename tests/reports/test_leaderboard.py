"""The table of models by datasets."""

from core.reports.leaderboard import Scored, build_leaderboard


def test_a_cell_is_the_mean_of_its_scored_reports_and_unscored_ones_are_no_zeros() -> None:
    board = build_leaderboard([Scored("A", "D", "CT", 0.5), Scored("A", "D", "CT", 0.7), Scored("A", "D", "CT", None)])
    cell = board.cells["A", "D"]
    assert (round(cell.mean, 4), cell.n, cell.submitted) == (0.6, 2, 3)


def test_best_and_second_are_marked_and_equal_figures_share_a_place() -> None:
    board = build_leaderboard(
        [
            Scored("A", "D", "CT", 0.5),
            Scored("B", "D", "CT", 0.5),
            Scored("C", "D", "CT", 0.4),
            Scored("E", "D", "CT", 0.3),
        ]
    )
    assert {model: board.cells[model, "D"].place for model in "ABCE"} == {"A": 1, "B": 1, "C": 2, "E": 0}


def test_the_overall_place_is_only_among_models_with_every_dataset() -> None:
    board = build_leaderboard(
        [Scored("A", "D1", "CT", 0.9), Scored("B", "D1", "CT", 0.5), Scored("B", "D2", "MRI", 0.5)]
    )
    assert board.overall["A"].place == 0 and board.overall["B"].place == 1


def test_a_model_without_scores_stands_last_without_a_value() -> None:
    board = build_leaderboard([Scored("A", "D", "CT", None), Scored("B", "D", "CT", 0.0)])
    assert board.models == ("B", "A")
    assert board.overall["A"].mean is None and board.overall["B"].mean == 0.0


def test_no_pairs_give_an_empty_table() -> None:
    board = build_leaderboard([])
    assert (board.models, board.datasets) == ((), ())
