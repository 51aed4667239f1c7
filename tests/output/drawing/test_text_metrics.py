"""Lines of words are as wide as they are, and break where they must."""

import itertools

import pytest

from sudoku_vision.output.drawing.text_metrics import text_width, wrapped_words


def test_digits_are_all_as_wide_and_bold_words_wider() -> None:
    assert len({text_width(digit, 10) for digit in "0123456789"}) == 1
    assert text_width("Sudoku", 10) < text_width("Sudoku", 10, bold=True)
    assert text_width("", 10) == 0


@pytest.mark.parametrize("width", [8.0, 15.0, 30.0, 200.0])
def test_words_are_wrapped_into_lines_that_fit_and_none_is_lost(width: float) -> None:
    words = "Look at row 3: a digit that stands in oneandonlyonecell must stand there."
    lines = wrapped_words(words, width, 4)
    assert all(text_width(line, 4) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == words.replace(" ", "")
    for line, following in itertools.pairwise(lines):  # no line ends before it must
        assert text_width(f"{line} {following.split()[0]}", 4) > width or " " not in words
