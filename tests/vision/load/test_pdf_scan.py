"""Scanned pages of a PDF come at the resolution of their picture, drawn ones at the usual one."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from conftest import packed
from PIL import Image as Pillow
from test_picture_formats import pdf

from sudoku_vision.results import Image
from sudoku_vision.vision.load import load_photo
from sudoku_vision.vision.load.pdf_renderer import DPI

pytest.importorskip("pypdfium2", reason="pypdfium2 (extra formats) is not installed")

A5 = (420.0, 595.0)
"""Points."""
USUAL = round(A5[1] / 72 * DPI)


def noise(size: tuple[int, int]) -> Pillow.Image:
    """Soft noise of (width, height), as JPEG keeps it."""
    coarse = np.random.default_rng(3).integers(0, 255, (20, 16), np.uint8)
    return Pillow.fromarray(np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC), np.uint8))


def scanned(picture: Pillow.Image, drawn: str = "", *, more: str = "", share: float = 1.0) -> bytes:
    """An A5 page that holds a picture over a *share* of its height, and what is *drawn* over it."""
    jpeg = packed(picture, "JPEG", quality=95)
    width, height = picture.size
    place = f"q {A5[0]} 0 0 {share * A5[1]} 0 0 cm /X Do Q {drawn}"
    data = pdf([place], A5, f"/Resources << /XObject << /X 100 0 R >> /Font << /F 101 0 R >> >> {more}")
    data = data[: data.index(b"xref\n")]
    kind = f"/Type /XObject /Subtype /Image /Width {width} /Height {height} /BitsPerComponent 8"
    head = f"100 0 obj\n<< {kind} /ColorSpace /DeviceGray /Filter /DCTDecode /Length {len(jpeg)} >>\nstream\n"
    font = "101 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n"
    end = f"\nendstream\nendobj\n{font}trailer\n<< /Size 102 /Root 1 0 R >>\n%%EOF\n"
    return data + head.encode() + jpeg + end.encode()


def seen(picture: Pillow.Image) -> Image:
    """What the picture shows as JPEG."""
    file = io.BytesIO(packed(picture, "JPEG", quality=95))
    return np.asarray(Pillow.open(file).convert("RGB"), np.uint8)


@pytest.mark.parametrize("size", [(2479, 3512), (1391, 1971)])
def test_each_pixel_of_a_scan_comes_out_as_one(size: tuple[int, int]) -> None:
    pixels = load_photo(scanned(noise(size))).pixels
    assert pixels.shape[1::-1] == size
    assert np.abs(pixels.astype(int) - seen(noise(size))).mean() < 1


def test_a_scan_is_turned_as_its_page_says() -> None:
    pixels = load_photo(scanned(noise((1391, 1971)), more="/Rotate 90")).pixels
    assert pixels.shape[:2] == (1391, 1971)
    assert np.abs(pixels.astype(int) - np.rot90(seen(noise((1391, 1971))), -1)).mean() < 1


@pytest.mark.parametrize(
    ("size", "drawn", "share", "height"),
    [
        ((1391, 1971), "BT /F 12 Tf 3 Tr 50 50 Td (words) Tj ET", 1.0, 1971),  # recognised text, invisible
        ((350, 496), "0 0 0 RG 50 50 200 200 re S", 1.0, USUAL),
        ((2479, 3512), "0 0 0 RG 50 50 200 200 re S", 1.0, 3512),
        ((2479, 1756), "", 0.5, USUAL),
    ],
    ids=["text", "lines on a coarse scan", "lines on a fine scan", "half a page"],
)
def test_what_is_drawn_beside_a_scan_changes_its_resolution_only_where_it_is_finer(
    size: tuple[int, int], drawn: str, share: float, height: int
) -> None:
    assert load_photo(scanned(noise(size), drawn, share=share)).size[1] == pytest.approx(height, abs=1)


def test_a_scan_keeps_to_the_limit() -> None:
    width, height = load_photo(scanned(noise((2479, 3512))), max_megapixels=2.0).size
    assert 1.9e6 < width * height <= 2e6
