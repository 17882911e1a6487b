"""The command line: stable JSON lines, one sentence for bad input, exit code 0 only when all went well."""

import csv
import json
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.__main__ import app
from tests.services import small_article

ROOT = Path(__file__).resolve().parent.parent
CASE = "PMC900001"


class Study:
    """Runs commands on a study of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.article = small_article.write(folder / "article")

    def run(self, *arguments: str):
        with_study = arguments[:1] != ("quality",)
        data = ["--data", str(self.folder / "study")] if with_study else []
        return CliRunner().invoke(app, [*map(str, arguments), *data])

    def lines(self, *arguments: str) -> list[dict]:
        result = self.run(*arguments, "--json")
        assert result.exit_code == 0, result.stderr
        return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def study(tmp_path) -> Study:
    return Study(tmp_path)


def test_import_extract_dialogue_run_evaluate_export_one_after_the_other(study) -> None:
    (imported,) = study.lines("import", study.article)
    assert (imported["id"], imported["status"]) == (CASE, "imported")

    (case,) = study.lines("extract", "--leak-policy", "auto")
    assert set(case) >= set(
        "id source version eligible reasons elements figures final_diagnosis reasoning unsupported leaks "
        "released".split()
    )
    assert case["released"] is True
    text = case["final_diagnosis"][0]
    assert set(text) >= {"text", "part", "start", "end", "found"}
    assert "sarcoidosis" in text["text"]
    assert len(case["elements"]) == 13

    turns = study.lines("dialogue", "--preview")
    assert [turn["turn"] for turn in turns] == list(range(1, len(turns) + 1))
    assert [turn["stage"] for turn in turns] == ["history", "examination", "image", "image", "synthesis"]
    assert turns[2]["images"][0]["name"] == "image-1.png"
    assert turns[3]["images"][0]["name"] == "image-2.png"
    assert {value["field"] for value in turns[0]["disclosed"]} <= set(case["elements"])

    (reference,) = study.lines("dialogue")
    (run,) = study.lines("run", "--model", "rules")
    assert (run["state"], run["failed_turns"]) == ("done", [])

    rows = study.lines("evaluate", "--judge", "rules")
    assert {row["dialogue"] for row in rows} == {reference["dialogue"], run["dialogue"]}
    for row in rows:
        assert set(row) >= {"case", "dialogue", "judge", "targets", "fvcu", "coverage"}
        assert set(row["targets"]) == {"final_diagnosis", "diagnostic_reasoning", "image_findings"}
        assert set(row["targets"]["final_diagnosis"]) >= set(
            "tp_strict tp_lenient fp_strict fp_lenient fn_strict fn_lenient precision recall f1 vacuous items "
            "matches".split()
        )
        assert all(1 <= value["score"] <= 5 and value["justification"] for value in row["fvcu"].values())

    tables = study.lines("export", study.folder / "out.zip")
    assert (study.folder / "out.zip").is_file()
    assert {table["table"]: table["rows"] for table in tables}["dialogues"] == 2


def test_spans_resolve_in_the_texts_of_the_parts(study) -> None:
    study.lines("import", study.article)
    (without,) = study.lines("extract")
    (case,) = study.lines("extract", "--parts")
    parts = {part["id"]: part["text"] for part in case.pop("parts")}
    assert case == without
    values = [value for values in case["elements"].values() for value in values]
    values += case["final_diagnosis"] + case["reasoning"]
    values += [finding for figure in case["figures"] for finding in figure["findings"]]
    assert len(values) > 10
    for value in values:
        assert parts[value["part"]][value["start"] : value["end"]] == value["text"]


def test_pipeline_prints_one_line_per_dialogue_and_the_same_again(study) -> None:
    rows = study.lines("pipeline", study.article)
    assert [row["setting"] for row in rows] == ["reference", "rules baseline"]
    assert study.lines("pipeline", study.article) == rows


def test_messages_go_to_standard_error(study) -> None:
    result = study.run("import", study.article, "--json")
    assert len(result.stdout.splitlines()) == 1
    assert "1 imported" in result.stderr


def test_a_dry_run_with_report_stores_nothing(study) -> None:
    result = study.run("import", study.article, "--dry-run", "--csv", study.folder / "report.csv")
    assert result.exit_code == 0
    (row,) = csv.DictReader((study.folder / "report.csv").read_text("utf-8-sig").splitlines())
    assert (row["id"], row["n_images"]) == (CASE, "2")
    refused = study.run("extract")
    assert refused.exit_code == 1
    assert "holds no article" in refused.stderr


BAD = {
    "not XML": ("pipeline", b"This is a shopping list.", "article.xml"),
    "no body": ("pipeline", b"<article><front/></article>", "article.xml"),
    "a bomb": (
        "import",
        b'<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><article><body>&b;</body></article>',
        "a.xml",
    ),
    "a truncated archive": ("import", b"PK\x03\x04 nothing more", "article.zip"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_a_sentence_and_a_non_zero_exit(study, what) -> None:
    command, data, name = BAD[what]
    (study.folder / name).write_bytes(data)
    result = study.run(command, study.folder / name)
    assert result.exit_code == 1
    assert name.split(".")[0] in result.stderr
    assert "Traceback" not in result.output
    assert "holds no article" in study.run("extract").stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("pipeline", "/nowhere/at/all"), "no file or folder"),
        (("run", "--model", "gtp-9"), "gtp-9"),
        (("evaluate", "--judge", "gtp-9"), "gtp-9"),
        (("evaluate", "dlg-none"), "dlg-none"),
        (("run", "PMC1", "--model", "rules"), "PMC1"),
        (("extract", "PMC1"), "PMC1"),
        (("dialogue", "PMC1", "--preview"), "PMC1"),
        (("answers", "import", "/nowhere.jsonl", "--label", "x"), "nowhere.jsonl"),
        (("export",), "No file"),
        (("export", "--table", "recipes"), "recipes"),
        (("db", "restore", "/nowhere"), "nowhere"),
        (("quality", "/nowhere.json", "--articles", "/nowhere"), "nowhere.json"),
    ],
)
def test_what_does_not_exist_is_named(study, arguments, words) -> None:
    study.lines("import", study.article)
    study.lines("extract", "--leak-policy", "auto")
    study.lines("dialogue")
    result = study.run(*arguments)
    assert result.exit_code == 1
    assert words in result.stderr
    assert "Traceback" not in result.output


def test_a_case_that_waits_for_pictures_says_so(study) -> None:
    for file in study.article.glob("*.png"):
        file.unlink()
    result = study.run("pipeline", study.article, "--json")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "waiting" in result.stderr


def test_an_article_without_figures_is_ineligible_and_says_so(study) -> None:
    xml = study.article / "article.xml"
    xml.write_text(re.sub(r"<fig .*?</fig>|<xref .*?</xref>", "", xml.read_text(), flags=re.S))
    result = study.run("pipeline", study.article, "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "ineligible" in result.stderr
    assert "figure" in result.stderr


def test_a_run_over_all_cases_leaves_out_what_is_not_released_and_says_so(study) -> None:
    bare = small_article.write(study.folder / "bare", pmcid="PMC900009", n_pictures=0)
    study.lines("import", study.article, bare)
    assert study.run("run", "--model", "rules").exit_code == 1
    study.lines("extract", "--leak-policy", "auto")
    result = study.run("run", "--model", "rules", "--json")
    assert result.exit_code == 0
    assert [json.loads(line)["case"] for line in result.stdout.splitlines()] == [CASE]
    assert "PMC900009" in result.stderr
    assert study.run("run", "PMC900009", "--model", "rules").exit_code == 1


def test_a_short_or_empty_answer_made_elsewhere(study) -> None:
    study.lines("import", study.article)
    study.lines("extract", "--leak-policy", "auto")
    file = study.folder / "answers.jsonl"
    assert study.run("answers", "template", file).exit_code == 0
    empty = study.run("answers", "import", file, "--label", "Elsewhere")
    assert empty.exit_code == 1
    assert "empty" in empty.stderr
    file.write_text(file.read_text().replace('"response":""', '"response":"It is probably flu."'))
    (made,) = study.lines("answers", "import", file, "--label", "Elsewhere")
    (row,) = study.lines("evaluate", made["dialogue"])
    assert row["targets"]["final_diagnosis"]["tp_lenient"] == 0


def test_dialogues_survive_a_round_trip(study) -> None:
    study.lines("pipeline", study.article)
    assert study.run("answers", "export", study.folder / "d.jsonl").exit_code == 0
    other = Study(study.folder / "other")
    other.lines("import", other.article)
    other.lines("extract", "--leak-policy", "auto")
    assert len(other.lines("answers", "import", study.folder / "d.jsonl", "--label", "x")) == 2
    assert other.run("answers", "export", study.folder / "e.jsonl").exit_code == 0
    assert (study.folder / "e.jsonl").read_text() == (study.folder / "d.jsonl").read_text()


def test_a_study_is_created_assigned_and_followed(study) -> None:
    study.lines("pipeline", study.article)
    (made,) = study.lines("study", "create", "Pilot", "--reviewer", "Dr A")
    assert (made["dialogues"], made["reviewers"], made["mode"]) == (2, 1, "blinded")
    (assigned,) = study.lines("study", "assign", made["id"], "--reviewer", "Dr B")
    assert assigned["new_assignments"] == 2
    (line,) = study.lines("study", "status")
    assert (line["assignments"], line["committed"]) == (4, 0)
    assert all(set(row["states"]) == {"Dr A", "Dr B"} for row in study.lines("study", "status", made["id"]))


def test_backup_restore_and_check(study) -> None:
    study.lines("import", study.article)
    study.lines("db", "backup", study.folder / "copy")
    assert study.run("db", "restore", study.folder / "copy").exit_code == 0
    (found,) = study.lines("db", "check")
    assert found == {"articles": 1, "images": 2, "problems": []}


def test_a_study_folder_that_is_a_file_is_a_sentence(tmp_path) -> None:
    (tmp_path / "study").write_text("not a folder")
    result = CliRunner().invoke(app, ["extract", "--data", str(tmp_path / "study")])
    assert result.exit_code == 1
    assert "is a file" in result.stderr


def test_a_foreign_database_is_a_sentence(tmp_path) -> None:
    (tmp_path / "caserounds.sqlite").write_text("not a database at all, just a long enough text file " * 10)
    result = CliRunner().invoke(app, ["db", "check", "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert "not a readable database" in result.stderr


def test_commands_never_load_the_demonstration_study_unasked(study, monkeypatch) -> None:
    monkeypatch.setenv("CASEROUNDS_DEMO", "1")
    study.lines("import", study.article)
    assert [row["id"] for row in study.lines("extract")] == [CASE]


def test_doctor_names_keys_but_never_shows_them(study, monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-value")
    result = study.run("doctor", "--json")
    assert "sk-secret-value" not in result.output
    findings = {line["subject"]: line for line in map(json.loads, result.stdout.splitlines())}
    assert findings["Python"]["state"] == "ok"
    assert "key present (OPENAI_API_KEY)" in findings["model gpt-4.1"]["text"]


def test_quality_compares_with_annotations(study, shared_folder) -> None:
    corpus = shared_folder / "corpus"
    rows = study.lines("quality", corpus / "gold.json", "--articles", corpus)
    assert {"field", "gold", "found", "recall", "precision", "n_articles"} <= set(rows[0])
    assert {row["field"] for row in rows} >= {"figures", "final_diagnosis", "history"}


def python_m_core(*arguments: str, **wishes) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "core", *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"CASEROUNDS_DEMO": "0"},
        **wishes,
    )


def test_help_needs_no_heavy_room() -> None:
    script = (
        "import sys, core.__main__\n"
        "heavy = {'sqlalchemy', 'lxml', 'openai', 'anthropic', 'streamlit', 'pandas', 'numpy', 'scipy', 'PIL'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


def test_help_is_there_within_a_second() -> None:
    # Processor time: the machine may be busy with other tests.
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "core", "--help"], cwd=ROOT, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1.0


def test_ctrl_c_is_a_pause_and_the_same_command_goes_on(study) -> None:
    articles = study.folder / "many"
    for number in range(30):
        small_article.write(articles / f"a{number}", pmcid=f"PMC91{number:04d}")
    arguments = ("import", articles, "--json", "--data", study.folder / "study")
    process = python_m_core(*arguments)
    first = json.loads(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Paused" in err
    assert "Traceback" not in err
    rows = study.lines("import", articles)
    assert len(rows) == 30
    assert {row["status"] for row in rows} == {"imported", "updated"}
    assert first["status"] == "imported"


def test_output_that_nobody_reads_any_more_is_no_traceback(study) -> None:
    articles = study.folder / "many"
    for number in range(5):
        small_article.write(articles / f"a{number}", pmcid=f"PMC92{number:04d}")
    process = python_m_core("import", articles, "--json", "--data", study.folder / "study")
    process.stdout.readline()
    process.stdout.close()
    assert "Traceback" not in process.stderr.read()
    process.wait(timeout=60)
