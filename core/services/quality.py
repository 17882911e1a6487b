"""How well cases are extracted, measured against reference annotations or against a study's own corrections."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from core import __version__
from core.domain.article import CaseReport
from core.domain.case import CaseRepresentation, LeakPolicy
from core.errors import ImportRefused, InvalidInput
from core.extraction import extract_case
from core.extraction.against_corrections import FieldAgreement, compare_with_corrections
from core.extraction.quality import QualityRow, compare_with_gold
from core.jats import open_packages, read_article
from core.services.cases import case_versions, get_case, list_cases
from core.services.workspace import Workspace

__all__ = [
    "CorrectedCase",
    "FieldAgreement",
    "QualityRow",
    "against_corrections",
    "corrected_cases",
    "measure_extraction",
    "quality_row",
]


@dataclass(frozen=True)
class CorrectedCase:
    """A case whose newest version was made by a person from an extraction.

    Attributes:
        case_id: the case.
        engine: what extracted it: `rules baseline` or a model's registry name.
        extracted: version number of that extraction, the last one before the corrections.
        corrected: version number of the newest version.
        people: who made the versions in between and the newest, each once.
    """

    case_id: str
    engine: str
    extracted: int
    corrected: int
    people: tuple[str, ...]


def corrected_cases(workspace: Workspace) -> tuple[CorrectedCase, ...]:
    """Give every case that people worked on after its last extraction, by id; empty when there is none."""
    found = []
    for row in list_cases(workspace):
        if row.version is None or row.version < 2:
            continue
        newest = get_case(workspace, row.id)
        if newest.made_by.engine != "person":
            continue
        versions = list(reversed(case_versions(workspace, row.id)))
        people = [versions[0].made_by]
        for listed in versions[1:]:
            made = get_case(workspace, row.id, listed.version).made_by
            if made.engine != "person":
                names = tuple(dict.fromkeys(reversed(people)))
                found.append(CorrectedCase(row.id, made.model, listed.version, newest.version, names))
                break
            people.append(made.model)
    return tuple(found)


def against_corrections(workspace: Workspace, chosen: Iterable[CorrectedCase]) -> tuple[FieldAgreement, ...]:
    """Give how far the extractions of these cases agree with what people made of them, field by field."""
    return compare_with_corrections(
        (get_case(workspace, one.case_id, one.extracted), get_case(workspace, one.case_id, one.corrected))
        for one in chosen
    )


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
