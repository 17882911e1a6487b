"""The large study: how long it takes to make, how long its pages take, how long its export takes."""

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st
from streamlit.testing.v1 import AppTest

from core.services.exporting import export_bundle
from core.services.large import make_large
from core.services.workspace import Workspace, open_workspace
from core.settings import read_settings
from tests.benchmarks.line import bench_line
from tests.benchmarks.pages import page_paths
from tests.browser.running_app import PROJECT_ROOT

RUNS = 5
PAGE_BUDGET_MS, P95_BUDGET_MS, MAKE_BUDGET_S, EXPORT_BUDGET_S = 150, 400, 300, 20


@contextmanager
def large_study() -> Iterator[tuple[Workspace, float]]:
    """Give the large study and the seconds it took to make; CASEROUNDS_LARGE names a folder that has it already."""
    made = os.environ.get("CASEROUNDS_LARGE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"CASEROUNDS_DATA": made or folder, "CASEROUNDS_DEMO": "0"}
        workspace = open_workspace(read_settings())
        start = time.perf_counter()
        if not made:
            make_large(workspace)
        yield workspace, time.perf_counter() - start
        workspace.store.close()


def page_ms_large() -> Iterator[str]:
    """Median and 95th percentile of every page's script run on the large study, after one warm-up."""
    with large_study() as (_, seconds):
        if not os.environ.get("CASEROUNDS_LARGE"):
            yield bench_line("make_large_s", seconds, "s", MAKE_BUDGET_S)
        st.cache_data.clear()
        st.cache_resource.clear()
        times: dict[str, list[float]] = {}
        first: dict[str, float] = {}
        for path in page_paths():
            test = AppTest.from_file(str(PROJECT_ROOT / "pages/menu.py"), default_timeout=300).run()
            start = time.perf_counter()
            test.switch_page(path).run()
            first[path] = round(time.perf_counter() - start, 2)
            for _ in range(RUNS):
                start = time.perf_counter()
                test.run()
                times.setdefault(path, []).append((time.perf_counter() - start) * 1000)
            if test.exception:
                raise RuntimeError(f"{path}: {test.exception[0].value}")
        medians = {path: round(statistics.median(t), 1) for path, t in times.items()}
        pooled = [t for values in times.values() for t in values]
        slowest = max(medians.values())
        yield bench_line(
            "page_ms_large", slowest, "ms, slowest page's median", PAGE_BUDGET_MS, pages=medians, first_run_s=first
        )
        p95 = statistics.quantiles(pooled, n=20)[-1]
        yield bench_line("page_ms_large_p95", p95, "ms, all page runs", P95_BUDGET_MS, runs=len(pooled))


def export_s() -> Iterator[str]:
    """Seconds to write the bundle of the large study."""
    with large_study() as (workspace, _), tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        path = export_bundle(workspace, Path(folder) / "export.zip")
        seconds = time.perf_counter() - start
        yield bench_line("export_s", seconds, "s", EXPORT_BUDGET_S, zip_mb=round(path.stat().st_size / 1e6, 1))
