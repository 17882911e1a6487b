"""Import stores an article whole or not at all, once, and says what it did."""

import csv
import gzip
import io
import tarfile

import pytest

from core.errors import ImportRefused
from core.services import importing, script_rows
from core.services.cases import get_article, image_bytes, list_cases
from tests.services import small_article


def imported(workspace, *paths, **wishes):
    return list(importing.import_paths(workspace, paths, **wishes))


def nothing_is_stored(workspace) -> bool:
    return not list_cases(workspace) and not workspace.images.hashes()


def test_an_article_is_stored_with_its_pictures(workspace, tmp_path) -> None:
    (outcome,) = imported(workspace, small_article.write(tmp_path / "a"))
    assert (outcome.id, outcome.status, outcome.version) == ("PMC900001", "imported", 1)
    report = get_article(workspace, "PMC900001")
    shown = [image_bytes(workspace, figure.graphics[0].image.sha256) for figure in report.figures]
    assert shown == [small_article.picture(90), small_article.picture(160)]
    (row,) = list_cases(workspace)
    assert (row.n_figures, row.n_images, row.eligibility, row.licence) == (2, 2, "not extracted", "CC BY-NC-ND")


def test_a_licence_with_limits_warns_at_import(workspace) -> None:
    (outcome,) = importing.import_upload(workspace, small_article.files())
    assert [text for text in outcome.warnings if "(ND)" in text or "(NC)" in text] == list(outcome.warnings[:2])


def test_the_same_again_changes_nothing(workspace, tmp_path) -> None:
    folder = small_article.write(tmp_path / "a")
    imported(workspace, folder)
    (again,) = imported(workspace, folder)
    assert (again.status, again.version) == ("updated", 1)
    assert "Nothing new" in again.reason


def test_a_changed_article_becomes_a_new_version(workspace, tmp_path) -> None:
    imported(workspace, small_article.write(tmp_path / "a"))
    (again,) = imported(workspace, small_article.write(tmp_path / "a", title="Cough in a baker, corrected"))
    assert (again.status, again.version) == ("updated", 2)
    assert [row.title for row in list_cases(workspace)] == ["Cough in a baker, corrected"]
    assert get_article(workspace, "PMC900001", 1).title == "Cough in a baker"


def test_a_dry_run_reports_and_stores_nothing(workspace, tmp_path) -> None:
    (outcome,) = imported(workspace, small_article.write(tmp_path / "a"), dry_run=True)
    assert (outcome.status, outcome.version, outcome.is_dry_run) == ("imported", None, True)
    assert nothing_is_stored(workspace)


def test_an_upload_of_several_files_is_one_article(workspace) -> None:
    (outcome,) = importing.import_upload(workspace, small_article.files())
    assert outcome.status == "imported"
    assert all(figure.graphics[0].image for figure in outcome.report.figures)


BOMB = """<?xml version="1.0"?><!DOCTYPE article [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<article><front><article-meta/></front><body><p>&b;</p></body></article>"""


def truncated_archive() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        data = small_article.xml().encode() * 50
        info = tarfile.TarInfo("PMC1/article.xml")
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return out.getvalue()[:-200]


BAD_FILES = {
    "text.xml": b"This is a shopping list.",
    "empty.xml": b"",
    "page.xml": b"<html><body><p>Not found</p></body></html>",
    "nobody.xml": b'<article article-type="case-report"><front><article-meta><title-group><article-title>T'
    b"</article-title></title-group></article-meta></front></article>",
    "bomb.xml": BOMB.encode(),
    "cut.xml": small_article.xml().encode()[:900],
    "cut.tar.gz": truncated_archive(),
    "cut.xml.gz": gzip.compress(small_article.xml().encode())[:-40],
    "notzip.zip": b"PK\x03\x04 and then nothing of a zip file",
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_input_is_refused_in_a_sentence_and_stores_nothing(workspace, name) -> None:
    outcomes = importing.import_upload(workspace, {name: BAD_FILES[name]})
    assert [outcome.status for outcome in outcomes] == ["refused"]
    assert outcomes[0].reason.rstrip().endswith(".")
    assert "Traceback" not in outcomes[0].reason
    assert nothing_is_stored(workspace)


def test_one_refusal_stops_nothing(workspace, tmp_path) -> None:
    bad = tmp_path / "a.xml"
    bad.write_bytes(b"nonsense")
    outcomes = imported(workspace, bad, tmp_path / "nowhere", small_article.write(tmp_path / "b"))
    assert [outcome.status for outcome in outcomes] == ["refused", "refused", "imported"]


def test_a_missing_picture_is_named_and_can_be_attached_by_hand(workspace, tmp_path) -> None:
    (outcome,) = imported(workspace, small_article.write(tmp_path / "a", n_pictures=1))
    row = script_rows.import_row(outcome)
    assert [figure["image"] for figure in row["figures"]] == ["one.png", None]
    assert any("two.png" in warning for warning in outcome.warnings)
    version = importing.attach_image(workspace, outcome.id, "fig2", "ct.png", small_article.picture(10), "Lead")
    assert version == 2
    graphic = get_article(workspace, outcome.id).figures[1].graphics[0]
    assert (graphic.file_name, graphic.problem) == ("ct.png", "")
    assert image_bytes(workspace, graphic.image.sha256) == small_article.picture(10)
    with pytest.raises(ImportRefused, match="no graphic without picture"):
        importing.attach_image(workspace, outcome.id, "fig2", "ct.png", small_article.picture(11), "Lead")


def test_a_picture_attached_by_hand_survives_the_next_import(workspace, tmp_path) -> None:
    folder = small_article.write(tmp_path / "a", n_pictures=1)
    imported(workspace, folder)
    importing.attach_image(workspace, "PMC900001", "fig2", "ct.png", small_article.picture(10), "Lead")
    (again,) = imported(workspace, folder)
    assert again.version == 2
    (changed,) = imported(workspace, small_article.write(tmp_path / "a", title="Another title", n_pictures=1))
    assert changed.version == 3
    assert get_article(workspace, "PMC900001").figures[1].graphics[0].file_name == "ct.png"


def test_what_is_no_picture_cannot_be_attached(workspace, tmp_path) -> None:
    imported(workspace, small_article.write(tmp_path / "a", n_pictures=1))
    with pytest.raises(ImportRefused, match="cannot be used as a picture"):
        importing.attach_image(workspace, "PMC900001", "fig2", "notes.txt", b"hello", "Lead")


def test_the_row_has_the_fields_that_scripts_rely_on(workspace, tmp_path) -> None:
    (outcome,) = imported(workspace, small_article.write(tmp_path / "a"))
    row = script_rows.import_row(outcome)
    assert set(row) >= set(
        "id source status reason title article_type licence body_chars kept_chars set_aside sections figures "
        "warnings".split()
    )
    assert set(row["figures"][0]) >= set(
        "label hrefs image has_caption caption panels first_cited_in citation_rank".split()
    )
    assert row["figures"][0]["hrefs"] == ["one.png"]
    assert row["figures"][1]["citation_rank"] == 2
    assert row["figures"][0]["first_cited_in"] == "Case presentation"
    assert row["kept_chars"] + sum(part["chars"] for part in row["set_aside"]) == row["body_chars"]
    assert ["Case presentation"] in [section["path"] for section in row["sections"]]


def test_the_report_has_one_line_per_article(workspace, tmp_path) -> None:
    bad = tmp_path / "bad.xml"
    bad.write_bytes(b"nonsense")
    outcomes = imported(workspace, small_article.write(tmp_path / "a", n_pictures=1), bad)
    data = script_rows.report_csv([script_rows.import_row(outcome) for outcome in outcomes])
    first, second = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    assert (first["n_figures"], first["n_images"], first["n_images_missing"]) == ("2", "1", "1")
    assert (second["status"], second["id"]) == ("refused", "")
