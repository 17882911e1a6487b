"""Twenty reviewers at once on one file, and a server that is killed sixty times while a reviewer goes on."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from core.services.workspace import open_workspace
from core.settings import read_settings
from tests.benchmarks.line import bench_line
from tests.browser.running_app import PROJECT_ROOT, chromium_path
from tests.review.load import commit_together

N_REVIEWERS = 20
N_DIALOGUES = 20
SAVE_BUDGET_MS = 500
N_KILLS = 60


def save_p95_ms() -> Iterator[str]:
    """95th percentile of a save while 20 processes commit 2,000 ratings on one SQLite file; none may be lost."""
    os.environ["CASEROUNDS_DEMO"] = "0"
    with tempfile.TemporaryDirectory() as folder:
        ws = open_workspace(read_settings(Path(folder)))
        began = time.perf_counter()
        load = commit_together(ws, N_REVIEWERS, N_DIALOGUES)
        seconds = time.perf_counter() - began
        ws.store.close()
    yield bench_line(
        "save_p95_ms",
        statistics.quantiles(load.save_ms, n=20)[-1],
        "ms, one change or commit",
        SAVE_BUDGET_MS,
        processes=N_REVIEWERS,
        saves=len(load.save_ms),
        median_ms=round(statistics.median(load.save_ms), 2),
        seconds=round(seconds, 1),
    )
    yield bench_line("busy_refusals", load.n_busy, "writes refused after the time-out and sent again", 0)
    wrong = abs(load.n_expected - load.n_stored) + load.n_doubled + load.n_misplaced
    yield bench_line("ratings_wrong", wrong, "ratings lost, doubled or misplaced", 0, ratings=load.n_stored)


def kills_survived() -> Iterator[str]:
    """The server killed with -9 sixty times around clicks and keystrokes; what was entered compared each time."""
    if chromium_path() is None:
        yield bench_line("kills_survived", None, "kills", N_KILLS, at_most=False, reason="no Chromium on this machine")
        return
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "tests/browser/test_review_durability.py", "-k", "killed_server"],
        cwd=PROJECT_ROOT,
        env=os.environ | {"CASEROUNDS_TEST_KILLS": str(N_KILLS)},
        capture_output=True,
        text=True,
        check=False,
    )
    survived = N_KILLS if done.returncode == 0 else 0
    yield bench_line("kills_survived", survived, "kills", N_KILLS, at_most=False, said=done.stdout[-300:])
