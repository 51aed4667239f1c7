"""What libraries think of an odd picture does not reach standard error: what matters is told by us."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest
from conftest import packed, png_chunk, png_header
from PIL import Image as Pillow
from PIL import TiffImagePlugin

from sudoku_vision.errors import OpenError
from sudoku_vision.vision.load import load_photo

RNG = np.random.default_rng(0)
PIXELS = RNG.integers(0, 256, (40, 50, 3), np.uint8)
ROWS = b"".join(b"\0" + row[:, ::-1].tobytes() for row in PIXELS)
"""The pixels as a PNG packs them: red first, a filter before each row."""


def png(rows: bytes = zlib.compress(ROWS), *before: bytes) -> bytes:
    return png_header(50, 40, rows, b"".join(before))


ODD = {
    "profile": png(zlib.compress(ROWS), png_chunk(b"iCCP", b"odd\0\0" + zlib.compress(b"no profile"))),
    "gamma": png(zlib.compress(ROWS), png_chunk(b"gAMA", struct.pack(">I", 0)), png_chunk(b"sRGB", b"\x09")),
    "more bytes": png(zlib.compress(ROWS) + b"more"),
    "more rows": png(zlib.compress(ROWS + ROWS)),
}


@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
def test_an_odd_png_is_read_without_a_word(data: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    assert np.array_equal(load_photo(data).pixels, PIXELS)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("rows", [zlib.compress(ROWS[:3000]), b"no pixels"], ids=["too few", "none"])
def test_a_broken_png_is_an_error_and_nothing_else(rows: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(OpenError, match=r"damaged|truncated"):
        load_photo(png(rows))
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("compression", ["tiff_lzw", "tiff_adobe_deflate"])
def test_an_odd_tiff_is_read_without_a_word(compression: str, capfd: pytest.CaptureFixture[str]) -> None:
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    tags[65_000] = "a tag that nobody knows"
    data = packed(Pillow.fromarray(PIXELS[:, :, ::-1]), "TIFF", compression=compression, tiffinfo=tags)
    assert np.array_equal(load_photo(data).pixels, PIXELS)
    assert capfd.readouterr().err == ""
