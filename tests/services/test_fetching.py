"""Fetching by PMCID: every id asked for ends as one line, and what is stored is whole."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from core.__main__ import app
from core.errors import InvalidInput
from core.services import fetching
from core.services.cases import get_article, list_cases
from tests.jats.loopback_bucket import FakeTime, client_of, running_bucket
from tests.services import small_article

PICTURES = {"one.png": small_article.picture(90), "two.png": small_article.picture(160)}


@pytest.fixture
def bucket(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with running_bucket() as running:
        yield running


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def fetch(bucket, workspace, time):
    def fetched(*ids: str, **wishes) -> list[fetching.FetchOutcome]:
        with client_of(bucket.address, time, timeout_s=wishes.pop("timeout_s", 2.0)) as client:
            return list(fetching.fetch_articles(workspace, ids, client, **wishes))

    return fetched


def add(bucket, pmcid="PMC900001", version=1, title="Cough in a baker", media=PICTURES, **metadata) -> None:
    bucket.add(pmcid, version, small_article.xml(pmcid, title).encode(), media, **metadata)


def nothing_is_stored(workspace) -> bool:
    return not list_cases(workspace) and not workspace.images.hashes()


def test_an_article_is_fetched_with_its_pictures_and_stored(bucket, fetch, workspace) -> None:
    add(bucket)
    (outcome,) = fetch("PMC900001")
    assert (outcome.status, outcome.reason, outcome.version) == ("imported", "", 1)
    report = get_article(workspace, "PMC900001")
    assert [figure.graphics[0].file_name for figure in report.figures] == ["one.png", "two.png"]
    assert report.licence.code == "CC BY"
    assert report.is_retracted is False
    assert (workspace.settings.data_folder / "fetched" / "PMC900001.1" / "one.png").is_file()


def test_the_row_has_the_fields_that_scripts_rely_on(bucket, fetch) -> None:
    add(bucket, license_code="CC BY-NC")
    row = fetching.fetch_row(*fetch("PMC900001"))
    assert list(row) == "id version status reason licence published_on files bytes warnings".split()
    assert (row["id"], row["version"], row["licence"], row["files"]) == ("PMC900001", 1, "CC BY-NC", 4)
    assert row["bytes"] > sum(map(len, PICTURES.values()))
    json.dumps(row, allow_nan=False)


def test_the_same_again_fetches_only_the_metadata_and_changes_nothing(bucket, fetch) -> None:
    add(bucket)
    fetch("PMC900001")
    bucket.asked.clear()
    (again,) = fetch("PMC900001")
    assert (again.status, again.n_files) == ("updated", 4)
    assert "Nothing new" in again.reason
    assert bucket.asked == ["list PMC900001.", "PMC900001.1/PMC900001.1.json"]


def test_a_changed_article_becomes_a_new_version_of_the_same_case(bucket, fetch, workspace) -> None:
    add(bucket)
    fetch("PMC900001")
    add(bucket, title="Cough in a baker, corrected")
    (again,) = fetch("PMC900001")
    assert (again.status, again.imported.version) == ("updated", 2)
    assert [row.title for row in list_cases(workspace)] == ["Cough in a baker, corrected"]


def test_licence_date_and_retraction_are_said_before_any_file_is_fetched(bucket, fetch) -> None:
    add(bucket, is_retracted=True)
    heard = []
    (outcome,) = fetch("PMC900001", announce=lambda told: heard.append((str(told), list(bucket.asked))))
    ((told, asked),) = heard
    assert told == "PMC900001.1: CC BY, published 2019-05-14, RETRACTED, 3 files. Cough in a baker"
    assert asked == ["list PMC900001.", "PMC900001.1/PMC900001.1.json"]
    assert outcome.status == "imported"
    assert "PMC900001.1 is retracted." in outcome.warnings


def test_an_article_of_which_only_the_xml_may_be_passed_on_is_stored_with_its_pictures_missing(bucket, fetch) -> None:
    add(bucket, media=None, pdf=False)
    (outcome,) = fetch("PMC900001")
    assert outcome.status == "imported"
    assert any("only the XML" in warning for warning in outcome.warnings)
    assert any("two.png" in warning for warning in outcome.warnings)


def test_what_cannot_be_fetched_is_refused_in_a_sentence_and_stops_nothing(bucket, fetch) -> None:
    add(bucket)
    wrong = {
        "PMC900002": "holds no PMC900002",
        "PMC900001.3": "There is no version 3",
        "31061961": "could be a PMID or a PMCID",
        "10.1000/x": "is no PMCID",
        "PMC": "is no PMCID",
        "PMC12/../PMC13": "is no PMCID",
        "../../etc/passwd": "is no PMCID",
        "": "is no PMCID",
    }
    *refused, good = fetch(*wrong, "PMC900001")
    for outcome, reason in zip(refused, wrong.values(), strict=True):
        assert outcome.status == "refused"
        assert reason in outcome.reason
        assert outcome.reason.endswith(".")
        assert outcome.next_step
    assert good.status == "imported"


def test_an_id_is_understood_however_it_is_written(bucket, fetch) -> None:
    add(bucket)
    spellings = ("pmc900001", "PMC900001.1", "https://pmc.ncbi.nlm.nih.gov/articles/PMC900001/", " PMC900001 ")
    outcomes = fetch(*spellings)
    assert {(outcome.id, outcome.version) for outcome in outcomes} == {("PMC900001", 1)}
    assert [outcome.status for outcome in outcomes] == ["imported", "updated", "updated", "updated"]


def test_an_article_that_is_not_open_access_is_not_fetched(bucket, fetch, workspace) -> None:
    add(bucket, is_pmc_openaccess=False, license_code="TDM")
    (outcome,) = fetch("PMC900001")
    assert (outcome.status, outcome.n_files) == ("refused", 0)
    assert "not open access" in outcome.reason
    assert not (workspace.settings.data_folder / "fetched").exists()


def test_a_wrong_checksum_stores_nothing_and_the_next_fetch_goes_on(bucket, fetch, workspace) -> None:
    add(bucket)
    bucket.faults["PMC900001.1/two.png"] = ["garbled"] * 5
    (outcome,) = fetch("PMC900001")
    assert outcome.status == "refused"
    assert "two.png arrived 5 times with another checksum" in outcome.reason
    assert nothing_is_stored(workspace)
    bucket.asked.clear()
    (again,) = fetch("PMC900001")
    assert again.status == "imported"
    assert bucket.asked_for("one.png") == 0


def test_an_article_that_cannot_be_read_is_refused_as_by_import(bucket, fetch, workspace) -> None:
    bucket.add("PMC900001", 1, b"<article><front><article-meta/></front></article>")
    (outcome,) = fetch("PMC900001")
    assert (outcome.status, outcome.n_files) == ("refused", 2)
    assert "has no body" in outcome.reason
    assert nothing_is_stored(workspace)


def test_without_network_the_rest_is_refused_without_being_tried(workspace, time, monkeypatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with client_of("http://127.0.0.1:1", time) as client:
        outcomes = list(fetching.fetch_articles(workspace, ["PMC1", "PMC2", "nonsense", "PMC3"], client))
    assert [outcome.status for outcome in outcomes] == ["refused"] * 4
    assert "there is no network" in outcomes[0].reason
    assert outcomes[1].reason.startswith("Not tried: ")
    assert "is no PMCID" in outcomes[2].reason
    assert len(time.slept) == 2


def test_a_bucket_that_fails_three_articles_in_a_row_is_left_in_peace(bucket, fetch) -> None:
    ids = [f"PMC{number}" for number in range(900001, 900007)]
    for pmcid in ids:
        add(bucket, pmcid)
    for pmcid in (ids[0], ids[2], ids[3], ids[4]):
        bucket.faults[f"{pmcid}."] = [503] * 5
    outcomes = fetch(*ids)
    assert [outcome.status for outcome in outcomes] == ["refused", "imported", *["refused"] * 4]
    assert outcomes[4].reason.startswith("127.0.0.1 is too busy")
    assert outcomes[5].reason.startswith("Not tried: ")
    assert f"list {ids[5]}." not in bucket.asked


def test_progress_names_articles_and_files(bucket, fetch) -> None:
    add(bucket)
    add(bucket, "PMC900002")
    heard = []
    fetch("PMC900001", "PMC900002", progress=lambda *told: heard.append(told))
    assert heard[0] == (0, 2, "PMC900001")
    assert (1, 2, "two.png (1 of 3 files)") in heard
    assert heard[-1] == (2, 2, "")


def test_ids_are_read_from_any_text() -> None:
    text = "\ufeff# my cases\nPMC1, PMC2;PMC3\r\n\nPMC2  PMC4 # seen\n"
    assert fetching.ids_in(text) == ("PMC1", "PMC2", "PMC3", "PMC4")
    assert fetching.ids_in("") == ()


def test_a_list_that_is_no_text_is_refused(tmp_path) -> None:
    (tmp_path / "list.txt").write_bytes(b"\xff\xfe\x00PMC1")
    for path in (tmp_path / "list.txt", tmp_path / "absent.txt", tmp_path):
        with pytest.raises(InvalidInput, match="cannot be read as a list of ids"):
            fetching.read_list(path)


def test_the_bucket_of_the_environment_is_asked(bucket, workspace) -> None:
    add(bucket)
    elsewhere = replace(workspace, settings=replace(workspace.settings, pmc_bucket=bucket.address))
    with fetching.open_bucket(elsewhere, pause_s=0) as client:
        (outcome,) = fetching.fetch_articles(elsewhere, ["PMC900001"], client)
    assert outcome.status == "imported"


class Command:
    def __init__(self, bucket, tmp_path, monkeypatch) -> None:
        monkeypatch.setenv("CASEROUNDS_PMC_BUCKET", bucket.address)
        self.data = str(tmp_path / "study")

    def __call__(self, *arguments: str):
        return CliRunner().invoke(app, ["fetch", *arguments, "--pause", "0", "--data", self.data])


@pytest.fixture
def command(bucket, tmp_path, monkeypatch) -> Command:
    return Command(bucket, tmp_path, monkeypatch)


def test_the_command_prints_one_line_an_article_and_fails_when_one_was_refused(bucket, command, tmp_path) -> None:
    add(bucket)
    (tmp_path / "list.txt").write_text("PMC900001\nPMC900002\n")
    result = command("--list", str(tmp_path / "list.txt"), "--json")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(row["id"], row["status"]) for row in rows] == [("PMC900001", "imported"), ("PMC900002", "refused")]
    assert result.exit_code == 1
    assert "CC BY, published 2019-05-14" in result.stderr
    assert "1 imported, 0 updated, 1 refused." in result.stderr


def test_the_command_ends_well_when_all_went_well(bucket, command) -> None:
    add(bucket)
    result = command("PMC900001")
    assert result.exit_code == 0, result.stderr
    assert "imported  PMC900001.1" in result.stdout


def test_the_command_without_ids_says_what_to_do(command) -> None:
    result = command()
    assert result.exit_code == 1
    assert "Name PMCIDs" in result.stderr


def test_the_command_says_when_the_address_is_none(command, monkeypatch) -> None:
    monkeypatch.setenv("CASEROUNDS_PMC_BUCKET", "nowhere")
    result = command("PMC1")
    assert result.exit_code == 1
    assert "CASEROUNDS_PMC_BUCKET" in result.stderr
    assert "Traceback" not in result.stderr
