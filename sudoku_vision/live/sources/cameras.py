"""Cameras: those that are there, found without starting one where the system tells.

On Linux the kernel is asked (Video4Linux: ``VIDIOC_QUERYCAP`` and ``VIDIOC_G_FMT`` of ``linux/videodev2.h``),
which takes no time and works while another program films. Elsewhere the first few numbers are tried.
"""

import contextlib
import os
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

import cv2

from sudoku_vision.live.sources import address
from sudoku_vision.live.sources.source import Opener, open_capture

NAMES = Path("/sys/class/video4linux")  # where Linux keeps what its cameras are called
NUMBERS_TRIED = 8  # numbers that are tried where the system doesn't say which there are
LARGEST_GAP = 2
"""Numbers without a camera in a row after which no more are tried: an unplugged one leaves a gap of one."""

_QUERYCAP, _CAPABILITY_BYTES = 0x80685600, 104
_G_FMT = 0xC0D05604 if struct.calcsize("P") == 8 else 0xC0CC5604
_FORMAT_BYTES = 208 if struct.calcsize("P") == 8 else 204
_CAPABILITIES_AT, _CARD_AT, _CARD_BYTES = 84, 16, 32
_PICTURE_AT = struct.calcsize("P")
"""Where the picture's width and height stand in a format: after its type, aligned as a pointer is."""
_CAPTURE = 1  # both the capability to capture pictures and the type of its format
_OWN = 0x80000000
"""Set where the second word of capabilities is for this device alone, the first for all of one camera's."""


@dataclass(frozen=True)
class Camera:
    """A camera: its number, what it is called, and the (width, height) in pixels that it is set to.

    ``size`` is None where it can't be told; ``problem`` then says why, if that is known.
    """

    number: int
    name: str
    size: tuple[int, int] | None = None
    problem: str = ""


def list_cameras(opener: Opener = open_capture) -> list[Camera]:
    """List the cameras that are there, by number; those without permission, too, which ``problem`` says."""
    if sys.platform != "linux":
        return _tried(opener)
    names = (path.name.removeprefix("video") for path in address.DEVICES.glob("video*"))
    cameras = map(_described, sorted(int(name) for name in names if name.isdecimal()))
    return [camera for camera in cameras if camera is not None]


def _described(number: int) -> Camera | None:
    """Ask the kernel about one device; None for one that gives no pictures.

    A webcam has a second device that gives but the settings of each picture; it is no camera to us.
    """
    path = address.DEVICES / f"video{number}"
    name = ""
    with contextlib.suppress(OSError):
        file = NAMES / f"video{number}" / "name"
        name = file.read_text(encoding="utf-8", errors="replace").strip()
    try:
        handle = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    except PermissionError:
        return Camera(number, name, problem="no permission to use it")
    except OSError as error:
        return Camera(number, name, problem=(error.strerror or "can't be opened").lower())
    try:
        return _asked(number, name, handle)
    except OSError:
        return None
    finally:
        os.close(handle)


def _asked(number: int, name: str, handle: int) -> Camera | None:
    about = _ioctl(handle, _QUERYCAP, bytes(_CAPABILITY_BYTES))
    of_all, own = struct.unpack_from("=II", about, _CAPABILITIES_AT)
    if not (own if of_all & _OWN else of_all) & _CAPTURE:
        return None
    card = about[_CARD_AT : _CARD_AT + _CARD_BYTES].split(b"\0")[0].decode("utf-8", "replace")
    try:
        answer = _ioctl(handle, _G_FMT, struct.pack("=I", _CAPTURE).ljust(_FORMAT_BYTES, b"\0"))
    except OSError:
        return Camera(number, name or card)
    width, height = struct.unpack_from("=II", answer, _PICTURE_AT)
    return Camera(number, name or card, (width, height))


def _ioctl(handle: int, request: int, about: bytes) -> bytes:
    if sys.platform != "linux":
        raise OSError("there is no Video4Linux here")
    import fcntl

    return fcntl.ioctl(handle, request, about)


def _tried(opener: Opener) -> list[Camera]:
    """List the cameras that can be opened, of the first few numbers."""
    cameras: list[Camera] = []
    missed = 0
    for number in range(NUMBERS_TRIED):
        capture = opener(address.Address.of(number), None)
        if capture.isOpened():
            size = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
            cameras.append(Camera(number, f"camera {number}", size if min(size) > 0 else None))
        missed = 0 if capture.isOpened() else missed + 1
        capture.release()
        if missed == LARGEST_GAP:
            break
    return cameras
