"""A study can be backed up while in use, restored, and checked; nothing unsound is put in its place."""

import sqlite3

import pytest

from core.errors import InvalidInput
from core.services import database
from core.storage import articles
from tests.storage.small_records import AT, report


def n_articles(workspace) -> int:
    with workspace.store.read() as session:
        return articles.count_articles(session)


def add(workspace, article_id: str) -> None:
    with workspace.store.write() as session:
        articles.save_article(session, report(article_id=article_id), AT)


def test_a_restored_study_is_as_it_was_backed_up(workspace, tmp_path) -> None:
    add(workspace, "PMC1")
    sha256 = workspace.images.put(b"pixels", "image/png")
    made = database.back_up(workspace, tmp_path / "copy")
    assert made.n_images == 1
    add(workspace, "PMC2")
    workspace.images.path(sha256).unlink()
    before = database.restore(workspace, tmp_path / "copy")
    assert n_articles(workspace) == 1
    assert workspace.images.read(sha256) == b"pixels"
    # What was there before the restore is not lost either.
    database.restore(workspace, before.folder)
    assert n_articles(workspace) == 2


def test_a_backup_is_made_while_a_writer_is_at_work(workspace, tmp_path) -> None:
    add(workspace, "PMC1")
    with workspace.store.write() as session:
        articles.save_article(session, report(article_id="PMC2"), AT)
        database.back_up(workspace, tmp_path / "copy")
    database.restore(workspace, tmp_path / "copy")
    assert n_articles(workspace) == 1


def test_an_existing_folder_is_not_overwritten(workspace, tmp_path) -> None:
    with pytest.raises(InvalidInput, match="exists already"):
        database.back_up(workspace, tmp_path)


def test_a_damaged_backup_leaves_the_study_as_it_is(workspace, tmp_path) -> None:
    add(workspace, "PMC1")
    database.back_up(workspace, tmp_path / "copy")
    file = tmp_path / "copy" / database.DATABASE_NAME
    file.write_bytes(b"no database" + file.read_bytes()[11:])
    with pytest.raises(InvalidInput, match="cannot be restored"):
        database.restore(workspace, tmp_path / "copy")
    assert n_articles(workspace) == 1


def test_a_backup_of_a_newer_version_leaves_the_study_as_it_is(workspace, tmp_path) -> None:
    database.back_up(workspace, tmp_path / "copy")
    with sqlite3.connect(tmp_path / "copy" / database.DATABASE_NAME) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    add(workspace, "PMC1")
    with pytest.raises(InvalidInput, match="another version"):
        database.restore(workspace, tmp_path / "copy")
    assert n_articles(workspace) == 1


def test_a_folder_without_backup_is_refused(workspace, tmp_path) -> None:
    with pytest.raises(InvalidInput, match="no such file"):
        database.restore(workspace, tmp_path / "nowhere")


def test_a_sound_study_has_no_problems(workspace) -> None:
    add(workspace, "PMC1")
    found = database.check(workspace)
    assert found == database.Check(problems=(), n_articles=1, n_images=0, n_images_missing=0)


def test_a_changed_image_is_found(workspace) -> None:
    sha256 = workspace.images.put(b"pixels", "image/png")
    workspace.images.path(sha256).write_bytes(b"other pixels")
    (problem,) = database.check(workspace).problems
    assert "damaged" in problem
