"""The store: one engine, one registry of tables, and units of reading and writing."""

import contextlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum as PythonEnum
from pathlib import Path

from sqlalchemy import DateTime, Dialect, Engine, Enum, MetaData, TypeDecorator, create_engine, event
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError
from sqlalchemy.orm import registry
from sqlmodel import Session, SQLModel

from core.errors import InvalidInput
from core.settings import Settings

BUSY_TIMEOUT_MS = 10_000

NAMING_CONVENTION = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(SQLModel, registry=registry(metadata=MetaData(naming_convention=NAMING_CONVENTION))):
    """Base of every table. An own registry: with SQLModel's shared one a hot reload would define tables twice."""


class UtcDateTime(TypeDecorator[datetime]):
    """A time with its zone going in, UTC coming out. SQLite forgets the zone, so it is given back here."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse a time without zone and store UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored time needs its zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the stored time in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def enum_type(kind: type[PythonEnum], name: str = "") -> Enum:
    """Give a text column type that accepts only the values of `kind`, held by a CHECK in the database.

    Args:
        kind: the enumeration; its values (not its names) are stored.
        name: name of the constraint inside the table; needed when one table uses the same enumeration twice.
    """
    return Enum(
        kind,
        name=name or kind.__name__.lower(),
        native_enum=False,
        create_constraint=True,
        validate_strings=True,
        length=40,
        values_callable=lambda members: [member.value for member in members],
    )


def utc_now() -> datetime:
    """Give the present time in UTC."""
    return datetime.now(UTC)


@contextmanager
def refusals_told() -> Iterator[None]:
    """Turn what the disk or the database server refuses (full, locked, gone) into a sentence."""
    try:
        yield
    except OperationalError as error:
        raise InvalidInput(
            f"The database refused: {str(error.orig).strip()}.",
            "Check free space, rights and that its server runs; nothing of this step was stored.",
        ) from error


@dataclass(frozen=True)
class Store:
    """The database of the running study.

    Attributes:
        engine: engine whose units of work only read.
        writing_engine: the same connections; a unit of work takes the write lock when it begins.
    """

    engine: Engine
    writing_engine: Engine

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Give a session that sees one consistent state; nothing done in it is kept.

        Raises:
            InvalidInput: the disk or the database server refuses.
        """
        with refusals_told(), Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Give a session whose changes are kept together when the block ends, or not at all when it raises.

        On SQLite the unit begins with BEGIN IMMEDIATE: one that reads first and writes later would fail at once
        with "database is locked" whenever another process wrote in between, whatever the timeout.

        Raises:
            InvalidInput: the disk or the database server refuses; nothing of the unit is kept.
        """
        with refusals_told(), Session(self.writing_engine, expire_on_commit=False) as session, session.begin():
            yield session

    @property
    def is_sqlite(self) -> bool:
        """True when the store is a SQLite file."""
        return self.engine.dialect.name == "sqlite"

    @property
    def path(self) -> Path | None:
        """The SQLite file; None on a database server or in memory."""
        database = self.engine.url.database
        return Path(database) if self.is_sqlite and database and database != ":memory:" else None

    def close(self) -> None:
        """Close all idle connections."""
        self.engine.dispose()


def open_store(settings: Settings) -> Store:
    """Give the store at the settings' database address. The tables are not looked at: see `migrate`.

    Raises:
        InvalidInput: the address is not understood, or its driver is not installed.
    """
    try:
        url = make_url(settings.database_url)
        is_sqlite = url.get_backend_name() == "sqlite"
        engine = create_engine(url) if is_sqlite else create_engine(url, pool_pre_ping=True)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise InvalidInput(
            "The database address in CASEROUNDS_DATABASE_URL cannot be used.",
            f"Check its form and that its driver is installed ({type(error).__name__}).",
        ) from error
    if is_sqlite:
        event.listen(engine, "connect", _prepare_connection)
        event.listen(engine, "begin", _begin)
    return Store(engine=engine, writing_engine=engine.execution_options(takes_write_lock=True))


_OWN_TABLE = "article"


def _prepare_connection(connection, record) -> None:  # noqa: ANN001 - the driver's own classes
    # The driver would begin transactions by itself, and late; `_begin` does it instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    # A file is left as it is until it is known to be ours: the mode is written into it.
    tables = {name for (name,) in cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()}
    if not tables or _OWN_TABLE in tables:
        cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    # Without it INSERT OR REPLACE deletes the row it replaces past the triggers that keep rows for good.
    cursor.execute("PRAGMA recursive_triggers=ON")
    cursor.close()


def _begin(connection: Connection) -> None:
    takes_write_lock = connection.get_execution_options().get("takes_write_lock", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if takes_write_lock else "BEGIN")


def prepare_side_file(path: Path) -> str:
    """Give the address of a SQLite file of another program's tables, ready for readers beside a writer."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT_MS / 1000)) as connection:
        # Stays with the file; dbos itself does not set it.
        connection.execute("PRAGMA journal_mode=WAL")
    return f"sqlite:///{path}"
