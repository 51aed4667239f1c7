"""Save: pictures to files, the format chosen by the name, an old file replaced only by a complete new one."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import SaveError, UsageError
from sudoku_vision.results import Image

SAVE_ENDINGS = (".jpg", ".jpeg", ".png", ".webp")
"""Endings of the formats that are written."""

_QUALITY: dict[str, list[int]] = {
    ".jpg": [cv2.IMWRITE_JPEG_QUALITY, 95],
    ".jpeg": [cv2.IMWRITE_JPEG_QUALITY, 95],
    ".png": [cv2.IMWRITE_PNG_COMPRESSION, 3],
    ".webp": [cv2.IMWRITE_WEBP_QUALITY, 95],
}
"""Quality at which a photo shows no loss beside its source; PNG loses nothing, and 3 is quick."""

_LARGEST_SIDE = {".jpg": 65_500, ".jpeg": 65_500, ".webp": 16_383}
"""Sides in pixels above which a format can't hold a picture."""


def check_ending(path: str | Path) -> str:
    """The ending of *path* in lower case; raises :class:`UsageError` if no format of ours goes by it."""
    ending = Path(path).suffix.lower()
    if ending not in SAVE_ENDINGS:
        what = f"the ending {ending!r} is unknown" if ending else "the name has no ending"
        raise UsageError(f"{path}: {what}.", f"End the output's name with one of {', '.join(SAVE_ENDINGS)}.")
    return ending


def check_output(path: str | Path) -> None:
    """Raise now the :class:`UsageError` or :class:`SaveError` that :func:`save` would meet after the work."""
    check_ending(path)
    check_place(path)


def save(path: str | Path, pixels: Image) -> None:
    """Write BGR *pixels* (H, W, 3) uint8 to *path*, as JPEG, PNG or WebP by its ending.

    The picture is written beside its place and then moved over it in one step, so nobody ever meets half a
    file. Raises :class:`UsageError` for an unknown ending and :class:`SaveError` if it can't be written.
    """
    ending = check_ending(path)
    side = max(pixels.shape[:2])
    if side > _LARGEST_SIDE.get(ending, side):
        raise SaveError(f"{path}: {side} pixels a side are too many for this format.", "Save it as .png.")
    write_atomically(path, _encode(path, ending, pixels))


def _encode(path: str | Path, ending: str, pixels: Image) -> bytes:
    """Pack the pixels in memory."""
    try:
        done, packed = cv2.imencode(ending, pixels, _QUALITY[ending])
    except cv2.error:
        done, packed = False, np.empty(0, np.uint8)
    if not done:
        raise SaveError(f"{path}: the picture can't be packed as {ending[1:].upper()}.", "Save it as .png.")
    data: NDArray[Any] = np.asarray(packed)
    return data.tobytes()


@contextlib.contextmanager
def _plain_errors(path: str | Path) -> Iterator[None]:
    """Say what the system has against *path* as one :class:`SaveError`."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SaveError(f"{path}: can't be written ({reason}).", "Choose another place.") from None


def check_place(path: str | Path) -> None:
    """Raise now the :class:`SaveError` that :func:`write_atomically` would meet at *path* after the work."""
    with _plain_errors(path):
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise SaveError(f"{path}: this is a folder.", "Name a file in it.")
        if not target.parent.exists():
            raise SaveError(f"{path}: its folder does not exist.", f"Create {target.parent} first.")
        _check_writable(path, target.parent)


def check_folder(folder: str | Path) -> None:
    """Raise now the :class:`SaveError` that making and filling *folder* would meet after the work."""
    with _plain_errors(folder):
        place = Path(os.path.realpath(folder))
        _check_writable(folder, next(above for above in (place, *place.parents) if above.exists()))


def _check_writable(path: str | Path, folder: Path) -> None:
    """Raise :class:`SaveError` if nothing can be put into *folder*, on the way to *path*."""
    if not folder.is_dir():
        raise SaveError(f"{path}: {folder} is a file, not a folder.", "Choose another place.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise SaveError(f"{path}: {folder} may not be written to.", "Choose another place.")


def make_folder(folder: str | Path) -> None:
    """Make a folder, and those above it, if need be; raises :class:`SaveError`."""
    with _plain_errors(folder):
        Path(folder).mkdir(parents=True, exist_ok=True)


def write_atomically(path: str | Path, data: bytes) -> None:
    """Write *data* beside *path*, then move it there in one step; raises :class:`SaveError`.

    What stood at *path* before stays untouched until the new file is complete, and after any failure.
    """
    check_place(path)
    target = Path(os.path.realpath(path))
    beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.part")
    with _plain_errors(path):
        try:
            with beside.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
