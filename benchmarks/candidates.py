"""Read screens whose blank cells show candidates: how many are answered, and which candidates are read.

    python benchmarks/candidates.py [--count N] [--seed N] [--layout LAYOUT] [--fonts FOLDER]

The height of clues is 36 to 62 % of the height of a cell, and that of candidates 14 to 24 %. In 60 screens,
the default of N, each typeface, each set of colours and each height of clues occurs 10 times or more. About
one screen in three has entries.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import bench
import numpy as np
from drawn.pages import draw_page

from sudoku_vision.output.drawing.figure import Colour
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.board import Board, Marks
from sudoku_vision.sudoku.rules import PEERS
from workshop.evaluation.metrics import noted_counts
from workshop.progress import tracked
from workshop.rendering import (
    MARK_LAYOUTS,
    Conditions,
    Drawing,
    GridStyle,
    MarkLayout,
    MarkStyle,
    Optics,
    Pose,
    Writing,
    random_puzzle,
)
from workshop.rendering.canvas import brightened
from workshop.rendering.typefaces import Typeface, bundled_typefaces, font_files, open_typeface
from workshop.rendering.writing import fill_in

CLUE_HEIGHTS = (0.36, 0.40, 0.44, 0.48, 0.55, 0.62)  # heights of the clues, in cells
MARK_HEIGHTS = (0.14, 0.17, 0.2, 0.24)  # heights of the candidates, in cells
SIZES = (
    (750, 1334),
    (1000, 750),
    (540, 1170),
    (1080, 1920),
)  # (width, height) of the screens, in pixels


class Theme(NamedTuple):
    """Colours of an app (blue, green, red)."""

    cells: Colour
    lines: Colour
    clues: Colour
    entries: Colour
    candidates: Colour
    tint: Colour | None = None  # of shaded boxes


THEMES = (
    Theme((255, 255, 255), (60, 60, 60), (30, 30, 30), (200, 90, 20), (120, 120, 120)),
    Theme((38, 34, 32), (120, 120, 120), (230, 230, 230), (250, 180, 110), (165, 165, 165)),
    Theme((252, 250, 248), (90, 80, 70), (60, 40, 30), (210, 110, 40), (110, 100, 95), (240, 228, 214)),
    Theme((232, 245, 250), (70, 100, 130), (30, 50, 70), (40, 40, 180), (90, 110, 125), (200, 226, 238)),
)

COUNTS = ("screens", "answered", "wrong", "unread", "marks", "read", "extra")
"""Names of counts of screens and of candidates.

``screens``: all screens. ``answered``: screens with the right solution. ``wrong``: screens that are called
solved, but have another solution. ``unread``: screens that are not called solved. ``marks``: drawn
candidates. ``read``: drawn candidates that were read. ``extra``: candidates that were read, but not drawn.
"""


class Screen(NamedTuple):
    """A drawn screen. ``settings``: a text about it. ``height``: height of its clues in sides of cells."""

    drawing: Drawing
    settings: str
    height: float


def candidates(digits: Board, solution: Board, rng: np.random.Generator) -> Marks:
    """Return the candidates to draw in the blank cells.

    One of three kinds is chosen at random: all nine digits; the digits that no peer has; some of the digits
    that no peer has. The right digit is always a candidate.
    """
    kind = rng.choice(["nine", "possible", "fewer"], p=[0.2, 0.4, 0.4])
    flat, right = digits.ravel(), solution.ravel()
    marks = [frozenset[int]()] * 81
    for cell in np.flatnonzero(flat == 0).tolist():
        seen = set() if kind == "nine" else {int(flat[peer]) for peer in PEERS[cell]}
        own = [
            digit
            for digit in range(1, 10)
            if digit not in seen and (digit == right[cell] or kind != "fewer" or rng.random() < 0.6)
        ]
        marks[cell] = frozenset(own or {int(right[cell])})
    return tuple(marks)


def draw_screen(number: int, seed: int, layout: MarkLayout, faces: Sequence[Typeface]) -> Screen:
    """Draw the screen with this *number*. *layout*: how the candidates in a cell are arranged."""
    rng = np.random.default_rng([seed, number])
    lap, place = divmod(number, len(faces))
    face, theme = faces[place], THEMES[(lap + place // 2) % len(THEMES)]
    height, mark_height = CLUE_HEIGHTS[(lap + place) % len(CLUE_HEIGHTS)], float(rng.choice(MARK_HEIGHTS))
    share = float(rng.choice([0.0, 0.0, 0.2]))
    marks = MarkStyle(height=mark_height, layout=layout, colour=theme.candidates, strength=1.0)
    writing = Writing(
        share=share, typed=True, colour=theme.entries, height=height, strength=1.0, jitter=0.0, marks=marks
    )
    thin, dark = float(rng.uniform(0.012, 0.03)), bool(np.mean(theme.cells) < 128)
    grid = GridStyle(
        thin=thin,
        thick=2.5 * thin,
        border=2.5 * thin,
        thin_strength=float(rng.uniform(0.4, 1.0)),
        cell_colour=theme.cells,
        line_colour=theme.lines,
        digit_colour=theme.clues,
        digit_height=height,
        typeface=face,
        shaded=() if theme.tint is None else (1, 3, 5, 7),
        shade=theme.tint or (215.0, 215.0, 215.0),
        highlight=int(rng.integers(81)) if rng.random() < 0.3 else None,
        highlight_colour=theme.tint or brightened(theme.cells, 25 if dark else -18),
    )
    size = SIZES[int(rng.integers(len(SIZES)))]
    conditions = Conditions(
        size=size,
        layout="app",
        screenshot=True,
        paper=theme.cells,
        dark=dark,
        surround=float(rng.uniform(0.02, 0.06)),
        grid=grid,
        writing=writing,
        pose=Pose(fill=float(rng.uniform(0.88, 1.0))),
        optics=Optics(jpeg=int(rng.choice([0, 75, 90]))),
    )
    puzzle, solution = random_puzzle(rng, int(rng.integers(24, 34)))
    written = fill_in(puzzle, solution, writing, rng)
    noted = candidates(puzzle + written, solution, rng)
    drawing = draw_page(rng, conditions, puzzles=[puzzle], written=[written], marks=[noted])
    settings = f"{face.family} {face.weight}, clues {height}, marks {mark_height}, {size}, entries {share}"
    return Screen(drawing, settings, height)


def typefaces(folders: Sequence[Path] | None) -> list[Typeface]:
    """Return the typefaces in *folders*; without folders, the bundled typefaces other than handwriting."""
    if not folders:
        return [face for face in bundled_typefaces() if not face.handwritten]
    return [face for path in font_files(folders) if (face := open_typeface(path, 0)) is not None]


def measure(screen: Screen) -> tuple[str, Counter[str]]:
    """Read a screen; return its status and its :data:`COUNTS`."""
    truth = screen.drawing.grids[0]
    drawn = sum(map(len, truth.marks))
    page = read_page(screen.drawing.pixels)
    counts = Counter(screens=1, marks=drawn)
    if not page.grids:
        return page.status, counts + Counter(unread=1)
    found = page.grids[0]
    right = bench.is_answered(found, truth)
    result = "unread" if found.status != "solved" else "answered" if right else "wrong"
    marks = noted_counts(list(zip(truth.marks, found.marks, strict=True)))
    counts.update({result: 1, "read": marks["digits_read"], "extra": marks["digits_extra"]})
    return str(found.status), counts


def main() -> None:
    """Draw and read the screens, and print the counts for each height of clues."""
    parser = bench.parser(__doc__)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--layout", choices=MARK_LAYOUTS, default="square")
    parser.add_argument("--fonts", type=Path, action="append", help="folders of typefaces instead of ours")
    options = parser.parse_args()
    faces = typefaces(options.fonts)
    by_height: dict[float, Counter[str]] = {height: Counter() for height in CLUE_HEIGHTS}
    for number in tracked(range(options.count), "candidates"):
        screen = draw_screen(number, options.seed, options.layout, faces)
        status, counts = measure(screen)
        by_height[screen.height] += counts
        if not counts["answered"] or counts["read"] < 0.99 * counts["marks"] or counts["extra"]:
            print(f"{number}: {status}; {screen.settings}; {dict(counts)}")
    print(bench.counts_table({f"{height:.0%}": met for height, met in by_height.items()}, COUNTS))


if __name__ == "__main__":
    main()
