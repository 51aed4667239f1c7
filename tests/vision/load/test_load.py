"""Load: every kind of picture comes out upright, BGR and 8 bits; what is none is told plainly."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from conftest import packed, png_header
from PIL import Image as Pillow
from test_picture_formats import UPRIGHT, colours, corners, noise

from sudoku_vision.errors import OpenError, TooLargeError
from sudoku_vision.results import Photo
from sudoku_vision.vision.load import files as load_source
from sudoku_vision.vision.load import iter_pages, load_photo


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


def test_sixteen_bits_are_scaled_not_cut_off() -> None:
    ramp = np.linspace(0, 65535, 2400).reshape(40, 60).astype(np.uint16)
    for kind in ("PNG", "TIFF"):
        pixels = load_photo(packed(Pillow.fromarray(ramp), kind)).pixels
        assert np.abs(pixels[..., 0].astype(float) - ramp / 257).max() <= 0.51


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
    def unpack(*_: object) -> None:
        raise AssertionError("pixels were unpacked")

    monkeypatch.setattr(cv2, "imdecode", unpack)
    monkeypatch.setattr("sudoku_vision.vision.load.picture._unpack", unpack)
    with pytest.raises(TooLargeError, match=r"200 megapixels, the limit is 100.*--max-megapixels"):
        load_photo(png_header(20_000, 10_000))
    with pytest.raises(TooLargeError, match="4295 megapixels"):
        load_photo(png_header(65_535, 65_535), max_megapixels=1000)


def test_the_limit_on_pixels_can_be_raised_and_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = np.zeros((1, 1, 3), np.uint8)
    monkeypatch.setattr("sudoku_vision.vision.load.picture._unpack", lambda *_: pixels)
    assert np.shares_memory(load_photo(png_header(20_000, 10_000), max_megapixels=200).pixels, pixels)
    with pytest.raises(TooLargeError):
        load_photo(packed(corners(), "PNG"), max_megapixels=0.001)


def test_a_jpeg_cut_after_its_thumbnail_is_truncated_all_the_same() -> None:
    thumbnail = packed(noise(1), "JPEG")
    data = packed(noise(), "JPEG", exif=b"Exif\0\0" + thumbnail)
    with pytest.raises(OpenError, match="truncated"):
        load_photo(data[: len(data) // 2])
    assert load_photo(data + b"trailing video of a motion photo").size == noise().size


TEXTS = (
    b"BM",
    b"P1",
    b"P2",
    b"P3",
    b"P4",
    b"P5",
    b"P6",
    b"P1\n4 2 0",
    b"BM" + b" " * 40,
    b"see the WEBP page",
)
"""How a text may begin, as pictures do."""


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"Dear reader, this is text.", "not a picture"),
        *((start + b" of the week\n" + b"123456789\n" * 9, "not a picture") for start in TEXTS),
        (b"\0\0\0\x18ftypisom" + bytes(90), "videos are not supported"),
        (b"\xff\xd8\xff\xe0" + bytes(50), "damaged|truncated"),
    ],
)
def test_what_is_no_picture_is_told_what_it_is(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(data)
    with pytest.raises(OpenError, match=words) as caught:
        load_photo(path)
    assert caught.value.remedy
    assert str(path) in caught.value.message


def test_a_file_is_read_as_far_as_a_picture_may_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load_source, "MAX_STREAM_BYTES", 5 << 20)
    sparse = tmp_path / "photo.jpg"
    with sparse.open("wb") as file:
        file.write(packed(noise(), "JPEG"))
        file.truncate(6 << 20)
    endless = SimpleNamespace(read=lambda size: b"\xff\xd8\xff\xe0" * (size // 4))
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=endless))
    for source in (sparse, "-"):
        with pytest.raises(TooLargeError, match="goes on past"):
            load_photo(source)


def test_missing_files_folders_and_odd_names_are_told_apart(tmp_path: Path) -> None:
    for path, words in (
        (tmp_path / "none.jpg", "no such file"),
        (tmp_path / "*.jpg", "no file matches"),
        (tmp_path, "this is a folder"),
        ("", "name of a picture is empty"),
        ("x" * 300, "too long"),
    ):
        with pytest.raises(OpenError, match=words):
            load_photo(path)


def test_a_real_photo_loads_as_opencv_reads_it(shared_data: Path) -> None:
    for name in ("w016.jpg", "w001.jpg"):
        path = shared_data / "wild" / "images" / name
        read = cv2.imread(str(path), cv2.IMREAD_COLOR)
        assert read is not None
        assert np.array_equal(load_photo(path).pixels, read)
