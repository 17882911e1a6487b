"""The matches of a dialogue with the judges' scores."""

from core.services.dialogues import list_dialogues
from core.services.evaluating import get_evaluation, list_evaluations
from core.services.match_tables import FLAGS, flagged
from core.services.workspace import open_workspace
from core.settings import read_settings


def test_matches_open_on_answers_of_a_model_with_both_judges(demo_study, open_page) -> None:
    page = open_page("evaluation/matches.py")
    assert not page.exception and not page.error
    assert "written by hand" in page.info[0].value
    labels = [expander.label for expander in page.expander]
    assert any("Recorded demonstration judge" in label for label in labels)
    assert any("rules baseline" in label for label in labels)
    tables = [table.value for table in page.table if "Justification" in table.value.columns]
    assert len(tables) == 2
    assert list(tables[0].index) == ["Factuality", "Validity", "Coherence", "Utility", "Overall"]


def test_a_dialogue_in_the_address_is_the_one_shown_and_a_target_narrows_it(demo_study, open_page) -> None:
    ws = open_workspace(read_settings())
    row = next(one for one in list_dialogues(ws, "PMC99000003") if one.setting == "Example answers B")
    page = open_page("evaluation/matches.py", dialogue=row.id)
    assert page.selectbox(key="matches_case").value == "PMC99000003"
    assert page.selectbox(key="matches_dialogue_PMC99000003").value.id == row.id
    page.get_by_key("matches_target").set_value("final_diagnosis").run()
    assert not page.exception


def test_levels_and_words_narrow_the_rows_and_say_so(demo_study, open_page) -> None:
    page = open_page("evaluation/matches.py")
    page.get_by_key("matches_kinds").set_value(["missing"]).run()
    assert not page.exception
    assert any("rows like this" in caption.value for caption in page.caption)
    page.text_input(key="matches_search").set_value("zzz nothing").run()
    assert any(caption.value.startswith("0 rows") for caption in page.caption)


def test_the_panel_of_judges_stands_above_them(demo_study, open_page) -> None:
    page = open_page("evaluation/matches.py")
    frame = next(table.value for table in page.table if "Panel mean" in table.value.columns)
    assert {"Panel mean", "Lowest to highest", "n"} <= set(frame.columns)
    assert list(frame["n"]) == ["2/2"] * 5


def test_flagged_evaluations_are_those_whose_documents_hold_a_note(demo_study) -> None:
    ws = open_workspace(read_settings())
    flags = {one.evaluation_id: set(one.flags) for one in flagged(ws)}
    for listing in list_evaluations(ws):
        evaluation = get_evaluation(ws, listing.id)
        expected = {note.kind for result in evaluation.results for note in result.matching.notes} & set(FLAGS)
        expected |= {"warning"} if evaluation.warnings else set()
        assert flags.get(listing.id, set()) == expected


def test_a_flag_narrows_the_cases(demo_study, open_page) -> None:
    ws = open_workspace(read_settings())
    some = flagged(ws)
    page = open_page("evaluation/matches.py")
    if not some:
        assert page.selectbox(key="matches_flag").options == ["all cases"]
        return
    flag = some[0].flags[0]
    page.selectbox(key="matches_flag").set_value(flag).run()
    assert not page.exception
    wanted = {one.case_id for one in some if flag in one.flags}
    assert set(page.selectbox(key="matches_case").options) == wanted
    assert any("notes on this evaluation" in e.label for e in page.expander)
