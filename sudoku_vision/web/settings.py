"""The address, the workers, the limits and the token of the service; also types that several modules use."""

import contextlib
import os
import re
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sudoku_vision.parallel import available_cores

BodyKind = Literal["photo", "text"]
"""Kinds of bodies. ``photo``: the bytes of a picture or a document. ``text``: boards in text."""
BoardQuestion = Literal["solve", "hint", "rate", "explain", "links"]
"""Questions that the service answers about a board whose 81 characters are in the address of the request."""
LiveMode = Literal["answers", "hint", "check"]
"""What to draw on a grid in front of a camera, once the grid has been read without doubt."""


@dataclass(frozen=True)
class Limits:
    """The limits of requests. Sizes are in bytes, times are in seconds."""

    body: int = 20_000_000  # size of a body; phones make photos of 3 to 12 MB
    bodies: int = 200_000_000  # total size of the bodies that arrive or are processed; further bodies wait
    fields: int = 100_000  # size of all fields of a form, without its photo
    json: int = 300_000  # size of a JSON body
    megapixels: float = 50.0  # number of megapixels of a picture; common phone cameras have at most 50
    pages: int = 20  # number of pages of a document, or of boards in a text
    job_seconds: float = 10.0
    """Time limit of a job in a worker, and also of the wait for a worker. Reading a photo takes about 0.05
    seconds."""
    quarantine: float = 300.0  # time for which a picture that has killed two workers is refused
    slow_body: float = 30.0  # time until a whole body has arrived
    head: float = 10.0  # time until the head of a request (its first line and its headers) has arrived
    drain: float = 5.0  # time for reading the rest of a refused body, so that the client sees the answer
    send: float = 10.0  # a client that reads nothing of an answer for this time is disconnected
    queue: int = 16  # number of requests that wait for a worker; further requests are refused
    frame: int = 4_000_000  # size of a frame of a camera
    live_clients: int = 8  # number of cameras at the same time
    live_idle: float = 60.0  # time after which a camera that sends nothing is forgotten
    connections: int = 256  # number of open connections, even before their TLS handshake
    address_connections: int = 64  # number of open connections from one address
    memory: int = 2_000_000_000
    """Maximum memory of a worker; only Linux enforces it. Reading a picture of 50 megapixels took 0.46 GB as
    JPEG, and 1.0 GB as PNG with transparency."""


@dataclass(frozen=True)
class Settings:
    """The address of the service, who is allowed to use it, and its number of workers."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = field(default_factory=available_cores)
    lan: bool = False  # whether other devices in the network are allowed to use the page
    https: bool = False
    token: str | None = None  # a text that each request needs; None for no token
    allow_hosts: tuple[str, ...] = ()  # more host names that are allowed in requests, such as a proxy's
    limits: Limits = Limits()


TOKEN_BYTES = 16  # number of random bytes in a new token; nobody can guess 128 bits
MIN_TOKEN = 22  # minimum number of characters in a token that a person chooses: enough for 128 bits

_TOKEN = re.compile(rf"[A-Za-z0-9_-]{{{MIN_TOKEN},200}}")


def is_token(text: str) -> bool:
    """Return whether a text is long enough for a token, and has only characters that addresses allow."""
    return bool(_TOKEN.fullmatch(text))


def own_token(path: Path) -> str:
    """Return the token in the file *path*. It stays the same after a new start, so devices stay logged in.

    If the file is missing, or other users can read it, a new token is made and, if possible, stored.
    """
    with contextlib.suppress(OSError, UnicodeDecodeError):
        kept = path.read_text("ascii").strip()
        if is_token(kept) and is_private(path):
            return kept
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with contextlib.suppress(OSError):
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        write_private(path, token.encode())
    return token


def is_private(path: Path) -> bool:
    """Return whether only this user can read a file. Always True on Windows. OSError if it is missing."""
    return os.name != "posix" or not path.stat().st_mode & 0o077


def write_private(path: Path, data: bytes) -> None:
    """Write *data* into a new file that only this user can read. An old file at *path* is removed."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
