"""Alembic's environment: runs on the connection that `core.storage.migrate` hands over."""

from alembic import context

from core.storage.base import Base
from core.storage.tables import load_all_tables

load_all_tables()

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    compare_type=True,
    render_as_batch=True,
    user_module_prefix="core.storage.base.",
)

with context.begin_transaction():
    context.run_migrations()
