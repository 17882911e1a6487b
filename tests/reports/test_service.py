"""Report pairs from import to export on a real store."""

import csv

import pytest

from core.errors import InvalidInput, ModelUnavailable, NotFound
from core.services import reports

HEADER = "pair,dataset,modality,model,reference,prediction\n"
LINES = (
    "P1,D,CT,A,Small cyst in the liver. No ascites.,Large cyst in the liver.\n"
    "P1,D,CT,B,Small cyst in the liver. No ascites.,Small cyst in the liver. No ascites.\n"
)


@pytest.fixture
def study(workspace):
    reports.import_pairs(workspace, (HEADER + LINES).encode(), "pairs.csv")
    return workspace


def test_import_twice_stores_once(study) -> None:
    again = reports.import_pairs(study, (HEADER + LINES).encode(), "pairs.csv")
    assert (len(again.added), len(again.known)) == (0, 2)
    assert len(reports.list_report_pairs(study)) == 2


def test_one_faulty_line_stores_nothing(workspace) -> None:
    with pytest.raises(InvalidInput, match="line 4"):
        reports.import_pairs(workspace, (HEADER + LINES + "P2,D,CT,A,,x\n").encode(), "pairs.csv")
    assert reports.list_report_pairs(workspace) == ()


def test_a_stored_pair_is_never_overwritten_with_other_texts(study) -> None:
    with pytest.raises(InvalidInput, match="line 2: .*stored already"):
        reports.import_pairs(study, (HEADER + "P1,D,CT,A,Other.,Other.\nP9,D,CT,A,x,y\n").encode(), "pairs.csv")
    assert len(reports.list_report_pairs(study)) == 2


def test_an_evaluation_gives_the_line_that_scripts_rely_on(study) -> None:
    seen = []
    summary = reports.evaluate_pairs(study, progress=lambda done, total, text: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
    first, second = (reports.pair_line(study, pair_id) for pair_id in summary.scored)
    assert {"pair", "model", "dataset", "disease", "attribute", "f1", "facts", "unscored"} <= first.keys()
    assert first["f1"] == pytest.approx(1 / 3)
    assert second["f1"] == 1.0 and second["unscored"] is None and second["facts"] == 6


def test_a_second_evaluation_makes_nothing_anew_unless_asked(study) -> None:
    reports.evaluate_pairs(study)
    assert len(reports.evaluate_pairs(study).kept) == 2
    assert len(reports.evaluate_pairs(study, again=True).scored) == 2


def test_a_pair_opens_down_to_one_question(study) -> None:
    (first, _) = reports.evaluate_pairs(study).scored
    view = reports.report_pair(study, first)
    row = next(r for r in view.rows if r.fact.value == "small")
    assert (row.fact.expected.value, row.answer.given.value) == ("yes", "no")
    assert row.fact.sentence == "Small cyst in the liver."
    assert row.other_sentence == "Large cyst in the liver."
    assert row.answer.quote in row.other_sentence


def test_the_reference_is_decomposed_once_for_all_models(study) -> None:
    reports.evaluate_pairs(study)
    ids = {
        reports.report_pair(study, line.id).evaluation.reference_facts.id for line in reports.list_report_pairs(study)
    }
    assert len(ids) == 1


def test_the_leaderboard_ranks_the_models(study) -> None:
    reports.evaluate_pairs(study)
    assert reports.leaderboard(study).models == ("B", "A")


def test_the_export_holds_every_pair_and_every_question(study, tmp_path) -> None:
    reports.evaluate_pairs(study, [reports.list_report_pairs(study)[0].id])
    scores, questions = reports.export_reports(study, tmp_path / "out")
    rows = list(csv.DictReader(scores.open(encoding="utf-8")))
    assert [(row["model"], row["unscored"], row["f1_open"] != "") for row in rows] == [
        ("A", "", True),
        ("B", "not evaluated", False),
    ]
    assert len(list(csv.DictReader(questions.open(encoding="utf-8")))) == 5


def test_an_unknown_model_and_an_unknown_pair_are_named(study) -> None:
    with pytest.raises(ModelUnavailable, match="no-such-model"):
        reports.evaluate_pairs(study, evaluator="no-such-model")
    with pytest.raises(NotFound, match="rp-none"):
        reports.report_pair(study, "rp-none")


def test_an_empty_store_has_nothing_to_evaluate(workspace) -> None:
    with pytest.raises(InvalidInput):
        reports.evaluate_pairs(workspace)


def test_the_sample_pairs_cover_four_modalities_and_tell_the_two_examples_apart(workspace) -> None:
    reports.load_demonstration_pairs(workspace)
    lines = reports.list_report_pairs(workspace)
    assert len({line.modality for line in lines}) == 4 and len(lines) >= 12
    assert all(line.is_demonstration and line.f1_open is not None for line in lines)
    board = reports.leaderboard(workspace)
    assert board.models == ("Example reports A", "Example reports B")
    assert all(not reports.report_pair(workspace, line.id).evaluation.reference_facts.unread for line in lines)


def test_the_published_preset_stands_beside_ours_as_an_evaluator_of_its_own(study) -> None:
    reports.evaluate_pairs(study)
    reports.evaluate_pairs(study, evaluator="rules, as published")
    assert reports.list_evaluators(study) == ("rules baseline", "rules baseline, as published")
    ours, published = (reports.list_report_pairs(study, name)[0] for name in reports.list_evaluators(study))
    assert ours.f1_open < published.f1_open == published.f1_closed
    assert "rules baseline, as published" in reports.evaluator_choices(study)
