"""Care of the store: bring it up to date, back it up with its images, restore it, check it."""

import shutil
import tempfile
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.errors import InvalidInput
from core.services.progress import Progress, silent
from core.services.workspace import Workspace
from core.settings import Settings
from core.storage import articles, backup, migrate
from core.storage.base import open_store
from core.storage.images import ImageStore
from core.storage.tables import load_all_tables

DATABASE_NAME = "caserounds.sqlite"


@dataclass(frozen=True)
class Upgrade:
    """What an upgrade did: revision before (None for a new store) and now."""

    before: str | None
    now: str


@dataclass(frozen=True)
class BackupSummary:
    """A backup: its folder, how many images are in it, and its size in bytes."""

    folder: Path
    n_images: int
    size_bytes: int


@dataclass(frozen=True)
class Check:
    """The state of a store.

    Attributes:
        problems: what is wrong, one sentence each; empty when it is sound.
        n_articles: articles in the store.
        n_images: images in the image store.
        n_images_missing: images that an article names and the image store lacks.
    """

    problems: tuple[str, ...]
    n_articles: int
    n_images: int
    n_images_missing: int


def upgrade(settings: Settings) -> Upgrade:
    """Make the study's folders and bring its tables to the newest revision.

    Raises:
        InvalidInput: the database is another program's or a newer version's.
    """
    for folder in (settings.data_folder, settings.image_folder):
        folder.mkdir(parents=True, exist_ok=True)
    load_all_tables()
    store = open_store(settings)
    try:
        return Upgrade(*migrate.upgrade(store))
    finally:
        store.close()


def back_up(workspace: Workspace, folder: Path | None = None, progress: Progress = silent) -> BackupSummary:
    """Copy the store and its images into a new folder; the study may be in use meanwhile.

    Args:
        workspace: the study.
        folder: must not exist; `backups/<time>` in the data folder when None.
        progress: called with (images copied, images in all, text).

    Raises:
        InvalidInput: the folder exists, or the store is on a database server.
    """
    name = datetime.now(UTC).strftime("%Y-%m-%dT%H%M%S.%fZ")
    folder = folder or workspace.settings.data_folder / "backups" / name
    if folder.exists():
        raise InvalidInput(f"{folder.name} exists already.", "Name a folder that does not.")
    # The database first: an image stored after it only lies unused, one missing from the copy would be a loss.
    backup.backup_to(workspace.store, folder / DATABASE_NAME)
    hashes = sorted(workspace.images.hashes())
    for number, sha256 in enumerate(hashes, start=1):
        source = workspace.images.path(sha256)
        target = folder / "images" / sha256[:2] / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        progress(number, len(hashes), "copying images")
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    return BackupSummary(folder=folder, n_images=len(hashes), size_bytes=size)


def backup_archive(workspace: Workspace, target: Path) -> Path:
    """Write a backup of the store and its images as one .zip at `target` and give the path back.

    Raises:
        InvalidInput: the store is on a database server.
    """
    with tempfile.TemporaryDirectory() as folder:
        copied = back_up(workspace, Path(folder) / "backup").folder
        with zipfile.ZipFile(target, "w") as archive:
            for file in sorted(copied.rglob("*")):
                if file.is_file():
                    # Pictures are compressed already; trying again only costs time.
                    packed = zipfile.ZIP_DEFLATED if file.suffix == ".sqlite" else zipfile.ZIP_STORED
                    archive.write(file, file.relative_to(copied).as_posix(), packed)
    return target


def restore(workspace: Workspace, folder: Path) -> BackupSummary:
    """Put a backup in the place of the study. What was there is backed up first and named in the result.

    Raises:
        InvalidInput: the folder holds no sound backup; the study is left as it is.
    """
    source = folder / DATABASE_NAME
    problems = backup.file_problems(source)
    if problems:
        raise InvalidInput(f"The backup {folder.name} cannot be restored: {problems[0]}.", "The study is unchanged.")
    if backup.file_revision(source) not in migrate.known_revisions():
        raise InvalidInput(
            f"The backup {folder.name} was made by another version of CaseRounds.", "Update CaseRounds first."
        )
    before = back_up(workspace)
    saved = ImageStore(folder / "images")
    for sha256 in sorted(saved.hashes()):
        file = saved.path(sha256)
        target = workspace.images.folder / sha256[:2] / file.name
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    backup.restore_from(workspace.store, source)
    migrate.upgrade(workspace.store)
    return before


def check(workspace: Workspace) -> Check:
    """Look for damage: unreadable pages, rows that refer to nothing, images gone or changed."""
    problems = list(backup.file_problems(workspace.store.path)) if workspace.store.path else []
    with workspace.store.read() as session:
        n_articles = articles.count_articles(session)
        named = articles.images_named(session)
    stored = workspace.images.hashes()
    missing = named - stored
    if missing:
        problems.append(f"{len(missing)} images that articles name are not in the image store")
    damaged = workspace.images.damaged()
    if damaged:
        problems.append(f"{len(damaged)} images are damaged, the first {damaged[0][:12]}; import their articles again")
    return Check(problems=tuple(problems), n_articles=n_articles, n_images=len(stored), n_images_missing=len(missing))
