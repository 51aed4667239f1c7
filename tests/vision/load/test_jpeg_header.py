"""The header of a JPEG says what Pillow says of it, or nothing."""

from __future__ import annotations

import io

import numpy as np
import pytest
from conftest import packed
from PIL import Image as Pillow

from sudoku_vision.vision.load.jpeg_header import JpegHeader, header_of
from sudoku_vision.vision.load.orientation import orientation_of

PICTURE = Pillow.new("RGB", (37, 21), "white")


def with_orientation(value: int) -> Pillow.Exif:
    exif = Pillow.Exif()
    exif[0x010F] = "maker"
    exif[0x0112] = value
    return exif


@pytest.mark.parametrize("orientation", range(10))
@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"dpi": (72, 72)}])
def test_size_and_orientation_are_told(orientation: int, options: dict[str, object]) -> None:
    data = packed(PICTURE, "JPEG", exif=with_orientation(orientation), **options)
    assert header_of(data) == JpegHeader((37, 21), orientation if 1 <= orientation <= 8 else 1)


def test_big_and_little_ends_are_read_and_grey_is_usual() -> None:
    exif = b"MM\0*" + bytes([0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0])
    data = packed(PICTURE.convert("L"), "JPEG", exif=b"Exif\0\0" + exif)
    assert header_of(data) == JpegHeader((37, 21), 6)
    assert header_of(packed(PICTURE, "JPEG")) == JpegHeader((37, 21), 1)


XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><tiff:Orientation>6</tiff:Orientation></x:xmpmeta>'


def test_exif_outranks_xmp_as_it_does_for_pillow() -> None:
    data = packed(PICTURE, "JPEG", exif=with_orientation(8), xmp=XMP)
    assert header_of(data) == JpegHeader((37, 21), 8)
    assert orientation_of(Pillow.open(io.BytesIO(data))) == 8


def test_of_anything_unusual_nothing_is_told() -> None:
    whole = packed(PICTURE, "JPEG")
    for data in (
        packed(PICTURE.convert("CMYK"), "JPEG"),
        packed(PICTURE, "JPEG", xmp=XMP),
        packed(PICTURE, "JPEG", exif=b"Exif\0\0 no directory"),
        whole[:2],
        whole[:30],
        b"\xff\xd8" + b"words" + whole[2:],
        b"",
    ):
        assert header_of(data) is None


@pytest.mark.filterwarnings("ignore")
def test_damage_never_makes_it_say_another_size() -> None:
    rng = np.random.default_rng(9)
    whole = packed(PICTURE, "JPEG", exif=with_orientation(6))
    told = 0
    for _ in range(600):
        data = bytearray(whole)
        for at in rng.integers(0, 220, 2):
            data[at] = int(rng.integers(0, 256))
        header = header_of(bytes(data))
        if header is None:
            continue
        try:
            picture = Pillow.open(io.BytesIO(bytes(data)))
        except (OSError, SyntaxError):
            continue  # what unpacks it says so, too
        told += 1
        assert header.size == picture.size
        assert header.orientation in {orientation_of(picture), 6}, (
            "what was written, or what Pillow makes of it"
        )
    assert told > 100
