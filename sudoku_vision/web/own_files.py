"""Own files: the token, kept from one start to the next, and files that only this user may read."""

import contextlib
import os
import re
import secrets
from pathlib import Path

TOKEN_BYTES = 16  # random bytes of a token: nobody can guess 128 bits
MIN_TOKEN = 22  # fewest characters of a token that a person chooses: 22 are enough for 128 bits

_TOKEN = re.compile(rf"[A-Za-z0-9_-]{{{MIN_TOKEN},200}}")


def is_token(text: str) -> bool:
    """Return whether a text is long enough for a token, and can be part of an address."""
    return bool(_TOKEN.fullmatch(text))


def own_token(path: Path) -> str:
    """Return the token in a file, so that devices stay logged in after the next start.

    A new token is made if the file has none, or if others could read the file. If the file can't be written,
    the token is only valid until the service ends.
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
    """Return whether only this user can read a file; always true on Windows, where we can't tell.

    Raises :class:`OSError` if there is no such file.
    """
    return os.name != "posix" or not path.stat().st_mode & 0o077


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only this user can read; raises :class:`OSError` if it can't be written."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
