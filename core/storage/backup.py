"""Copies of a SQLite store: made while it is in use, checked before they are trusted."""

import sqlite3
from contextlib import closing
from pathlib import Path

from core.errors import InvalidInput
from core.storage.base import Store


def backup_to(store: Store, target: Path) -> None:
    """Write a compact copy of the store to `target`, which must not exist. Readers and writers go on meanwhile.

    Raises:
        InvalidInput: the store is no SQLite file, or `target` exists.
    """
    path = _path(store)
    if target.exists():
        raise InvalidInput(f"{target.name} exists already.", "Name another file, or move that one away.")
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("VACUUM INTO ?", (str(part),))
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def restore_from(store: Store, source: Path) -> None:
    """Put the content of a backup in the place of the store's, in one transaction; a running app goes on with it.

    Raises:
        InvalidInput: `source` is no sound backup of a study, or the store is no SQLite file.
    """
    path = _path(store)
    problems = file_problems(source)
    if problems:
        raise InvalidInput(f"{source.name} cannot be restored: {problems[0]}.", "Choose another backup.")
    store.close()
    with closing(sqlite3.connect(source)) as backup, closing(sqlite3.connect(path)) as live:
        live.execute("PRAGMA busy_timeout=10000")
        backup.backup(live)
        live.execute("PRAGMA journal_mode=WAL")


def file_problems(path: Path) -> tuple[str, ...]:
    """Give what is wrong with a SQLite file as sentences; empty when it is a sound store of a study."""
    if not path.is_file():
        return ("there is no such file",)
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not {"alembic_version", "article"} <= tables:
                return ("it holds none of a study's tables",)
            verdicts = [text for (text,) in connection.execute("PRAGMA integrity_check(5)") if text != "ok"]
            broken = connection.execute("PRAGMA foreign_key_check").fetchall()
    except sqlite3.DatabaseError:
        return ("it is not a readable database",)
    if broken:
        verdicts.append(f"{len(broken)} rows refer to a row that is not there, the first in table {broken[0][0]}")
    return tuple(verdicts)


def file_revision(path: Path) -> str | None:
    """Give the revision of a sound store file; None when it names none."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return row[0] if row else None


def _path(store: Store) -> Path:
    if store.path is None:
        raise InvalidInput(
            "Only a SQLite study is backed up and restored here.", "Use pg_dump and pg_restore on the database server."
        )
    return store.path
