"""Finds every table: a module of this room that defines one needs no list to be added to."""

import importlib
import pkgutil

import core.storage

_NOT_TABLES = {"migrate", "migrations", "new_migration", "tables"}


def load_all_tables() -> None:
    """Import every module of core/storage, so that `Base.metadata` knows all tables."""
    for module in pkgutil.iter_modules(core.storage.__path__):
        if module.name not in _NOT_TABLES:
            importlib.import_module(f"core.storage.{module.name}")
