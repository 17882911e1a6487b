"""Whether this machine and this study are ready, line by line. Keys are looked for and never shown."""

import importlib.metadata
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core import __version__
from core.errors import AppError
from core.services import database
from core.services.models import listed_models
from core.services.workspace import open_workspace
from core.settings import Settings

PACKAGES = (
    "streamlit",
    "pandas",
    "plotly",
    "lxml",
    "openai",
    "anthropic",
    "pillow",
    "sqlmodel",
    "alembic",
    "scipy",
    "rapidfuzz",
)
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FREE_BYTES = 500_000_000

State = Literal["ok", "warning", "problem"]


@dataclass(frozen=True)
class Finding:
    """One line: what was looked at, how it is, and what to do when it is not well.

    Attributes:
        subject: what was looked at.
        state: `ok`; `warning` for what only limits; `problem` for what must be mended.
        text: how it is, in words.
    """

    subject: str
    state: State
    text: str


def examine(settings: Settings) -> tuple[Finding, ...]:
    """Give all findings; the study is opened as any command opens it."""
    return (*_program(), *_folders(settings), *_study(settings), *_models(settings), _browser())


def _program() -> Iterator[Finding]:
    yield Finding("CaseRounds", "ok", __version__)
    version = ".".join(map(str, sys.version_info[:3]))
    state: State = "ok" if sys.version_info >= (3, 11) else "problem"
    yield Finding("Python", state, version if state == "ok" else f"{version}; 3.11 or newer is needed")
    for name in PACKAGES:
        try:
            yield Finding(name, "ok", importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            yield Finding(name, "problem", "not installed; run make app")


def _folders(settings: Settings) -> Iterator[Finding]:
    for name, folder in (("Data folder", settings.data_folder), ("Image store", settings.image_folder)):
        present = next(parent for parent in (folder, *folder.parents) if parent.exists())
        if not os.access(present, os.W_OK):
            yield Finding(name, "problem", f"{present.name or present} cannot be written to")
            continue
        free = shutil.disk_usage(present).free
        is_enough = free > FREE_BYTES
        yield Finding(name, "ok" if is_enough else "warning", f"can be written to, {free / 1e9:.1f} GB free")


def _study(settings: Settings) -> Iterator[Finding]:
    try:
        found = database.check(open_workspace(settings))
    except AppError as error:
        yield Finding("Study", "problem", str(error))
        return
    yield Finding("Study", "ok", f"{found.n_articles} articles, {found.n_images} images")
    for problem in found.problems:
        yield Finding("Study", "problem", problem)


def _models(settings: Settings) -> Iterator[Finding]:
    yield Finding("rules baseline", "ok", "needs no key and no network")
    try:
        models = listed_models(settings)
    except AppError as error:
        yield Finding("Model registry", "problem", str(error))
        return
    for model in models:
        key = f"key {'present' if model.has_key else 'absent'} ({model.key_env})" if model.key_env else "no key needed"
        text = "; ".join(filter(None, (model.state, key, model.warning)))
        yield Finding(f"model {model.name}", "ok" if model.state == "ready" and not model.warning else "warning", text)


def _browser() -> Finding:
    for name in BROWSERS:
        path = shutil.which(name)
        if path:
            return Finding("Chromium", "ok", f"{Path(path).name}, for the browser tests")
    text = "not found: browser tests and pictures cannot run; everything else can"
    return Finding("Chromium", "warning", text)
