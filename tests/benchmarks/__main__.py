"""Run all benchmarks, or those named on the command line."""

import sys

from tests.benchmarks import extraction, importing, large, pages, reports, reviewing, runs, scoring

BENCHES = {
    "import_ratio": importing.import_ratio,
    "import_memory_mb": importing.import_memory_mb,
    "extract_ms": extraction.extract_ms,
    "page_ms": pages.page_ms,
    "page_ms_large": large.page_ms_large,
    "export_s": large.export_s,
    "first_paint_s": pages.first_paint_s,
    "reports_s": reports.reports_s,
    "run_ratio": runs.run_ratio,
    "match_s": scoring.match_s,
    "score_s": scoring.score_s,
    "agreement_s": scoring.agreement_s,
    "reference_f1": scoring.reference_f1,
    "save_p95_ms": reviewing.save_p95_ms,
    "kills_survived": reviewing.kills_survived,
}

if __name__ == "__main__":
    wanted = sys.argv[1:] or list(BENCHES)
    unknown = [name for name in wanted if name not in BENCHES]
    if unknown:
        sys.exit(f"No benchmark named {', '.join(unknown)}; there are: {', '.join(BENCHES)}")
    for name in wanted:
        for line in BENCHES[name]():
            print(line, flush=True)
