"""Writes a new revision from the difference between the tables and the revisions so far: `make migration NAME=...`.

`python -m core.storage.new_migration --first` writes the first revision again from the tables alone. That is for the
time before the first release only: a store made with the old one has to be made anew.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from alembic import command
from alembic.config import Config

from core.settings import Settings
from core.storage.base import Base, Store, open_store
from core.storage.migrate import MIGRATIONS, upgrade
from core.storage.tables import load_all_tables

_IMPORT = "from core.storage.append_only import append_only_statements"
_VERSIONS = MIGRATIONS / "versions"


def main(arguments: list[str]) -> int:
    """Write the revision; 0 when it was written."""
    title = " ".join(arguments).strip()
    if not title:
        print('Say what changes: make migration NAME="reviewers have a licence number"', file=sys.stderr)
        return 2
    is_first = title == "--first"
    load_all_tables()
    before = set(_VERSIONS.glob("r*.py"))
    if is_first:
        for file in before:
            file.unlink()
        before = set()
    number = len(before) + 1
    words = "first tables" if is_first else title
    with tempfile.TemporaryDirectory() as folder:
        store = _empty_store(Path(folder))
        if not is_first:
            upgrade(store)
        with store.engine.connect() as connection:
            config = Config()
            config.set_main_option("script_location", str(MIGRATIONS))
            config.set_main_option("file_template", "r%%(rev)s_%%(slug)s")
            config.attributes["connection"] = connection
            command.revision(config, words[0].upper() + words[1:], autogenerate=True, rev_id=f"{number:04d}")
        store.close()
    for file in set(_VERSIONS.glob("r*.py")) - before:
        if is_first:
            _refuse_changes(file)
        _tidy(file)
        print(f"Written: {file.name}. Read it before it is committed.", file=sys.stderr)
    return 0


def _empty_store(folder: Path) -> Store:
    return open_store(
        Settings(
            data_folder=folder,
            database_url=f"sqlite:///{folder / 'empty.sqlite'}",
            image_folder=folder,
            models_file=folder / "none.toml",
            load_demo=False,
        )
    )


def _refuse_changes(file: Path) -> None:
    # Alembic compares tables, not triggers: the first revision is given them here, a later one by hand.
    names = sorted(table.name for table in Base.metadata.tables.values() if table.info.get("append_only"))
    lines = [f"    for table in {tuple(names)!r}:", "        for statement in append_only_statements(table, dialect):"]
    text = file.read_text(encoding="utf-8")
    text = text.replace("from alembic import op\n", f"from alembic import op\n\n{_IMPORT}\n", 1)
    text = text.replace(
        "\n\n\ndef downgrade",
        "\n".join(["\n    dialect = op.get_bind().dialect.name", *lines, "            op.execute(statement)"])
        + "\n\n\ndef downgrade",
        1,
    )
    file.write_text(text, encoding="utf-8")


def _tidy(file: Path) -> None:
    text = re.sub(r" *# ### .* ###\n", "", file.read_text(encoding="utf-8"))
    file.write_text(text, encoding="utf-8")
    for job in (["check", "--fix", "-q"], ["format", "-q"]):
        subprocess.run([sys.executable, "-m", "ruff", *job, str(file)], check=False)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
