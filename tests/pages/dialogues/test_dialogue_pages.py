"""Runs and dialogues, clicked through on the real services."""

import re
import shutil

from core.domain.run import RunState, TaskState
from core.services.cases import list_cases
from core.services.dialogues import list_dialogues
from core.services.importing import import_paths
from core.services.runs import list_runs, start_run
from core.services.workspace import open_workspace
from core.settings import read_settings
from tests.pages.conftest import ROOT

ARTICLES = ROOT / "data" / "demo" / "articles"


def texts(elements) -> str:
    return " ".join(str(element.value) for element in elements)


def imported(*names: str):
    ws = open_workspace(read_settings())
    outcomes = list(import_paths(ws, [ARTICLES / name for name in names]))
    assert all(outcome.status == "imported" for outcome in outcomes)
    return ws


def test_a_run_is_started_on_what_was_not_run_yet_and_listed_with_its_stages(empty_study, open_page) -> None:
    ws = imported("PMC99000004.1", "PMC99000006.tar.gz")
    page = open_page("dialogues/runs.py")
    assert page.button(key="run_start").label == "Start on 2 cases"
    page.button(key="run_start").click().run()
    assert not page.exception and not page.error
    (run,) = list_runs(ws)
    assert run.state is RunState.FINISHED
    assert run.n(TaskState.DONE) == 14
    assert all(row.n_dialogues == 2 for row in list_cases(ws))
    assert page.table[0].value.loc["Judge the model dialogue", "done"] == 2


def test_the_same_run_again_makes_no_new_dialogue(empty_study, open_page) -> None:
    ws = imported("PMC99000006.tar.gz")
    page = open_page("dialogues/runs.py")
    page.button(key="run_start").click().run()
    before = [row.id for row in list_dialogues(ws)]
    page.button(key="run_start").click().run()
    assert len(list_runs(ws)) == 2
    assert [row.id for row in list_dialogues(ws)] == before


def test_cases_can_be_chosen_one_by_one_and_none_cannot_be_started(empty_study, open_page) -> None:
    ws = imported("PMC99000004.1", "PMC99000006.tar.gz")
    page = open_page("dialogues/runs.py")
    page.get_by_key("run_group").set_value("chosen").run()
    assert page.button(key="run_start").disabled
    page.multiselect(key="run_cases").select("PMC99000006").run()
    page.button(key="run_start").click().run()
    assert not page.exception
    assert {row.case_id for row in list_dialogues(ws)} == {"PMC99000006"}


def test_what_was_skipped_is_shown_with_its_reason_and_taken_up_later(empty_study, open_page, tmp_path) -> None:
    source, target = ARTICLES / "PMC99000004.1", tmp_path / "PMC99000004.1"
    target.mkdir()
    shutil.copyfile(source / "PMC99000004.1.xml", target / "PMC99000004.1.xml")
    ws = open_workspace(read_settings())
    assert [outcome.status for outcome in import_paths(ws, [target])] == ["imported"]
    page = open_page("dialogues/runs.py")
    page.button(key="run_start").click().run()
    assert not page.exception
    assert "waiting" in texts(page.text)
    assert "PMC99000004" in [link.proto.label for link in page.get("page_link")]

    assert [outcome.status for outcome in import_paths(ws, [source])] == ["updated"]
    page.run()
    again = next(button for button in page.button if button.label.startswith("Take up"))
    assert again.label == "Take up what is left: 1 case"
    again.click().run()
    assert not page.exception and not page.error
    assert list_cases(ws)[0].n_dialogues == 2


def test_a_run_cut_off_by_a_killed_app_can_be_taken_up(empty_study, open_page) -> None:
    ws = imported("PMC99000006.tar.gz")
    models = {"test model": "rules baseline", "judge": "rules baseline"}
    opened = start_run(ws, "pipeline", models, (("PMC99000006", "extract"),), {"leak_policy": "auto"})
    opened.__enter__()
    page = open_page("dialogues/runs.py")
    assert not page.exception
    assert "marked as running" in texts(page.caption)
    next(button for button in page.button if button.label.startswith("Take up")).click().run()
    assert not page.exception and not page.error
    assert list_cases(ws)[0].n_dialogues == 2


def test_a_run_is_opened_by_its_address(demo_study, open_page) -> None:
    ws = open_workspace(read_settings())
    page = open_page("dialogues/runs.py", id=list_runs(ws)[-1].id)
    assert not page.exception


def test_a_dialogue_shows_every_turn_with_its_prompt_and_answer(demo_study, open_page) -> None:
    ws = open_workspace(read_settings())
    row = next(one for one in list_dialogues(ws, "PMC99000004") if one.setting == "Example answers A")
    page = open_page("dialogues/dialogue.py", id=row.id)
    assert not page.exception and not page.error
    assert sum(f"Turn {n} ·" in texts(page.markdown) for n in range(1, row.n_turns + 1)) == row.n_turns
    assert "written by hand" in page.info[0].value


def test_a_case_in_the_address_opens_its_dialogues(demo_study, open_page) -> None:
    page = open_page("dialogues/dialogue.py", case="PMC99000006")
    assert page.selectbox(key="dialogue_case").value == "PMC99000006"
    assert "invented article" in page.info[0].value


def test_an_article_found_ineligible_is_not_offered_again_until_it_changes(empty_study, open_page, tmp_path) -> None:
    folder = tmp_path / "PMC99000004.1"
    folder.mkdir()
    text = (ARTICLES / folder.name / "PMC99000004.1.xml").read_text(encoding="utf-8")
    (folder / "PMC99000004.1.xml").write_text(re.sub(r"<fig\b.*?</fig>", "", text, flags=re.DOTALL), encoding="utf-8")
    ws = open_workspace(read_settings())
    assert [outcome.status for outcome in import_paths(ws, [folder])] == ["imported"]
    page = open_page("dialogues/runs.py")
    page.button(key="run_start").click().run()
    assert [row.eligibility for row in list_cases(ws)] == ["ineligible"]
    assert page.get_by_key("run_group").value == "all imported"
    shown = " ".join(text.value for text in open_page("dialogues/runs.py").text)
    assert "is ineligible: " in shown
    assert ".;" not in shown and ".." not in shown
