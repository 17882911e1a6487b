"""`python -m core reports`: one JSON object a line, one sentence for bad input, exit code 0 only when all went well."""

import json

import pytest
from typer.testing import CliRunner

from core.__main__ import app
from tests.reports.test_service import HEADER, LINES


@pytest.fixture
def run(tmp_path):
    def command(*words: str):
        return CliRunner().invoke(app, ["reports", *words, "--data", str(tmp_path / "study")])

    return command


@pytest.fixture
def pairs_file(tmp_path):
    file = tmp_path / "pairs.csv"
    file.write_text(HEADER + LINES, encoding="utf-8")
    return str(file)


def rows(result) -> list[dict]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_pairs_are_imported_evaluated_and_exported(run, pairs_file, tmp_path) -> None:
    assert rows(run("import", pairs_file, "--json")) == [{"source": "pairs.csv", "added": 2, "known": 0}]
    evaluated = run("evaluate", "--json")
    assert evaluated.exit_code == 0
    lines = rows(evaluated)
    assert [(line["model"], line["f1"] == 1.0) for line in lines] == [("A", False), ("B", True)]
    assert {"pair", "model", "dataset", "disease", "attribute", "f1", "facts", "unscored"} <= lines[0].keys()
    assert run("export", str(tmp_path / "out")).exit_code == 0
    assert {file.name for file in (tmp_path / "out").iterdir()} == {"report_scores.csv", "report_questions.csv"}


def test_bad_input_is_one_sentence_and_exit_code_1(run, pairs_file, tmp_path) -> None:
    broken = tmp_path / "broken.csv"
    broken.write_text(HEADER + "P1,D,CT,A,,x\n", encoding="utf-8")
    result = run("import", str(broken))
    assert result.exit_code == 1 and "line 2: no reference" in result.stderr
    assert run("evaluate").exit_code == 1
    run("import", pairs_file)
    assert "no-such-model" in run("evaluate", "--judge", "no-such-model").stderr
    assert "'P9'" in run("evaluate", "P9").stderr
    assert "--map field=column" in run("import", pairs_file, "--map", "oops").stderr


def test_columns_are_named_on_the_command_line(run, tmp_path) -> None:
    file = tmp_path / "long.csv"
    file.write_text("id,truth,answer\nP1,No cyst.,No cyst.\n", encoding="utf-8")
    result = run(
        *("import", str(file), "--map", "reference=truth", "--map", "prediction=answer"),
        *("--set", "model=M", "--set", "dataset=D", "--json"),
    )
    assert rows(result)[0]["added"] == 1
