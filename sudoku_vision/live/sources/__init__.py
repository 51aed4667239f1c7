"""Sources of frames: a camera, a film in a file or a stream, all opened and read the same way.

::

    place      what people write -> a camera's number, a file or an address
    capture    OpenCV's capture: opened quietly, in the wanted size
    trouble    what went wrong, said plainly, with a remedy
    source     the open source and its frames, one after another; every frame of a film
    newest     a thread that keeps only the newest frame, and waits for a camera that was unplugged
    cameras    the cameras that are there
"""

from sudoku_vision.live.sources.cameras import Camera, list_cameras
from sudoku_vision.live.sources.latest_frame import Newest, State
from sudoku_vision.live.sources.source import CAMERA_SIZE, Grab, Source, every_frame, open_source

__all__ = [
    "CAMERA_SIZE",
    "Camera",
    "Grab",
    "Newest",
    "Source",
    "State",
    "every_frame",
    "list_cameras",
    "open_source",
]
