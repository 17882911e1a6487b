"""Script run of every page on the demonstration study, and the first paint after the app starts."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from streamlit.testing.v1 import AppTest

from core.services.workspace import open_workspace
from core.settings import read_settings
from tests.benchmarks.line import bench_line
from tests.browser.running_app import PROJECT_ROOT, chromium_path, free_port, open_browser

RUNS = 5
FIRST_PAINT_BUDGET_S = 4.0


def page_paths() -> list[str]:
    """Give every page file as AppTest names it, relative to the menu."""
    pages = PROJECT_ROOT / "pages"
    return sorted(p.relative_to(pages).as_posix() for p in pages.glob("*/*.py") if p.parent.name != "components")


def page_ms() -> Iterator[str]:
    """Median and 95th percentile of a page's script run by AppTest, after one warm-up."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"CASEROUNDS_DATA": folder, "CASEROUNDS_DEMO": "1"}
        open_workspace(read_settings())
        times: dict[str, list[float]] = {}
        for path in page_paths():
            test = AppTest.from_file(str(PROJECT_ROOT / "pages/menu.py"), default_timeout=60).run()
            test.switch_page(path).run()
            for _ in range(RUNS):
                start = time.perf_counter()
                test.run()
                times.setdefault(path, []).append((time.perf_counter() - start) * 1000)
        medians = {path: round(statistics.median(t), 1) for path, t in times.items()}
        pooled = [t for values in times.values() for t in values]
        yield bench_line("page_ms", max(medians.values()), "ms, slowest page's median", 60, pages=medians)
        p95 = statistics.quantiles(pooled, n=20)[-1]
        yield bench_line("page_ms_p95", p95, "ms, all page runs", 150, runs=len(pooled))


def first_paint_s() -> Iterator[str]:
    """From the start of the app's process on an installed, loaded study to the first painted page in Chromium."""
    if chromium_path() is None:
        yield bench_line("first_paint_s", None, "s", FIRST_PAINT_BUDGET_S, reason="no Chromium on this machine")
        return
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        environment = os.environ | {"CASEROUNDS_DATA": folder, "CASEROUNDS_DEMO": "1"}
        subprocess.run([sys.executable, "-m", "core", "db", "upgrade"], cwd=PROJECT_ROOT, env=environment, check=True)
        seconds = [_paint_once(browser, Path(folder), environment) for _ in range(3)]
        yield bench_line("first_paint_s", statistics.median(seconds), "s", FIRST_PAINT_BUDGET_S, runs=seconds)


def _paint_once(browser, folder: Path, environment: dict[str, str]) -> float:
    port = free_port()
    page = browser.new_context().new_page()
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.port", str(port)],
        cwd=PROJECT_ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while time.perf_counter() - start < 60:
            try:
                page.goto(f"http://127.0.0.1:{port}/", timeout=5_000)
                break
            except Exception as refused:  # the server is not listening yet; Playwright has no narrower error
                if "ERR_CONNECTION_REFUSED" not in str(refused):
                    raise
                time.sleep(0.05)
        page.wait_for_selector("h1", timeout=30_000)
        return round(time.perf_counter() - start, 2)
    finally:
        process.terminate()
        process.wait()
        page.context.close()
