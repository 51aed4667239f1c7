"""Save: pictures to files, the format chosen by the name, an old file replaced only by a complete new one.

A format is one record in :data:`PICTURE_FORMATS`.
"""

import contextlib
import io
import os
import stat
import sys
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import SaveError, UsageError
from sudoku_vision.results import Image

QUALITY = 95
"""Quality 0..100 of JPEG and WebP, also within PDF, at which a photo shows no loss beside its source."""

PNG_EFFORT = 3  # effort 0..9 of packing PNG, which loses nothing: 3 is quick, and more saves little

PDF_LONGEST_SIDE = 297 / 25.4
"""Longer side of a page in inches, that of A4: so a photo is shown and printed at the size of a sheet."""

PHOTO_ENDINGS = (".jpg", ".jpeg", ".png", ".webp")
"""Endings that suit any photo: a picture with another one is written as PNG where no name is asked for."""
_PART = ".sudoku-vision-{}.part{}"
"""What a file is called until it is whole: nothing of its own name, which may be too long or hold a ``%``."""
MOST_BYTES = 2_000  # of a block that is kept: of a camera's a hundred or two are
_KEPT = (0x010F, 0x0110, 0x0132)
"""Maker and model of the camera, and the date (CIPA DC-008); ..."""
_DETAILS, _KEPT_DETAILS = 0x8769, (0x9003, 0x9004, 0xA432, 0xA433, 0xA434)
"""... the tag that leads to more, of which the dates and the lens are kept: its lengths, maker and model."""
_HEAD = b"Exif\0\0"


@dataclass(frozen=True)
class PictureFormat:
    """A format that pictures are written in, by OpenCV or, ``by_pillow``, by Pillow.

    ``largest_side``: the pixels a side that it has room for, None for no end; ``settings``: numbers of
    OpenCV's parameters, each with its value; ``has_exif``: whether a block of EXIF has a place in it.
    """

    name: str
    endings: tuple[str, ...]
    largest_side: int | None = None
    settings: tuple[int, ...] = ()
    has_exif: bool = False
    by_pillow: bool = False

    def pack(self, pixels: Image, exif: bytes) -> bytes:
        """Pack BGR pixels (H, W, 3) uint8, with a photo's *exif*; raises whatever the library does."""
        if self.by_pillow:
            return _pack_with_pillow(pixels, self.name)
        block = kept_exif(exif) if self.has_exif else b""
        blocks = [np.frombuffer(block, np.uint8)] if block else []
        kinds = [cv2.IMAGE_METADATA_EXIF] * len(blocks)
        _, packed = cv2.imencodeWithMetadata(self.endings[0], pixels, kinds, blocks, self.settings)
        data: NDArray[Any] = np.asarray(packed)
        return data.tobytes()


def _pack_with_pillow(pixels: Image, kind: str) -> bytes:
    """Pack GIF in the 256 colours that suit it best, PDF as one page with nothing but the picture.

    Without a date, so that equal pictures make equal files.
    """
    from PIL import Image as Pillow

    file = io.BytesIO()
    resolution = max(pixels.shape[:2]) / PDF_LONGEST_SIDE
    settings = {"resolution": resolution, "quality": QUALITY, "creationDate": None, "modDate": None}
    picture = Pillow.fromarray(np.ascontiguousarray(pixels[:, :, ::-1]))
    picture.save(file, kind, **settings)
    return file.getvalue()


PICTURE_FORMATS = (
    PictureFormat("JPEG", (".jpg", ".jpeg"), 65_500, (cv2.IMWRITE_JPEG_QUALITY, QUALITY), has_exif=True),
    PictureFormat("PNG", (".png",), None, (cv2.IMWRITE_PNG_COMPRESSION, PNG_EFFORT), has_exif=True),
    PictureFormat("WebP", (".webp",), 16_383, (cv2.IMWRITE_WEBP_QUALITY, QUALITY), has_exif=True),
    PictureFormat("TIFF", (".tif", ".tiff")),
    PictureFormat("GIF", (".gif",), 65_535, by_pillow=True),
    PictureFormat("BMP", (".bmp",)),
    PictureFormat("PDF", (".pdf",), 65_500, by_pillow=True),
)
"""The formats that are written; all of them are read, too."""

SAVE_ENDINGS = tuple(ending for form in PICTURE_FORMATS for ending in form.endings)
"""Endings of the formats that are written."""


def _format_of(ending: str, name: str | Path) -> PictureFormat:
    """Return the format that goes by *ending*; raises :class:`UsageError` if there is none."""
    for form in PICTURE_FORMATS:
        if ending.lower() in form.endings:
            return form
    what = f"the ending {ending!r} is unknown" if ending else "the name has no ending"
    if ending.lower() == ".svg":
        what = "a photo with what is drawn into it can't be written as SVG"
    raise UsageError(f"{name}: {what}.", f"End the output's name with one of {', '.join(SAVE_ENDINGS)}.")


def check_output(path: str | Path, sources: Iterable[str | Path] = ()) -> None:
    """Raise now what :func:`save` would raise after the work; the rest is as for :func:`check_place`."""
    _format_of(Path(path).suffix, path)
    check_place(path, sources)


def check_print(path: str | Path, sources: Iterable[str | Path] = ()) -> None:
    """Raise now the errors of writing to *path* what may be printed as SVG, too."""
    (check_place if Path(path).suffix.lower() == ".svg" else check_output)(path, sources)


def save(path: str | Path, pixels: Image, *, exif: bytes = b"") -> None:
    """Write BGR *pixels* (H, W, 3) uint8 to *path*, in the format of its ending, with an *exif* block.

    Raises :class:`UsageError` for an unknown ending and :class:`SaveError` if it can't be written.
    """
    write_atomically(path, encode(pixels, Path(path).suffix, name=str(path), exif=exif))


def encode(pixels: Image, ending: str, *, name: str = "The picture", exif: bytes = b"") -> bytes:
    """Pack BGR *pixels* (H, W, 3) uint8 as the bytes of a file with this *ending*, as in ``.png``.

    What :func:`kept_exif` keeps of *exif* goes into JPEG, PNG and WebP. Raises :class:`UsageError` for an
    unknown ending and :class:`SaveError` where the format has no room for it; *name* is what they call it.
    """
    form = _format_of(ending, name)
    side = max(pixels.shape[:2])
    if form.largest_side is not None and side > form.largest_side:
        raise SaveError(f"{name}: {side} pixels a side are too many for this format.", "Save it as .png.")
    try:
        return form.pack(pixels, exif)
    except (cv2.error, OSError, ValueError):
        raise SaveError(f"{name}: the picture can't be packed as {form.name}.", "Save it as .png.") from None


@contextlib.contextmanager
def explained_writing(path: str | Path) -> Iterator[None]:
    """Say what the system has against *path* as one :class:`SaveError`."""
    try:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            os.stat(path)  # noqa: PTH116 (a name that is too long, which Python 3.14 takes for one of nothing)
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SaveError(f"{path}: can't be written ({reason}).", "Choose another place.") from None


def check_folder(folder: str | Path) -> None:
    """Raise now the :class:`SaveError` that making and filling *folder* would meet after the work."""
    with explained_writing(folder):
        place = Path(os.path.realpath(folder))
        _check_writable(folder, next(above for above in (place, *place.parents) if above.exists()))


def check_place(path: str | Path, sources: Iterable[str | Path] = ()) -> None:
    """Raise now the :class:`SaveError` that :func:`write_atomically` would meet at *path* after the work.

    Raises :class:`UsageError` if *path* is one of the files *sources*, under whatever name.
    """
    if _target_of(path) is not None and file_key(path) in map(file_key, sources):
        raise UsageError(f"{path}: this would overwrite the file that is read.", "Choose another name.")


def file_key(path: str | Path) -> tuple[int, int] | str:
    """Return what all names of one file or folder share: other spellings, symbolic and hard links."""
    try:
        found = os.stat(path)  # noqa: PTH116 (takes any name)
        return found.st_dev, found.st_ino
    except OSError:
        return os.path.normcase(os.path.realpath(path))
    except ValueError:  # a NUL in it: this is the name of nothing
        return str(path)


def _target_of(path: str | Path) -> Path | None:
    """Return the file that *path* leads to, None for a pipe or a device; errors of :func:`check_place`."""
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
    """Raise :class:`SaveError` if nothing can be put into *folder*, on the way to *path*."""
    if not folder.is_dir():
        raise SaveError(f"{path}: {folder} is a file, not a folder.", "Choose another place.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise SaveError(f"{path}: {folder} may not be written to.", "Choose another place.")


def make_folder(folder: str | Path) -> None:
    """Make a folder and those above it; raises :class:`SaveError`."""
    with explained_writing(folder):
        Path(folder).mkdir(parents=True, exist_ok=True)


def is_stream(path: str | Path) -> bool:
    """Tell whether *path* is a pipe or a device: what is written into, and never replaced."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 (takes any name)
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def write_all(file: IO[bytes], data: bytes) -> None:
    """Write all of *data* to a *file* without a buffer, however little it takes at once."""
    rest = memoryview(data)
    while len(rest):
        rest = rest[file.write(rest) :]


def write_atomically(path: str | Path, data: bytes) -> None:
    """Write *data* as a :class:`WholeFile`; raises :class:`SaveError`."""
    with WholeFile(path) as file:
        file.write(data)


def lock(file: IO[Any]) -> None:
    """Lock an open file until it is closed or its process ends.

    Raises :class:`BlockingIOError` where another one holds it, :class:`OSError` where there are no locks.
    """
    if sys.platform == "win32":
        raise OSError("there are no such locks here")
    import fcntl

    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def clear_parts(folder: Path) -> None:
    """Remove from a *folder* the parts of files that killed runs have left: nobody holds their locks."""
    for part in folder.glob(_PART.format("*", "*")):
        with contextlib.suppress(OSError), part.open("rb") as file:
            lock(file)
            part.unlink()


class WholeFile:
    """A file that is written piece by piece beside its place, and moved there at the end of ``with``.

    It takes over the mode of what stood there and, where it may, the owner. After an error nothing of it is
    left, and what stood there is untouched. A pipe or a device is written into as it is. Raises
    :class:`SaveError`.
    """

    def __init__(self, path: str | Path, *, keep_begun: bool = False, ending: str = "") -> None:
        """Begin the file for *path*; with *keep_begun*, Ctrl-C leaves the pieces so far in :attr:`begun`.

        *ending* is that of its name until then.
        """
        target = _target_of(path)
        self._path, self._keep_begun = path, keep_begun
        self._target = target or Path(path)
        self.part = target and target.with_name(_PART.format(os.urandom(6).hex(), ending))
        with explained_writing(path):
            self._file: IO[bytes] = (self.part or self._target).open("xb" if self.part else "wb", buffering=0)
            if self.part is not None:
                self._hold(self.part)

    def _hold(self, part: Path) -> None:
        """Lock the part, and let it have the mode of what it is to replace, and the owner where it may."""
        with contextlib.suppress(OSError):
            lock(self._file)
        with contextlib.suppress(OSError):
            old = self._target.stat()
            for owner in (old.st_uid, -1) if hasattr(os, "chown") else ():
                with contextlib.suppress(OSError):
                    os.chown(part, owner, old.st_gid)
                    break
            part.chmod(old.st_mode & 0o777)

    @property
    def begun(self) -> Path:
        """Where the pieces are that were written before Ctrl-C."""
        return self._target.with_name(f"{self._target.name}.part")

    def write(self, data: bytes) -> None:
        """Write the next piece."""
        with explained_writing(self._path):
            write_all(self._file, data)

    def finish(self, place: Path | None = None) -> None:
        """Move the whole file to its *place*."""
        with explained_writing(self._path):
            if self.part is not None:
                os.fsync(self._file.fileno())
                if sys.platform == "win32":  # where nothing that is open can be moved
                    self._file.close()
                self.part.replace(place or self._target)
            self._file.close()

    def discard(self) -> None:
        """Leave nothing that was not moved to its place."""
        with contextlib.suppress(OSError):
            self._file.close()
            if self.part is not None:
                self.part.unlink()

    def __enter__(self) -> "WholeFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the file."""
        try:
            if error is None:
                self.finish()
            elif self._keep_begun and isinstance(error, KeyboardInterrupt):
                self.finish(self.begun)
        finally:
            self.discard()


def kept_exif(block: bytes) -> bytes:
    """Return what is kept of an EXIF *block* in pictures made from a photo: date, camera and lens.

    So nobody who passes on a solved puzzle tells where they live, who they are or whose camera it is: no
    place, wherever it stands, no names, comments, serial numbers, maker's notes, other blocks or thumbnail go
    over. The pixels are upright, which needs no word. The block begins as a TIFF. Empty where there is
    nothing to keep, or the block is damaged.
    """
    if not block:
        return b""
    from PIL.Image import Exif

    packed = b""
    # A damaged block raises errors of many kinds; the picture itself may well be sound.
    with contextlib.suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found, kept = Exif(), Exif()
        found.load(block)
        for tag in _KEPT:
            if tag in found:
                text = found[tag]  # Pillow writes letters beyond ASCII as question marks
                kept[tag] = text.encode("latin-1") if isinstance(text, str) else text
        details = found.get_ifd(_DETAILS)
        if more := {tag: details[tag] for tag in _KEPT_DETAILS if tag in details}:
            kept[_DETAILS] = more
        packed = kept.tobytes().removeprefix(_HEAD) if len(kept) else b""
    return packed if len(packed) <= MOST_BYTES else b""
