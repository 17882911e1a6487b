"""The real articles of the folder of manuals beside the project, for benchmarks that need them."""

from pathlib import Path

from core.settings import PROJECT_ROOT

CORPUS = PROJECT_ROOT.parent / "shared" / "corpus"
ABSENT = "the real articles (../shared/corpus) are not on this machine"


def article_files() -> list[Path]:
    """Give the XML file of every article of the corpus; empty when the corpus is not on this machine."""
    return sorted([*CORPUS.glob("*/*.xml"), *CORPUS.glob("*/*.nxml")])
