"""Printing from Python: what stands on the pages can be read from them again."""

from pathlib import Path

import pytest
from conftest import PUZZLE, SOLUTION, board

from sudoku_vision import PrintablePuzzle, generate, print_puzzles, read_pages
from sudoku_vision.errors import UsageError
from sudoku_vision.sudoku.board import board_text


def test_a_book_has_its_puzzles_and_their_solutions(tmp_path: Path) -> None:
    made, own = generate(seed=3), PrintablePuzzle(board(PUZZLE), board(SOLUTION), name="My own")
    print_puzzles([made, PUZZLE, own], tmp_path / "book.pdf", title="Ours", per_page=2, solutions=True)
    *pages, solved = read_pages(tmp_path / "book.pdf")
    assert [board_text(grid.puzzle) for page in pages for grid in page.grids] == [str(made), PUZZLE, PUZZLE]
    assert [grid.solution is not None for page in pages for grid in page.grids] == [True] * 3
    assert board_text(solved.grids[1].board) == board_text(solved.grids[2].board) == SOLUTION


@pytest.mark.parametrize(
    "what", [{"output": "book.txt"}, {"puzzles": []}, {"per_page": 5}, {"qr": "nowhere"}]
)
def test_what_cant_be_printed_is_refused(tmp_path: Path, what: dict[str, object]) -> None:
    output = tmp_path / str(what.pop("output", "book.pdf"))
    with pytest.raises(UsageError):
        print_puzzles(what.pop("puzzles", [PUZZLE]), output, **what)  # type: ignore[arg-type]
    assert not output.exists()
