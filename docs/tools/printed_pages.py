"""Draw the printed pages of formats.md: puzzles to solve, and the steps that solve one of them.

python docs/tools/printed_pages.py [OUT.png]
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from sudoku_vision.output.drawing.figure import Figure
from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle
from sudoku_vision.output.drawing.puzzle_pages import PageStyle, page_figures
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.output.overlay.step_sheets import StepSheet, sheet_pages
from sudoku_vision.output.save import save
from sudoku_vision.sudoku.formats.links import link
from sudoku_vision.sudoku.generator import series
from sudoku_vision.sudoku.generator.constraints import Constraints
from sudoku_vision.sudoku.logic import explain
from sudoku_vision.values import Image

SEED, SITE = 5, "sudokuwiki.org"
DPI, FINER = 62, 3
EDGE, GAP = (150, 150, 150), 16


def main(arguments: list[str]) -> int:
    """Write the picture; gives the exit status."""
    out = Path(arguments[0] if arguments else "docs/printed.png")
    puzzles = list(islice(series(Constraints("hard"), SEED), 4))
    items = [
        PrintablePuzzle(
            puzzle.board,
            puzzle.solution,
            name=str(puzzle.number),
            note=f"{puzzle.rating.name}, {puzzle.clues} clues",
            link=link(puzzle.board, SITE),
        )
        for puzzle in puzzles
    ]
    (page,) = page_figures(items, PageStyle(per_page=4, title="Sunday sudoku"))
    steps = sheet_pages([StepSheet(explain(puzzles[0].board), puzzles[0].board, "Sunday sudoku, 1")])
    save(out, side_by_side(page, steps[0]))
    print(f"{out}: {out.stat().st_size / 1e3:.0f} kB")
    return 0


def side_by_side(*pages: Figure) -> Image:
    """The pages beside one another, each with an edge."""
    drawn = [
        cv2.resize(raster(page, DPI * FINER), None, fx=1 / FINER, fy=1 / FINER, interpolation=cv2.INTER_AREA)
        for page in pages
    ]
    edged = [cv2.copyMakeBorder(one, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=EDGE) for one in drawn]
    gap = np.full((edged[0].shape[0], GAP, 3), 255, np.uint8)
    return np.hstack([part for one in edged for part in (one, gap)][:-1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
