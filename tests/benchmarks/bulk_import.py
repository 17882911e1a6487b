"""The process whose memory the benchmark of bulk import measures: `python -m tests.benchmarks.bulk_import FOLDER`."""

import json
import resource
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from core.services.importing import import_paths
from core.services.workspace import open_workspace
from core.settings import read_settings


def peak_mb() -> float:
    """Give the most memory this process has had, in MB."""
    status = Path("/proc/self/status")
    if status.is_file():
        # Linux lets getrusage's figure begin at that of the process which started this one.
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 1024
    per_mb = 1024**2 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / per_mb


def main() -> None:
    """Import and print how many articles went which way, and the peak."""
    folder = Path(sys.argv[1])
    workspace = open_workspace(replace(read_settings(folder / "study"), load_demo=False))
    before = peak_mb()
    counts = Counter(outcome.status for outcome in import_paths(workspace, [folder / "articles"]))
    workspace.store.close()
    print(json.dumps({"peak_mb": peak_mb(), "before_mb": round(before, 1), **counts}))


if __name__ == "__main__":
    main()
