"""Lines of words: in the order in which they are read, as wide as they are, from fonts that have them."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from sudoku_vision.output.drawing.typesetting import (
    missing_characters,
    text_width,
    typeset,
    wrapped_words,
)

SUDOKU = "\u0633\u0648\u062f\u0648\u0643\u0648"  # in Arabic
EASY = "\u0633\u0647\u0644"


def _shown(words: str) -> str:
    """The characters of a line from left to right, those of one glyph together."""
    return "".join(glyph.characters for glyph in typeset(words).glyphs)


def test_digits_are_all_as_wide_and_bold_words_wider() -> None:
    assert len({text_width(digit, 10) for digit in "0123456789"}) == 1
    assert text_width("Sudoku", 10) < text_width("Sudoku", 10, bold=True)
    assert text_width("", 10) == 0


def test_letters_are_kerned() -> None:
    assert text_width("AV", 10) < text_width("A", 10) + text_width("V", 10)


def test_what_is_written_from_the_right_stands_so_and_numbers_in_it_do_not(few_fonts: Path) -> None:
    assert _shown("easy 12") == "easy 12"
    assert _shown(SUDOKU) == SUDOKU[::-1]
    assert _shown(f"{SUDOKU} 12 {EASY}") == f"{EASY[::-1]} 12 {SUDOKU[::-1]}"
    # Within a line from the left, what is from the right is turned by itself, its numbers on its left.
    assert _shown(f"ab {SUDOKU} 12 cd") == f"ab 12 {SUDOKU[::-1]} cd"
    assert _shown(f"{EASY} ab-cd") == f"ab-cd {EASY[::-1]}"


def test_letters_that_a_script_joins_are_joined(few_fonts: Path) -> None:
    joined = {glyph.glyph for glyph in typeset(EASY).glyphs}
    alone = {glyph.glyph for letter in EASY for glyph in typeset(letter).glyphs}
    assert not joined & alone


def test_what_the_own_typeface_lacks_comes_from_installed_ones_and_what_none_has_is_told(
    few_fonts: Path,
) -> None:
    faces = [glyph.face.path.name for glyph in typeset("\u6570 1").glyphs]
    assert faces == ["noto-sans-cjk-few.otf", "arimo-latin-400-normal.ttf", "arimo-latin-400-normal.ttf"]
    assert missing_characters(f"Sudoku \u6570\u72ec {SUDOKU}") == []
    assert missing_characters("a\u5b57b\u5b57\u0416") == ["\u5b57", "\u0416"]
    assert missing_characters("a\x00\n") == ["\x00", "\n"]


def test_a_broken_font_is_no_font(few_fonts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sudoku_vision.output.drawing import installed_fonts

    whole = (few_fonts / "noto-sans-cjk-few.otf").read_bytes()
    (tmp_path / "cut.otf").write_bytes(whole[:200])
    (tmp_path / "text.ttf").write_text("no font")
    (tmp_path / "empty.ttc").write_bytes(b"")
    monkeypatch.setattr(installed_fonts, "font_folders", lambda: [tmp_path, tmp_path / "missing"])
    assert missing_characters("\u6570") == ["\u6570"]


@pytest.mark.parametrize("width", [8.0, 15.0, 30.0, 200.0])
def test_words_are_wrapped_into_lines_that_fit_and_none_is_lost(width: float) -> None:
    words = "Look at row 3: a digit that stands in oneandonlyonecell must stand there."
    lines = wrapped_words(words, width, 4)
    assert all(text_width(line, 4) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == words.replace(" ", "")
    for line, following in itertools.pairwise(lines):  # no line ends before it must
        assert text_width(f"{line} {following.split()[0]}", 4) > width or " " not in words


def test_nothing_is_wrapped_into_no_lines() -> None:
    assert wrapped_words("  ", 10, 4) == []


def test_the_packages_own_typeface_has_the_letters_of_western_europe(few_fonts: Path) -> None:
    words = "Sudoku f\u00fcr \u00d3scar: 3 \u00d7 3 \u2013 \u201cGr\u00f6\u00dfe\u201d"
    assert missing_characters(words, bold=True) == []
    faces = {glyph.face.path.name for glyph in typeset(words, bold=True).glyphs}
    assert faces == {"arimo-latin-700-normal.ttf"}
