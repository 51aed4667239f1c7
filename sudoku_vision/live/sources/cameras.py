"""Cameras: those that are there, and what they give."""

import os
from dataclasses import dataclass, replace

import cv2

from sudoku_vision.live.sources.address import Address
from sudoku_vision.live.sources.source import CAMERA_SIZE, Opener, open_capture

MAX_TRIED = 8  # numbers that are tried if the system doesn't say which there are
MAX_GAP = 2
"""Numbers without a camera in a row after which no more are tried: an unplugged one leaves a gap of one."""


@dataclass(frozen=True)
class Camera:
    """A camera: its number, its name, and the (width, height) in pixels that it gives to a film.

    ``size`` is None if it is not known; ``problem`` says why, if that is known.
    """

    number: int
    name: str
    size: tuple[int, int] | None = None
    problem: str = ""


def list_cameras(*, sizes: bool = False, opener: Opener = open_capture) -> list[Camera]:
    """List all cameras by number, also those that can't be used.

    They are found by their names, and none is started. If *sizes* are wanted, or if names are not available,
    each is opened for a moment.
    """
    names = camera_names()
    if names is None:
        return _tried(opener)
    cameras = [Camera(number, name) for number, name in sorted(names.items())]
    return [_opened(camera, opener) for camera in cameras] if sizes else cameras


def camera_names() -> dict[int, str] | None:
    """Return the names of the cameras by number; None without the package that asks the system."""
    try:
        from cv2_enumerate_cameras import enumerate_cameras, supported_backends
    except ImportError:
        return None
    backends = cv2.videoio_registry.getCameraBackends()  # OpenCV opens a camera by the first that can
    backend = next((one for one in backends if one in supported_backends), None)
    return None if backend is None else {one.index: one.name for one in enumerate_cameras(backend)}


def _opened(camera: Camera, opener: Opener) -> Camera:
    """Return the camera with its size, or with what is wrong."""
    address = Address.of(camera.number)
    if address.device is not None and not os.access(address.device, os.R_OK | os.W_OK):
        return replace(camera, problem="no permission to use it")
    capture = opener(address, CAMERA_SIZE)
    try:
        if not capture.isOpened():
            return replace(camera, problem="can't be opened: another program may use it")
        size = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
        return replace(camera, size=size if min(size) > 0 else None)
    finally:
        capture.release()


def _tried(opener: Opener) -> list[Camera]:
    """List the cameras that can be opened, of the first few numbers."""
    cameras: list[Camera] = []
    missed = 0
    for number in range(MAX_TRIED):
        camera = _opened(Camera(number, f"camera {number}"), opener)
        missed = missed + 1 if camera.problem else 0
        if not camera.problem:
            cameras.append(camera)
        if missed == MAX_GAP:
            break
    return cameras
