"""What every test may ask for: a fresh workspace, the shared folder, a fixed clock."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

os.environ.setdefault("CASEROUNDS_DEMO", "0")

PROJECT_ROOT = Path(__file__).resolve().parent.parent
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture(scope="session")
def shared_folder() -> Path:
    folder = PROJECT_ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the folder of manuals and real articles (../shared) is not on this machine")
    return folder


@pytest.fixture
def workspace(tmp_path: Path):
    from core.services.workspace import open_workspace
    from core.settings import read_settings

    return open_workspace(read_settings(tmp_path / "study"))
