"""Starts the real app on a free port with its own data folder, and opens it in the system's Chromium."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

PROJECT_ROOT = Path(__file__).resolve().parent.parent.parent
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium_path() -> str | None:
    """Give the path of the system's Chromium; None when there is none."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@dataclass
class RunningApp:
    """A started app: its address, its data folder, its process."""

    url: str
    data_folder: Path
    process: subprocess.Popen

    def kill(self) -> None:
        """Kill -9, as a power cut would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Stop it politely; kill it after ten seconds."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()


def free_port() -> int:
    """Give a port nobody listens on."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def start_app(data_folder: Path, *, demo: bool, port: int | None = None) -> RunningApp:
    """Start the app on the data folder and wait until it is healthy (60 s at most)."""
    port = port or free_port()
    data_folder.mkdir(parents=True, exist_ok=True)
    environment = os.environ | {"CASEROUNDS_DATA": str(data_folder), "CASEROUNDS_DEMO": "1" if demo else "0"}
    log = open(data_folder / "server.log", "ab")
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
        + ["--server.address", "127.0.0.1", "--server.port", str(port), "--server.fileWatcherType", "none"],
        cwd=PROJECT_ROOT,
        env=environment,
        stdout=log,
        stderr=log,
        start_new_session=True,
    )
    url = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url + "/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return RunningApp(url, data_folder, process)
        except OSError:
            pass
        if process.poll() is not None:
            break
        time.sleep(0.1)
    process.poll() is None and os.killpg(process.pid, signal.SIGKILL)
    raise RuntimeError("the app did not start: " + (data_folder / "server.log").read_text()[-2000:])


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Open the system's Chromium, headless."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), headless=True, args=CHROMIUM_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def settled(page, timeout_ms: int = 20_000) -> None:
    """Wait until the page's script has run: the app container is there and no longer marked as running."""
    page.wait_for_selector('[data-testid="stApp"]', timeout=timeout_ms)
    page.wait_for_function(
        """() => { const app = document.querySelector('[data-testid="stApp"]');
                   return app && app.dataset.testScriptState === 'notRunning'; }""",
        timeout=timeout_ms,
    )
