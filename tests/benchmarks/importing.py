"""Import against pubmed_parser on the real articles, and the memory of a bulk import of 5,000 articles."""

import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from core.errors import ImportRefused
from core.jats import open_packages, read_article
from core.settings import PROJECT_ROOT
from tests.benchmarks.line import bench_line

CORPUS = PROJECT_ROOT.parent / "shared" / "corpus"
RATIO = 0.35
BULK = 5_000
BULK_MB = 300.0
_ROUNDS = 7
_BULK_READER = """
import resource, sys
from core.errors import ImportRefused
from core.jats import open_packages, read_article
count = 0
for package in open_packages(sys.argv[1]):
    try:
        read_article(package)
    except ImportRefused:
        pass
    count += 1
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def import_ratio() -> Iterator[str]:
    """Articles per second over pubmed_parser's paragraph and caption parsing, on the files that both can read."""
    if not CORPUS.is_dir():
        yield bench_line("import_ratio", None, "ratio", RATIO, at_most=False, reason="../shared/corpus is not here")
        return
    try:
        import pubmed_parser
    except ImportError:
        yield bench_line("import_ratio", None, "ratio", RATIO, at_most=False, reason="pubmed_parser is not installed")
        return
    from lxml import etree

    def theirs(path: Path) -> None:
        pubmed_parser.parse_pubmed_paragraph(str(path), all_paragraph=True)
        pubmed_parser.parse_pubmed_caption(str(path))

    def ours(path: Path) -> None:
        for package in open_packages(path):
            read_article(package)

    files = sorted(path for path in CORPUS.glob("*/*") if path.suffix in (".xml", ".nxml"))
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        shared = [path for path in files if _reads(theirs, path) and _reads(ours, path)]
        their_ms, our_ms, bare_ms = _best_ms((theirs, ours, lambda path: etree.parse(str(path))), shared)
    reports = [read_article(package).report for path in shared for package in open_packages(path)]
    lost = sum(one.chars for report in reports for one in report.set_aside if one.name == "not accounted for")
    body = sum(report.body_chars for report in reports)
    yield bench_line(
        "import_ratio", their_ms / our_ms, "ratio", RATIO, at_most=False, articles=len(shared),
        ours_ms=round(our_ms, 3),
        pubmed_parser_ms=round(their_ms, 3), bare_parse_ms=round(bare_ms, 3), body_text_accounted_for=1 - lost / body,
        unreadable_for_pubmed_parser=sum(not _quietly(theirs, path) for path in files),
    )  # fmt: skip


def import_memory_mb() -> Iterator[str]:
    """Peak memory of a process that imports a bulk folder of 5,000 articles."""
    if not CORPUS.is_dir():
        yield bench_line("import_memory_mb", None, "MB", BULK_MB, reason="../shared/corpus is not here")
        return
    files = sorted(path for path in CORPUS.glob("*/*") if path.suffix in (".xml", ".nxml"))
    with tempfile.TemporaryDirectory() as folder:
        firsts: dict[Path, Path] = {}
        for number in range(BULK):
            source = files[number % len(files)]
            target = Path(folder) / f"PMC{number // 100:03d}xxxxxx" / f"PMC{1_000_000 + number}.xml"
            target.parent.mkdir(exist_ok=True)
            if source in firsts:
                os.link(firsts[source], target)
            else:
                firsts[source] = Path(shutil.copyfile(source, target))
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", _BULK_READER, folder], cwd=PROJECT_ROOT, capture_output=True, text=True, check=True
        )
    count, peak = done.stdout.split()
    yield bench_line(
        "import_memory_mb",
        float(peak),
        "MB",
        BULK_MB,
        articles=int(count),
        seconds=round(time.perf_counter() - start, 1),
    )


def _reads(reader: Callable[[Path], object], path: Path) -> bool:
    try:
        reader(path)
    except ImportRefused:
        return False
    except Exception:  # noqa: BLE001 - pubmed_parser raises whatever it stumbles over
        return False
    return True


def _quietly(reader: Callable[[Path], object], path: Path) -> bool:
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        return _reads(reader, path)


def _best_ms(readers: tuple[Callable[[Path], object], ...], files: list[Path]) -> list[float]:
    """Give the best of several rounds for each reader in milliseconds of processor time per file, in turns."""
    best = [float("inf")] * len(readers)
    for _ in range(_ROUNDS):
        for place, reader in enumerate(readers):
            start = time.process_time()
            for path in files:
                reader(path)
            best[place] = min(best[place], (time.process_time() - start) * 1000 / len(files))
    return best
