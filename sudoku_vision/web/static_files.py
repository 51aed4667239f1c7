"""Static files: the page itself, out of a table of known files, so that no path leads anywhere else."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from sudoku_vision.web.answers import accepts_gzip
from sudoku_vision.web.problems import NOT_FOUND, ProblemError

STATIC = Path(__file__).parent / "static"
"""Where the page lies."""

MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".ico": "image/x-icon",
    ".txt": "text/plain; charset=utf-8",
}
"""Media types by ending: those that the system knows differ from one to the next."""

_PACKED = (".html", ".css", ".js", ".mjs", ".json", ".webmanifest", ".svg", ".txt")
REVALIDATE = "no-cache"
"""A browser asks each time whether a file is still the same; the answer is a few bytes."""


@dataclass(frozen=True)
class StaticFile:
    """One file: its bytes, plain and packed, its tag, and when it was written."""

    plain: bytes
    packed: bytes
    media_type: str
    tag: str
    written: int


class StaticFiles:
    """Gives out the files of a folder, read again when they change."""

    def __init__(self, folder: Path = STATIC) -> None:
        """Give out what lies in *folder*."""
        self._folder = folder
        self._paths = _files_in(folder)
        self._read: dict[str, StaticFile] = {}

    def answer(self, request: Request, name: str) -> Response:
        """Return the file *name* (with slashes); raises :class:`ProblemError` where there is none."""
        return file_answer(request, self._find(name))

    def _find(self, name: str) -> StaticFile:
        if name not in self._paths:
            self._paths = _files_in(self._folder)  # one may have come
        path = self._paths.get(name)
        if path is None or not path.is_file():
            raise ProblemError(NOT_FOUND)
        written = path.stat().st_mtime_ns
        found = self._read.get(name)
        if found is None or found.written != written:
            found = self._read[name] = packed_file(path.read_bytes(), path.suffix, written)
        return found


def _files_in(folder: Path) -> dict[str, Path]:
    """Return the files that may be given out, by name."""
    return {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*")
        if path.suffix in MEDIA_TYPES and path.is_file()
    }


def packed_file(data: bytes, ending: str, written: int = 0) -> StaticFile:
    """Return bytes that are given out as a file with this *ending*."""
    packed = gzip.compress(data, mtime=0) if ending in _PACKED else b""
    return StaticFile(data, packed, MEDIA_TYPES[ending], hashlib.sha256(data).hexdigest()[:20], written)


def file_answer(request: Request, file: StaticFile) -> Response:
    """Return a file, or that it is still the same."""
    pack = bool(file.packed) and accepts_gzip(request)
    tag = f'"{file.tag}{"-gzip" if pack else ""}"'
    headers = {"Cache-Control": REVALIDATE, "ETag": tag, "Vary": "Accept-Encoding"}
    known = request.headers.get("if-none-match", "")
    if tag in (one.strip().removeprefix("W/") for one in known.split(",")):
        return Response(status_code=304, headers=headers)
    if pack:
        headers["Content-Encoding"] = "gzip"
    # Starlette would add a charset to text, so the type is a header of ours.
    return Response(file.packed if pack else file.plain, headers={**headers, "Content-Type": file.media_type})
