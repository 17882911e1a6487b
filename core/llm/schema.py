"""JSON schemas derived from records, in the part of JSON Schema that every provider takes (llm.md section 2 rule 5)."""

from functools import lru_cache

from core.domain.record import Record

_NOT_SENT = frozenset(
    "title default minLength maxLength pattern format minItems maxItems uniqueItems minimum maximum exclusiveMinimum "
    "exclusiveMaximum multipleOf discriminator".split()
)
_LONGEST_ENUM = 20


@lru_cache(maxsize=128)
def schema_for(record: type[Record]) -> dict[str, object]:
    """Give the schema of a reply: an object, every field required, nothing else allowed, definitions written out.

    Bounds and lengths are left out, since some servers refuse and others ignore them; the record checks them again. An
    integer with two near bounds (a score 1-5) becomes an enumeration, which servers do enforce.

    Raises:
        TypeError: the record holds what cannot be asked for portably: a dict, a tuple of fixed length, a record that
            holds itself. That is a fault of the program.
    """
    full = record.model_json_schema()
    return _portable(full, full.get("$defs", {}), record.__name__, ())


def _portable(node: dict, definitions: dict, where: str, inside: tuple[str, ...]) -> dict[str, object]:
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[-1]
        if name in inside:
            raise TypeError(f"{where} holds itself; replies cannot be recursive")
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return _portable(definitions[name] | rest, definitions, where, (*inside, name))
    if len(node.get("allOf", ())) == 1:
        rest = {key: value for key, value in node.items() if key != "allOf"}
        return _portable(node["allOf"][0] | rest, definitions, where, inside)
    described = {"description": node["description"]} if "description" in node else {}
    for union in ("anyOf", "oneOf"):
        if union in node:
            return {"anyOf": [_portable(option, definitions, where, inside) for option in node[union]]} | described
    if "const" in node:
        return {"type": _type_name(node["const"]), "enum": [node["const"]]} | described
    kind = node.get("type")
    if kind == "object":
        return _object(node, definitions, where, inside) | described
    if kind == "array":
        if "prefixItems" in node or "items" not in node:
            raise TypeError(f"{where} has a tuple of fixed length; use a list of records")
        return {"type": "array", "items": _portable(node["items"], definitions, f"{where}[]", inside)} | described
    if kind == "integer" and (values := _near_bounds(node)):
        return {"type": "integer", "enum": values} | described
    kept = {key: value for key, value in node.items() if key not in _NOT_SENT and key != "$defs"}
    if "type" not in kept and "enum" not in kept:
        raise TypeError(f"{where} has a field of any type")
    return kept


def _object(node: dict, definitions: dict, where: str, inside: tuple[str, ...]) -> dict[str, object]:
    if "properties" not in node and node.get("additionalProperties", True) is not False:
        raise TypeError(f"{where} has a dict; use a list of records with ids")
    fields = {
        name: _portable(field, definitions, f"{where}.{name}", inside)
        for name, field in node.get("properties", {}).items()
    }
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _near_bounds(node: dict) -> list[int]:
    low, high = node.get("minimum"), node.get("maximum")
    if isinstance(low, int) and isinstance(high, int) and high - low < _LONGEST_ENUM:
        return list(range(low, high + 1))
    return []


def _type_name(value: object) -> str:
    return {bool: "boolean", int: "integer", float: "number", str: "string"}.get(type(value), "null")
