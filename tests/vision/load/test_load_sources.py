"""Sources: paths, bytes, open files, arrays and PIL images give the same photo; others are an error."""

import io
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from conftest import packed
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from numpy.typing import NDArray
from PIL import Image as Pillow

from sudoku_vision.errors import OpenError, PixelsError, SourceError, TooLargeError, UsageError
from sudoku_vision.vision.load import files as load_source
from sudoku_vision.vision.load import load_photo
from sudoku_vision.vision.results import Photo

RNG = np.random.default_rng(5)
BGR = RNG.integers(0, 256, (24, 32, 3), np.uint8)
GREY = RNG.integers(0, 256, (24, 32), np.uint8)
RGB = np.ascontiguousarray(BGR[..., ::-1])


def same(source: Any, pixels: NDArray[Any], **options: Any) -> bool:
    return np.array_equal(load_photo(source, **options).pixels, pixels)


class Trickle(io.RawIOBase):
    """A stream that can't be rewound and gives a few bytes at a time."""

    def __init__(self, data: bytes) -> None:
        self._rest = io.BytesIO(data)

    def read(self, size: int = -1, /) -> bytes:
        return self._rest.read(min(size, 700))


def test_every_kind_of_file_gives_the_same_photo(photo_file: Path) -> None:
    data, pixels = photo_file.read_bytes(), load_photo(photo_file).pixels
    with photo_file.open("rb") as file:
        sources = (photo_file, str(photo_file), data, bytearray(data), memoryview(data), file, Trickle(data))
        for source in sources:
            assert same(source, pixels), type(source)
        assert not file.closed
    later = io.BytesIO(b"before" + data)
    later.seek(6)
    assert same(later, pixels)
    assert load_photo(io.BytesIO(data)).source == "<file>"
    with photo_file.open("rb") as file, Pillow.open(photo_file) as picture:
        assert load_photo(file).source == load_photo(picture).source == str(photo_file)
    assert load_photo(Pillow.fromarray(RGB)).source == "<image>"
    assert load_photo(data, name="scan").source == "scan"


@pytest.mark.parametrize(
    "mode", ["RGB", "L", "1", "P", "RGBA", "LA", "P with a clear colour", "I;16", "CMYK"]
)
def test_a_pil_image_gives_the_pixels_of_its_file(mode: str) -> None:
    if mode == "I;16":
        picture = Pillow.fromarray(GREY.astype(np.uint16) * 201)
    else:
        picture = Pillow.fromarray(np.dstack([RGB, GREY]) if "A" in mode else RGB).convert(mode.split()[0])
        if mode.startswith("P "):
            picture.info["transparency"] = 3
    data = packed(picture, "TIFF" if mode == "CMYK" else "PNG")
    assert same(picture, load_photo(data).pixels)
    assert same(Pillow.open(io.BytesIO(data)), load_photo(data).pixels)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF"])
def test_a_pil_image_is_turned_as_its_file_is(kind: str) -> None:
    exif = Pillow.Exif()
    exif[0x0112] = 7
    data = packed(Pillow.fromarray(RGB), kind, exif=exif)
    ours, theirs = (load_photo(source).pixels.astype(int) for source in (Pillow.open(io.BytesIO(data)), data))
    assert ours.shape == theirs.shape == (32, 24, 3)
    assert np.abs(ours - theirs).max() <= (4 if kind == "JPEG" else 0)  # two unpackers of JPEG


OPAQUE = np.full_like(GREY, 255)


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (BGR, BGR),
        (GREY, np.dstack([GREY] * 3)),
        (GREY[..., None], np.dstack([GREY] * 3)),
        (np.dstack([BGR, OPAQUE]), BGR),
        (np.dstack([BGR, np.zeros_like(GREY)]), np.full_like(BGR, 255)),
        (BGR.astype(np.uint16) * 257, BGR),
        ((BGR.astype(np.uint16) * 257).astype(">u2"), BGR),
        (BGR.astype(np.int64), BGR),
        (BGR.astype(np.float64) / 255, BGR),
        (BGR.astype(np.float32) / 255, BGR),
        (GREY > 99, np.dstack([np.where(GREY > 99, 255, 0)] * 3)),
    ],
)
def test_arrays_of_any_depth_grey_coloured_or_transparent(
    array: NDArray[Any], expected: NDArray[Any]
) -> None:
    assert same(array, expected)


def test_arrays_are_bgr_unless_they_are_called_rgb() -> None:
    assert same(RGB, BGR, channels="rgb")
    assert same(np.dstack([RGB, OPAQUE]), BGR, channels="rgb")
    half = np.dstack([RGB, GREY])
    assert same(half, load_photo(packed(Pillow.fromarray(half), "PNG")).pixels, channels="rgb")
    assert same(np.dstack([BGR, GREY]), load_photo(half, channels="rgb").pixels)
    assert load_photo(BGR).source == "<array>"
    with pytest.raises(UsageError, match="rgb"):
        load_photo(BGR, channels="gbr")  # type: ignore[arg-type]


def test_arrays_of_any_memory_layout_are_read_and_not_changed() -> None:
    frozen = BGR.copy()
    frozen.flags.writeable = False
    before = frozen.copy()
    for view in (frozen, frozen[::-1, ::-1], frozen[::2], np.asfortranarray(frozen), frozen[:, :, ::-1]):
        assert same(view, np.ascontiguousarray(view))
    assert same(frozen[..., ::-1], BGR, channels="rgb")
    assert np.array_equal(frozen, before)


def test_a_photo_keeps_its_pixels_when_the_array_is_used_again() -> None:
    array = BGR.copy()
    for source in (array, array[..., :1], Pillow.fromarray(RGB)):
        photo = load_photo(source)
        before = photo.pixels.copy()
        array[:] ^= 255
        assert np.array_equal(photo.pixels, before)
    photo = Photo(array, "mine")
    assert load_photo(photo) is photo


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.zeros((0, 5, 3), np.uint8), "holds no pixels"),
        (np.zeros((5, 5, 2), np.uint8), r"\(5, 5, 2\) is no picture"),
        (np.zeros((3, 50, 50), np.uint8), "transpose"),
        (np.zeros((2, 50, 50, 3), np.uint8), "one picture at a time"),
        (np.frombuffer(b"\xff\xd8\xff", np.uint8), "tobytes"),
        (np.full((5, 5), 256), "256 mean"),
        (np.full((5, 5), -1), "-1"),
        (np.full((5, 5), np.nan), "floats from 0 to 1"),
        (np.full((5, 5), 200.0), "floats from 0 to 1"),
        (np.full((5, 5), "x"), "it is not clear what pixels of"),
        (np.full((5, 5), None), "object"),
        (np.zeros((5, 5), complex), "complex"),
        (np.zeros((5, 5), "datetime64[s]"), "datetime64"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_arrays_that_are_no_picture(array: NDArray[Any], words: str) -> None:
    with pytest.raises(PixelsError, match=words) as error:
        load_photo(array)
    assert isinstance(error.value, ValueError) and error.value.remedy


DTYPES = st.one_of(
    npst.boolean_dtypes(), npst.integer_dtypes(endianness="?"), npst.floating_dtypes(endianness="?")
)


@given(npst.arrays(DTYPES, npst.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5)), st.booleans())
@settings(max_examples=150)
def test_any_array_is_a_photo_or_an_error(array: NDArray[Any], is_rgb: bool) -> None:
    try:
        photo = load_photo(array, channels="rgb" if is_rgb else "bgr")
    except PixelsError as error:
        assert str(error).endswith(".")
    else:
        assert photo.pixels.shape == (*array.shape[:2], 3)
        assert photo.pixels.flags.c_contiguous and not np.shares_memory(photo.pixels, array)


@pytest.mark.parametrize("source", [None, 3, 2.5, {}, [[1, 2]], object(), Path, Pillow.Image, print])
def test_the_error_for_a_wrong_type_names_all_sources(source: Any) -> None:
    with pytest.raises(SourceError, match=r"is no picture\. Hand over") as error:
        load_photo(source)
    assert isinstance(error.value, TypeError)
    for word in ("path", "bytes", "file object", "NumPy array", "PIL image", "Photo"):
        assert word in error.value.remedy


def test_files_that_give_no_bytes() -> None:
    with pytest.raises(SourceError, match='"rb"'):
        load_photo(io.StringIO("photo"))  # type: ignore[arg-type]
    closed = io.BytesIO(b"")
    closed.close()
    for source, words in ((closed, "can't be read"), (io.BytesIO(b""), "empty"), (b"words", "not a picture")):
        with pytest.raises(OpenError, match=words):
            load_photo(source)


def test_the_limit_of_megapixels_holds_before_anything_is_copied() -> None:
    wide = np.broadcast_to(np.uint8(7), (1_000_000, 1_000_000, 3))
    picture = Pillow.new("L", (1000, 1100))
    for source, limit in ((wide, 100.0), (BGR, 0.0005), (picture, 0.0005)):
        with pytest.raises(TooLargeError, match="megapixels"):
            load_photo(source, max_megapixels=limit)


def test_pages_of_documents_are_counted_from_1() -> None:
    pages = [Pillow.new("RGB", (20 + 10 * place, 20)) for place in range(3)]
    tiff = packed(pages[0], "TIFF", save_all=True, append_images=pages[1:])
    assert load_photo(tiff).pixels.shape[1] == 20
    third = load_photo(io.BytesIO(tiff), page=3)
    assert (third.page, third.pixels.shape[1]) == (3, 40)
    for source, page in ((tiff, 4), (tiff, 0), (BGR, 2), (packed(pages[0], "PNG"), 2)):
        with pytest.raises(OpenError, match=f"no page {page}"):
            load_photo(source, page=page)
    with pytest.raises(UsageError, match="number of a page"):
        load_photo(tiff, page="2")  # type: ignore[arg-type]


def test_pillow_is_not_imported_to_recognise_a_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "PIL.Image")
    assert not load_source.is_pillow(BGR)
    assert same(cv2.cvtColor(BGR, cv2.COLOR_BGR2RGB), BGR, channels="rgb")
