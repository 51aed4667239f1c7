"""Write pictures to files, and into notebooks.

The ending of a file decides its format. An old file stays until the new one is complete.
"""

import base64
import contextlib
import html
import io
import math
import os
import sys
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import cv2
import numpy as np

from sudoku_vision.errors import SaveError, UsageError, checked_path
from sudoku_vision.values import Image

QUALITY = 95  # quality of JPEG, WebP and pictures in a PDF, 0..100; with 95, no loss can be seen
PNG_EFFORT = 3  # compression level of PNG, 0..9; with a higher level, files are hardly smaller
NOTEBOOK_SIDE = 800  # longest side of a picture in a notebook, in pixels; larger pictures need more storage
NOTEBOOK_QUALITY = 85  # quality of JPEG in a notebook, 0..100; on a screen, no loss is visible
PDF_LONGEST_SIDE = 297 / 25.4  # longest side of a PDF page, in inches; it is the height of A4

PHOTO_ENDINGS = (".jpg", ".jpeg", ".png", ".webp")
"""If a photo has one of these endings, its picture with answers gets the same by default, else ``.png``."""
_PART = ".sudoku-vision-{}.part{}"  # name of an unfinished file; it lacks the final name, which can be long
MAX_EXIF = 2_000  # a longer EXIF block, in bytes, is dropped; usual cameras need 100 to 200
_KEPT = (0x010F, 0x0110, 0x0132)  # EXIF tags that are kept: maker and model of the camera, and the date
_DETAILS, _KEPT_DETAILS = 0x8769, (0x9003, 0x9004, 0xA432, 0xA433, 0xA434)
"""EXIF tag that holds a second list of tags, and the tags of this list that are kept: two dates, the lens."""
_HEAD = b"Exif\0\0"


@dataclass(frozen=True)
class PictureFormat:
    """A format of picture files. If ``by_pillow`` is true, Pillow writes the files; otherwise OpenCV does.

    ``max_side``: maximum number of pixels along a side. ``settings``: parameters of OpenCV's writer; each
    parameter is followed by its value.
    """

    name: str
    endings: tuple[str, ...]
    max_side: float = math.inf
    settings: tuple[int, ...] = ()
    has_exif: bool = False
    by_pillow: bool = False

    def pack(self, pixels: Image, exif: bytes) -> bytes:
        """Return the bytes of a file with BGR *pixels* (H, W, 3) uint8.

        If the format has EXIF, the file also contains the part of *exif* that :func:`kept_exif` returns.
        """
        if self.by_pillow:
            return _pack_with_pillow(pixels, self.name)
        block = kept_exif(exif) if self.has_exif else b""
        blocks = [np.frombuffer(block, np.uint8)] if block else []
        kinds = [cv2.IMAGE_METADATA_EXIF] * len(blocks)
        _, packed = cv2.imencodeWithMetadata(self.endings[0], pixels, kinds, blocks, self.settings)
        return np.asarray(packed, np.uint8).tobytes()


def _pack_with_pillow(pixels: Image, kind: str) -> bytes:
    """Return the bytes of a GIF or a PDF, without a date, so that equal pictures make equal files."""
    from PIL import Image as Pillow

    file = io.BytesIO()
    resolution = max(pixels.shape[:2]) / PDF_LONGEST_SIDE
    settings = {"resolution": resolution, "quality": QUALITY, "creationDate": None, "modDate": None}
    picture = Pillow.fromarray(np.ascontiguousarray(pixels[:, :, ::-1]))
    picture.save(file, kind, **settings)
    return file.getvalue()


PICTURE_FORMATS = (
    PictureFormat("JPEG", (".jpg", ".jpeg"), 65_500, (cv2.IMWRITE_JPEG_QUALITY, QUALITY), has_exif=True),
    PictureFormat("PNG", (".png",), math.inf, (cv2.IMWRITE_PNG_COMPRESSION, PNG_EFFORT), has_exif=True),
    PictureFormat("WebP", (".webp",), 16_383, (cv2.IMWRITE_WEBP_QUALITY, QUALITY), has_exif=True),
    PictureFormat("TIFF", (".tif", ".tiff")),
    PictureFormat("GIF", (".gif",), 65_535, by_pillow=True),
    PictureFormat("BMP", (".bmp",)),
    PictureFormat("PDF", (".pdf",), 65_500, by_pillow=True),
)
"""All formats in which pictures can be written."""
SAVE_ENDINGS = tuple(ending for form in PICTURE_FORMATS for ending in form.endings)


def _format_of(ending: str, name: str | Path) -> PictureFormat:
    for form in PICTURE_FORMATS:
        if ending.lower() in form.endings:
            return form
    what = f"the ending {ending!r} is unknown" if ending else "the name has no ending"
    if ending.lower() == ".svg":
        what = "a photo with what is drawn into it can't be written as SVG"
    raise UsageError(f"{name}: {what}.", f"End the output's name with one of {', '.join(SAVE_ENDINGS)}.")


def check_output(path: str | Path, sources: Iterable[str | Path] = ()) -> None:
    """Raise :class:`UsageError` for an unknown ending of *path*, and the errors of :func:`check_place`."""
    _format_of(checked_path(path).suffix, path)
    check_place(path, sources)


def check_print(path: str | Path, sources: Iterable[str | Path]) -> None:
    """Do the same as :func:`check_output`, but also allow ``.svg``."""
    (check_place if Path(path).suffix.lower() == ".svg" else check_output)(path, sources)


def save(path: str | Path, pixels: Image, *, exif: bytes = b"") -> None:
    """Write BGR *pixels* (H, W, 3) uint8 to *path*, with a part of the photo's *exif* (:func:`kept_exif`).

    Raises :class:`UsageError` for an unknown ending, and :class:`SaveError` if the file can't be written.
    """
    write_atomically(path, encode(pixels, Path(path).suffix, name=str(path), exif=exif))


def encode(pixels: Image, ending: str, *, name: str = "The picture", exif: bytes = b"") -> bytes:
    """Return the bytes of a file with BGR *pixels* (H, W, 3) uint8, for an *ending* like ``.png``.

    Raises :class:`UsageError` for an unknown ending, and :class:`SaveError`, with *name* in its message, if
    the format can't hold the picture.
    """
    form = _format_of(ending, name)
    side = max(pixels.shape[:2])
    if side > form.max_side:
        raise SaveError(f"{name}: {side} pixels a side are too many for this format.", "Save it as .png.")
    try:
        return form.pack(pixels, exif)
    except (cv2.error, OSError, ValueError):
        raise SaveError(f"{name}: the picture can't be packed as {form.name}.", "Save it as .png.") from None


def reduced(image: Image, longest_side: int) -> tuple[Image, float]:
    """Reduce *image* to sides of at most *longest_side* pixels; return the picture, and its scale (0..1)."""
    scale = longest_side / max(image.shape[:2])
    if scale >= 1:
        return image, 1.0
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), scale


@contextlib.contextmanager
def explained_writing(path: str | Path) -> Iterator[None]:
    """Turn an :class:`OSError` in the block into a :class:`SaveError` with *path* in its message."""
    try:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            os.stat(path)  # noqa: PTH116 (it fails if the name is too long; Path.exists doesn't always)
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SaveError(f"{path}: can't be written ({reason}).", "Choose another place.") from None


def check_folder(folder: str | Path) -> None:
    """Raise :class:`SaveError` if *folder*, or files in it, can't be made."""
    with explained_writing(folder):
        place = Path(os.path.realpath(folder))
        _check_writable(folder, next(above for above in (place, *place.parents) if above.exists()))


def check_place(path: str | Path, sources: Iterable[str | Path] = ()) -> None:
    """Raise :class:`SaveError` if *path* can't be written, :class:`UsageError` if it is one of *sources*."""
    if _target_of(path) is not None and file_key(path) in map(file_key, sources):
        raise UsageError(f"{path}: this would overwrite the file that is read.", "Choose another name.")


def file_key(path: str | Path) -> tuple[int, int] | str:
    """Return a key for a file or folder. All names of it and all links to it have the same key."""
    try:
        found = os.stat(path)  # noqa: PTH116 (takes a str or a Path)
        return found.st_dev, found.st_ino
    except OSError:
        return os.path.normcase(os.path.realpath(path))
    except ValueError:  # the name contains NUL, so there is no such file
        return str(path)


def _target_of(path: str | Path) -> Path | None:
    """Return the file to which *path* leads through symbolic links; None for a pipe or a device."""
    with explained_writing(path):
        if is_stream(path):
            if not os.access(path, os.W_OK):
                raise SaveError(f"{path}: may not be written to.", "Choose another place.")
            return None
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise SaveError(f"{path}: this is a folder.", "Name a file in it.")
        if not target.parent.exists():
            raise SaveError(f"{path}: its folder does not exist.", f"Create {target.parent} first.")
        _check_writable(path, target.parent)
        return target


def _check_writable(path: str | Path, folder: Path) -> None:
    if not folder.is_dir():
        raise SaveError(f"{path}: {folder} is a file, not a folder.", "Choose another place.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise SaveError(f"{path}: {folder} may not be written to.", "Choose another place.")


def make_folder(folder: str | Path) -> None:
    """Make *folder* and the folders above it; raises :class:`SaveError` if that fails."""
    with explained_writing(folder):
        Path(folder).mkdir(parents=True, exist_ok=True)


def is_stream(path: str | Path) -> bool:
    """Return whether *path* is a pipe or a device."""
    # pathlib raises an error for a name that is too long.
    is_usual = os.path.isfile(path) or os.path.isdir(path)  # noqa: PTH112, PTH113
    return not is_usual and os.path.exists(path)  # noqa: PTH110


def write_all(file: IO[bytes], data: bytes) -> None:
    """Write *data* to an unbuffered *file*. Such a file sometimes takes only a part of the data at a time."""
    rest = memoryview(data)
    while len(rest):
        rest = rest[file.write(rest) :]


def write_atomically(path: str | Path, data: bytes) -> None:
    """Write *data* to *path*. If writing fails, the old file stays, and :class:`SaveError` is raised."""
    with WholeFile(path) as file:
        file.write(data)


def lock(file: IO[Any]) -> None:
    """Lock an open file until it is closed or its process ends.

    Raises :class:`BlockingIOError` if another process holds the lock, and :class:`OSError` if the system has
    no locks.
    """
    if sys.platform == "win32":
        raise OSError("there are no such locks here")
    import fcntl

    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def clear_parts(folder: Path) -> None:
    """Remove the unfinished files in *folder* that killed programs have left."""
    for part in folder.glob(_PART.format("*", "*")):
        with contextlib.suppress(OSError), part.open("rb") as file:
            lock(file)  # raises OSError if a process is still writing it
            part.unlink()


class WholeFile:
    """A file that is written under another name, and moved to its place at the end of the ``with`` block.

    After an error, the old file is unchanged. Pipes and devices are written directly. Raises SaveError if the
    file can't be written.
    """

    def __init__(self, path: str | Path, *, begun: Path | None = None, ending: str = "") -> None:
        """Open the unfinished file. *ending*: the end of its name.

        *begun*: after Ctrl-C, the unfinished file is moved to this path. Without it, the file is removed.
        """
        target = _target_of(path)
        self._path, self._begun = path, begun
        self._target = target or Path(path)
        self.part = target and target.with_name(_PART.format(os.urandom(6).hex(), ending))
        with explained_writing(path):
            self._file: IO[bytes] = (self.part or self._target).open("xb" if self.part else "wb", buffering=0)
            if self.part is not None:
                self._hold(self.part)

    def _hold(self, part: Path) -> None:
        """Lock the unfinished file. Give it the mode and the owner of the old file, if possible."""
        with contextlib.suppress(OSError):
            lock(self._file)
        with contextlib.suppress(OSError):
            old = self._target.stat()
            for owner in (old.st_uid, -1) if hasattr(os, "chown") else ():
                with contextlib.suppress(OSError):
                    os.chown(part, owner, old.st_gid)
                    break
            part.chmod(old.st_mode & 0o777)

    def write(self, data: bytes) -> None:
        """Write the next piece of the file."""
        with explained_writing(self._path):
            write_all(self._file, data)

    def finish(self, place: Path | None = None) -> None:
        """Move the complete file to *place*. By default, *place* is the path that ``__init__`` got."""
        with explained_writing(self._path):
            if self.part is not None:
                os.fsync(self._file.fileno())
                if sys.platform == "win32":  # Windows can't move a file that is open
                    self._file.close()
                self.part.replace(place or self._target)
            self._file.close()

    def discard(self) -> None:
        """Remove the file, unless it was moved to its place."""
        with contextlib.suppress(OSError):
            self._file.close()
            if self.part is not None:
                self.part.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self.finish()
            elif self._begun and isinstance(error, KeyboardInterrupt):
                self.finish(self._begun)
        finally:
            self.discard()


def kept_exif(block: bytes) -> bytes:
    """Return the part of a photo's EXIF *block* that written pictures contain: date, camera and lens.

    All else is left out: a picture must not show where the owner of the photo lives. The result begins like
    a TIFF file. It is empty if the block is damaged or too long.
    """
    if not block:
        return b""
    from PIL.Image import Exif

    packed = b""
    # A damaged block can raise any error, but must not stop the saving of the picture.
    with contextlib.suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found, kept = Exif(), Exif()
        found.load(block)
        for tag in _KEPT:
            if tag in found:
                # Text is stored as bytes, because Pillow would write "?" for letters beyond ASCII.
                text = found[tag]
                kept[tag] = text.encode("latin-1") if isinstance(text, str) else text
        details = found.get_ifd(_DETAILS)
        if more := {tag: details[tag] for tag in _KEPT_DETAILS if tag in details}:
            kept[_DETAILS] = more
        packed = kept.tobytes().removeprefix(_HEAD) if len(kept) else b""
    return packed if len(packed) <= MAX_EXIF else b""


def html_figure(pixels: Image | None, lines: Iterable[str]) -> str:
    """Return HTML for notebooks: *pixels* (H, W, 3) uint8 BGR, if any, and below them *lines* of text."""
    texts = [html.escape(line) for line in lines if line]
    picture = ""
    if pixels is not None:
        pixels, _ = reduced(pixels, NOTEBOOK_SIDE)
        _, packed = cv2.imencode(".jpg", pixels, (cv2.IMWRITE_JPEG_QUALITY, NOTEBOOK_QUALITY))
        data = base64.b64encode(packed.tobytes()).decode("ascii")
        style, alternative = f"max-width: min(100%, {pixels.shape[1]}px)", "".join(texts[:1])
        picture = f'<img style="{style}" alt="{alternative}" src="data:image/jpeg;base64,{data}">'
    caption = f"<figcaption>{'<br>'.join(texts)}</figcaption>"
    return f'<figure style="margin: 0">{picture}{caption}</figure>'
