"""Load: bytes, a path or standard input become upright photos.

The size and the orientation of a picture are read from its header before any pixel is unpacked, so a
picture above the limit costs nothing. JPEG and PNG of the usual kind are unpacked by OpenCV, which is fast,
every other kind by Pillow, which knows them all.
"""

from __future__ import annotations

import contextlib
import glob
import importlib
import io
import sys
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import OpenError, TooLargeError
from sudoku_vision.results import Image, Photo

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

STDIN = "-"
"""The path that stands for standard input."""

_JPEG_ENDINGS = (".jpg", ".jpeg", ".jpe", ".jfif")
_OTHER_ENDINGS = (".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".ppm", ".pgm", ".avif")
PICTURE_ENDINGS = frozenset(_JPEG_ENDINGS + _OTHER_ENDINGS)
"""Endings by which a picture is known when a folder is searched."""

MAX_MEGAPIXELS = 100.0
"""Limit above which a picture is refused: twice the largest common phone camera, about 300 MB unpacked."""

_SNIFFED_BYTES = 64
_ORIENTATION_TAG = 0x0112
_CONVERT = "Convert it to JPEG or PNG first."

_TURNS: dict[int, tuple[int | None, int | None]] = {
    2: (1, None),
    3: (None, cv2.ROTATE_180),
    4: (0, None),
    5: (1, cv2.ROTATE_90_COUNTERCLOCKWISE),
    6: (None, cv2.ROTATE_90_CLOCKWISE),
    7: (1, cv2.ROTATE_90_CLOCKWISE),
    8: (None, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
"""EXIF orientation -> (flip code or None, then rotation or None) that shows the picture upright."""


def load(
    source: str | Path | bytes, *, name: str = "", max_megapixels: float = MAX_MEGAPIXELS
) -> Iterator[Photo]:
    """Open *source* and yield its photos, upright as EXIF says, one after another.

    *source* is a path, ``"-"`` for standard input, or the bytes of a picture file. A file holds one photo,
    except a TIFF of several pages; of an animation the first frame is taken. Transparent pixels show white.
    *name* replaces the source's own name in results and messages.

    Yields :class:`Photo`, pixels (H, W, 3) uint8 BGR. Raises :class:`OpenError` if the picture is missing,
    empty, truncated or none, :class:`TooLargeError` if it has more than *max_megapixels* million pixels.
    """
    data, own_name = _read(source)
    name = name or own_name
    for page, pixels in enumerate(_pages(data, name, max_megapixels), start=1):
        yield Photo(pixels, name, page)


def load_photo(
    source: str | Path | bytes, *, name: str = "", max_megapixels: float = MAX_MEGAPIXELS
) -> Photo:
    """Open the first photo of *source*; see :func:`load`."""
    return next(load(source, name=name, max_megapixels=max_megapixels))


def expand_paths(paths: Iterable[str | Path]) -> Iterator[str]:
    """Turn files, folders, glob patterns and ``-`` into the paths of pictures, in the order given.

    A folder gives its pictures, by name, subfolders left out; a pattern gives what it matches, by name. What
    leads to no picture is passed on as it is: :func:`load` says what is wrong with it.
    """
    for given in paths:
        text = str(given)
        if text == STDIN or Path(text).is_file():
            found = []
        elif Path(text).is_dir():
            found = pictures_in(text)
        else:
            matches = glob.glob(text, recursive=True) if glob.has_magic(text) else []  # noqa: PTH207
            found = [path for path in matches if Path(path).is_file()]
        yield from sorted(found, key=_natural_key) or [text]


def pictures_in(folder: str | Path) -> list[str]:
    """The paths of the pictures in a folder, told by their endings, hidden ones left out; in no order."""
    try:
        entries = [path for path in Path(folder).iterdir() if path.suffix.lower() in PICTURE_ENDINGS]
        return [str(path) for path in entries if not path.name.startswith(".") and path.is_file()]
    except OSError:
        return []


def _natural_key(path: str) -> list[tuple[int, int | str]]:
    """Sort photo2 before photo10."""
    digits = "".join(char if char.isdigit() and char.isascii() else f" {char} " for char in path).split(" ")
    return [(0, int(part)) if part.isdigit() and part.isascii() else (1, part) for part in digits if part]


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _read(source: str | Path | bytes) -> tuple[bytes, str]:
    """Read all bytes of *source*; looks at the first few before it reads a file that can't be a picture."""
    if isinstance(source, bytes):
        return source, "<bytes>"
    name = str(source)
    try:
        if name == STDIN:
            return sys.stdin.buffer.read(), name
        with Path(source).open("rb") as file:
            head = file.read(_SNIFFED_BYTES)
            _plugin(head, name)
            return head + file.read(), name
    except FileNotFoundError:
        if glob.has_magic(name):
            raise OpenError(
                f"{name}: no file matches this pattern.", "Check the spelling and the folder."
            ) from None
        raise OpenError(f"{name}: there is no such file.", "Check the spelling and the folder.") from None
    except IsADirectoryError:
        raise _folder_error(name) from None
    except (OSError, ValueError) as error:
        reason = _reason(error) if isinstance(error, OSError) else str(error)
        raise OpenError(f"{name}: the file can't be read ({reason}).", "Check its permissions.") from None


def _folder_error(name: str) -> OpenError:
    if pictures_in(name):
        return OpenError(f"{name}: this is a folder.", "Name the pictures in it one by one.")
    return OpenError(
        f"{name}: the folder holds no pictures.", "Name one with .jpg, .png or .webp files in it."
    )


def _plugin(head: bytes, name: str) -> str:
    """The Pillow plug-in for a file that begins with *head*; raises what is to be said if there is none."""
    if not head:
        raise OpenError(f"{name}: the file is empty.", "Copy or download it again.")
    for offset, magic, plugin in _MAGIC:
        if head[offset : offset + len(magic)] == magic:
            return plugin
    brand = head[8:12] if head[4:8] == b"ftyp" else b""
    if brand in {b"avif", b"avis"}:
        return "Avif"
    if brand in {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}:
        raise OpenError(f"{name}: HEIC pictures are not supported.", _CONVERT)
    if head.startswith(b"%PDF"):
        raise OpenError(f"{name}: PDF documents are not supported.", "Export the page as JPEG or PNG first.")
    if brand:
        raise OpenError(f"{name}: videos are not supported.", "Save one frame as JPEG or PNG first.")
    raise OpenError(f"{name}: this is not a picture.", "Name a JPEG, PNG, WebP, GIF, TIFF or BMP file.")


_MAGIC = (
    (0, b"\xff\xd8\xff", "Jpeg"),
    (0, b"\x89PNG\r\n\x1a\n", "Png"),
    (8, b"WEBP", "WebP"),
    (0, b"GIF8", "Gif"),
    (0, b"BM", "Bmp"),
    (0, b"II*\0", "Tiff"),
    (0, b"MM\0*", "Tiff"),
    (0, b"P1", "Ppm"),
    (0, b"P2", "Ppm"),
    (0, b"P3", "Ppm"),
    (0, b"P4", "Ppm"),
    (0, b"P5", "Ppm"),
    (0, b"P6", "Ppm"),
)
"""(offset, the bytes there, Pillow plug-in) of the formats that are read."""


def _pages(data: bytes, name: str, max_megapixels: float) -> Iterator[Image]:
    """Unpack each page of a picture file."""
    plugin = _plugin(data[:_SNIFFED_BYTES], name)
    picture = _open_header(data, plugin, name)
    _check_size(picture.size, name, max_megapixels)
    if _is_usual(picture, plugin):
        _check_complete(data, plugin, name)
        pixels = _unpack_usual(data, picture)
        if pixels is not None:
            yield pixels
            return
    with _plain_errors(name):
        frames = getattr(picture, "n_frames", 1) if plugin == "Tiff" else 1
    for frame in range(frames):
        yield _unpack_frame(picture, frame, name, max_megapixels)


def _open_header(data: bytes, plugin: str, name: str) -> PillowImage:
    """Read a picture's header with one Pillow plug-in, pixels left packed.

    Calling the plug-in itself leaves out the pixel limit of ``PIL.Image.open``, which is global to the
    process; :func:`_check_size` has our own.
    """
    from PIL import Image as Pillow

    try:
        importlib.import_module(f"PIL.{plugin}ImagePlugin")
        factory, accept = Pillow.OPEN[plugin.upper()]
        if accept is not None and accept(data[:16]) is not True:
            raise KeyError(plugin)
    except (ImportError, KeyError):
        raise OpenError(f"{name}: {plugin.upper()} pictures are not supported here.", _CONVERT) from None
    with _plain_errors(name):
        return factory(io.BytesIO(data), name)


@contextlib.contextmanager
def _plain_errors(name: str) -> Iterator[None]:
    """Say whatever Pillow raises or warns of while it reads *name* as one :class:`OpenError`.

    On damaged files Pillow raises errors of a dozen kinds; out of memory is no fault of the file.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except (OpenError, MemoryError):
        raise
    except Exception as error:
        text = str(error).lower()
        if isinstance(error, EOFError) or any(word in text for word in ("truncated", "premature", "eof")):
            raise _truncated(name) from None
        raise OpenError(
            f"{name}: the picture is damaged and can't be read.", "Copy or download it again."
        ) from None


def _check_size(size: tuple[int, int], name: str, max_megapixels: float) -> None:
    width, height = size
    megapixels = width * height / 1e6
    if megapixels > max_megapixels:
        raise TooLargeError(
            f"{name}: {width} x {height} pixels are {megapixels:.0f} megapixels, "
            f"the limit is {max_megapixels:g}.",
            "Raise it with --max-megapixels or make the picture smaller.",
        )


def _truncated(name: str) -> OpenError:
    return OpenError(f"{name}: the picture is truncated, its end is missing.", "Copy or download it again.")


def _is_usual(picture: PillowImage, plugin: str) -> bool:
    """Whether OpenCV unpacks this picture as we want it: 8 bits, grey or colour, nothing transparent."""
    if plugin not in {"Jpeg", "Png"} or "transparency" in picture.info:
        return False
    return picture.mode in {"L", "RGB"}


def _check_complete(data: bytes, plugin: str, name: str) -> None:
    """Look for the mark at a picture's end: OpenCV would fill what is missing with grey, and say nothing."""
    mark, start = (b"IEND", 8) if plugin == "Png" else (b"\xff\xd9", _scan_start(data))
    if data.rfind(mark) < start:
        raise _truncated(name)


def _scan_start(data: bytes) -> int:
    """Where the pixels of a JPEG begin, past its header and the thumbnails in it."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        if data[at + 1] == 0xDA:
            return at
        if data[at + 1] == 0xFF:
            at += 1
            continue
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return at


def _unpack_usual(data: bytes, picture: PillowImage) -> Image | None:
    """Unpack with OpenCV, or give None; turned upright by us, as its releases differ in when they do it."""
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        pixels: NDArray[Any] | None = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        return None
    if pixels is None or pixels.shape[1::-1] != picture.size:
        return None
    pixels = np.asarray(pixels, np.uint8)
    # Pillow unpacks a whole PNG to look for EXIF, so that is asked only where there can be some.
    if picture.format == "PNG" and not any(mark in data for mark in (b"eXIf", b"Raw profile type")):
        return pixels
    return _upright(pixels, _orientation(picture))


def _orientation(picture: PillowImage) -> int:
    """The EXIF orientation 1..8, 1 if there is none or it makes no sense."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = picture.getexif().get(_ORIENTATION_TAG, 1)
    except Exception:
        # Damaged EXIF raises errors of many kinds; the picture itself may well be sound.
        return 1
    return value if value in _TURNS else 1


def _upright(pixels: Image, orientation: int) -> Image:
    """Flip and turn (H, W, 3) pixels as an EXIF orientation says."""
    flip, turn = _TURNS.get(orientation, (None, None))
    if flip is not None:
        pixels = np.asarray(cv2.flip(pixels, flip), np.uint8)
    if turn is not None:
        pixels = np.asarray(cv2.rotate(pixels, turn), np.uint8)
    return pixels


def _unpack_frame(picture: PillowImage, frame: int, name: str, max_megapixels: float) -> Image:
    """Unpack one page with Pillow and say it plainly where that fails."""
    with _plain_errors(name):
        if frame:
            picture.seek(frame)
            _check_size(picture.size, name, max_megapixels)
        picture.load()
        rgb = _opaque_rgb(picture)
    bgr = np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), np.uint8)
    # Asked for after unpacking: Pillow turns a TIFF itself and then forgets the tag.
    return _upright(bgr, _orientation(picture))


def _opaque_rgb(picture: PillowImage) -> Image:
    """Turn a loaded picture of any mode into RGB (H, W, 3) uint8 on white."""
    from PIL import Image as Pillow

    if picture.mode == "F" or picture.mode.startswith("I"):
        picture = Pillow.fromarray(_eight_bits(np.asarray(picture)))
    if "transparency" in picture.info or picture.mode in {"LA", "PA", "La", "RGBA", "RGBa"}:
        coloured = picture.convert("RGBA")
        picture = Pillow.new("RGB", coloured.size, "white")
        picture.paste(coloured, mask=coloured.getchannel("A"))
    return np.asarray(picture.convert("RGB"), np.uint8)


def _eight_bits(values: NDArray[Any]) -> Image:
    """Scale grey values of more than 8 bits to 0..255, by the range usual for their type."""
    floats = np.nan_to_num(values.astype(np.float32))
    top = float(floats.max(initial=0.0))
    white = next((limit for limit in (1.0, 255.0, 65535.0) if top <= limit), top)
    if np.issubdtype(values.dtype, np.integer):
        white = 65535.0 if top <= 65535.0 else top
    return np.asarray(np.clip(np.rint(floats * (255.0 / white)), 0, 255), np.uint8)
