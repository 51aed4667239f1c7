"""The web application. It answers each address and serves the files of the page."""

import contextlib
import hashlib
import logging
import mimetypes
import re
from collections.abc import AsyncIterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError, ResponseValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from sudoku_vision import __version__, texts
from sudoku_vision.web import docs_pages, endpoints, problems
from sudoku_vision.web.addresses import known_hosts
from sudoku_vision.web.auth import Auth
from sudoku_vision.web.bodies import TimedBodies
from sudoku_vision.web.pools import JobPool, LiveWorkers
from sudoku_vision.web.settings import Settings

log = logging.getLogger("sudoku_vision.web")

GZIP_MIN_SIZE, GZIP_LEVEL = 1_000, 3
"""Answers of at least this size, in bytes, are compressed, at this level (1 to 9).

Compressing a smaller answer would not save a network packet. At level 3, JSON shrinks to a fifth. Higher
levels save little more.
"""

STATIC = Path(__file__).parent / "static"
_TOP_FILES = {
    "/favicon.ico": "icon.svg",
    "/manifest.webmanifest": "manifest.webmanifest",
    "/service_worker.js": "service_worker.js",
}
"""Files that browsers request at fixed addresses. The keys are these addresses. The values are the names of
the files in ``STATIC``."""
_MEDIA_TYPES = {
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""Media types by the ending of a file. They are listed here because not all systems know the same types."""

_IMPORT = re.compile(
    r'^(import|export) (?:(?P<names>\{[^}]*\}) from |\* as (?P<all>\w+) from )?"\./(?P<module>\w+)\.js";$',
    re.MULTILINE,
)
_EXPORT = re.compile(r"^export (?=(?:const|class|function|async function) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^ */\*\*(?:[^*]|\*(?!/))*\*/\n", re.MULTILINE)


def create_app(settings: Settings, pool: JobPool) -> ASGIApp:
    """Return the application. *pool* does the jobs of requests. The caller starts and ends *pool*."""
    limits = settings.limits
    app = FastAPI(
        title="sudoku-vision",
        version=__version__,
        description="Reads sudokus in photos, solves and explains them. Photos are neither kept nor logged. "
        f"A body has at most {limits.body / 1e6:g} MB, a picture {limits.megapixels:g} megapixels; work on "
        f"it ends after {limits.job_seconds:g} seconds. With a token: Authorization: Bearer TOKEN.",
        docs_url=None,  # FastAPI's own page fetches scripts from another host
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_with_live_workers,
        middleware=[Middleware(GZipMiddleware, minimum_size=GZIP_MIN_SIZE, compresslevel=GZIP_LEVEL)],
        exception_handlers=dict.fromkeys(_HANDLED_ERRORS, _answer_error),
    )
    app.include_router(endpoints.router)
    _add_page(app)
    cameras = LiveWorkers(pool.opener, settings.workers, limits)
    app.state.service = endpoints.Service(settings, pool, cameras)
    hosts = known_hosts(settings.host, settings.allow_hosts, lan=settings.lan)
    return TimedBodies(Auth(app, hosts, settings.token, https=settings.https), limits)


@contextlib.asynccontextmanager
async def _with_live_workers(app: FastAPI) -> AsyncIterator[None]:
    """End the processes for cameras when the application ends. Each process starts with its first camera."""
    try:
        yield
    finally:
        app.state.service.live.close()


_HANDLED_ERRORS = RequestValidationError, ResponseValidationError, HTTPException, ClientDisconnect, Exception
"""All errors that our code or a library raises while a request is answered."""


async def _answer_error(_: Request, error: Exception) -> Response:
    match error:
        case ClientDisconnect():
            return Response()  # the client has left, so nobody reads the answer
        case problems.ProblemError():
            return problems.problem_answer(error.problem)
        case RequestValidationError():  # a wrong value in the path: there is nothing at this address
            first = error.errors()[0]
            return problems.problem_answer(
                problems.NOT_FOUND if first["loc"][0] == "path" else problems.bad_value(first)
            )
        case HTTPException(status_code=405):
            allowed = set((error.headers or {}).get("Allow", "").split(", "))
            allowed |= {"HEAD"} if "GET" in allowed else set()
            return problems.problem_answer(problems.METHOD_NOT_ALLOWED, {"Allow": ", ".join(sorted(allowed))})
        case HTTPException():
            return problems.problem_answer(
                problems.NOT_FOUND if error.status_code == 404 else problems.BAD_REQUEST
            )
        case ResponseValidationError():
            places = [".".join(map(str, one["loc"])) for one in error.errors()]
            log.error("internal error: an answer is not as described: %s", ", ".join(places[:3]))
    return problems.problem_answer(problems.INTERNAL)  # the server logs the kind and place of the error


class PageFiles(StaticFiles):
    """Serves files. Before each use of a stored copy, a browser must ask whether the copy is current."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        """Return an answer with the file, or the answer "not modified" if the browser's copy is current."""
        response = super().file_response(*args, **options)
        response.headers["Cache-Control"] = "no-cache"
        return response


@cache
def _page_in(language: str, limits: str) -> str:
    """Return the page (HTML) with its texts in a language. So the scripts need not replace these texts.

    The page lists the names of all languages, each name in its own language. The page holds the *limits* of a
    request (JSON), and a hash of all files and texts. The hash tells a browser whether its stored files are
    out of date. The page also holds the SVG paths of the nine digits, taken from ``hero.svg``. In these
    paths, a digit is 1 unit high, and its middle is at (0, 0).
    """
    files = b"".join(path.read_bytes() for path in sorted([*STATIC.iterdir(), *texts.FOLDER.glob("*.json")]))
    mark = hashlib.sha256(files).hexdigest()[:16]
    facts = f'lang="{language}" data-mark="{mark}" data-limits="{escape(limits)}"'
    names = texts.language_names().items()
    pens = "".join(re.findall("<path id=.*", (STATIC / "hero.svg").read_text("utf-8")))
    options = "".join(f'<option value="{code}" lang="{code}">{escape(name)}</option>' for code, name in names)
    return re.sub(
        r'(data-text="([\w.]+)"[^>]*>)[^<]*',
        lambda found: found[1] + escape(texts.say(texts.Sentence(found[2]), language)),
        (STATIC / "index.html")
        .read_text("utf-8")
        .replace('lang="en"', facts, 1)
        .replace("<!-- languages -->", options)
        .replace("<!-- pens -->", pens),
    )


async def _answer_page(request: Request) -> Response:
    """Return the page in the browser's first language that has texts, otherwise in English."""
    wishes = [one.strip()[:2].lower() for one in request.headers.get("accept-language", "").split(",")]
    language = next((one for one in wishes if one in texts.language_names()), texts.ENGLISH)
    limits = await endpoints.limits(request.app.state.service)
    page = _page_in(language, limits.model_dump_json())
    return _unless_known(request, HTMLResponse(page, headers={"Vary": "Accept-Language"}))


async def _answer_scripts(request: Request) -> Response:
    return _unless_known(request, Response(_scripts(), media_type=_MEDIA_TYPES[".js"]))


@cache
def _scripts() -> str:
    """Return all scripts of the page as one script. A browser loads one script faster than forty modules.

    In Chromium, on a processor slowed to a quarter of its speed, the page was ready after 1.0 s with one
    script, and after 1.4 s with modules. Each module becomes a function that is called once and returns the
    module's exports. So modules must not import each other in a circle, and exported variables must not
    change. Comments are left out.
    """
    scripts: dict[str, str] = {}

    def add(name: str) -> None:
        """Add a module, after all modules that it imports."""
        text = (STATIC / f"{name}.js").read_text("utf-8")
        exports = _EXPORT.findall(text)

        def taken(found: re.Match[str]) -> str:
            """Return the code that replaces an import."""
            module = found["module"]
            if module not in scripts:
                add(module)
            names = (found["names"] or "").replace(" as ", ": ")
            if found[1] == "export":
                exports.extend(re.findall(r"(\w+)\s*[,}]", names))
            target = names or found["all"]
            return f"const {target} = ${module};" if target else ""

        body = _COMMENT.sub("", _EXPORT.sub("", _IMPORT.sub(taken, text)))
        scripts[name] = f"const ${name} = (() => {{\n{body}\nreturn {{ {', '.join(exports)} }};\n}})();\n"

    add("main")
    return "".join(scripts.values())


def _unless_known(request: Request, answer: Response) -> Response:
    """Return the *answer*, or "not modified" if the browser has stored the same answer before."""
    tag = f'"{hashlib.sha256(answer.body).hexdigest()[:32]}"'
    answer.headers.update({"Cache-Control": "no-cache", "ETag": tag})
    if tag not in request.headers.get("if-none-match", ""):
        return answer
    return Response(status_code=304, headers={**answer.headers, "content-length": "0"})


def _add_page(app: FastAPI) -> None:
    for ending, media_type in _MEDIA_TYPES.items():
        mimetypes.add_type(media_type, ending)
    files = PageFiles(directory=STATIC)

    async def top(request: Request) -> Response:
        """Return an answer with the file for a path in ``_TOP_FILES``."""
        return await files.get_response(_TOP_FILES[request.url.path], request.scope)

    app.add_route("/", _answer_page)
    app.add_route("/static/page.js", _answer_scripts)
    for path in _TOP_FILES:
        app.add_route(path, top)
    app.mount("/static", files)
    app.get("/texts/languages.json", include_in_schema=False)(texts.language_names)
    app.mount("/texts", PageFiles(directory=texts.FOLDER))
    app.mount("/techniques", PageFiles(directory=docs_pages.TECHNIQUE_FOLDER))
