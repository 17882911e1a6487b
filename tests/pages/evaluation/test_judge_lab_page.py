"""The judge lab: nothing is asked before it is agreed to, and what changes is shown."""

from core.services.evaluating import judgements_of, list_evaluations
from core.services.judge_lab import Trial, changes_of, plan_trial, run_trial
from core.services.workspace import open_workspace
from core.settings import read_settings


def test_an_empty_study_says_what_to_do(empty_study, open_page) -> None:
    page = open_page("evaluation/judge_lab.py")
    assert not page.exception
    assert page.get("page_link")


def test_rules_are_tried_without_a_call_and_the_changes_against_another_judge_are_shown(demo_study, open_page) -> None:
    page = open_page("evaluation/judge_lab.py")
    assert not page.exception
    assert not page.warning
    page.selectbox(key="lab_against").set_value("Recorded demonstration judge").run()
    page.multiselect(key="lab_settings").set_value(["Example answers A", "Example answers B"]).run()
    page.button(key="lab_start").click().run()
    assert not page.exception and not page.error
    assert any(h.value == "What changed" for h in page.subheader)
    totals = page.table[0].value
    assert "Overall (1-5)" in totals.index
    scores = page.dataframe[0].value
    assert {"Before", "After", "Words before", "Words after"} <= set(scores.columns)
    assert (scores["Before"] != scores["After"]).all()


def test_with_nothing_chosen_nothing_can_be_started(demo_study, open_page) -> None:
    page = open_page("evaluation/judge_lab.py")
    page.selectbox(key="lab_judge").set_value("none").run()
    assert page.button(key="lab_start").disabled


def test_a_paid_model_is_named_with_its_calls_and_unknown_cost_before_it_can_be_started(
    demo_study, open_page, monkeypatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-never-used")
    page = open_page("evaluation/judge_lab.py")
    page.selectbox(key="lab_judge").set_value("gpt-5.1").run()
    words = " ".join(w.value for w in page.warning)
    assert "calls to gpt-5.1" in words and "cost is unknown" in words
    assert page.button(key="lab_start").disabled
    page.checkbox[0].set_value(True).run()
    assert not page.button(key="lab_start").disabled


def test_the_same_rules_again_change_nothing_and_store_nothing_new(demo_study) -> None:
    ws = open_workspace(read_settings())
    listed = list_evaluations(ws)
    ids = [row.dialogue_id for row in listed][:4]
    n_before = [len(judgements_of(ws, one)) for one in ids]
    trial = Trial(decomposer="rules baseline", matcher="rules baseline", judge="rules baseline")
    assert plan_trial(ws, trial, ids).most_calls == 0
    lines = run_trial(ws, trial, ids)
    assert all(line.evaluation_before == line.evaluation_after and not line.problem for line in lines)
    found = changes_of(ws, lines, draws=50)
    assert (found.pairs, found.scores) == ((), ())
    assert all(one.difference == 0 for one in found.totals if one.difference is not None)
    assert [len(judgements_of(ws, one)) for one in ids] == n_before
    assert len(list_evaluations(ws)) == len(listed)


def test_a_model_that_cannot_be_used_gives_a_reason_for_each_dialogue(demo_study, monkeypatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    ws = open_workspace(read_settings())
    ids = [row.dialogue_id for row in list_evaluations(ws)][:2]
    trial = Trial(judge="gpt-5.1")
    plan = plan_trial(ws, trial, ids)
    assert (plan.most_calls, plan.unpriced) == (2, ("gpt-5.1",))
    lines = run_trial(ws, trial, ids)
    assert all(line.problem and not line.judgement_after for line in lines)
