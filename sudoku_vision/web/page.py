"""The page itself: its files, out of one folder."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from sudoku_vision import texts

STATIC = Path(__file__).parent / "static"
"""Where the page lies."""
_AT_THE_TOP = {
    "/": "index.html",
    "/favicon.ico": "icon.svg",
    "/manifest.webmanifest": "manifest.webmanifest",
}
"""Files that browsers look for at the top, and what they are called in the folder."""
_MEDIA_TYPES = {
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""Media types by ending: those that the system knows differ from one to the next."""


class PageFiles(StaticFiles):
    """Files that a browser asks about each time: where they are still the same, the answer is a few bytes."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        """Return a file, or that it is still the same."""
        response = super().file_response(*args, **options)
        response.headers["Cache-Control"] = "no-cache"
        return response


def add_page(app: FastAPI) -> None:
    """Let *app* give out the page."""
    for ending, media_type in _MEDIA_TYPES.items():
        mimetypes.add_type(media_type, ending)
    files = PageFiles(directory=STATIC)

    async def top(request: Request) -> Response:
        """Give out a file that stands at the top."""
        return await files.get_response(_AT_THE_TOP[request.url.path], request.scope)

    for path in _AT_THE_TOP:
        app.add_route(path, top)
    app.mount("/static", files)
    app.get("/texts/languages.json", include_in_schema=False)(texts.language_names)
    app.mount("/texts", PageFiles(directory=texts.FOLDER))
