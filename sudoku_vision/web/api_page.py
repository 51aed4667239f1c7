"""The description of the service as a page for people: what can be asked, with an example and every field.

It is made from the same OpenAPI description that programs read, needs no script, and asks no other host.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

Schema = Mapping[str, Any]

REFUSALS = "Every other status, of 400 or more, comes with an"
_REF = "#/components/schemas/"


def api_page(api: Schema) -> str:
    """Return the page (HTML) of an OpenAPI description."""
    schemas = api["components"]["schemas"]
    parts = [
        f"<h1>{escape(api['info']['title'])} {escape(api['info']['version'])}</h1>",
        f"<p>{escape(api['info']['description'])}</p>",
        '<p>For programs: <a href="/openapi.json">/openapi.json</a>. <a href="/">The page itself</a></p>',
    ]
    addresses = [(path, *asked) for path, methods in api["paths"].items() for asked in methods.items()]
    links = "".join(
        f'<li><a href="#{escape(path)}">{method.upper()} {escape(path)}</a></li>'
        for path, method, _ in addresses
    )
    parts.append(f"<nav><ul>{links}</ul></nav>")
    for path, method, asked in addresses:
        parts += _endpoint(method.upper(), path, asked, schemas)
    parts.append(f"<h2>Refusals</h2><p>{escape(REFUSALS)} {_link('Error')}</p>")
    parts.append("<h2>Values</h2>")
    for name, schema in schemas.items():
        if "properties" in schema and "ValidationError" not in name:
            parts.append(f'<h3 id="{name}">{name}</h3><p>{_words(schema)}</p>')
            parts.append(_table(schema["properties"]))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>sudoku-vision: its service</title>'
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/static/docs.css">'
        f"</head><body><main>{''.join(parts)}</main></body></html>"
    )


def _endpoint(method: str, path: str, asked: Schema, schemas: Schema) -> Iterator[str]:
    """Give what is said of one address: what it takes, how it is asked, and what it answers."""
    yield f'<h2 id="{escape(path)}"><code>{method} {escape(path)}</code></h2>'
    yield f"<p>{_words(asked)}</p>"
    parameters = asked.get("parameters", [])
    if parameters:
        said = {
            one["name"]: {"description": one.get("description", ""), **one["schema"]} for one in parameters
        }
        yield f"<h3>In the address</h3>{_table(said)}"
    contents = asked.get("requestBody", {}).get("content", {})
    plain = [kind for kind, content in contents.items() if "properties" not in content["schema"]]
    tables: dict[str, Mapping[str, Schema]] = {", ".join(plain): {}} if plain else {}
    tables |= {kind: contents[kind]["schema"]["properties"] for kind in contents if kind not in plain}
    for kinds, fields in tables.items():
        yield f"<h3>Body: <code>{escape(kinds)}</code></h3>{_table(fields)}"
    yield f"<pre>{escape(_command(method, path, parameters, contents))}</pre>"
    for kind, answer in asked["responses"]["200"].get("content", {}).items():
        schema = answer["schema"]
        yield f"<h3>Answer: <code>{escape(kind)}</code></h3><p>{_type(schema)}</p>"
        if kind == "application/json":
            example = json.dumps(_example(schema, schemas), indent=1, ensure_ascii=False)
            yield f"<details><summary>Example</summary><pre>{escape(example)}</pre></details>"


def _command(method: str, path: str, parameters: Sequence[Schema], contents: Schema) -> str:
    """Return a command that asks."""
    for one in parameters:
        path = path.replace(f"{{{one['name']}}}", str(_example(one["schema"], {})))
    needed = [one for one in parameters if one["in"] == "query" and one.get("required")]
    path += "".join(f"?{one['name']}={_example(one['schema'], {})}" for one in needed)
    address = f"http://127.0.0.1:8000{path}"
    if method == "GET":
        return f"curl '{address}'"
    if list(contents) == ["application/json"]:
        fields = contents["application/json"]["schema"]["properties"]
        said = json.dumps({name: _example(field, {}) for name, field in fields.items() if name in _SAID})
        return f"curl -H 'Content-Type: application/json' -d '{said}' '{address}'"
    return f"curl --data-binary @photo.jpg '{address}'"


_SAID = ("state", "overrides")  # what an example says of a grid


def _table(fields: Mapping[str, Schema]) -> str:
    """Return a row for each field: its name, its type, and what it is."""
    rows = (
        f"<tr><th><code>{escape(name)}</code></th><td>{_type(field)}</td>"
        f"<td>{_words(field)}{_shown(field)}</td></tr>"
        for name, field in fields.items()
    )
    return f"<div><table>{''.join(rows)}</table></div>"


def _words(told: Schema) -> str:
    """Return a description, with what stands in double backquotes as code."""
    return re.sub("``(.+?)``", r"<code>\1</code>", escape(told.get("description", "")))


def _shown(field: Schema) -> str:
    """Return the example of a field, where it is short enough to help."""
    examples = [json.dumps(one, ensure_ascii=False) for one in field.get("examples", ())]
    return f" For example <code>{escape(examples[0])}</code>" if examples and len(examples[0]) < 100 else ""


def _type(schema: Schema) -> str:
    """Return the type of a value in words, with links to those that are told further down."""
    if "$ref" in schema:
        return _link(schema["$ref"].removeprefix(_REF))
    if "anyOf" in schema:
        return " or ".join(map(_type, schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return " | ".join(
            f"<code>{escape(str(one))}</code>" for one in schema.get("enum", [schema.get("const")])
        )
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return escape(str(schema.get("format") or schema.get("type", "anything")))


def _link(name: str) -> str:
    return f'<a href="#{name}">{name}</a>'


def _example(schema: Schema, schemas: Schema) -> Any:
    """Return an example of a value: its own, its default, or one made of those of its parts."""
    if schema.get("examples"):
        return schema["examples"][0]
    if "$ref" in schema:
        return _example(schemas[schema["$ref"].removeprefix(_REF)], schemas)
    if "properties" in schema:
        needed = schema.get("required", ())
        return {
            name: _example(field, schemas) for name, field in schema["properties"].items() if name in needed
        }
    if "anyOf" in schema:
        return _example(schema["anyOf"][0], schemas)
    if schema.get("type") == "array":
        return [_example(schema.get("items", {}), schemas)]
    return schema.get("default", schema.get("const", schema.get("enum", [None])[0]))
