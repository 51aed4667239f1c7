"""A check of values against JSON Schema, as far as the description of the service uses it."""

from __future__ import annotations

import re
from typing import Any

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool,
    "null": type(None),
}  # fmt: skip
_KNOWN = {
    "type", "properties", "required", "additionalProperties", "items", "minItems", "maxItems", "pattern",
    "enum", "minimum", "maximum", "anyOf", "$ref", "description", "format",
}  # fmt: skip


def misfits(value: Any, schema: dict[str, Any], schemas: dict[str, Any], where: str = "$") -> list[str]:
    """What of a value does not fit a schema; an unknown word in a schema does not, either."""
    if "$ref" in schema:
        return misfits(value, schemas[schema["$ref"].rpartition("/")[2]], schemas, where)
    if "anyOf" in schema:
        tried = [misfits(value, one, schemas, where) for one in schema["anyOf"]]
        return [] if not all(tried) else [f"{where} fits none: {tried}"]
    found = [f"{where}: unknown {word}" for word in set(schema) - _KNOWN]
    kind = schema.get("type", "")
    if kind and (
        not isinstance(value, _TYPES[kind]) or (isinstance(value, bool) and kind in ("integer", "number"))
    ):
        return [*found, f"{where} is no {kind}: {str(value)[:50]}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{where} is none of {schema['enum']}: {value}")
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        found.append(f"{where} is not like {schema['pattern']}: {value[:100]}")
    if isinstance(value, int | float):
        low, high = schema.get("minimum", value), schema.get("maximum", value)
        found += [] if low <= value <= high else [f"{where} is out of bounds: {value}"]
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{where} has {len(value)} values")
        if "items" in schema:
            for place, one in enumerate(value):
                found += misfits(one, schema["items"], schemas, f"{where}[{place}]")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        found += [f"{where} lacks {name}" for name in schema.get("required", []) if name not in value]
        for name, one in value.items():
            if name in properties:
                found += misfits(one, properties[name], schemas, f"{where}.{name}")
            elif schema.get("additionalProperties") is False:
                found.append(f"{where} has {name}")
    return found
