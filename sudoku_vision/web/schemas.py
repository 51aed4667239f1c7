"""Schemas: the values that the service answers with, in JSON Schema, for its description."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
CELL: Schema = {"type": "integer", "minimum": 0, "maximum": 80, "description": "In reading order."}
DIGITS: Schema = {"type": "string", "pattern": "^[0-9]{81}$", "description": "81 digits, 0 for blank."}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
COLOUR: Schema = {"type": "string", "pattern": "^#[0-9a-f]{6}$"}
ANYTHING: Schema = {"type": "object"}


def listing(of: Schema, length: int | None = None) -> Schema:
    """Return the schema of a list, of *length* values if that is always so."""
    bounds = {} if length is None else {"minItems": length, "maxItems": length}
    return {"type": "array", "items": of, **bounds}


def record(optional: dict[str, Schema] | None = None, **always: Schema) -> Schema:
    """Return the schema of an object: what it *always* has, what it may have, and nothing else."""
    return {
        "type": "object",
        "properties": {**always, **(optional or {})},
        "required": sorted(always),
        "additionalProperties": False,
    }


def word(*known: str) -> Schema:
    """Return the schema of one of some words."""
    return {"type": "string", "enum": list(known)}


def or_null(schema: Schema) -> Schema:
    """Return a schema that null fits as well."""
    return {"anyOf": [schema, {"type": "null"}]}


def one_of(*schemas: Schema) -> Schema:
    """Return the schema of what fits any of *schemas*."""
    return {"anyOf": list(schemas)}


def named(name: str) -> Schema:
    """Return a reference to one of :data:`SCHEMAS`."""
    return {"$ref": f"#/components/schemas/{name}"}


POINT = listing(NUMBER, 2)
CELLS = listing(CELL)
MARKS = listing(TEXT, 81)
GRID_STATUS = word("solved", "uncertain", "many_solutions", "no_solution", "unreadable")
PAGE_STATUS = word(*GRID_STATUS["enum"], "no_grid", "error")
SOLUTIONS = word("one", "many", "none", "clash", "no_grid", "unreadable")
SHAPES = listing(named("Shape"))

_READ = {"corners": or_null(listing(POINT, 4)), "puzzle": DIGITS, "written": DIGITS, "confidence": SHARE}
_ENTRY = record(cell=CELL, row=WHOLE, column=WHOLE, digit=WHOLE, confidence=SHARE)
_ASKED = {
    "source": TEXT,
    "reading": or_null(PAGE_STATUS),
    "status": SOLUTIONS,
    "message": TEXT,
    "puzzle": DIGITS,
    "output": {"type": "null"},
}
_PAGE = {
    "source": TEXT,
    "page": WHOLE,
    "message": TEXT,
    "output": {"type": "null"},
    "seconds": NUMBER,
}
_STEP = {
    "technique": TEXT,
    "cells": CELLS,
    "digits": listing(WHOLE),
    "units": listing(WHOLE),
    "covers": listing(WHOLE),
    "colours": {"type": "array"},
    "links": {"type": "array"},
    "placements": listing(listing(WHOLE, 2)),
    "eliminations": listing(listing(WHOLE, 2)),
    "trial": or_null(
        record(
            outcome=word("contradiction", "solution"),
            follows=listing(listing(WHOLE, 2)),
            dead_cell=or_null(CELL),
            dead_unit=or_null(WHOLE),
            dead_digit=or_null(WHOLE),
            guesses=WHOLE,
        )
    ),
    "branches": listing(record(start=listing(WHOLE, 2), follows=listing(record(cells=CELLS, digit=WHOLE)))),
    "blockers": listing(listing(WHOLE, 2)),
    "struck": listing(listing(WHOLE, 2)),
    "text": TEXT,
}
_DRAWN = {"view": record(shapes=SHAPES)}
_HINT = {
    **_ASKED,
    "board": DIGITS,
    "hint": or_null(named("Step")),
    "leads_to": listing(named("Step")),
}
_MARKED = {"marks": MARKS, "lost_marks": CELLS}
_EXPLAINED = {
    **_ASKED,
    "solution": or_null(DIGITS),
    "board": DIGITS,
    "method": TEXT,
    "headings": listing(ANYTHING),
}
_RATED = {"difficulty": or_null(TEXT), "score": or_null(WHOLE), "hardest": or_null(TEXT), "counts": ANYTHING}
_CHECKED = {
    **_READ,
    "status": TEXT,
    "solution": or_null(DIGITS),
    "right": CELLS,
    "wrong": CELLS,
    "unclear": CELLS,
    "left": WHOLE,
    "complete": FLAG,
    "doubts": listing(ANYTHING),
}

SCHEMAS: dict[str, Schema] = {
    "Error": record(error=record(code=TEXT, message=TEXT, remedy=TEXT)),
    "Shape": one_of(
        record(
            shape=word("digit"),
            cell=CELL,
            digit=WHOLE,
            height=NUMBER,
            weight=NUMBER,
            middle=POINT,
            colour=COLOUR,
            hollow=FLAG,
            halo=FLAG,
            ground=or_null(COLOUR),
        ),
        record(shape=word("line"), points=listing(POINT), width=NUMBER, colour=COLOUR, closed=FLAG),
        record(shape=word("wash"), cells=CELLS, colour=COLOUR, strength=SHARE, dark=FLAG),
        record(shape=word("fade"), cell=CELL, strength=SHARE),
        record(shape=word("tag"), status=GRID_STATUS, words=TEXT, colour=COLOUR),
    ),
    "GridView": record(
        crossings=listing(listing(POINT, 10), 10),
        answers=DIGITS,
        unclear=CELLS,
        clues_by_hand=FLAG,
        look=record(
            height=NUMBER,
            weight=NUMBER,
            middle=POINT,
            ink=COLOUR,
            paper=COLOUR,
            colour=COLOUR,
            hollow=FLAG,
            ground=COLOUR,
            dark=FLAG,
        ),
        shapes=SHAPES,
        state=TEXT,
    ),
    "View": record(size=listing(WHOLE, 2), preview=or_null(TEXT), grids=listing(named("GridView"))),
    "Grid": record(
        **_READ,
        status=GRID_STATUS,
        solution=or_null(DIGITS),
        marks=MARKS,
        entries=listing(_ENTRY),
        repaired=CELLS,
        doubts=listing(ANYTHING),
    ),
    "Page": record({"view": named("View")}, **_PAGE, status=PAGE_STATUS, grids=listing(named("Grid"))),
    "Solved": one_of(named("Page"), record(pages=listing(named("Page")))),
    "Settled": record(grid=named("Grid"), view=named("GridView")),
    "CheckedGrid": record(_MARKED, **_CHECKED),
    "CheckedPage": record(**_PAGE, status=TEXT, grids=listing(named("CheckedGrid")), view=named("View")),
    "Checked": one_of(
        record(check=named("CheckedGrid"), view=named("GridView")),
        named("CheckedPage"),
        record(pages=listing(named("CheckedPage"))),
    ),
    "Step": record({**_DRAWN, "board": DIGITS}, **_STEP),
    "Hint": record(
        _MARKED, **_HINT, steps=listing(record(name=TEXT, place=TEXT, text=TEXT, view=_DRAWN["view"]))
    ),
    "Explanation": record(**_EXPLAINED, steps=listing(named("Step")), rating=or_null(record(**_RATED))),
    "BoardAnswer": one_of(
        named("Page"),
        record(_MARKED, **_HINT),
        record(**_EXPLAINED, steps=listing(named("Step"))),
        record(**_ASKED, board=DIGITS, **_RATED),
        record(links=ANYTHING, texts=ANYTHING),
    ),
    "LiveFrame": record(
        frame=WHOLE,
        size=listing(WHOLE, 2),
        state=word("looking", "reading", "sure", "unsolvable"),
        grids=listing(ANYTHING),
        seconds=NUMBER,
    ),
    "PenPaths": record(width=NUMBER, paths=ANYTHING),
    "Health": record(status=word("ok"), version=TEXT, workers=ANYTHING, queue=ANYTHING, live=ANYTHING),
    "StateRequest": {
        "type": "object",
        "properties": {
            "state": {"type": "string", "description": "From a view; always that of the first answer."},
            "overrides": {"type": "string", "description": "All that was said so far: r3c5=8,r4c1=blank."},
            "filled": {"type": "string", "description": "81 digits that were filled in since."},
            "marks": FLAG,
            "answers": FLAG,
        },
        "required": ["state"],
    },
}
"""What is referred to by name."""
