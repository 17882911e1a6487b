"""Scores: the table, then by group, two settings, case by case."""

import pytest

from core.services import breakdowns, results
from core.services.breakdowns import By
from core.services.workspace import open_workspace
from core.settings import read_settings


def test_an_empty_study_says_what_to_do(empty_study, open_page) -> None:
    page = open_page("evaluation/scores.py")
    assert not page.exception
    assert page.get("page_link")


def test_macro_micro_and_failures_stand_beside_each_other(demo_study, open_page) -> None:
    page = open_page("evaluation/scores.py")
    assert not page.exception
    assert len(page.table) == 2
    frame = page.table[1].value
    assert {"Macro", "Micro", "With failures as 0", "n"} <= set(frame.columns)
    ws = open_workspace(read_settings())
    table = results.table(ws, None, results.list_evaluators(ws)[0])
    row = table.row("final_diagnosis.strict.f1", "Example answers A")
    assert frame.loc[("Final diagnosis, F1 (strict)", "Example answers A"), "Micro"] == f"{row.micro:.2f}"


@pytest.mark.parametrize("by", list(By))
def test_every_breakdown_draws_a_table_with_its_groups(demo_study, open_page, by) -> None:
    page = open_page("evaluation/scores.py")
    page.get_by_key("scores_view").set_value("By group").run()
    page.selectbox(key="scores_by").set_value(by).run()
    assert not page.exception
    frame = page.table[2].value
    assert len(frame) >= 1 and frame.notna().all().all()
    if by in (By.MODALITY, By.FLAG):
        assert all(metric.target == "image_findings" for metric in _options(page))


def _options(page):
    metric = page.selectbox(key="scores_metric").value
    return [metric]


def test_groups_of_figures_hold_every_image_turn_once(demo_study) -> None:
    ws = open_workspace(read_settings())
    facts = breakdowns.case_facts(ws)
    scores = breakdowns.with_modalities(results.scores(ws, None, results.list_evaluators(ws)[0]), facts)
    n_turns = sum(unit.figure_id is not None for one in scores for unit in one.units)
    for by in (By.MODALITY, By.FLAG):
        tables = breakdowns.broken_down(scores, by, facts, {}).tables
        key = "image_findings.lenient.recall"
        assert sum(row.submitted for t in tables.values() for row in t.rows if row.metric.key == key) == n_turns


def test_only_a_date_wholly_after_the_cut_off_counts_as_after_it() -> None:
    from datetime import date

    side = breakdowns._side_of
    cutoff = date(2024, 6, 1)
    assert side("2024", cutoff) == breakdowns.BEFORE
    assert side("2024-06", cutoff) == breakdowns.BEFORE
    assert side("2024-06-02", cutoff) == breakdowns.AFTER
    assert side("2025", cutoff) == breakdowns.AFTER
    assert side("2023-12", cutoff) == breakdowns.BEFORE
    assert side("", cutoff) == side("2025", None) == breakdowns.NO_CUTOFF


def test_two_settings_are_compared_on_their_common_cases(demo_study, open_page) -> None:
    page = open_page("evaluation/scores.py")
    page.get_by_key("scores_view").set_value("Two settings").run()
    assert not page.exception
    first = page.selectbox(key="scores_first").value
    frame = page.table[2].value
    assert first in frame.columns
    ws = open_workspace(read_settings())
    second = page.selectbox(key=f"scores_second_{first}").value
    scores = results.scores(ws, page.selectbox(key="scores_judge").value, results.list_evaluators(ws)[0])
    expected = {d.metric.key: d for d in results.compare_settings(scores, first, second)}
    one = expected["final_diagnosis.strict.f1"]
    assert frame.loc["Final diagnosis, F1 (strict)", f"{first} − {second}"].startswith(f"{one.difference:+.2f}")


def test_the_dots_and_the_spread_are_drawn_and_listed(demo_study, open_page) -> None:
    page = open_page("evaluation/scores.py")
    assert not page.exception
    assert len(page.get("plotly_chart")) == 2
    assert {"Setting", "Case", "Value", "Why not"} <= set(page.dataframe[0].value.columns)
