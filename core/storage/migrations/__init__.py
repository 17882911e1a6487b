"""The store's revisions: alembic's environment and one file per change of the tables."""
