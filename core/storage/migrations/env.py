"""Alembic's environment: runs on the connection that `core.storage.migrate` hands over."""

from alembic import context

from core.storage.base import Base, UtcDateTime
from core.storage.tables import load_all_tables

load_all_tables()


def plain_type(kind: str, item: object, _) -> str | bool:  # noqa: ANN001
    """Write a column's type without our own classes: a revision must not change when they do."""
    if kind == "type" and isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and type(item).__name__ == "AutoString":
        length = getattr(item, "length", None)
        return f"sa.String(length={length})" if length else "sa.String()"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    compare_type=True,
    render_as_batch=True,
    render_item=plain_type,
)

with context.begin_transaction():
    context.run_migrations()
