"""Sources of frames: a camera, a film in a file or a stream, all opened and read the same way.

::

    address   what people write -> a camera, a file or a stream; why it gives no frames
    source    an open source, read frame by frame
    feeds     every frame of a film, or the newest of whatever is live; waits for a camera that was unplugged
    cameras   the cameras that are there
"""

from sudoku_vision.live.sources.cameras import Camera, list_cameras
from sudoku_vision.live.sources.feeds import EveryFrame, FeedState, FrameFeed, LatestFrame
from sudoku_vision.live.sources.source import CAMERA_SIZE, CapturedFrame, Source, open_source

__all__ = [
    "CAMERA_SIZE",
    "Camera",
    "CapturedFrame",
    "EveryFrame",
    "FeedState",
    "FrameFeed",
    "LatestFrame",
    "Source",
    "list_cameras",
    "open_source",
]
