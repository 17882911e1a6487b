import json
from enum import StrEnum
from typing import Literal

import pytest
from pydantic import Field

from core.domain.record import Record
from core.llm.parsing import parse_record
from core.llm.schema import schema_for
from tests.llm.conftest import Verdicts


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Part(Record):
    id: str = Field(min_length=1, max_length=5, pattern="^P")
    colour: Colour | None = None
    size: float = Field(default=1.0, ge=0, le=10)
    kind: Literal["a"] = "a"


class Whole(Record):
    """What is answered."""

    parts: tuple[Part, ...] = Field(default=(), max_length=3, description="each once")
    score: int = Field(ge=1, le=5)
    year: int = Field(ge=1900, le=2100)
    best: Part | None = None


def every_object(schema: dict):
    if schema.get("type") == "object":
        yield schema
    for value in schema.values():
        for inner in [value] if isinstance(value, dict) else value if isinstance(value, list) else []:
            if isinstance(inner, dict):
                yield from every_object(inner)


def test_every_field_is_required_and_nothing_else_allowed() -> None:
    objects = list(every_object(schema_for(Whole)))
    assert len(objects) == 3
    for found in objects:
        assert found["required"] == list(found["properties"])
        assert found["additionalProperties"] is False


def test_bounds_defaults_and_definitions_are_left_out() -> None:
    text = json.dumps(schema_for(Whole))
    for word in ("minimum", "maximum", "maxItems", "pattern", "default", "$ref", "$defs", "title", "maxLength"):
        assert f'"{word}"' not in text
    assert "each once" in text


def test_a_score_of_1_to_5_is_an_enumeration_and_a_wide_range_is_not() -> None:
    fields = schema_for(Whole)["properties"]
    assert fields["score"] == {"type": "integer", "enum": [1, 2, 3, 4, 5]}
    assert fields["year"] == {"type": "integer"}


def test_null_comes_by_union_and_a_constant_by_enumeration() -> None:
    part = schema_for(Whole)["properties"]["parts"]["items"]["properties"]
    assert part["colour"] == {"anyOf": [{"type": "string", "enum": ["red", "blue"]}, {"type": "null"}]}
    assert part["kind"] == {"type": "string", "enum": ["a"]}


def test_what_cannot_be_asked_for_portably_is_a_fault_of_the_program() -> None:
    class WithDict(Record):
        scores: dict[str, int]

    class WithPair(Record):
        pair: tuple[int, int]

    for record in (WithDict, WithPair):
        with pytest.raises(TypeError):
            schema_for(record)


def test_a_field_with_a_default_is_missing_when_it_is_missing() -> None:
    parsed = parse_record('{"verdicts": [{"id": "R1", "score": 3}]}', Verdicts, schema_for(Verdicts))
    assert parsed.record is None
    assert parsed.problems == ["reply.verdicts[0]: the field 'level' is missing"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"verdicts": [{"id": "R1", "score": 3, "level": "good"}]}', "verdicts.0.level"),
        ('{"verdicts": [{"id": "R1", "score": 6, "level": "none"}]}', "verdicts.0.score"),
        ('{"verdicts": null}', "must be a list"),
        ('{"verdicts": []} {"verdicts": []}', "nothing else"),
        ("[" * 100_000, "nothing else"),
        ('{"verdicts": [], "verdicts": []}', "twice"),
        ("", "nothing else"),
        ('{"verdicts": [{"id": "\\ud800", "score": 3, "level": "none"}]}', "reply"),
    ],
)
def test_a_wrong_reply_is_described_by_its_place(text: str, words: str) -> None:
    parsed = parse_record(text, Verdicts, schema_for(Verdicts))
    assert parsed.record is None
    assert words in parsed.problems[0]


def test_every_record_that_steps_ask_for_has_a_portable_schema() -> None:
    from core.dialogue.reference import WrittenResponse
    from core.extraction.model_engine import ExtractedElements, ExtractedFigures, ExtractedReferences
    from core.reports import replies as of_reports
    from core.scoring import replies as of_scoring

    records = [WrittenResponse, ExtractedElements, ExtractedFigures, ExtractedReferences] + [
        found
        for replies in (of_scoring, of_reports)
        for found in vars(replies).values()
        if isinstance(found, type)
        and issubclass(found, Record)
        and found is not Record
        and found.__module__ == replies.__name__
    ]
    assert len(records) > 3
    for record in records:
        assert schema_for(record)["type"] == "object"
