"""Tables are written as described, absences stay empty, and nothing is run by a spreadsheet."""

import csv
import io
import zipfile
from datetime import UTC, datetime

import pytest

from core.domain.instrument import Dimension
from core.export.bundle import as_csv, data_dictionary, write_bundle
from core.export.tables import COVERAGE, ITEMS, JUDGE_SCORES, TABLES


def row_of(table, **values):
    return {name: None for name in table.names} | values


def read(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_every_column_of_every_table_is_described() -> None:
    described = {(row["table"], row["column"]) for row in read(data_dictionary())}
    assert described == {(table.name, name) for table in TABLES for name in table.names}
    assert all(row["description"].strip() and row["values"].strip() for row in read(data_dictionary()))


def test_no_table_names_a_column_twice() -> None:
    for table in TABLES:
        assert len(set(table.names)) == len(table.names), table.name


def test_every_table_labels_demonstration_baseline_and_licence() -> None:
    for table in TABLES:
        assert {"is_demonstration", "is_rules_baseline", "article_licence", "case_id"} <= set(table.names), table.name


@pytest.mark.parametrize("change", [{"colour": "red"}, "score"])
def test_a_row_that_does_not_fit_its_description_is_refused(change) -> None:
    row = row_of(JUDGE_SCORES)
    if isinstance(change, dict):
        row |= change
    else:
        del row[change]
    with pytest.raises(KeyError):
        as_csv(JUDGE_SCORES, [row])


def test_an_absent_score_is_an_empty_cell_and_a_zero_is_a_zero() -> None:
    (row,) = read(as_csv(COVERAGE, [row_of(COVERAGE, n_turns=0)]))
    assert (row["n_turns"], row["n_raters"]) == ("0", "")


def test_times_enumerations_and_truth_are_written_in_one_way() -> None:
    values = row_of(
        JUDGE_SCORES, dimension=Dimension.UTILITY, made_at=datetime(2026, 1, 2, 3, tzinfo=UTC), is_demonstration=True
    )
    (row,) = read(as_csv(JUDGE_SCORES, [values]))
    assert (row["dimension"], row["made_at"], row["is_demonstration"]) == ("utility", "2026-01-02T03:00:00Z", "true")


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-5 kg", "@SUM(A1)"])
def test_a_text_that_looks_like_a_formula_is_not_run(text) -> None:
    (row,) = read(as_csv(ITEMS, [row_of(ITEMS, text=text)]))
    assert row["text"] == "'" + text


def test_line_breaks_quotes_and_other_scripts_come_back(tmp_path) -> None:
    text = 'a "quoted"\nline, µ Ω 漢'
    (row,) = read(as_csv(ITEMS, [row_of(ITEMS, text=text)]))
    assert row["text"] == text


def test_the_bundle_holds_every_table_the_dictionary_and_the_licences(tmp_path) -> None:
    path = tmp_path / "export.zip"
    write_bundle(path, {table.name: [] for table in TABLES}, ["PMC1 is CC BY-NC: no commercial use."])
    with zipfile.ZipFile(path) as archive:
        assert set(archive.namelist()) == {f"{t.name}.csv" for t in TABLES} | {"data_dictionary.csv", "README.txt"}
        assert "no commercial use" in archive.read("README.txt").decode()


def test_a_bundle_that_cannot_be_finished_leaves_no_file(tmp_path) -> None:
    with pytest.raises(KeyError):
        write_bundle(tmp_path / "export.zip", {}, [])
    assert not list(tmp_path.iterdir())
