"""Sources of frames: a camera, a film in a file or a stream, all opened and read the same way.

::

    address       what people write -> a camera's number, a file or the address of a stream
    capture       OpenCV's capture: opened quietly, in the requested size
    errors        why a source gives no frames, said plainly, with a remedy
    feed          one captured frame, and what whoever works on frames asks a feed of them for
    source        an open source, read frame by frame
    every_frame   the feed of a film of which no frame is left out
    latest_frame  the feed of whatever is live: the newest frame alone; waits for a camera that was unplugged
    cameras       the cameras that are there
"""

from sudoku_vision.live.sources.cameras import Camera, list_cameras
from sudoku_vision.live.sources.every_frame import EveryFrame
from sudoku_vision.live.sources.feed import CapturedFrame, FeedState, FrameFeed
from sudoku_vision.live.sources.latest_frame import LatestFrame
from sudoku_vision.live.sources.source import CAMERA_SIZE, Source, open_source

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
