"""Trouble: why a source gives no frames, said plainly, with what to do about it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from sudoku_vision.errors import CameraError, OpenError
from sudoku_vision.live.sources import address as places
from sudoku_vision.live.sources.address import Place
from sudoku_vision.load.sniff import SNIFFED_BYTES, kind_of

_MOVING = {"Gif", "WebP", "Avif"}
"""Kinds of pictures that may move, too."""
_LIST = "`sudoku-vision cameras` lists the cameras that are there."


def check(place: Place) -> None:
    """Raise :class:`CameraError` for what is plainly wrong before anything is opened."""
    if place.kind == "file":
        _check_file(Path(str(place.address)), place.name)
    elif place.kind == "camera" and sys.platform == "linux":
        _check_device(device(place), place.name)


def device(place: Place) -> Path:
    """The file by which Linux offers a camera; elsewhere there is none of that name."""
    return places.DEVICES / f"video{place.address}"


def unplugged(place: Place) -> bool:
    """Whether a camera is known to be gone."""
    return place.kind == "camera" and sys.platform == "linux" and not device(place).exists()


def unopened(place: Place) -> CameraError:
    """A place is there, but nothing came of opening it."""
    if place.kind == "file":
        return CameraError(
            f"{place.name}: this is no film that can be read.",
            "It may be broken or not copied to the end; try it in a video player, or save it as MP4.",
        )
    if place.kind == "stream":
        return CameraError(
            f"{place.name}: the stream can't be opened.",
            "Check the address, the password and that the device that sends it is on and in this network.",
        )
    if sys.platform == "linux":
        return CameraError(
            f"{place.name} can't be opened.",
            f"Close other programs that use it, or plug it in again. {_LIST}",
        )
    return CameraError(
        f"{place.name} can't be opened.",
        "Allow this terminal to use the camera in the privacy settings of the system, close other programs "
        f"that use it, or name another one. {_LIST}",
    )


def silent(place: Place, seconds: float) -> CameraError:
    """A place is open, but no frame comes."""
    if place.kind == "camera":
        remedy = f"Close other programs that use it, plug it in again, or try another size. {_LIST}"
    elif place.kind == "stream":
        remedy = "Check that the device that sends it is still on and in this network."
    else:
        remedy = "The disk or the network that it lies on may hang; copy it here first."
    return CameraError(f"{place.name} has given no picture for {seconds:.0f} seconds.", remedy)


def lost(place: Place) -> CameraError:
    """A place gave frames and no longer does."""
    if place.kind == "camera":
        gone = unplugged(place)
        return CameraError(
            f"{place.name} {'was unplugged' if gone else 'no longer gives a picture'}.",
            "Plug it in again." if gone else "Close other programs that use it, or plug it in again.",
        )
    return CameraError(
        f"{place.name}: the stream broke off.",
        "Check that the device that sends it is still on and in this network.",
    )


def _check_file(path: Path, name: str) -> None:
    if not path.exists():
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
    if kind not in _MOVING:
        raise CameraError(f"{name}: this is a picture, not a film.", f"Use `sudoku-vision solve {name}`.")


def _check_device(path: Path, name: str) -> None:
    if not path.exists():
        raise CameraError(f"There is no {name}.", f"Plug it in, or name another. {_LIST}")
    if not os.access(path, os.R_OK | os.W_OK):
        raise CameraError(
            f"{name}: no permission to use it.",
            "Add yourself to its group (`sudo usermod -aG video $USER`) and log in again.",
        )
