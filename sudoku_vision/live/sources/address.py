"""Finds the camera, file or stream that a person names, and says what is wrong if it gives no frames."""

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from sudoku_vision.errors import CameraError, OpenError, UsageError
from sudoku_vision.output.save import is_stream
from sudoku_vision.vision.load.files import SNIFFED_BYTES, kind_of

AddressKind = Literal["camera", "file", "stream"]

_MAX_DIGITS = 9  # a camera's number has at most this many digits, because OpenCV takes a 32-bit integer

DEVICES = Path("/dev")  # the folder in which Linux has a device file for each camera: ``video0``, ...

_ANIMATED = {"Gif", "WebP", "Avif"}  # formats of pictures that can be animated; they are read as films

_LIST = "`sudoku-vision live --list` lists the cameras that are there."
_CHECK_STREAM = "Check that the device that sends it is still on and in this network."


@dataclass(frozen=True)
class Address:
    """A camera, file or stream."""

    kind: AddressKind
    location: int | str  # what OpenCV opens: a camera's number, a file's path or a stream's URL
    name: str  # the name in messages

    @classmethod
    def of(cls, where: int | str | Path) -> "Address":
        """Return the address of a camera (``0``, ``/dev/video0``), a stream (``rtsp://...``) or a file.

        ``name`` never contains the user and the password of a stream.
        """
        text = str(where)
        if text.isdecimal():
            if len(text) > _MAX_DIGITS:
                raise UsageError(f"{text}: there is no camera with this number.", _LIST)
            return cls._camera(int(text))
        if "://" in text and not text.startswith("file://"):
            return cls("stream", text, re.sub(r"(?<=://)[^/@]*@", "", text))
        try:
            path = Path(unquote(urlsplit(text).path) if text.startswith("file://") else text)
            resolved = path.resolve()
        except (OSError, RuntimeError, ValueError):  # NUL, wrong brackets in a URL, or a circle of links
            what = f"{text!r} can't be the name of a file."
            raise UsageError(what, "Name a video file or a camera.") from None
        device = re.fullmatch(rf"video(\d{{1,{_MAX_DIGITS}}})", resolved.name)
        if device and resolved.parent == DEVICES:
            return cls._camera(int(device[1]))
        # The path is absolute, so that FFmpeg never takes "clip:1.mp4" for a protocol called "clip".
        return cls("file", str(path.absolute()), str(path))

    @classmethod
    def _camera(cls, number: int) -> "Address":
        return cls("camera", number, f"camera {number}")

    @property
    def device(self) -> Path | None:
        """The path of a camera's device file on Linux; None on other systems, and for files and streams."""
        known = self.kind == "camera" and sys.platform == "linux"
        return DEVICES / f"video{self.location}" if known else None

    @property
    def is_unplugged(self) -> bool:
        """Whether this is a camera and its device file is missing. It is always False except on Linux."""
        return self.device is not None and not self.device.exists()

    def check(self) -> None:
        """Raise :class:`CameraError` if a problem can be found before the source is opened."""
        if self.kind == "file":
            _check_file(Path(str(self.location)), self.name)
        elif self.device is not None:
            if self.is_unplugged:
                raise CameraError(f"There is no {self.name}.", f"Plug it in, or name another. {_LIST}")
            if not os.access(self.device, os.R_OK | os.W_OK):
                raise CameraError(
                    f"{self.name}: no permission to use it.",
                    "Add yourself to its group (`sudo usermod -aG video $USER`) and log in again.",
                )

    def unopened_error(self) -> CameraError:
        """Return the error for a source that exists but can't be opened."""
        if self.kind == "file":
            return CameraError(
                f"{self.name}: this is no film that can be read.",
                "It may be broken or not copied to the end; try it in a video player, or save it as MP4.",
            )
        if self.kind == "stream":
            return CameraError(
                f"{self.name}: the stream can't be opened.",
                "Check the address, the password and that the device that sends it is on and in reach.",
            )
        allow = "" if self.device else "Allow this terminal to use it in the privacy settings of the system. "
        return CameraError(
            f"{self.name} can't be opened.",
            f"{allow}Close other programs that use it, or plug it in again. {_LIST}",
        )

    def silent_error(self, seconds: float) -> CameraError:
        """Return the error for a source that is open but has given no frame for *seconds* seconds."""
        remedy = {
            "camera": f"Close other programs that use it, plug it in again, or try another size. {_LIST}",
            "stream": _CHECK_STREAM,
            "file": "The disk or the network that it lies on may hang; copy it here first.",
        }[self.kind]
        return CameraError(f"{self.name} has given no picture for {seconds:.0f} seconds.", remedy)

    def lost_error(self) -> CameraError:
        """Return the error for a source that gave frames and has stopped."""
        if self.kind != "camera":
            return CameraError(f"{self.name}: the stream broke off.", _CHECK_STREAM)
        if self.is_unplugged:
            return CameraError(f"{self.name} was unplugged.", "Plug it in again.")
        remedy = "Close other programs that use it, or plug it in again."
        return CameraError(f"{self.name} no longer gives a picture.", remedy)


def _check_file(path: Path, name: str) -> None:
    """Raise :class:`CameraError` if *path* is no film. Only pictures that can be animated are films."""
    if is_stream(path):  # it can be read only once
        return
    try:
        with path.open("rb") as file:
            head = file.read(SNIFFED_BYTES)
    except FileNotFoundError:
        raise CameraError(
            f"{name}: there is no such file.",
            "Name a video file, a camera's number or the address of a stream (rtsp://..., http://...).",
        ) from None
    except IsADirectoryError:
        raise CameraError(f"{name}: this is a folder.", "Name one video file in it.") from None
    except OSError as error:
        remedy = "Change its permissions, or copy it here first."
        raise CameraError(f"{name}: can't be read ({error.strerror}).", remedy) from None
    if not head:
        raise CameraError(f"{name}: the file is empty.", "Copy or record it again.")
    try:
        kind = kind_of(head, name)
    except OpenError:
        return
    if kind not in _ANIMATED:
        raise CameraError(f"{name}: this is a picture, not a film.", f"Use `sudoku-vision solve {name}`.")
