"""Import: speed beside another parser on the same files, and the memory of a bulk import."""

import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path

from lxml import etree

from core.domain.article import CaseReport
from core.errors import ImportRefused
from core.jats import open_packages, read_article
from core.settings import PROJECT_ROOT
from tests.benchmarks.corpus import ABSENT, article_files
from tests.benchmarks.line import bench_line

ROUNDS = 7
RATIO_BUDGET = 0.35
MEMORY_BUDGET_MB = 300
BULK_ARTICLES = 5_000
_PMCID = re.compile(rb'(<article-id pub-id-type="pmc[a-z-]*">)(?:PMC)?\d+(?:\.\d+)?(</article-id>)')
_DOI = re.compile(rb'(<article-id pub-id-type="doi">)([^<]+)(</article-id>)')


def _ours(path: Path) -> CaseReport | None:
    try:
        (package,) = open_packages(path)
        return read_article(package).report
    except ImportRefused:
        return None


def _theirs(path: Path) -> str:
    """Give the paragraphs that pubmed_parser reads, one to a line; empty when it fails or finds none."""
    import pubmed_parser

    try:
        paragraphs = pubmed_parser.parse_pubmed_paragraph(str(path), all_paragraph=True)
        pubmed_parser.parse_pubmed_caption(str(path))
    except Exception:  # it raises whatever its code runs into; the article then counts as one it cannot read
        return ""
    return "\n".join(" ".join(paragraph["text"].split()) for paragraph in paragraphs)


def _bare(path: Path) -> None:
    etree.parse(str(path), etree.XMLParser(resolve_entities=False, no_network=True))


def _fastest(paths: list[Path], works: dict[str, Callable[[Path], object]]) -> dict[str, float]:
    """Give the processor seconds of each work for all files: each file's fastest round, the works taking turns."""
    fastest: dict[tuple[str, Path], float] = {}
    for _ in range(ROUNDS):
        for path in paths:
            for name, work in works.items():
                start = time.process_time()
                work(path)
                seconds = time.process_time() - start
                fastest[name, path] = min(seconds, fastest.get((name, path), seconds))
    return {name: sum(fastest[name, path] for path in paths) for name in works}


def import_ratio() -> Iterator[str]:
    """Articles per second of parsing to plain text, figures and citations over pubmed_parser's paragraphs and captions.

    Only files that both can read count. The share of text: ours is of the body's characters, white space collapsed, in
    parts or set aside by name; theirs is of the body's words in its paragraphs, each counted as often as in the body.
    """
    try:
        import pubmed_parser  # noqa: F401
    except ImportError:
        yield bench_line(
            "import_ratio", None, "x", RATIO_BUDGET, at_most=False, reason="pubmed-parser is not installed"
        )
        return
    paths = article_files()
    if not paths:
        yield bench_line("import_ratio", None, "x", RATIO_BUDGET, at_most=False, reason=ABSENT)
        return
    with redirect_stdout(sys.stderr):
        reports = {path: report for path in paths if (report := _ours(path))}
        texts = {path: text for path in paths if (text := _theirs(path))}
    both = [path for path in paths if path in reports and path in texts]
    seconds = _fastest(both, {"ours": _ours, "theirs": _theirs, "bare": _bare})
    body = sum(reports[path].body_chars for path in both)
    kept = sum(reports[path].kept_chars + sum(one.chars for one in reports[path].set_aside) for path in both)
    lost = sum(one.chars for report in reports.values() for one in report.set_aside if one.name == "not accounted for")
    yield bench_line(
        "import_ratio",
        seconds["theirs"] / seconds["ours"],
        "x of pubmed_parser's articles per second",
        RATIO_BUDGET,
        at_most=False,
        articles=len(both),
        ours_per_s=round(len(both) / seconds["ours"]),
        pubmed_parser_per_s=round(len(both) / seconds["theirs"]),
        bare_lxml_per_s=round(len(both) / seconds["bare"]),
        ours_text_share=round(kept / body, 4),
        ours_chars_lost=lost,
        pubmed_parser_text_share=round(_share_of_words(both, texts), 4),
        files=len(paths),
        ours_reads=len(reports),
        pubmed_parser_reads=len(texts),
    )


def _share_of_words(paths: list[Path], texts: dict[Path, str]) -> float:
    kept = total = 0
    for path in paths:
        body = etree.parse(str(path), etree.XMLParser(remove_comments=True, remove_pis=True)).find("{*}body")
        words = Counter("".join(body.itertext()).split())
        kept += (words & Counter(texts[path].split())).total()
        total += words.total()
    return kept / total


def import_memory_mb() -> Iterator[str]:
    """Peak memory of a process that imports a folder of 5,000 articles into a study: the corpus with new ids."""
    paths = article_files()
    if not paths:
        yield bench_line("import_memory_mb", None, "MB", MEMORY_BUDGET_MB, reason=ABSENT)
        return
    with tempfile.TemporaryDirectory() as folder:
        _write_bulk(Path(folder) / "articles", [path.read_bytes() for path in paths])
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.bulk_import", folder],
            cwd=PROJECT_ROOT,
            capture_output=True,
            text=True,
        )
        seconds = time.perf_counter() - start
    if done.returncode:
        yield bench_line("import_memory_mb", None, "MB", MEMORY_BUDGET_MB, reason=done.stderr[-300:])
        return
    measured = json.loads(done.stdout)
    yield bench_line(
        "import_memory_mb",
        measured.pop("peak_mb"),
        "MB, peak",
        MEMORY_BUDGET_MB,
        articles=BULK_ARTICLES,
        seconds=round(seconds, 1),
        **measured,
    )


def _write_bulk(folder: Path, articles: list[bytes]) -> None:
    for number in range(BULK_ARTICLES):
        data = articles[number % len(articles)]
        own = str(90_000_000 + number).encode()
        data = _PMCID.sub(rb"\g<1>" + own + rb"\g<2>", data)
        data = _DOI.sub(rb"\g<1>\g<2>." + own + rb"\g<3>", data)
        # As bulk folders are: a thousand articles side by side.
        place = folder / f"part{number // 1000}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"PMC{own.decode()}.xml").write_bytes(data)
