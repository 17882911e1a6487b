"""The whole flow on a hand-made article: every step stored, every failure with its reason, nothing done twice."""

import csv
import io
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from core.domain.case import LeakAction, LeakPolicy
from core.domain.dialogue import DialogueKind, Stage
from core.domain.run import RunState, TaskState
from core.errors import Conflict, InvalidInput, ModelUnavailable, NotReady
from core.services import (
    correcting,
    evaluating,
    exporting,
    extracting,
    importing,
    overview,
    pipeline,
    results,
    running,
    runs,
    script_rows,
)
from core.services.cases import case_versions, get_case, list_cases, list_failures
from core.services.demo import load_demo
from core.services.dialogues import (
    answers_template,
    export_jsonl,
    get_dialogue,
    import_jsonl,
    list_dialogues,
    preview,
    write_reference,
)
from core.services.workspace import open_workspace
from core.settings import read_settings
from core.storage.review_studies import list_assignments
from tests.services import small_article

CASE = "PMC900001"


@pytest.fixture
def imported(workspace):
    importing.import_upload(workspace, small_article.files())
    return workspace


@pytest.fixture
def released(imported):
    extracting.extract(imported, CASE, LeakPolicy.AUTO)
    return imported


@pytest.fixture
def judged(released):
    pipeline.run_pipeline(released, [CASE])
    return released


def test_the_pipeline_makes_two_judged_dialogues(judged) -> None:
    seen = overview.overview(judged)
    assert (seen.articles, seen.cases, seen.released, seen.dialogues) == (1, 1, 1, 2)
    assert (seen.evaluations, seen.judgements) == (2, 2)
    assert {row.kind for row in list_dialogues(judged)} == {DialogueKind.REFERENCE, DialogueKind.MODEL}


def test_the_pipeline_again_makes_nothing_new(judged) -> None:
    before = overview.overview(judged)
    run = pipeline.run_pipeline(judged, [CASE])
    assert run.n(TaskState.DONE) == len(run.tasks) == 7
    assert overview.overview(judged) == before
    assert len(case_versions(judged, CASE)) == 1


def test_each_step_is_recorded_with_what_it_made(judged) -> None:
    (run,) = runs.list_runs(judged)
    assert run.state is RunState.FINISHED
    assert [task.step for task in run.tasks] == [
        "extract",
        "reference",
        "run",
        "evaluate reference",
        "judge reference",
        "evaluate model",
        "judge model",
    ]
    assert all(task.state is TaskState.DONE and task.result_id for task in run.tasks)
    assert run.models["judge"] == "rules baseline"


def test_a_refused_article_is_a_stored_reason(workspace) -> None:
    (result,) = pipeline.pipeline_upload(workspace, {"a.xml": b"nonsense"})
    assert [problem.step for problem in result.problems] == ["import"]
    (run,) = runs.list_runs(workspace)
    assert run.tasks[0].state is TaskState.SKIPPED
    assert "a.xml" in run.tasks[0].reason


def test_a_case_without_pictures_waits_and_says_so(workspace) -> None:
    importing.import_upload(workspace, small_article.files(n_pictures=0))
    (result,) = pipeline.pipeline_stored(workspace, [CASE])
    assert not result.is_complete
    assert result.judged == ()
    (row,) = list_cases(workspace)
    assert row.eligibility == "waiting"
    (failure,) = list_failures(workspace, CASE)
    assert "waiting" in failure.reason
    with pytest.raises(NotReady):
        running.run_case(workspace, "rules", CASE)


def test_one_missing_picture_is_named_and_the_rest_goes_on(workspace) -> None:
    importing.import_upload(workspace, small_article.files(n_pictures=1))
    (result,) = pipeline.pipeline_stored(workspace, [CASE])
    assert len(result.judged) == 2
    (problem,) = result.problems
    assert problem.step == "picture fig2"
    assert "two.png is missing" in problem.reason
    assert problem.reason in [failure.reason for failure in list_failures(workspace, CASE)]


def test_attaching_the_pictures_lets_the_case_go_on(workspace) -> None:
    importing.import_upload(workspace, small_article.files(n_pictures=0))
    pipeline.run_pipeline(workspace, [CASE])
    for number in (1, 2):
        importing.attach_image(workspace, CASE, f"fig{number}", "x.png", small_article.picture(number), "Lead")
    run = pipeline.run_pipeline(workspace, [CASE])
    assert run.n(TaskState.DONE) == 7


def test_an_unknown_model_stops_before_anything_is_stored(workspace) -> None:
    with pytest.raises(ModelUnavailable, match="gtp-9"):
        pipeline.pipeline_upload(workspace, small_article.files(), pipeline.Models(test_model="gtp-9"))
    assert list_cases(workspace) == ()
    assert runs.list_runs(workspace) == ()


def test_an_interrupted_run_is_paused_and_goes_on(released) -> None:
    def stop(done: int, total: int, text: str) -> None:
        if "turn 2" in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        running.run_model(released, "rules", [CASE], progress=stop)
    (paused,) = runs.list_runs(released)
    assert paused.state is RunState.PAUSED
    assert paused.tasks[0].state is TaskState.WAITING
    assert list_dialogues(released) == ()
    finished = running.run_model(released, "rules", [CASE])
    assert finished.tasks[0].state is TaskState.DONE


def test_a_fault_of_ours_on_one_case_does_not_stop_the_others(released) -> None:
    importing.import_upload(released, small_article.files(pmcid="PMC900003"))
    extracting.extract(released, "PMC900003", LeakPolicy.AUTO)

    def stumble(done: int, total: int, text: str) -> None:
        if text.startswith(f"{CASE}: turn"):
            raise ZeroDivisionError("a bug")

    run = running.run_model(released, "rules", [CASE, "PMC900003"], progress=stumble)
    assert [task.state for task in run.tasks] == [TaskState.FAILED, TaskState.DONE]
    assert "fault of CaseRounds" in run.tasks[0].reason


def test_the_preview_is_exactly_what_the_model_was_sent(judged) -> None:
    plan = preview(judged, CASE)
    (row,) = list_dialogues(judged, kind=DialogueKind.MODEL)
    dialogue = get_dialogue(judged, row.id)
    assert [turn.staged.prompt for turn in dialogue.turns] == [turn.prompt for turn in plan.turns]
    assert dialogue.turns[-1].staged.stage is Stage.SYNTHESIS
    assert all(image.sent_sha256 for turn in dialogue.turns for image in turn.staged.images)


def test_nothing_before_synthesis_names_the_diagnosis_or_a_caption(judged) -> None:
    plan = preview(judged, CASE)
    for turn in plan.turns[:-1]:
        assert "sarcoid" not in turn.prompt.lower()
        assert "hilar" not in turn.prompt.lower()
        assert "lymph nodes" not in turn.prompt.lower()


def test_reference_items_are_shared_by_all_dialogues_of_a_case(judged) -> None:
    sets = {row.reference_set_id for row in evaluating.list_evaluations(judged)}
    assert len(sets) == 1


def test_the_result_row_adds_up(judged) -> None:
    for row in evaluating.list_evaluations(judged):
        (judgement,) = evaluating.judgements_of(judged, row.dialogue_id)
        shown = script_rows.result_row(judged, row.id, judgement.id)
        assert set(shown) >= {"case", "dialogue", "judge", "targets", "fvcu", "coverage"}
        for target in shown["targets"].values():
            n_reference = sum(item["side"] == "reference" for item in target["items"])
            n_output = sum(item["side"] == "output" for item in target["items"])
            for level in ("strict", "lenient"):
                assert target[f"tp_{level}"] + target[f"fn_{level}"] == n_reference
                assert target[f"tp_{level}"] + target[f"fp_{level}"] == n_output
        assert set(shown["fvcu"]) == {"factuality", "validity", "coherence", "utility", "overall"}


def test_the_score_table_has_both_settings(judged) -> None:
    table = results.table(judged, draws=50)
    assert set(table.settings) == {"reference", "rules baseline"}
    assert table.row("final_diagnosis.strict.f1", "reference").n == 1
    assert results.list_judges(judged) == ("rules baseline",)
    assert results.list_evaluators(judged) == (("rules baseline", "rules baseline"),)


def test_the_newest_dialogue_of_a_case_counts_once(judged) -> None:
    running.run_model(judged, "rules", [CASE], repeat=1)
    for row in list_dialogues(judged):
        evaluating.evaluate(judged, row.id)
    per_setting = [(score.setting, score.repeat) for score in results.scores(judged)]
    assert sorted(per_setting) == [("reference", 0), ("rules baseline", 0), ("rules baseline", 1)]


def test_dialogues_come_back_from_json_lines_unchanged(judged, tmp_path) -> None:
    text = export_jsonl(judged)
    with pytest.raises(Conflict):
        import_jsonl(judged, text, "again")
    other = open_workspace(read_settings(tmp_path / "other"))
    importing.import_upload(other, small_article.files())
    extracting.extract(other, CASE, LeakPolicy.AUTO)
    import_jsonl(other, text, "")
    assert export_jsonl(other) == text


def test_answers_made_elsewhere_are_imported_whole_or_not_at_all(released) -> None:
    template = answers_template(released, [CASE])
    n_turns = template.count("\n")
    with pytest.raises(InvalidInput, match="response"):
        import_jsonl(released, template, "Elsewhere")
    assert list_dialogues(released) == ()
    filled = template.replace('"response":""', '"response":"Sarcoidosis."')
    (dialogue,) = import_jsonl(released, filled, "Elsewhere")
    assert (dialogue.setting, len(dialogue.turns)) == ("Elsewhere", n_turns)
    # A 20-character answer is an answer: it is scored, with what it lacks counted.
    evaluation = evaluating.evaluate(released, dialogue.id)
    assert evaluating.judge(released, evaluation.id).judge == "rules baseline"


def test_a_held_case_is_neither_run_nor_given_away(imported) -> None:
    leaky = small_article.files(pmcid="PMC900002")
    leaky["article.xml"] = leaky["article.xml"].replace(
        b"He had no fever", b"A colleague had told him that he had sarcoidosis. He had no fever"
    )
    importing.import_upload(imported, leaky)
    case = extracting.extract(imported, "PMC900002", LeakPolicy.HOLD)
    assert not case.is_released
    with pytest.raises(NotReady, match="leak audit"):
        running.run_case(imported, "rules", "PMC900002")
    with pytest.raises(NotReady):
        answers_template(imported, ["PMC900002"])
    decided = case
    while open_hits := [n for n, hit in enumerate(decided.leaks) if hit.is_open]:
        decided = correcting.decide_leak(
            imported, "PMC900002", decided.version, open_hits[0], LeakAction.WITHHELD, "Lead", "names the answer"
        )
    assert decided.is_released
    assert decided.made_by.model == "Lead"
    with pytest.raises(Conflict):
        correcting.decide_leak(imported, "PMC900002", case.version, 0, LeakAction.WITHHELD, "Lead")
    # The pipeline goes on with the lead's version instead of extracting anew.
    pipeline.run_pipeline(imported, ["PMC900002"])
    assert get_case(imported, "PMC900002").version == decided.version


def test_confirmed_figures_name_who_looked(released) -> None:
    assert extracting.confirmed_figures(released, CASE) == {}
    extracting.confirm_figure(released, CASE, "fig1", "Lead")
    (said,) = extracting.confirmed_figures(released, CASE).values()
    assert said.startswith("Lead, ")


def test_every_row_of_the_export_fits_its_description_and_names_the_licence(judged, tmp_path) -> None:
    path = exporting.export_bundle(judged, tmp_path / "out.zip")
    assert path.is_file()
    counts = {table.name: table.n_rows for table in exporting.list_tables(judged)}
    assert counts["dialogues"] == counts["coverage"] == 2
    assert counts["judge_scores"] == 10
    for name, n_rows in counts.items():
        text = exporting.export_table(judged, name).decode("utf-8-sig")
        assert len(list(csv.reader(io.StringIO(text, newline="")))) == n_rows + 1, name
    assert b"CC BY-NC-ND" in exporting.export_table(judged, "matches")
    readme = zipfile.ZipFile(path).read("README.txt").decode()
    assert "no adaptations may be passed on, no commercial use" in readme


def test_the_rules_baseline_is_labelled_in_every_row(judged) -> None:
    for name in ("dialogues", "turns", "atomic_scores", "items", "matches", "judge_scores"):
        text = exporting.export_table(judged, name).decode("utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        assert rows
        assert {row["is_rules_baseline"] for row in rows} == {"true"}, name


def test_the_reference_dialogue_is_written_once(released) -> None:
    first = write_reference(released, CASE)
    assert write_reference(released, CASE).id == first.id


def test_the_demonstration_study_goes_on_where_it_was_stopped_and_is_labelled_throughout(tmp_path, monkeypatch) -> None:
    def stop(done: int, total: int, text: str) -> None:
        if "ratings" in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_demo(open_workspace(read_settings(tmp_path / "study")), progress=stop)
    monkeypatch.setenv("CASEROUNDS_DEMO", "1")
    study = open_workspace(read_settings(tmp_path / "study"))
    seen = overview.overview(study)
    assert seen.articles == seen.released == 6
    assert seen.dialogues == 18
    assert seen.judgements == 36
    assert seen.committed == 19
    assert all(row.is_demonstration for row in list_cases(study))
    assert all(row.is_demonstration for row in list_dialogues(study))
    with study.store.read() as session:
        assert len(list_assignments(session)) == seen.assignments
    for table in exporting.list_tables(study):
        text = exporting.export_table(study, table.name).decode("utf-8-sig")
        labels = {row["is_demonstration"] for row in csv.DictReader(io.StringIO(text, newline=""))}
        assert labels <= {"true"}, table.name
    again = open_workspace(read_settings(tmp_path / "study"))
    assert overview.overview(again) == seen


@pytest.mark.parametrize("name", ["PMC6497212", "PMC4735894", "PMC7500000", "PMC5894222"])
def test_a_real_article_goes_through_all_steps(workspace, shared_folder: Path, tmp_path, name) -> None:
    folder = with_stand_in_pictures(shared_folder / "corpus" / name, tmp_path / name)
    (result,) = pipeline.pipeline_paths(workspace, [folder])
    assert result.problems == ()
    assert len(result.judged) == 2


def with_stand_in_pictures(source: Path, target: Path) -> Path:
    """Copy a real article and put a picture under the name of every href it asks for."""
    target.mkdir(parents=True)
    for file in source.iterdir():
        shutil.copyfile(file, target / file.name)
    (xml,) = [file for file in target.iterdir() if file.suffix in (".xml", ".nxml")]
    for number, href in enumerate(sorted(set(re.findall(r'<graphic[^>]*href="([^"]+)"', xml.read_text("utf-8"))))):
        name = href if href.lower().endswith((".jpg", ".jpeg", ".png", ".gif")) else f"{href}.jpg"
        Image.new("RGB", (320, 240), (number * 37 % 256, 120, 80)).save(target / name)
    return target
