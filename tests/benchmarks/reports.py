"""2,000 report pairs through import, the rules baseline and the store."""

import csv
import io
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from core.services import reports
from core.services.workspace import open_workspace
from core.settings import read_settings
from tests.benchmarks.line import bench_line

PAIRS = 2_000
BUDGET_S = 60.0


def reports_s() -> Iterator[str]:
    """Seconds for 2,000 report pairs with different texts: import, both decompositions, both directions, storage."""
    samples = list(csv.DictReader(io.StringIO(reports.DEMO_PAIRS.read_text(encoding="utf-8"))))
    text = io.StringIO()
    rows = csv.DictWriter(text, reports.FIELDS)
    rows.writeheader()
    for number in range(PAIRS):
        # A size of its own makes every text new, so that no reading is answered from memory.
        sample, size = samples[number % len(samples)], f" A {number + 3} mm cyst in the right kidney."
        own = {"pair": f"{sample['pair']}-{number}"}
        own |= {field: sample[field] + size for field in ("reference", "prediction")}
        rows.writerow({**sample, **own})
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CASEROUNDS_DEMO"] = "0"
        workspace = open_workspace(read_settings(Path(folder)))
        start = time.perf_counter()
        reports.import_pairs(workspace, text.getvalue().encode(), "bench.csv")
        imported = time.perf_counter() - start
        summary = reports.evaluate_pairs(workspace)
        seconds = time.perf_counter() - start
        workspace.store.close()
    yield bench_line(
        "reports_s", seconds, "s", BUDGET_S, pairs=PAIRS, scored=len(summary.scored), import_s=round(imported, 2)
    )
