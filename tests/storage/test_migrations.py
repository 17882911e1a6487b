"""The revisions give exactly the tables of the code, and a file that is not ours is refused in a sentence."""

import re
import shutil
import sqlite3

import pytest
from sqlalchemy import text
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from core.errors import InvalidInput
from core.settings import read_settings
from core.storage import articles, migrate
from core.storage.base import Base, open_store
from core.storage.migrate import newest_revision, upgrade
from core.storage.tables import load_all_tables
from tests.storage.small_records import AT, report


def _definitions(path) -> dict[str, str]:
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    return {name: _sorted_parts(sql) for name, sql in rows if name != "alembic_version"}


def _sorted_parts(sql: str) -> str:
    # The order of columns and constraints inside CREATE TABLE says nothing; an added column stands at its end.
    if not sql.startswith("CREATE TABLE"):
        return re.sub(r"\s+", " ", sql)
    head, _, body = re.sub(r"\s+", " ", sql).partition("(")
    parts, depth = [""], 0
    for letter in body.strip().removesuffix(")"):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return "\n".join([head.strip(), *sorted(part.strip() for part in parts)])


def test_revisions_give_exactly_the_tables_of_the_code(tmp_path) -> None:
    load_all_tables()
    by_code = open_store(read_settings(tmp_path / "code"))
    (tmp_path / "code").mkdir()
    Base.metadata.create_all(by_code.engine)
    by_revisions = open_store(read_settings(tmp_path / "revisions"))
    upgrade(by_revisions)
    assert _definitions(by_revisions.path) == _definitions(by_code.path), (
        "the tables changed: make migration NAME=... (before the first release: "
        "python -m core.storage.new_migration --first)"
    )


def test_a_current_store_stays_at_its_revision(store) -> None:
    assert upgrade(store) == (newest_revision(), newest_revision())


def test_foreign_keys_are_on_after_an_upgrade(store) -> None:
    with store.read() as session:
        assert session.exec(text("PRAGMA foreign_keys")).scalar() == 1


def test_a_text_file_is_no_database(tmp_path) -> None:
    (tmp_path / "caserounds.sqlite").write_text("this is a shopping list, not a database\n" * 20)
    with pytest.raises(InvalidInput, match="not a readable database"):
        upgrade(open_store(read_settings(tmp_path)))


def test_a_database_of_another_program_is_left_alone(tmp_path) -> None:
    path = tmp_path / "caserounds.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipe (id INTEGER)")
    before = path.read_bytes()
    with pytest.raises(InvalidInput, match="another program"):
        upgrade(open_store(read_settings(tmp_path)))
    assert path.read_bytes() == before
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("recipe",)]


def test_a_store_of_a_newer_version_says_so(store) -> None:
    with store.write() as session:
        session.exec(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(InvalidInput, match="another version of CaseRounds"):
        upgrade(store)


def test_an_unusable_address_is_one_sentence(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("CASEROUNDS_DATABASE_URL", "nonsense")
    with pytest.raises(InvalidInput, match="CASEROUNDS_DATABASE_URL"):
        open_store(read_settings(tmp_path))


def test_every_table_can_be_made_on_postgresql_with_names_it_takes() -> None:
    load_all_tables()
    for table in Base.metadata.sorted_tables:
        text = str(CreateTable(table).compile(dialect=postgresql.dialect()))
        names = re.findall(r"CONSTRAINT (\w+)", text) + [index.name for index in table.indexes]
        assert all(len(name) <= 63 for name in names), names


def test_a_store_of_an_older_revision_is_brought_up_to_date_with_its_rows(store, tmp_path, monkeypatch) -> None:
    before = newest_revision()
    with store.write() as session:
        articles.save_article(session, report(), AT)
    versions = tmp_path / "migrations"
    shutil.copytree(migrate.MIGRATIONS, versions)
    (versions / "versions" / "r9999_note.py").write_text(NEXT_REVISION.format(before=before))
    monkeypatch.setattr(migrate, "MIGRATIONS", versions)
    migrate.newest_revision.cache_clear()
    try:
        assert upgrade(store) == (before, "9999")
        with store.read() as session:
            assert session.exec(text("SELECT note FROM run")).all() == []
            assert articles.get_article(session, "PMC1") == report()
            assert session.exec(text("PRAGMA foreign_keys")).scalar() == 1
    finally:
        migrate.newest_revision.cache_clear()


def test_a_revision_that_fails_leaves_the_store_as_it_was(store, tmp_path, monkeypatch) -> None:
    before = _definitions(store.path)
    versions = tmp_path / "migrations"
    shutil.copytree(migrate.MIGRATIONS, versions)
    broken = NEXT_REVISION.format(before=newest_revision()) + "    raise RuntimeError('power cut')\n"
    (versions / "versions" / "r9999_note.py").write_text(broken)
    monkeypatch.setattr(migrate, "MIGRATIONS", versions)
    migrate.newest_revision.cache_clear()
    try:
        with pytest.raises(RuntimeError):
            upgrade(store)
    finally:
        migrate.newest_revision.cache_clear()
    assert _definitions(store.path) == before


NEXT_REVISION = """
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{before}"


def upgrade():
    with op.batch_alter_table("run") as batch:
        batch.add_column(sa.Column("note", sa.String(), nullable=True))
"""
