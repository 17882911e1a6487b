"""Rules extraction of real articles."""

import statistics
import time
from collections.abc import Iterator
from datetime import UTC, datetime

from core.errors import ImportRefused
from core.extraction import extract_case
from core.jats import open_packages, read_article
from tests.benchmarks.corpus import ABSENT, article_files
from tests.benchmarks.line import bench_line

ROUNDS = 3
BUDGET_MS = 150.0
AT = datetime(2026, 11, 30, tzinfo=UTC)


def extract_ms() -> Iterator[str]:
    """Median processor milliseconds of rules extraction of one article of the corpus, each its fastest of three."""
    times: dict[str, float] = {}
    for path in article_files():
        try:
            (package,) = open_packages(path)
            report = read_article(package).report
        except ImportRefused:
            continue
        seconds = []
        for _ in range(ROUNDS):
            start = time.process_time()
            extract_case(report, article_version=1, code_version="bench", at=AT)
            seconds.append(time.process_time() - start)
        times[path.parent.name] = min(seconds) * 1000
    if not times:
        yield bench_line("extract_ms", None, "ms", BUDGET_MS, reason=ABSENT)
        return
    slowest = max(times, key=lambda name: times[name])
    yield bench_line(
        "extract_ms",
        statistics.median(times.values()),
        "ms, median article",
        BUDGET_MS,
        articles=len(times),
        p95=round(statistics.quantiles(times.values(), n=20)[-1], 1),
        slowest={slowest: round(times[slowest], 1)},
    )
