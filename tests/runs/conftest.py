"""A study of a few cases, a loopback provider that counts, and workers as processes of their own."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.domain.case import LeakPolicy
from core.services.extracting import extract
from core.services.importing import import_paths
from core.services.run_worker import Worker
from core.services.workspace import Workspace, open_workspace
from core.settings import read_settings
from tests.conftest import PROJECT_ROOT
from tests.llm.conftest import KEY
from tests.llm.loopback import Loopback, running_loopback

MODEL = "wire openai"
ARTICLES = ("PMC99000001.1", "PMC99000003.1", "PMC99000004.1", "PMC99000006.tar.gz")


@pytest.fixture
def provider() -> Iterator[Loopback]:
    with running_loopback() as server:
        server.behaviours = ["an answer"]
        yield server


@pytest.fixture(scope="session")
def extracted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration articles, extracted; tests take a copy."""
    folder = tmp_path_factory.mktemp("runs") / "study"
    workspace = open_workspace(replace(read_settings(folder), load_demo=False))
    articles = PROJECT_ROOT / "data" / "demo" / "articles"
    for outcome in list(import_paths(workspace, [articles / name for name in ARTICLES])):
        extract(workspace, outcome.id, LeakPolicy.AUTO)
    workspace.store.close()
    return folder


@pytest.fixture
def registry(tmp_path: Path, provider: Loopback) -> Path:
    path = tmp_path / "models.toml"
    path.write_text(
        f'[models."{MODEL}"]\nengine = "openai"\nmodel = "m"\nbase_url = "{provider.url}/v1"\n'
        'key_env = "LOOPBACK_KEY"\nimages = true\nconcurrency = 4\n'
        "price = {input = 1.0, output = 10.0, as_of = 2026-11-01}\n",
        encoding="utf-8",
    )
    return path


@pytest.fixture
def study(tmp_path: Path, extracted: Path, registry: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("LOOPBACK_KEY", KEY)
    monkeypatch.setenv("CASEROUNDS_MODELS", str(registry))
    shutil.copytree(extracted, tmp_path / "study")
    return open_workspace(read_settings(tmp_path / "study"))


@pytest.fixture
def working(study: Workspace) -> Iterator[Worker]:
    """A worker in this process."""
    worker = Worker(study, dead_after_s=2.0)
    worker.start()
    yield worker
    worker.stop()


@pytest.fixture
def start_worker(study: Workspace) -> Iterator[Callable[[], subprocess.Popen]]:
    started = []

    def start() -> subprocess.Popen:
        command = [sys.executable, "-m", "core", "worker", "--data", str(study.settings.data_folder)]
        process = subprocess.Popen(command, cwd=PROJECT_ROOT, env=dict(os.environ), stderr=subprocess.PIPE, text=True)
        started.append(process)
        assert "takes work" in process.stderr.readline()
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait()
        process.stderr.close()


def wait_until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends, "it took too long"
        time.sleep(0.02)


@pytest.fixture
def run_command(study: Workspace) -> Callable[..., subprocess.CompletedProcess]:
    def run(*words: str) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "core", *words, "--data", str(study.settings.data_folder)]
        return subprocess.run(command, cwd=PROJECT_ROOT, env=dict(os.environ), capture_output=True, text=True)

    return run
