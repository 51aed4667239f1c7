"""Own files: what the service keeps from one start to the next, for nobody else to read."""

import contextlib
import os
import re
import secrets
from pathlib import Path

TOKEN_BYTES = 16  # 128 bits: more than anybody can guess
LEAST_TOKEN = 22  # characters of a token that a person gives: as many as 128 bits have

_TOKEN = re.compile(rf"[A-Za-z0-9_-]{{{LEAST_TOKEN},200}}")


def is_token(text: str) -> bool:
    """Tell whether a text is long enough for a token, and can stand in an address."""
    return bool(_TOKEN.fullmatch(text))


def own_token(path: Path) -> str:
    """Return the token that is kept in a file, so that who was let in once is let in after the next start.

    A new one is made where there is none, or it was not only this user's to read; it lasts until the end of
    the service where the file can't be written.
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
    """Tell whether only this user may read a file, as far as the system tells; raises :class:`OSError`."""
    return os.name != "posix" or not path.stat().st_mode & 0o077


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only this user may read; raises :class:`OSError`."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
