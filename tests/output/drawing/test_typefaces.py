"""Typefaces: those of the package come with their licences, handwriting is known by name."""

from __future__ import annotations

import pytest

from sudoku_vision.output.drawing.typefaces import (
    BUNDLED_FOLDER,
    bundled_typefaces,
    glyph_mask,
    is_handwriting,
)


def test_every_bundled_font_comes_with_its_licence() -> None:
    for font in BUNDLED_FOLDER.glob("*-normal.*"):
        family = font.name.split("-latin-")[0]
        assert "Open Font License" in (BUNDLED_FOLDER / f"{family}-LICENSE.txt").read_text("utf-8")


def test_glyph_mask_is_cut_to_its_ink() -> None:
    mask = glyph_mask(bundled_typefaces()[0], "8", 40)
    assert mask.max() == 255
    assert all(edge.any() for edge in (mask[0], mask[-1], mask[:, 0], mask[:, -1]))


@pytest.mark.parametrize(
    ("family", "written"),
    [("Caveat Brush", True), ("Gochi Hand", True), ("DkgHandwriting", True), ("Liberation Sans", False)],
)
def test_handwriting_is_known_by_the_family_name(family: str, written: bool) -> None:
    assert is_handwriting(family) is written
