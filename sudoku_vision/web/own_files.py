"""Stores the token for the next start, and writes files that only this user may read."""

import contextlib
import os
import re
import secrets
from pathlib import Path

TOKEN_BYTES = 16  # number of random bytes in a new token; nobody can guess 128 bits
MIN_TOKEN = 22  # minimum number of characters in a token that a person chooses; they can encode 128 bits

_TOKEN = re.compile(rf"[A-Za-z0-9_-]{{{MIN_TOKEN},200}}")


def is_token(text: str) -> bool:
    """Return whether a text is long enough for a token, and has only characters that addresses allow."""
    return bool(_TOKEN.fullmatch(text))


def own_token(path: Path) -> str:
    """Return the token in the file *path*, so that devices stay logged in after the next start.

    If the file is missing, or others can read it, a new token is made and, if possible, stored.
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
    """Return whether only this user can read a file; always True on Windows. OSError if it is missing."""
    return os.name != "posix" or not path.stat().st_mode & 0o077


def write_private(path: Path, data: bytes) -> None:
    """Write *data* into a new file that only this user can read; an old file at *path* is removed."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
