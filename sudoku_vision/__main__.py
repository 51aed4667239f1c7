"""``python -m sudoku_vision`` is the same as ``sudoku-vision``."""

from sudoku_vision.cli import main

if __name__ == "__main__":
    main()
