"""The matches of a dialogue with the judges' scores."""

from core.services.dialogues import list_dialogues
from core.services.workspace import open_workspace
from core.settings import read_settings


def test_matches_open_on_answers_of_a_model_with_both_judges(demo_study, open_page) -> None:
    page = open_page("evaluation/matches.py")
    assert not page.exception and not page.error
    assert "written by hand" in page.info[0].value
    labels = [expander.label for expander in page.expander]
    assert any("Recorded demonstration judge" in label for label in labels)
    assert any("rules baseline" in label for label in labels)
    assert len(page.table) == 2
    assert list(page.table[0].value.index) == ["Factuality", "Validity", "Coherence", "Utility", "Overall"]


def test_a_dialogue_in_the_address_is_the_one_shown_and_a_target_narrows_it(demo_study, open_page) -> None:
    ws = open_workspace(read_settings())
    row = next(one for one in list_dialogues(ws, "PMC99000003") if one.setting == "Example answers B")
    page = open_page("evaluation/matches.py", dialogue=row.id)
    assert page.selectbox(key="matches_case").value == "PMC99000003"
    assert page.selectbox(key="matches_dialogue_PMC99000003").value.id == row.id
    page.get_by_key("matches_target").set_value("final_diagnosis").run()
    assert not page.exception
