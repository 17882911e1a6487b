"""How well the rules engine extracts, measured against reference annotations."""

import json
from datetime import UTC, datetime
from pathlib import Path

from core import __version__
from core.domain.article import CaseReport
from core.domain.case import CaseRepresentation, LeakPolicy
from core.errors import ImportRefused, InvalidInput
from core.extraction import extract_case
from core.extraction.quality import QualityRow, compare_with_gold
from core.jats import open_packages, read_article

__all__ = ["QualityRow", "measure_extraction", "quality_row"]


def measure_extraction(gold_file: Path, articles: Path) -> tuple[QualityRow, ...]:
    """Give recall and precision of every field over the annotated articles that are in the folder.

    Nothing is stored. An annotated article that cannot be read has no values: its quotes count as not found.

    Args:
        gold_file: JSON list of annotations; each names its article by `id`.
        articles: folder with one folder (or file) per article, named by its id.

    Raises:
        InvalidInput: the annotations cannot be read, or none of their articles is in the folder.
    """
    try:
        gold = json.loads(gold_file.read_text("utf-8"))
        wanted = {str(entry["id"]) for entry in gold}
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise InvalidInput(
            f"{gold_file.name} holds no annotations.", "A JSON list of objects with an `id` each is expected."
        ) from error
    reports: dict[str, CaseReport] = {}
    for article_id in sorted(wanted):
        place = next(
            (p for p in (articles / article_id, *sorted(articles.glob(f"{article_id}.*"))) if p.exists()), None
        )
        if place is None:
            continue
        for package in open_packages(place):
            try:
                reports.setdefault(article_id, read_article(package).report)
            except ImportRefused:
                # Annotated articles that are none (reviews, notices) are right to be refused.
                continue
    if not reports:
        raise InvalidInput(f"{articles.name} holds none of the annotated articles.", "Name their folder.")
    cases: dict[str, CaseRepresentation] = {
        article_id: extract_case(
            report,
            article_version=1,
            code_version=__version__,
            at=datetime.now(UTC),
            leak_policy=LeakPolicy.AUTO,
        )
        for article_id, report in reports.items()
    }
    return tuple(compare_with_gold(cases, reports, gold))


def quality_row(row: QualityRow) -> dict:
    """Give a field as the stable row of `quality --json` (design.md section 6)."""
    return {
        "field": row.field,
        "gold": row.gold,
        "found": row.found,
        "recall": row.recall,
        "precision": row.precision,
        "n_articles": row.n_articles,
        "missed": list(row.missed),
    }
