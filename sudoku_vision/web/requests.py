"""Requests: bodies that are read with a limit while they come in, and the values that stand in them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NoReturn

from starlette.requests import Request

from sudoku_vision.web.choices import BodyKind
from sudoku_vision.web.forms import FormReader
from sudoku_vision.web.problems import (
    BAD_REQUEST,
    EMPTY_BODY,
    NOT_A_PICTURE,
    SLOW_BODY,
    ProblemError,
    bad_value,
    body_too_large,
)
from sudoku_vision.web.settings import Limits

PHOTO_FIELD = "photo"
"""What the picture is called in a form."""
FORM_HEADS = 10_000
"""Bytes that a form may have beside its picture and its fields: boundaries and heads."""


@dataclass(frozen=True)
class Upload:
    """What was sent to be read: its bytes, what they are, and the words beside them."""

    body: bytes
    kind: BodyKind
    fields: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def media_type(request: Request) -> str:
    """Return the media type of a body, in small letters and without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_upload(request: Request, limits: Limits) -> Upload:
    """Read a picture or a board, raw or in a form; raises :class:`ProblemError` for what can't be one.

    What stands in the address counts where the form says nothing.
    """
    kind = _kind(media_type(request))
    fields = _address_fields(request)
    if kind == "form":
        parts = await _read_form(request, limits)
        body = parts.pop(PHOTO_FIELD, b"")
        fields |= {name: _utf8(value) for name, value in parts.items()}
        kind = "photo"
    else:
        body = await read_body(request, limits.body, limits.slow_body)
    if not body:
        raise ProblemError(EMPTY_BODY)
    return Upload(body, kind, fields)


async def read_body(request: Request, limit: int, seconds: float) -> bytes:
    """Return a body of at most *limit* bytes that comes in within *seconds*; raises :class:`ProblemError`."""
    body = bytearray()
    async for piece in _pieces(request, limit, seconds):
        body += piece
    return bytes(body)


async def read_json(request: Request, limits: Limits) -> dict[str, Any]:
    """Return a body that is a JSON object; raises :class:`ProblemError` for anything else."""
    body = await read_body(request, limits.json, limits.slow_body)
    try:
        value = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):  # bad UTF-8 and numbers without end among them
        raise ProblemError(BAD_REQUEST) from None
    if not isinstance(value, dict):
        raise ProblemError(BAD_REQUEST)
    return value


def text_value(values: Mapping[str, Any], name: str, *, default: str | None = None) -> str:
    """Return a text out of *values*, *default* where it is left out; raises :class:`ProblemError`."""
    value = values.get(name, default)
    if not isinstance(value, str):
        raise ProblemError(bad_value(name, "a text"))
    return value


def flag_value(values: Mapping[str, Any], name: str) -> bool:
    """Return a yes or no out of *values*, no where it is left out; raises :class:`ProblemError`."""
    value = values.get(name, False)
    if isinstance(value, str):
        value = {"true": True, "1": True, "false": False, "0": False, "": False}.get(value.lower())
    if not isinstance(value, bool):
        raise ProblemError(bad_value(name, "true or false"))
    return value


def page_value(values: Mapping[str, Any]) -> int | None:
    """Return the number of a page out of *values*, None where there is none; raises :class:`ProblemError`."""
    value = values.get("page", "")
    if value == "":
        return None
    if not (
        isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 6 and int(value)
    ):
        raise ProblemError(bad_value("page", "a whole number from 1"))
    return int(value)


def _kind(media: str) -> Literal["form", "photo", "text"]:
    """Return how a body of a media type is read; what a picture truly is, its content says."""
    if media == "multipart/form-data":
        return "form"
    if media.startswith("text/") or media in ("application/json", "application/xml"):
        return "text"
    if media.startswith("image/") or media in _PICTURE_TYPES:
        return "photo"
    raise ProblemError(NOT_A_PICTURE)


_PICTURE_TYPES = (
    "",
    "application/octet-stream",
    "application/pdf",
    "application/x-www-form-urlencoded",  # what curl says of any bytes
)


async def _read_form(request: Request, limits: Limits) -> dict[str, bytes]:
    """Return the parts of a form; raises :class:`ProblemError` for one that is broken or too large."""
    form = FormReader(request.headers["content-type"])
    whole = limits.body + limits.fields + FORM_HEADS
    async for piece in _pieces(request, whole, limits.slow_body):
        form.write(piece)
    parts = form.parts()
    if len(parts.get(PHOTO_FIELD, b"")) > limits.body:
        raise ProblemError(body_too_large(limits.body))
    if sum(len(value) for name, value in parts.items() if name != PHOTO_FIELD) > limits.fields:
        raise ProblemError(BAD_REQUEST)
    return parts


async def _pieces(request: Request, limit: int, seconds: float) -> AsyncIterator[bytes]:
    """Yield a body as it comes in; raises :class:`ProblemError` if it is too large or too slow.

    What is declared to be too large isn't waited for; what comes counts, whatever is declared.
    """
    if _declared(request) > limit:
        raise ProblemError(body_too_large(limit))
    length = 0
    stream = request.stream()
    end = asyncio.get_running_loop().time() + seconds
    while True:
        try:
            async with asyncio.timeout_at(end):
                piece = await anext(stream, None)
        except TimeoutError:
            raise ProblemError(SLOW_BODY) from None
        if piece is None:
            return
        length += len(piece)
        if length > limit:
            raise ProblemError(body_too_large(limit))
        yield piece


def _declared(request: Request) -> int:
    text = request.headers.get("content-length", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0


def _address_fields(request: Request) -> dict[str, str]:
    """Return what stands behind the question mark, the first of each name."""
    found: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        found.setdefault(name, value)
    return found


def _utf8(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise ProblemError(BAD_REQUEST) from None


def _refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and infinities, which are no JSON."""
    raise ValueError(name)
