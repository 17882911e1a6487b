"""Tables whose rows are never changed: the database itself refuses, whatever the code tries."""

from sqlalchemy import DDL, Table, event


def append_only_statements(table: str, dialect: str) -> tuple[str, ...]:
    """Give the SQL that makes a table refuse UPDATE and DELETE; empty for a dialect without such triggers here.

    Revisions call this too, so what it gives for a dialect must not change once a release has used it.

    Args:
        table: name of the table.
        dialect: `sqlite` or `postgresql`.
    """
    if dialect == "sqlite":
        return tuple(
            f"CREATE TRIGGER IF NOT EXISTS {table}_refuses_{verb.lower()} BEFORE {verb} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} rows are never changed'); END"
            for verb in ("UPDATE", "DELETE")
        )
    if dialect == "postgresql":
        return (
            f"CREATE OR REPLACE FUNCTION {table}_is_append_only() RETURNS trigger AS $$ "
            f"BEGIN RAISE EXCEPTION '{table} rows are never changed'; END $$ LANGUAGE plpgsql",
            f"CREATE TRIGGER {table}_refuses_changes BEFORE UPDATE OR DELETE ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION {table}_is_append_only()",
        )
    return ()


def refuse_changes(*tables: Table) -> None:
    """Make tables refuse changes from the moment they are made from the metadata."""
    for table in tables:
        table.info["append_only"] = True
        for dialect in ("sqlite", "postgresql"):
            for statement in append_only_statements(table.name, dialect):
                event.listen(table, "after_create", DDL(statement).execute_if(dialect=dialect))
