"""From a reply's text to a validated record, or to sentences that say what is wrong with it. Nothing is repaired."""

import json
import re
from typing import Generic, NamedTuple, TypeVar

from pydantic import ValidationError

from core.domain.record import Record

R = TypeVar("R", bound=Record)

_FENCE = re.compile(r"\A\s*```(?:json)?[ \t]*\n(?P<inside>.*?)\n?```\s*\Z", re.DOTALL | re.IGNORECASE)
_FAULTS_SHOWN = 12


class Parsed(NamedTuple, Generic[R]):
    """A record, or the problems that stand against it (never both)."""

    record: R | None
    problems: list[str]


class _BrokenJson(ValueError):
    pass


def parse_record(text: str, record: type[R], schema: dict[str, object]) -> Parsed[R]:
    """Give the record that a complete reply holds.

    The whole text has to be one JSON value (a code fence around all of it is taken off). Prose beside it, a second
    value, a key given twice, a missing or an additional field, a value of another type or out of bounds are problems,
    each named by its place. A missing field is never filled with the record's default.
    """
    fenced = _FENCE.match(text)
    body = fenced["inside"] if fenced else text
    try:
        value = json.loads(body, object_pairs_hook=_no_twins, parse_constant=_no_constant)
    except _BrokenJson as error:
        return Parsed(None, [str(error)])
    except (json.JSONDecodeError, RecursionError) as error:
        where = f" at character {error.pos}" if isinstance(error, json.JSONDecodeError) else ""
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        return Parsed(None, [f"the reply is not one JSON object and nothing else: {reason}{where}"])
    problems = _against_schema(value, schema, "reply")
    if problems:
        return Parsed(None, problems[:_FAULTS_SHOWN])
    try:
        return Parsed(record.model_validate_json(body, strict=True), [])
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False, include_context=False)
        named = [f"{'.'.join(map(str, fault['loc'])) or 'reply'}: {fault['msg']}" for fault in faults]
        return Parsed(None, named[:_FAULTS_SHOWN])


def _no_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twin = next(name for name in names if names.count(name) > 1)
        raise _BrokenJson(f"the key {twin!r} is given twice in one object")
    return found


def _no_constant(name: str) -> None:
    raise _BrokenJson(f"{name} is not a JSON number")


def _against_schema(value: object, schema: dict, where: str) -> list[str]:
    """Give missing and additional fields, which a record with defaults would not see."""
    if "anyOf" in schema:
        if value is None:
            return []
        options = [_against_schema(value, option, where) for option in schema["anyOf"] if option.get("type") != "null"]
        return min(options, key=len, default=[])
    if schema.get("type") == "object":
        if not isinstance(value, dict):
            return [f"{where}: must be an object"]
        problems = [f"{where}: the field {name!r} is missing" for name in schema["required"] if name not in value]
        problems += [f"{where}: the field {name!r} is unknown" for name in value if name not in schema["properties"]]
        for name, field in schema["properties"].items():
            if name in value:
                problems += _against_schema(value[name], field, f"{where}.{name}")
        return problems
    if schema.get("type") == "array":
        if not isinstance(value, list):
            return [f"{where}: must be a list"]
        return [
            p for place, item in enumerate(value) for p in _against_schema(item, schema["items"], f"{where}[{place}]")
        ]
    return []
