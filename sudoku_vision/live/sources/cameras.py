"""Lists the cameras that are connected, with their names and the sizes of their frames."""

import os
from dataclasses import dataclass, replace

import cv2

from sudoku_vision.live.sources.address import Address
from sudoku_vision.live.sources.source import CAMERA_SIZE, Opener, open_capture

MAX_TRIED = 8  # if the system doesn't list its cameras, the numbers below this one are tried
MAX_GAP = 2
"""After this many numbers in a row without a camera, no more are tried; unplugging a camera leaves a gap of
one."""


@dataclass(frozen=True)
class Camera:
    """A camera."""

    number: int
    name: str
    size: tuple[int, int] | None = None  # width and height of its frames in pixels; None if unknown
    problem: str = ""  # why the camera can't be used; "" if it can


def list_cameras(*, sizes: bool = False, opener: Opener = open_capture) -> list[Camera]:
    """Return all cameras, sorted by number.

    Normally the system lists the cameras, even unusable ones, and they are opened only to find their *sizes*.
    Otherwise *opener* tries the first few numbers, and the cameras that open are returned.
    """
    names = camera_names()
    if names is None:
        return _tried(opener)
    cameras = [Camera(number, name) for number, name in sorted(names.items())]
    return [_opened(camera, opener) for camera in cameras] if sizes else cameras


def camera_names() -> dict[int, str] | None:
    """Return the name of each camera by its number; None if this system's cameras can't be listed."""
    try:
        from cv2_enumerate_cameras import enumerate_cameras, supported_backends
    except ImportError:
        return None
    backends = cv2.videoio_registry.getCameraBackends()  # OpenCV uses the first one that opens the camera
    backend = next((one for one in backends if one in supported_backends), None)
    return None if backend is None else {one.index: one.name for one in enumerate_cameras(backend)}


def _opened(camera: Camera, opener: Opener) -> Camera:
    """Open a *camera* for a moment, and return a copy with its ``size``, or with its ``problem``."""
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
