"""Large JPEG: its reduced copy lies exactly where the photo does; the whole comes when it is asked for."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import packed
from PIL import Image as Pillow

from sudoku_vision.errors import OpenError
from sudoku_vision.results import Lattice
from sudoku_vision.vision.load import load_photo
from sudoku_vision.vision.load.jpeg import REDUCED_SIDE
from sudoku_vision.vision.locate import CLOSER, WORKING_SIDE

WIDTH, HEIGHT = 2 * REDUCED_SIDE + 3, 801


def ramp(orientation: int = 1) -> bytes:
    """A large JPEG, its width and height odd: the redder the farther right, the greener the farther down."""
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


def test_no_larger_copy_is_ever_searched() -> None:
    """So a page whose reduced copy shows no grid needs no second look."""
    assert REDUCED_SIDE >= CLOSER * WORKING_SIDE


def test_what_cannot_be_unpacked_is_told_when_it_is_loaded() -> None:
    data = ramp()
    start = data.index(b"\xff\xda")
    with pytest.raises(OpenError, match=r"damaged|truncated"):
        load_photo(data[:start] + b"\xff\xd9")
