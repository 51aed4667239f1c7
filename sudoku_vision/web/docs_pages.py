"""Make the pages of documentation. They have no script and load nothing from other hosts.

One page describes the service with all its addresses and fields. This page is made from the OpenAPI
description. The other pages describe the techniques of hints, and are made from the project's documentation.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from typing import Any

from fastapi import FastAPI

Schema = Mapping[str, Any]

_MAX_EXAMPLE = 100  # examples with this many characters or more are not shown
_HERE = Path(__file__).resolve().parents[1]
TECHNIQUE_FOLDER = next(filter(Path.is_dir, (_HERE / "techniques", _HERE.parent / "docs" / "techniques")))
"""The folder with the documentation of techniques: in the installed package or, in a clone, in ``docs/``."""
_SECTION = re.compile(
    r"^## ([^\n]+)\n\n((?:(?!^## ).)*?)<!-- ([^\n]+) -->\n(.*?)<!-- end of", re.MULTILINE | re.DOTALL
)
_PICTURE = re.compile(r"!\[(.*)\]\((.*)\)")
_MARKS = re.compile(r"\[([^\]]*)\]\([^)]*\)|[`*]")  # markup of links and emphasis; only the words are kept


def page_head(title: str) -> str:
    """Return the beginning of a page of documentation (HTML), up to the end of its head."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width">'
        '<link rel="stylesheet" href="/static/docs.css"></head>'
    )


@lru_cache(maxsize=1)
def api_page(app: FastAPI) -> str:
    """Return the page (HTML) that shows the OpenAPI description of *app*."""
    parts = "".join(_parts(app.openapi()))
    return f"{page_head('sudoku-vision: its service')}<body><main>{parts}</main></body></html>"


def _parts(api: Schema) -> Iterator[str]:
    info = api["info"]
    endpoints = [(way.upper(), path, one) for path, ways in api["paths"].items() for way, one in ways.items()]
    yield f"<h1>{escape(info['title'])} {escape(info['version'])}</h1><p>{escape(info['description'])}</p>"
    yield '<p>For programs: <a href="/openapi.json">/openapi.json</a>. <a href="/">The page itself</a></p>'
    links = (f'<li><a href="#{escape(path)}">{way} {escape(path)}</a></li>' for way, path, _ in endpoints)
    yield f"<nav><ul>{''.join(links)}</ul></nav>"
    for way, path, endpoint in endpoints:
        yield f'<h2 id="{escape(path)}"><code>{way} {escape(path)}</code></h2><p>{_prose(endpoint)}</p>'
        yield from _endpoint(way, path, endpoint)
    yield f"<h2>Refusals</h2><p>Every other status, of 400 or more, comes with an {_link('Error')}</p>"
    yield "<h2>Values</h2>"
    for name, schema in api["components"]["schemas"].items():
        if "ValidationError" not in name:  # FastAPI's own class; the service sends Error instead
            yield f'<h3 id="{name}">{name}</h3><p>{_prose(schema)}</p>{_table(schema["properties"])}'


def _endpoint(way: str, path: str, endpoint: Schema) -> Iterator[str]:
    """Yield the parts (HTML) that describe one address: parameters, body, an example command, and answer."""
    parameters = {one["name"]: {**one["schema"], **one} for one in endpoint.get("parameters", ())}
    bodies = {
        kind: content["schema"].get("properties", {})
        for kind, content in endpoint.get("requestBody", {}).get("content", {}).items()
    }
    if parameters:
        yield f"<h3>In the address</h3>{_table(parameters)}"
    if raw := [kind for kind, fields in bodies.items() if not fields]:
        yield f"<h3>Body: <code>{escape(', '.join(raw))}</code></h3>"
    for kind, fields in bodies.items():
        yield f"<h3>Body: <code>{escape(kind)}</code></h3>{_table(fields)}" if fields else ""
    for name, parameter in parameters.items():
        path = path.replace(f"{{{name}}}", str(parameter.get("examples", [""])[0]))
    sent = "" if way == "GET" else "--data-binary @photo.jpg "
    if list(bodies) == ["application/json"]:
        state = {"state": bodies["application/json"]["state"]["examples"][0]}
        sent = f"-H 'Content-Type: application/json' -d '{json.dumps(state)}' "
    yield f"<pre>{escape(f'curl {sent}http://127.0.0.1:8000{path}')}</pre>"
    for kind, answer in endpoint["responses"]["200"].get("content", {}).items():
        yield f"<h3>Answer: <code>{escape(kind)}</code></h3><p>{_type(answer['schema'])}</p>"


def _table(fields: Mapping[str, Schema]) -> str:
    """Return a table (HTML) with a row for each field: name, type, description and a short example."""
    rows = []
    for name, field in fields.items():
        words, examples = _prose(field), field.get("examples", ())
        example = json.dumps(examples[0], ensure_ascii=False) if examples else ""
        if example and len(example) < _MAX_EXAMPLE:
            words += f" For example <code>{escape(example)}</code>"
        rows.append(f"<tr><th><code>{escape(name)}</code></th><td>{_type(field)}</td><td>{words}</td></tr>")
    return f"<div><table>{''.join(rows)}</table></div>"


def _prose(schema: Schema) -> str:
    """Return the description of a schema as HTML. Text between double backquotes is marked as code."""
    return re.sub("``(.+?)``", r"<code>\1</code>", escape(schema.get("description", "")))


def _type(schema: Schema) -> str:
    """Return the type of a value in words (HTML), with links to types that have their own table."""
    if "$ref" in schema:
        return _link(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(map(_type, schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(f"<code>{escape(str(one))}</code>" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return escape(str(schema.get("format") or schema.get("type", "anything")))


def _link(name: str) -> str:
    return f'<a href="#{name}">{name}</a>'


@cache
def technique_pages() -> dict[str, str]:
    """Return the page (HTML) of each technique, by its English name."""
    pages = {}
    for path in TECHNIQUE_FOLDER.glob("*.md"):
        for title, text, name, block in _SECTION.findall(path.read_text("utf-8")):
            paragraphs = "".join(_paragraphs(f"{text}\n{block}"))
            body = f"<body><main><h1>{escape(title)}</h1>{paragraphs}</main></body>"
            pages[name] = f"{page_head(title)}{body}</html>"
    return pages


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs and pictures (HTML) of a section. Boards in plain text are left out."""
    for paragraph in filter(None, map(str.strip, text.split("\n\n"))):
        picture = _PICTURE.fullmatch(paragraph)
        if picture:
            yield f'<img src="/techniques/{picture[2]}" alt="{escape(picture[1])}">'
        elif not paragraph.startswith("`"):
            words = _MARKS.sub(lambda mark: mark[1] or "", paragraph.removeprefix("> "))
            yield f"<p>{escape(words)}</p>"
