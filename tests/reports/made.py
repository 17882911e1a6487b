"""Small records for the tests of method B."""

from datetime import UTC, datetime

from core.domain.record import MadeBy
from core.domain.reports import Answer, Direction, Expected, Facet, Fact, FactLevel, Given, ReportFacts, System

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
MADE_BY = MadeBy(engine="rules", model="rules baseline", code_version="test", at=NOW)


def presence(number: int, entity: str = "", expected: str = "yes", system: System = System.OTHER) -> Fact:
    entity = entity or f"finding {number}"
    return Fact(
        id=f"F{number}",
        finding_id=str(number),
        level=FactLevel.DISEASE,
        question=f"Is this present: {entity}?",
        expected=Expected(expected),
        entity=entity,
        system=system,
        sentence=f"Sentence about {entity}.",
    )


def attribute(of: Fact, number: int, facet: Facet = Facet.SIZE, value: str = "small") -> Fact:
    return of.model_copy(
        update={
            "id": f"{of.id}.{number}",
            "level": FactLevel.ATTRIBUTE,
            "facet": facet,
            "value": value,
            "question": f"Is the {of.entity} {value}?",
            "expected": Expected.YES,
        }
    )


def facts(*found: Fact) -> ReportFacts:
    return ReportFacts(id="rf-test", text_sha256="0" * 64, facts=found, made_by=MADE_BY)


def direction(**given: str) -> Direction:
    """Answers by fact id; `F1="yes>2"` names finding 2 as counterpart; `_` stands for the dot of an attribute's id."""
    answers = []
    for name, text in given.items():
        said, _, counterpart = text.partition(">")
        answers.append(
            Answer(
                fact_id=name.replace("_", "."),
                given=Given(said),
                quote="" if said == "not_stated" else "words",
                counterpart_id=counterpart or None,
            )
        )
    return Direction(answers=tuple(answers))
