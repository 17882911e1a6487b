"""Brings the store's tables to the newest revision, and refuses a file that is not ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DatabaseError, OperationalError

from core.errors import InvalidInput
from core.storage.base import Store, refusals_told

MIGRATIONS = Path(__file__).resolve().parent / "migrations"
_VERSION_TABLE = "alembic_version"


@cache
def newest_revision() -> str:
    """Give the revision that this code needs."""
    head = ScriptDirectory(str(MIGRATIONS)).get_current_head()
    if head is None:
        raise RuntimeError("core/storage/migrations/versions holds no revision")
    return head


def stored_revision(store: Store) -> str | None:
    """Give the revision of the store's tables; None when it is empty.

    Raises:
        InvalidInput: the file is no database, cannot be opened, or holds tables of another program.
    """
    with _reading(store) as connection:
        names = set(inspect(connection).get_table_names())
        if not names:
            return None
        if _VERSION_TABLE not in names or "article" not in names:
            raise InvalidInput(
                f"{_name(store)} is a database of another program: it holds none of this study's tables.",
                "Choose another folder with --data or CASEROUNDS_DATA.",
            )
        return MigrationContext.configure(connection).get_current_revision()


def upgrade(store: Store) -> tuple[str | None, str]:
    """Bring the tables to the newest revision and give (revision before, revision now).

    An empty store gets all tables. A current one is only looked at.

    Raises:
        InvalidInput: the store belongs to another program, or was made by a newer version of this one.
    """
    before, newest = stored_revision(store), newest_revision()
    if before == newest:
        return before, newest
    if before is not None and before not in known_revisions():
        raise InvalidInput(
            f"{_name(store)} was made by another version of CaseRounds (its revision {before} is not known here).",
            "Update CaseRounds, or choose another folder with --data or CASEROUNDS_DATA.",
        )
    with refusals_told(), store.writing_engine.connect() as connection:
        if store.is_sqlite:
            # A batch change drops and makes tables again: with foreign keys on it would delete cascaded rows silently.
            # The pragma does nothing inside a transaction, so it goes to the driver's connection before one begins.
            connection.connection.driver_connection.execute("PRAGMA foreign_keys=OFF")
        command.upgrade(_config(connection), "head")
        if store.is_sqlite:
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
            if broken:
                connection.rollback()
                raise InvalidInput(
                    f"{_name(store)} could not be brought up to date: {len(broken)} rows would refer to nothing.",
                    "Nothing was changed; restore a backup or report this.",
                )
        connection.commit()
    # The pragma lives in the connection: none with foreign keys off may go back into use.
    store.close()
    return before, newest


def known_revisions() -> set[str]:
    """Give every revision this code can bring up to date."""
    return {script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()}


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


def _name(store: Store) -> str:
    return store.path.name if store.path else "The database"


@contextmanager
def _reading(store: Store) -> Iterator[Connection]:
    try:
        if store.path is not None:
            store.path.parent.mkdir(parents=True, exist_ok=True)
        with store.engine.connect() as connection:
            yield connection
    except OperationalError as error:
        raise InvalidInput(
            f"{_name(store)} cannot be opened: {error.orig}.",
            "Check that the folder can be written to and that no other program holds the file.",
        ) from error
    except (DatabaseError, OSError) as error:
        raise InvalidInput(
            f"{_name(store)} is not a readable database.",
            "Restore a backup with `python -m core db restore`, or choose another folder with --data.",
        ) from error
