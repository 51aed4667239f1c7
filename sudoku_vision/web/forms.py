"""Forms: multipart bodies taken apart in memory as they come in; nothing is written to disk."""

from __future__ import annotations

from dataclasses import dataclass, field

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from sudoku_vision.web.problems import BAD_REQUEST, ProblemError

MAX_PARTS = 32
"""Parts of a form that are taken: a photo and the few words beside it."""
MAX_PART_HEAD = 4_000
"""Bytes of the headers of one part."""


@dataclass
class _Part:
    """One part of a form while it comes in."""

    head: bytearray = field(default_factory=bytearray)
    name: str = ""
    body: bytearray = field(default_factory=bytearray)


class FormReader:
    """Takes a form apart, piece by piece; raises :class:`ProblemError` as soon as it is none."""

    def __init__(self, content_type: str) -> None:
        """Begin a form, whose boundary stands in its *content_type*."""
        boundary = parse_options_header(content_type)[1].get(b"boundary", b"")
        self._parts: list[_Part] = []
        self._ended = False
        try:
            if not boundary:
                raise FormParserError
            self._parser = MultipartParser(
                boundary,
                {
                    "on_part_begin": self._begin,
                    "on_header_field": self._take_header_name,
                    "on_header_value": self._take_header_value,
                    "on_header_end": self._end_header,
                    "on_part_data": self._take_body,
                    "on_end": self._end,
                },
            )
        except (FormParserError, ValueError):
            raise ProblemError(BAD_REQUEST) from None

    def write(self, piece: bytes) -> None:
        """Take the next *piece* of the body."""
        try:
            self._parser.write(piece)
        except FormParserError:
            raise ProblemError(BAD_REQUEST) from None

    def parts(self) -> dict[str, bytes]:
        """Return the parts by name, the first of each, when all has come in."""
        if not self._ended:
            raise ProblemError(BAD_REQUEST)
        found: dict[str, bytes] = {}
        for part in self._parts:
            found.setdefault(part.name, bytes(part.body))
        return found

    def _begin(self) -> None:
        if len(self._parts) >= MAX_PARTS:
            raise ProblemError(BAD_REQUEST)
        self._parts.append(_Part())

    def _take_header_name(self, data: bytes, start: int, end: int) -> None:
        self._take_head(data[start:end])

    def _take_header_value(self, data: bytes, start: int, end: int) -> None:
        if b":" not in self._parts[-1].head:
            self._take_head(b":")
        self._take_head(data[start:end])

    def _take_head(self, piece: bytes) -> None:
        head = self._parts[-1].head
        if len(head) + len(piece) > MAX_PART_HEAD:
            raise ProblemError(BAD_REQUEST)
        head += piece

    def _end_header(self) -> None:
        """Look for the name of the part in the header that has ended."""
        part = self._parts[-1]
        name, _, value = bytes(part.head).partition(b":")
        if name.strip().lower() == b"content-disposition":
            options = parse_options_header(value.strip().decode("latin-1"))[1]
            part.name = options.get(b"name", b"").decode("utf-8", "replace")
        part.head.clear()

    def _take_body(self, data: bytes, start: int, end: int) -> None:
        self._parts[-1].body += data[start:end]

    def _end(self) -> None:
        self._ended = True
