"""Load: pictures become upright BGR pixels of 8 bits; other files, even hostile ones, give an error soon."""

import struct
import zlib
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import cv2
import numpy as np
import pytest
from conftest import PUZZLE, Run, packed, png_chunk, png_header
from PIL import Image as Pillow
from PIL import TiffImagePlugin
from test_picture_formats import UPRIGHT, colours, corners, noise

from sudoku_vision import solve_photo
from sudoku_vision.errors import OpenError, OutOfMemoryError, TooLargeError
from sudoku_vision.vision.load import files as load_source
from sudoku_vision.vision.load import iter_pages, load_photo
from sudoku_vision.vision.load.jpeg import MAX_SCANS, REDUCED_SIDE
from sudoku_vision.vision.load.moire import WORKING_SIDE
from sudoku_vision.vision.locate import CLOSER
from sudoku_vision.vision.results import Lattice, Photo


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("PNG", "RGB"),
        ("PNG", "P"),
        ("BMP", "RGB"),
        ("GIF", "P"),
        ("TIFF", "RGB"),
        ("TIFF", "CMYK"),
        ("JPEG", "CMYK"),
    ],
)
def test_colours_come_out_in_bgr_order(kind: str, mode: str) -> None:
    picture = corners().quantize(8) if mode == "P" else corners().convert(mode)
    pixels = load_photo(packed(picture, kind)).pixels
    assert colours(pixels) == UPRIGHT
    assert pixels.dtype == np.uint8


def test_transparent_pixels_show_white_paper() -> None:
    ink = Pillow.new("RGBA", (20, 20), (0, 0, 0, 0))
    ink.paste((0, 0, 0, 255), (5, 5, 10, 10))
    pixels = load_photo(packed(ink, "PNG")).pixels
    assert (pixels[1, 1] == 255).all() and (pixels[7, 7] == 0).all()
    half = Pillow.new("LA", (20, 20), (0, 128))
    assert (load_photo(packed(half, "PNG")).pixels == 127).all()


@pytest.mark.parametrize("kind", ["GIF", "WEBP"])
def test_of_an_animation_the_first_frame_is_taken(kind: str) -> None:
    frames = [corners(), Pillow.new("RGB", (64, 48), "white")]
    (photo,) = iter_pages(packed(frames[0], kind, save_all=True, append_images=frames[1:]))
    assert isinstance(photo, Photo)
    assert colours(photo.pixels) == UPRIGHT


def test_a_huge_picture_is_refused_by_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    unpack = Mock(side_effect=AssertionError("pixels were unpacked"))
    monkeypatch.setattr(cv2, "imdecode", unpack)
    monkeypatch.setattr("sudoku_vision.vision.load.picture._unpack", unpack)
    with pytest.raises(TooLargeError, match=r"200 megapixels, the limit is 100.*--max-megapixels"):
        load_photo(png_header(20_000, 10_000))
    with pytest.raises(TooLargeError, match="4295 megapixels"):
        load_photo(png_header(65_535, 65_535), max_megapixels=1000)
    with pytest.raises(OpenError, match="damaged"):  # within the limit, unpacking is tried
        load_photo(png_header(20_000, 10_000), max_megapixels=200)


MISLEADING = (b"BM", *(b"P%d" % n for n in range(1, 7)), b"P1\n4 2 0", b"BM" + b" " * 40, b"see the WEBP")
"""Texts that begin as pictures do."""


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"Dear reader, this is text.", "not a picture"),
        *((start + b" of the week\n" + b"123456789\n" * 9, "not a picture") for start in MISLEADING),
        (b"\0\0\0\x18ftypisom" + bytes(90), "this is a film, not a picture"),
        (b"\x1aE\xdf\xa3" + bytes(90), "this is a film, not a picture"),
        (b"RIFF\0\0\0\0AVI LIST" + bytes(90), "this is a film, not a picture"),
        (b"\xff\xd8\xff\xe0" + bytes(50), "damaged|truncated"),
    ],
)
def test_the_error_for_a_file_that_is_no_picture_names_it_and_its_kind(
    tmp_path: Path, data: bytes, words: str
) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(data)
    with pytest.raises(OpenError, match=words) as caught:
        load_photo(path)
    assert caught.value.remedy
    assert str(path) in caught.value.message


def test_reading_ends_at_a_limit_even_if_the_stream_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load_source, "MAX_STREAM_BYTES", 5 << 20)
    sparse = tmp_path / "photo.jpg"
    with sparse.open("wb") as file:
        file.write(packed(noise(), "JPEG"))
        file.truncate(6 << 20)
    endless = SimpleNamespace(read=lambda size: b"\xff\xd8\xff\xe0" * (size // 4))
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=endless))
    for source in (sparse, "-", endless):
        with pytest.raises(TooLargeError, match="goes on past"):
            load_photo(source)


def test_missing_files_folders_and_odd_names_have_their_own_errors(tmp_path: Path) -> None:
    for path, words in (
        (tmp_path / "none.jpg", "no such file"),
        (tmp_path / "*.jpg", "no file matches"),
        (tmp_path, "this is a folder"),
        ("", "name of a picture is empty"),
        ("x" * 300, "too long"),
    ):
        with pytest.raises(OpenError, match=words):
            load_photo(path)


# Odd files are read without any output of the libraries.

RNG = np.random.default_rng(0)
PIXELS = RNG.integers(0, 256, (40, 50, 3), np.uint8)
ROWS = b"".join(b"\0" + row[:, ::-1].tobytes() for row in PIXELS)
"""The pixels as a PNG packs them: red first, a filter before each row."""


def png(rows: bytes, *before: bytes) -> bytes:
    return png_header(50, 40, rows, b"".join(before))


TAGS = TiffImagePlugin.ImageFileDirectory_v2()
TAGS[65_000] = "a tag that nobody knows"


def tiff(compression: str) -> bytes:
    return packed(Pillow.fromarray(PIXELS[:, :, ::-1]), "TIFF", compression=compression, tiffinfo=TAGS)


ODD = {
    "profile": png(zlib.compress(ROWS), png_chunk(b"iCCP", b"odd\0\0" + zlib.compress(b"no profile"))),
    "gamma": png(zlib.compress(ROWS), png_chunk(b"gAMA", struct.pack(">I", 0)), png_chunk(b"sRGB", b"\x09")),
    "more bytes": png(zlib.compress(ROWS) + b"more"),
    "more rows": png(zlib.compress(ROWS + ROWS)),
    "tag of an LZW TIFF": tiff("tiff_lzw"),
    "tag of a deflated TIFF": tiff("tiff_adobe_deflate"),
}


@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
def test_an_odd_file_is_read_silently(data: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    assert np.array_equal(load_photo(data).pixels, PIXELS)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("rows", [zlib.compress(ROWS[:3000]), b"no pixels"], ids=["too few", "none"])
def test_a_broken_png_is_an_error_without_any_output(rows: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(OpenError, match=r"damaged|truncated"):
        load_photo(png(rows))
    assert capfd.readouterr().err == ""


# The reduced copy of a large JPEG.

WIDTH, HEIGHT = 2 * REDUCED_SIDE + 3, 801


def ramp(orientation: int = 1) -> bytes:
    """A large JPEG with odd sides: red increases to the right, green downwards."""
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    pixels[..., 0] = np.linspace(0, 255, WIDTH)
    pixels[..., 1] = np.linspace(0, 255, HEIGHT)[:, None]
    exif = Pillow.Exif()
    exif[0x0112] = orientation
    return packed(Pillow.fromarray(pixels), "JPEG", quality=98, subsampling=0, exif=exif)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_reduced_copy_lies_where_the_photo_does(orientation: int) -> None:
    photo = load_photo(ramp(orientation))
    assert photo.size == ((WIDTH, HEIGHT) if orientation < 5 else (HEIGHT, WIDTH))
    copy = photo.reduced
    assert copy is not None
    assert "pixels" not in vars(photo), "the whole was unpacked before it was asked for"
    x, y = np.meshgrid(np.linspace(20, copy.pixels.shape[1] - 20, 10), np.linspace(20, 350, 10))
    lattice = Lattice(np.stack([x, y], axis=-1).round().astype(np.float32))
    there = copy.to_photo(lattice)
    assert np.allclose(copy.from_photo(there).crossings, lattice.crossings)
    for here, full in zip(lattice.crossings.reshape(-1, 2), there.crossings.reshape(-1, 2), strict=True):
        seen = copy.pixels[int(here[1]), int(here[0])].astype(int)
        near = np.rint(full).astype(int)
        assert np.abs(seen - photo.pixels[near[1], near[0]]).max() <= 3  # a pixel of the photo farther right
    assert photo.pixels.shape[1::-1] == photo.size


def test_a_photo_of_usual_size_has_no_reduced_copy() -> None:
    picture = Pillow.new("RGB", (2 * REDUCED_SIDE - 1, 8), "white")
    assert load_photo(packed(picture, "JPEG")).reduced is None


def test_the_search_for_grids_never_needs_a_larger_copy() -> None:
    """So a page whose reduced copy shows no grid needs no second look."""
    assert REDUCED_SIDE >= CLOSER * WORKING_SIDE


def test_a_jpeg_without_pixels_is_an_error_when_it_is_loaded() -> None:
    data = ramp()
    start = data.index(b"\xff\xda")
    with pytest.raises(OpenError, match=r"damaged|truncated"):
        load_photo(data[:start] + b"\xff\xd9")


# Hostile files end no batch, and cost neither gigabytes nor minutes.

PAST_ALL_ENDS = b"II+\0\x08\0\0\0" + struct.pack("<Q", 2**64 - 1)
OF_MANY_ENTRIES = b"II+\0\x08\0\0\0" + struct.pack("<QQ", 16, 2**63) + bytes(64)
JPEG = packed(Pillow.new("L", (64, 64), "grey"), "JPEG", progressive=True)
FILM = b"\0\0\0\x18ftypmp42" + bytes(range(256)) * 40 + 200 * b"\xff\xda\0\x0c" + b"moov"


@pytest.mark.parametrize("data", [PAST_ALL_ENDS, OF_MANY_ENTRIES])
def test_a_big_tiff_directory_beyond_the_file_is_damage(data: bytes) -> None:
    with pytest.raises(OpenError, match=r"damaged|truncated"):
        load_photo(data)


def test_a_jpeg_of_hundreds_of_scans_is_refused_by_its_header() -> None:
    last = JPEG[JPEG.rfind(b"\xff\xda") : -2]
    assert load_photo(JPEG[:-2] + 50 * last + JPEG[-2:]).pixels.shape == (64, 64, 3)
    for more in (200 * last, 200 * (b"\xff\x02\xff\xff" + last), 2000 * b"\xff\xfe\0\2" + 200 * last):
        with pytest.raises(OpenError, match=f"more than {MAX_SCANS} scans"):
            load_photo(JPEG[:-2] + more + JPEG[-2:])


def test_where_a_jpeg_ends_is_known_in_spite_of_jpegs_within_and_behind_it() -> None:
    """Phones store films behind it, in which the bytes of a marker come by chance, or another JPEG."""
    for behind in (FILM, JPEG, 30 * JPEG):
        assert load_photo(JPEG + behind).pixels.shape == (64, 64, 3)
    data = packed(noise(), "JPEG", exif=b"Exif\0\0" + packed(noise(1), "JPEG"))  # a thumbnail
    with pytest.raises(OpenError, match="truncated"):
        load_photo(data[: len(data) // 2])


def test_a_tiff_of_many_large_pages_in_a_few_bytes_is_refused() -> None:
    page = Pillow.new("1", (1000, 1000), "white")
    data = packed(page, "TIFF", compression="group4", save_all=True, append_images=[page] * 40)
    pages = list(iter_pages(data, name="fax.tif", max_megapixels=1))
    assert len(pages) == 41
    assert all("too many pixels for" in str(page) for page in pages)


WHITE_PNG = packed(Pillow.new("L", (60, 40), "white"), "PNG")


@pytest.mark.parametrize("error", [MemoryError(), cv2.error("Insufficient memory: failed to allocate")])
def test_too_little_memory_gives_a_plain_error(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudoku_vision.pipeline.locate", Mock(side_effect=error))
    with pytest.raises(OutOfMemoryError, match=r"<bytes>: too large for this memory\. Make it smaller"):
        solve_photo(WHITE_PNG)
    monkeypatch.setattr("sudoku_vision.vision.load.picture.opaque_bgr", Mock(side_effect=error))
    with pytest.raises(OutOfMemoryError, match=r"x\.png: too large"):
        load_photo(WHITE_PNG, name="x.png")
    with pytest.raises(MemoryError):  # as programs may have caught it before
        load_photo(WHITE_PNG)


def test_a_picture_that_there_is_no_memory_to_draw_is_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudoku_vision.cli.outputs.encode", Mock(side_effect=MemoryError))
    ran = run("solve", PUZZLE, "-o", tmp_path / "out.png")
    assert ran.status == 1
    assert "too large for this memory. Make it smaller" in ran.err
