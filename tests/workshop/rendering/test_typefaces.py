"""Typefaces: those of the package come with their licences, handwriting is known by name."""

import pytest

from workshop.rendering.typefaces import BUNDLED_FOLDERS, bundled_typefaces, glyph_mask, is_handwriting


def test_every_bundled_font_comes_with_its_licence() -> None:
    fonts = [font for folder in BUNDLED_FOLDERS for font in folder.glob("*-normal.*")]
    assert len(fonts) == 8
    for font in fonts:
        family = font.name.split("-latin-")[0]
        assert "Open Font License" in font.with_name(f"{family}-LICENSE.txt").read_text("utf-8")


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
