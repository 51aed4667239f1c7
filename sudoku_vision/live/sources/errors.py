"""Source errors: why a source gives no frames, said plainly, with what to do about it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from sudoku_vision.errors import CameraError, OpenError
from sudoku_vision.live.sources.address import Address, device_path
from sudoku_vision.vision.load.sniff import SNIFFED_BYTES, kind_of

_ANIMATED = {"Gif", "WebP", "Avif"}
"""Kinds of pictures that may move, too."""
_LIST = "`sudoku-vision live --list` lists the cameras that are there."


def check_address(address: Address) -> None:
    """Raise :class:`CameraError` for what is plainly wrong before anything is opened."""
    if address.kind == "file":
        _check_file(Path(str(address.location)), address.name)
    elif address.kind == "camera" and sys.platform == "linux":
        _check_device(device_path(int(address.location)), address.name)


def is_unplugged(address: Address) -> bool:
    """Tell whether a camera is known to be gone."""
    known = address.kind == "camera" and sys.platform == "linux"
    return known and not device_path(int(address.location)).exists()


def unopened_error(address: Address) -> CameraError:
    """Return the error of a source that is there, but can't be opened."""
    if address.kind == "file":
        return CameraError(
            f"{address.name}: this is no film that can be read.",
            "It may be broken or not copied to the end; try it in a video player, or save it as MP4.",
        )
    if address.kind == "stream":
        return CameraError(
            f"{address.name}: the stream can't be opened.",
            "Check the address, the password and that the device that sends it is on and in this network.",
        )
    if sys.platform == "linux":
        return CameraError(
            f"{address.name} can't be opened.",
            f"Close other programs that use it, or plug it in again. {_LIST}",
        )
    return CameraError(
        f"{address.name} can't be opened.",
        "Allow this terminal to use the camera in the privacy settings of the system, close other programs "
        f"that use it, or name another one. {_LIST}",
    )


def too_large_error(address: Address, size: tuple[int, int]) -> CameraError:
    """Return the error of a film whose frames are of a *size* (width, height) that takes too much memory."""
    width, height = size
    return CameraError(
        f"{address.name}: its frames of {width} x {height} pixels are too large.", "Make the film smaller."
    )


def silent_error(address: Address, seconds: float) -> CameraError:
    """Return the error of a source that is open, but has given no frame for so many *seconds*."""
    if address.kind == "camera":
        remedy = f"Close other programs that use it, plug it in again, or try another size. {_LIST}"
    elif address.kind == "stream":
        remedy = "Check that the device that sends it is still on and in this network."
    else:
        remedy = "The disk or the network that it lies on may hang; copy it here first."
    return CameraError(f"{address.name} has given no picture for {seconds:.0f} seconds.", remedy)


def lost_error(address: Address) -> CameraError:
    """Return the error of a source that gave frames and no longer does."""
    if address.kind == "camera":
        gone = is_unplugged(address)
        return CameraError(
            f"{address.name} {'was unplugged' if gone else 'no longer gives a picture'}.",
            "Plug it in again." if gone else "Close other programs that use it, or plug it in again.",
        )
    return CameraError(
        f"{address.name}: the stream broke off.",
        "Check that the device that sends it is still on and in this network.",
    )


def _check_file(path: Path, name: str) -> None:
    if not os.path.exists(path):  # noqa: PTH110 (the other raises where a name is too long)
        raise CameraError(
            f"{name}: there is no such file.",
            "Name a video file, a camera's number or the address of a stream (rtsp://..., http://...).",
        )
    if path.is_dir():
        raise CameraError(f"{name}: this is a folder.", "Name one video file in it.")
    if not os.access(path, os.R_OK):
        raise CameraError(f"{name}: no permission to read it.", "Change its permissions, or copy it.")
    if path.is_file():
        _check_content(path, name)


def _check_content(path: Path, name: str) -> None:
    """Refuse what is empty and what is a picture or a document, by its first bytes."""
    try:
        with path.open("rb") as file:
            head = file.read(SNIFFED_BYTES)
    except OSError as error:
        raise CameraError(f"{name}: can't be read ({error.strerror}).", "Copy it here first.") from None
    if not head:
        raise CameraError(f"{name}: the file is empty.", "Copy or record it again.")
    try:
        kind = kind_of(head, name)
    except OpenError:
        return
    if kind not in _ANIMATED:
        raise CameraError(f"{name}: this is a picture, not a film.", f"Use `sudoku-vision solve {name}`.")


def _check_device(path: Path, name: str) -> None:
    if not os.path.exists(path):  # noqa: PTH110 (the other raises where a name is too long)
        raise CameraError(f"There is no {name}.", f"Plug it in, or name another. {_LIST}")
    if not os.access(path, os.R_OK | os.W_OK):
        raise CameraError(
            f"{name}: no permission to use it.",
            "Add yourself to its group (`sudo usermod -aG video $USER`) and log in again.",
        )
