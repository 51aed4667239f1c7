"""Cameras: lists the cameras that are connected, with their names and the sizes of their frames."""

import os
from dataclasses import dataclass, replace

import cv2

from sudoku_vision.live.sources.address import Address
from sudoku_vision.live.sources.source import CAMERA_SIZE, Opener, open_capture

MAX_TRIED = 8  # limit for the camera numbers that are tried if the system doesn't list its cameras
MAX_GAP = 2
"""After this many numbers in a row without a camera, no more are tried.

A camera that was unplugged leaves a gap of only one number.
"""


@dataclass(frozen=True)
class Camera:
    """A camera: its number, its name, and the ``size`` (width, height) of its frames in pixels.

    ``size`` is None if it is not known; ``problem`` says why, if the reason is known.
    """

    number: int
    name: str
    size: tuple[int, int] | None = None
    problem: str = ""


def list_cameras(*, sizes: bool = False, opener: Opener = open_capture) -> list[Camera]:
    """List all cameras by number.

    Normally the system names them, cameras that can't be used included, and no camera is started. If *sizes*
    are wanted, each camera is opened for a moment. If no names are available, numbers are tried in the same
    way, and only cameras that can be opened are listed.
    """
    names = camera_names()
    if names is None:
        return _tried(opener)
    cameras = [Camera(number, name) for number, name in sorted(names.items())]
    return [_opened(camera, opener) for camera in cameras] if sizes else cameras


def camera_names() -> dict[int, str] | None:
    """Return the names of the cameras by number; None if no installed package can ask the system for them."""
    try:
        from cv2_enumerate_cameras import enumerate_cameras, supported_backends
    except ImportError:
        return None
    backends = cv2.videoio_registry.getCameraBackends()  # OpenCV uses the first that can open a camera
    backend = next((one for one in backends if one in supported_backends), None)
    return None if backend is None else {one.index: one.name for one in enumerate_cameras(backend)}


def _opened(camera: Camera, opener: Opener) -> Camera:
    """Open a *camera* for a moment, and return it with its size, or with the problem that it has."""
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
    """Try the first few numbers, and return the cameras that can be opened."""
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
