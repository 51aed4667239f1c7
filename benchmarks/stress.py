"""How bad a picture can be and still be read: one bad condition at a time, with rising strength.

    python benchmarks/stress.py [--count N] [--only NAME...]

Apart from this condition, every picture is a good photo of a printed sheet. Each strength has the same N
puzzles and typefaces, so that differences come only from the condition. For each strength, these pictures are
counted: *found* (a grid was found), *read* (all 81 cells are right), *solved* (called solved), *unnamed*
(called solved, although a cell is misread and not listed as doubtful) and *wrong* (called solved with another
answer). If glare hides a clue, a picture can be solved without being read: the other clues can have the same
solution.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

import bench
import numpy as np
from drawn.pages import draw_page

from sudoku_vision.pipeline import read_page
from sudoku_vision.vision.digits import CellClassifier, load_model
from sudoku_vision.vision.results import Photo
from workshop.evaluation.text import aligned
from workshop.progress import tracked
from workshop.rendering import Bend, Conditions, Drawing, Light, Optics, Pose, random_puzzle
from workshop.rendering.typefaces import bundled_typefaces

_SHARP_SHADOW = 0.015  # ``Light.shadow_softness``: an edge that is too sharp for the correction of the light

Spoil = Callable[[Conditions, float, np.random.Generator], Conditions]
"""A function that makes conditions worse. Arguments: good conditions, the strength and a random generator."""

SIDE, FILL = 640, 0.7
CELL = FILL * SIDE / 9  # side of a cell in a good photo, in pixels
SMALL_CELL = 20  # side of a cell in the pictures for the condition "JPEG", in pixels

CLEAN = Conditions(
    size=(SIDE, SIDE),
    paper=(238.0, 242.0, 244.0),
    ink=0.95,
    pose=Pose(fill=FILL),
    optics=Optics(blur=0.5, noise=1.5, jpeg=92),
)
"""The conditions of a good photo."""

READ_WELL = 0.9  # a condition's strength is withstood if at least this share of the pictures is read

COUNTS = ("found", "read", "solved", "unnamed", "wrong")


@dataclass(frozen=True)
class Condition:
    """A bad condition, and the strengths at which it is tried, the mildest first."""

    name: str
    unit: str
    strengths: tuple[float, ...]
    spoil: Spoil


def _sign(rng: np.random.Generator) -> float:
    return float(rng.choice([-1.0, 1.0]))


def _tilted(base: Conditions, degrees: float, rng: np.random.Generator) -> Conditions:
    way = rng.uniform(0, 2 * np.pi)
    pitch, yaw = degrees * np.cos(way), degrees * np.sin(way)
    return replace(base, pose=replace(base.pose, pitch=float(pitch), yaw=float(yaw)))


def _turned(base: Conditions, degrees: float, rng: np.random.Generator) -> Conditions:
    return replace(base, pose=replace(base.pose, roll=_sign(rng) * degrees))


def _arched(base: Conditions, height: float, rng: np.random.Generator) -> Conditions:
    return replace(base, bend=Bend(arch=_sign(rng) * height, direction=float(rng.uniform(0, 180))))


def _bound(base: Conditions, depth: float, _: np.random.Generator) -> Conditions:
    return replace(base, layout="book", surround=0.12, bend=Bend(gutter=depth))


def _shaken(base: Conditions, length: float, rng: np.random.Generator) -> Conditions:
    angle = float(rng.uniform(0, 180))
    return replace(base, optics=replace(base.optics, motion=length * CELL, motion_angle=angle))


def _compressed(base: Conditions, quality: float, _: np.random.Generator) -> Conditions:
    """Compress a picture with small cells, because JPEG damages only details of a few pixels."""
    return replace(base, size=_size(SMALL_CELL), optics=replace(base.optics, jpeg=int(quality)))


def _size(pixels: float) -> tuple[int, int]:
    """Return the size of a picture whose cells are *pixels* wide."""
    side = round(pixels * 9 / FILL)
    return side, side


def _crumpled(height: float) -> Bend:
    return Bend(waves=height, creases=14, crease_height=height)


def _shadow(darkness: float) -> Light:
    return Light(shadow=darkness, shadow_softness=_SHARP_SHADOW)


def _set(part: str, setting: str, of: Callable[[float], Any] = float) -> Spoil:
    """Return a function that sets one field of the conditions.

    *setting*: name of the field. *part*: name of the part that has the field; "" if the conditions
    themselves have it. *of* returns the field's value for a strength.
    """

    def spoil(base: Conditions, strength: float, _: np.random.Generator) -> Conditions:
        change = {setting: of(strength)}
        return replace(base, **({part: replace(getattr(base, part), **change)} if part else change))

    return spoil


def _faded(strength: float) -> tuple[float, float, float]:
    """Return the colour of print (blue, green, red). *strength*: 1 for black, 0 for the paper's colour."""
    blue, green, red = (channel * (1 - strength) for channel in CLEAN.paper)
    return blue, green, red


_FAINT = (0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01)
_BLURS = (0.03, 0.05, 0.07, 0.09, 0.11, 0.13, 0.15, 0.18)
_SHADOWS = (0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)
_SLOPES = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.99)
_GHOSTS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
_SIZES = (0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.17, 0.14)
_MOIRES = (0.02, 0.04, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4)

CONDITIONS = (
    Condition("tilt", "degrees", (40, 50, 60, 65, 70, 75, 79, 82), _tilted),
    Condition("rotation", "degrees", (5, 10, 20, 30, 40, 45, 90, 180), _turned),
    Condition("bend", "height in sides", (0.03, 0.06, 0.1, 0.14, 0.18, 0.22, 0.26, 0.3), _arched),
    Condition("book fold", "depth in sides", (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5), _bound),
    Condition(
        "crumple",
        "height in sides",
        (0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1),
        _set("", "bend", _crumpled),
    ),
    Condition("size", "pixels a cell", (30, 24, 20, 16, 13, 11, 9, 7), _set("", "size", _size)),
    Condition("blur", "sigma in cells", _BLURS, _set("optics", "blur", lambda cells: cells * CELL)),
    Condition("motion blur", "length in cells", (0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8), _shaken),
    Condition("noise", "grey levels", (10, 20, 40, 60, 80, 110, 150, 200), _set("optics", "noise")),
    Condition("JPEG", f"quality, {SMALL_CELL} pixels a cell", (50, 30, 20, 15, 10, 7, 5, 3), _compressed),
    Condition("light gradient", "loss", _SLOPES, _set("light", "gradient")),
    Condition("shadow", "darkness", _SHADOWS, _set("", "light", _shadow)),
    Condition("glare", "of white", (0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0, 1.5), _set("light", "glare")),
    Condition("exposure", "of full", (0.5, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03), _set("light", "exposure")),
    Condition("thin lines", "strength", (*_FAINT[:-1], 0.0), _set("grid", "thin_strength")),
    Condition("all lines", "strength", _FAINT, _set("grid", "line_colour", _faded)),
    Condition("digits", "strength", _FAINT, _set("grid", "digit_colour", _faded)),
    Condition("digit size", "height in cells", _SIZES, _set("grid", "digit_height")),
    Condition("ink", "of black", _FAINT, _set("", "ink")),
    Condition("ghost print", "of black", _GHOSTS, _set("", "ghost")),
    Condition("moire", "amplitude", _MOIRES, _set("optics", "moire")),
)


def drawn(number: int, condition: Condition | None, strength: float) -> Drawing:
    """Draw a puzzle. *number* decides puzzle and typeface. If *condition* is None, draw a good photo."""
    rng = np.random.default_rng([0, number])
    puzzle, _ = random_puzzle(rng, int(rng.integers(24, 37)))
    faces = [face for face in bundled_typefaces() if not face.handwritten]
    grid = replace(CLEAN.grid, typeface=faces[int(rng.integers(len(faces)))])
    conditions = replace(CLEAN, grid=grid)
    if condition is not None:
        conditions = condition.spoil(conditions, strength, np.random.default_rng([0, number, 1]))
    return draw_page(np.random.default_rng([0, number, 2]), conditions, puzzles=[puzzle])


def counted(drawing: Drawing, model: CellClassifier) -> dict[str, bool]:
    """Return which of the :data:`COUNTS` are true of a picture."""
    truth = drawing.grids[0]
    grids = read_page(Photo(drawing.pixels), model=model).grids
    right = any(np.array_equal(grid.puzzle, truth.puzzle) for grid in grids)
    solved = [grid for grid in grids if grid.status == "solved"]
    misread = [(grid, np.flatnonzero(grid.puzzle != truth.puzzle).tolist()) for grid in solved]
    unnamed = any(set(cells) - {doubt.cell for doubt in grid.doubts} for grid, cells in misread)
    answers = [grid.solution for grid in solved if grid.solution is not None]
    wrong = any(not np.array_equal(answer, truth.solution) for answer in answers)
    return dict(zip(COUNTS, (bool(grids), right, bool(solved), unnamed, wrong), strict=True))


def measure(condition: Condition | None, strength: float, count: int, model: CellClassifier) -> Counter[str]:
    """Draw and read *count* pictures. Return the :data:`COUNTS`, summed over the pictures."""
    counts = Counter(of=count)
    for number in range(count):
        counts.update(counted(drawn(number, condition, strength), model))
    return counts


def summary(condition: Condition, levels: Sequence[Counter[str]]) -> tuple[str, ...]:
    """Return a row for a *condition*.

    It has the name, the share of all pictures that was read, the last strength before the first one that was
    not withstood, the number of wrong answers, and the unit of strengths.
    """
    pairs = zip(condition.strengths, levels, strict=True)
    held = list(takewhile(lambda pair: pair[1]["read"] >= READ_WELL * pair[1]["of"], pairs))
    whole = sum(levels, Counter())
    withstood = f"{held[-1][0]:g}" if held else "none"
    share = f"{100 * whole['read'] / whole['of']:.0f} %"
    return (condition.name, share, withstood, str(whole["wrong"]), condition.unit)


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw and read the pictures, and print the tables."""
    parser = bench.parser(__doc__)
    parser.add_argument("--count", type=int, default=6, metavar="N", help="pictures at each strength (6)")
    names = [condition.name for condition in CONDITIONS]
    parser.add_argument("--only", nargs="+", default=names, choices=names, metavar="NAME", help="these alone")
    options = parser.parse_args(arguments)
    conditions, model = [one for one in CONDITIONS if one.name in options.only], load_model()
    levels = {"clean": measure(None, 0.0, options.count, model)}
    rows: list[tuple[str, ...]] = [("", "read", "withstood", "wrong", "unit")]
    for condition in tracked(conditions, "stress"):
        met = [measure(condition, strength, options.count, model) for strength in condition.strengths]
        levels |= {f"{condition.name} {at:g}": one for at, one in zip(condition.strengths, met, strict=True)}
        rows.append(summary(condition, met))
    print(f"{bench.counts_table(levels, ('of', *COUNTS), summed=False)}\n\n{aligned(rows)}")


if __name__ == "__main__":
    main()
