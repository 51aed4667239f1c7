"""How much a picture may be spoilt before it is no longer read: one condition at a time, in rising strength.

    python benchmarks/stress.py [--count N] [--only NAME,...] [--plot stress.png] [--sheet sheet.png]
                                [--json now.json] [--against before.json] [--fonts DIR]

Every picture starts as a good photo of a printed sheet. The same N puzzles and typefaces are drawn at every
strength, so that a curve shows the condition and not the luck of the draw. Of each strength is counted:

* *found*: a grid is reported where the puzzle lies (its crossings half a cell off on average at most);
* *read*: all 81 cells of it are right;
* *solved*: it is called solved; *wrong*: it is called solved though it was not read;
* what stopped the others: see :data:`CAUSES`.

``--json`` keeps a run and ``--against`` compares with one kept, so that a change shows what it bought and
what it cost. ``--sheet`` shows a picture of each strength, framed by what became of it.
"""

from __future__ import annotations

from sudoku_vision.blas import start_with_one_thread

start_with_one_thread()  # before NumPy is loaded

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from sudoku_vision.cli.progress import progress
from sudoku_vision.errors import SudokuVisionError, UsageError
from sudoku_vision.output.drawing.colours import (
    BLUE,
    FAINT,
    GREEN,
    ORANGE,
    PALE_BLUE,
    RED,
    RULE,
    WHITE,
    Colour,
)
from sudoku_vision.output.drawing.typefaces import Typeface, bundled_typefaces, find_typefaces
from sudoku_vision.output.save import check_output, check_place, save, write_atomically
from sudoku_vision.pipeline import read_grid, read_photo
from sudoku_vision.results import Board, GridResult, Image, PageResult, Photo
from sudoku_vision.vision.digits import CellClassifier, load_model
from sudoku_vision.vision.rectify import rectify
from sudoku_vision.workshop.evaluation.chart import Chart
from sudoku_vision.workshop.evaluation.reliability import wilson
from sudoku_vision.workshop.evaluation.text import aligned
from sudoku_vision.workshop.rendering import (
    Bend,
    Conditions,
    Drawing,
    DrawnGrid,
    Light,
    Optics,
    Pose,
    draw,
    random_puzzle,
)

CAUSES = {
    "lost": "no grid is found here; its digits would have been read",
    "lines": "the grid is found, but its lines are not followed well enough to read the digits",
    "both": "no grid is found here, and its digits would not have been read either",
    "digits": "a cell's likeliest digit is wrong, though the lines are known",
    "hand": "print is taken for handwriting",
    "turn": "it is read lying on its side or upside down",
    "decode": "every cell's likeliest digit is right, but the board made of them is not",
}
"""What stopped a picture from being read, in the order of the road."""

_SHARP_SHADOW = 0.015  # how soft the edge of a shadow is: one that no evening out of the light follows

Spoil = Callable[[Conditions, float, np.random.Generator], Conditions]
"""Makes conditions worse: by the clean ones, a strength, and chance."""

SIDE, FILL = 640, 0.7
CELL = FILL * SIDE / 9
"""Side of a cell in the clean picture, in pixels."""

SMALL_CELL = 20
"""Side of a cell where pictures are compressed, in pixels."""

CLEAN = Conditions(
    size=(SIDE, SIDE),
    paper=(238.0, 242.0, 244.0),
    ink=0.95,
    pose=Pose(fill=FILL),
    optics=Optics(blur=0.5, noise=1.5, jpeg=92),
)
"""What every picture starts from: a good photo of a printed sheet, straight on."""

READ_WELL = 0.9
"""Share read down to which a strength counts as withstood."""


@dataclass(frozen=True)
class Condition:
    """One way to spoil a picture: its name, the unit of its strengths, these, mildest first, and how."""

    name: str
    unit: str
    strengths: tuple[float, ...]
    spoil: Spoil


def _sign(rng: np.random.Generator) -> float:
    return float(rng.choice([-1.0, 1.0]))


def _tilted(base: Conditions, degrees: float, rng: np.random.Generator) -> Conditions:
    """Seen from a side by chance, *degrees* off the upright."""
    way = rng.uniform(0, 2 * np.pi)
    pitch, yaw = degrees * np.cos(way), degrees * np.sin(way)
    return replace(base, pose=replace(base.pose, pitch=float(pitch), yaw=float(yaw)))


def _turned(base: Conditions, degrees: float, rng: np.random.Generator) -> Conditions:
    return replace(base, pose=replace(base.pose, roll=_sign(rng) * degrees))


def _arched(base: Conditions, height: float, rng: np.random.Generator) -> Conditions:
    return replace(base, bend=Bend(arch=_sign(rng) * height, direction=float(rng.uniform(0, 180))))


def _bound(base: Conditions, depth: float, _: np.random.Generator) -> Conditions:
    return replace(base, layout="book", surround=0.12, bend=Bend(gutter=depth))


def _crumpled(base: Conditions, height: float, _: np.random.Generator) -> Conditions:
    return replace(base, bend=Bend(waves=height, creases=14, crease_height=height))


def _shaken(base: Conditions, length: float, rng: np.random.Generator) -> Conditions:
    angle = float(rng.uniform(0, 180))
    return replace(base, optics=replace(base.optics, motion=length * CELL, motion_angle=angle))


def _shrunk(base: Conditions, pixels: float, _: np.random.Generator) -> Conditions:
    """The same view at so many *pixels* per cell."""
    side = round(pixels * 9 / base.pose.fill)
    return replace(base, size=(side, side))


def _compressed(base: Conditions, quality: float, rng: np.random.Generator) -> Conditions:
    """A small picture compressed: JPEG harms details of a few pixels, whatever they show."""
    small = _shrunk(base, SMALL_CELL, rng)
    return replace(small, optics=replace(small.optics, jpeg=int(quality)))


def _optics(**change: Callable[[float], Any]) -> Spoil:
    """Settings of the optics, each made of the strength."""
    return lambda base, strength, _: replace(
        base, optics=replace(base.optics, **{name: of(strength) for name, of in change.items()})
    )


def _light(**change: Callable[[float], float]) -> Spoil:
    """Settings of the light, each made of the strength."""
    return lambda base, strength, _: replace(
        base, light=Light(**{**vars(base.light), **{name: of(strength) for name, of in change.items()}})
    )


def _same(strength: float) -> float:
    return strength


def _faded(strength: float) -> tuple[float, float, float]:
    """Black print as faint as *strength*, on the paper of the clean picture (blue, green, red)."""
    blue, green, red = (channel * (1 - strength) for channel in CLEAN.paper)
    return blue, green, red


def _grid(**change: Callable[[float], Any]) -> Spoil:
    """Settings of the printed grid, each made of the strength."""
    return lambda base, strength, _: replace(
        base, grid=replace(base.grid, **{name: of(strength) for name, of in change.items()})
    )


CONDITIONS = (
    Condition("tilt", "degrees", (40, 50, 60, 65, 70, 75, 79, 82), _tilted),
    Condition("rotation", "degrees", (5, 10, 20, 30, 40, 45, 90, 180), _turned),
    Condition("bend", "height in sides", (0.03, 0.06, 0.1, 0.14, 0.18, 0.22, 0.26, 0.3), _arched),
    Condition("book fold", "depth in sides", (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5), _bound),
    Condition("crumple", "height in sides", (0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1), _crumpled),
    Condition("size", "pixels a cell", (30, 24, 20, 16, 13, 11, 9, 7), _shrunk),
    Condition(
        "blur",
        "sigma in cells",
        (0.03, 0.05, 0.07, 0.09, 0.11, 0.13, 0.15, 0.18),
        _optics(blur=lambda cells: cells * CELL),
    ),
    Condition("motion blur", "length in cells", (0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8), _shaken),
    Condition("noise", "grey levels", (10, 20, 40, 60, 80, 110, 150, 200), _optics(noise=_same)),
    Condition("JPEG", f"quality, {SMALL_CELL} pixels a cell", (50, 30, 20, 15, 10, 7, 5, 3), _compressed),
    Condition("light gradient", "loss", (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.99), _light(gradient=_same)),
    Condition(
        "shadow",
        "darkness",
        (0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95),
        _light(shadow=_same, shadow_softness=lambda _: _SHARP_SHADOW),
    ),
    Condition("glare", "of white", (0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0, 1.5), _light(glare=_same)),
    Condition("exposure", "of full", (0.5, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03), _light(exposure=_same)),
    Condition(
        "thin lines",
        "strength",
        (0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.01, 0.0),
        _grid(thin_strength=_same),
    ),
    Condition(
        "all lines", "strength", (0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01), _grid(line_colour=_faded)
    ),
    Condition("digits", "strength", (0.5, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03), _grid(digit_colour=_faded)),
    Condition(
        "digit size",
        "height in cells",
        (0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.17, 0.14),
        _grid(digit_height=_same),
    ),
    Condition(
        "ink",
        "of black",
        (0.5, 0.3, 0.2, 0.1, 0.07, 0.05, 0.03, 0.02),
        lambda base, strength, _: replace(base, ink=strength),
    ),
    Condition(
        "ghost print",
        "of black",
        (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8),
        lambda base, strength, _: replace(base, ghost=strength),
    ),
    Condition(
        "moire",
        "amplitude",
        (0.02, 0.04, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4),
        _optics(moire=_same),
    ),
)
"""All conditions, in the order in which they are shown: paper and camera, optics and file, light, print."""

CLEAN_NAME = "clean"


@dataclass(frozen=True, eq=False)
class Sitter:
    """What one series of pictures shows: a puzzle (9, 9) in a typeface, and a seed for all other chance."""

    puzzle: Board
    typeface: Typeface
    seed: tuple[int, int]

    def drawn(self, condition: Condition | None, strength: float) -> Drawing:
        """The picture of it under a condition, or clean."""
        grid = replace(CLEAN.grid, typeface=self.typeface)
        conditions = replace(CLEAN, grid=grid)
        if condition is not None:
            conditions = condition.spoil(conditions, strength, np.random.default_rng([*self.seed, 1]))
        return draw(np.random.default_rng([*self.seed, 2]), conditions, puzzles=[self.puzzle])


def sitters(count: int, seed: int, typefaces: Sequence[Typeface] = ()) -> list[Sitter]:
    """So many puzzles, each in a printed typeface by chance; the bundled ones by default."""
    faces = [face for face in typefaces or bundled_typefaces() if not face.handwritten]
    if not faces:
        raise UsageError("no typeface of print was found.", "Name a folder with fonts that have digits.")
    chosen = []
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        puzzle, _ = random_puzzle(rng, int(rng.integers(24, 37)))
        chosen.append(Sitter(puzzle, faces[int(rng.integers(len(faces)))], (seed, number)))
    return chosen


@dataclass(frozen=True)
class Verdict:
    """What became of one picture; ``cause`` is one of :data:`CAUSES`, empty if it was read."""

    found: bool
    read: bool
    solved: bool
    wrong: bool
    cause: str = ""


def judge(drawing: Drawing, page: PageResult, model: CellClassifier) -> Verdict:
    """Compare what was read with what was drawn, and ask what stopped it."""
    truth = drawing.grids[0]
    grid = grid_at(truth, page)
    read = grid is not None and np.array_equal(grid.puzzle, truth.puzzle)
    solved = grid is not None and grid.status == "solved"
    wrong = any(one.status == "solved" and not np.array_equal(one.puzzle, truth.puzzle) for one in page.grids)
    cause = "" if read else cause_of(Photo(drawing.pixels), truth, grid, model)
    return Verdict(grid is not None, read, solved, wrong, cause)


def grid_at(truth: DrawnGrid, page: PageResult) -> GridResult | None:
    """The grid of a page that lies where *truth* does, in any of its turns: half a cell off on average."""

    def distance(grid: GridResult) -> float:
        turns = (grid.lattice.turned(turn).crossings for turn in range(4))
        off = min(float(np.linalg.norm(turn - truth.lattice.crossings, axis=2).mean()) for turn in turns)
        return off / truth.lattice.cell_size

    near = [(distance(grid), rank) for rank, grid in enumerate(page.grids)]
    best, rank = min(near, default=(np.inf, 0))
    return page.grids[rank] if best <= 0.5 else None


def cause_of(photo: Photo, truth: DrawnGrid, grid: GridResult | None, model: CellClassifier) -> str:
    """What stopped a picture: it is read again with the true lines, to tell locating from reading."""
    again = read_grid(photo, truth.lattice, model)
    if np.array_equal(again.puzzle, truth.puzzle):
        return "lost" if grid is None else "lines"
    if grid is None:
        return "both"
    likeliest = model.classify(rectify(photo, truth.lattice)).log_probs.argmax(axis=1)
    if not np.array_equal(likeliest.reshape(9, 9), truth.puzzle):
        return "digits"
    if np.abs(again.lattice.crossings - truth.lattice.crossings).max() > 1:
        return "turn"
    return "hand" if np.array_equal(again.puzzle + again.written, truth.puzzle) else "decode"


@dataclass(frozen=True)
class Level:
    """The counts of all pictures of one condition at one strength."""

    condition: str
    strength: float
    count: int
    found: int
    read: int
    solved: int
    wrong: int
    causes: Mapping[str, int]

    @classmethod
    def of(cls, condition: str, strength: float, verdicts: Sequence[Verdict]) -> Level:
        """Count verdicts."""
        causes = Counter(verdict.cause for verdict in verdicts if verdict.cause)
        return cls(
            condition,
            float(strength),
            len(verdicts),
            sum(verdict.found for verdict in verdicts),
            sum(verdict.read for verdict in verdicts),
            sum(verdict.solved for verdict in verdicts),
            sum(verdict.wrong for verdict in verdicts),
            {name: causes[name] for name in CAUSES if causes[name]},
        )

    @property
    def share(self) -> float:
        """Share read."""
        return self.read / self.count


Thumb = tuple[Image, Verdict]
"""One picture of a level and what became of it."""


@dataclass(frozen=True, eq=False)
class Run:
    """All levels of a run, the clean one first, with its settings; thumbs only if they were asked for."""

    levels: tuple[Level, ...]
    settings: Mapping[str, Any]
    thumbs: tuple[Thumb, ...] = ()

    def of(self, condition: str) -> list[Level]:
        """The levels of a condition, mildest first."""
        return [level for level in self.levels if level.condition == condition]

    @property
    def clean(self) -> list[Level]:
        """The level of the clean pictures, empty in a run that has none."""
        return self.of(CLEAN_NAME)

    @property
    def names(self) -> list[str]:
        """The conditions that were tried, in order."""
        return [name for name, _ in groupby(level.condition for level in self.levels) if name != CLEAN_NAME]

    def to_dict(self) -> dict[str, Any]:
        """The run for JSON."""
        levels = [{**vars(level), "causes": dict(level.causes)} for level in self.levels]
        return {"settings": dict(self.settings), "levels": levels}


def load_run(path: Path) -> Run:
    """A run that was kept with ``--json``; raises :class:`UsageError`."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return Run(tuple(Level(**level) for level in kept["levels"]), kept["settings"])
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}.", "Name a file written with --json.") from None
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"{path}: this is no run of this benchmark.", "Name one kept with --json.") from None


def chosen_conditions(names: str | None) -> list[Condition]:
    """The conditions named, separated by commas, or all; raises :class:`UsageError`."""
    if names is None:
        return list(CONDITIONS)
    known = {condition.name.lower(): condition for condition in CONDITIONS}
    wanted = [name.strip().lower() for name in names.split(",") if name.strip()]
    unknown = [name for name in wanted if name not in known]
    if unknown or not wanted:
        raise UsageError(f"there is no condition {', '.join(unknown)!r}.", f"Known are: {', '.join(known)}.")
    return [known[name] for name in wanted]


def measure(
    conditions: Sequence[Condition],
    series: Sequence[Sitter],
    model: CellClassifier,
    *,
    settings: Mapping[str, Any] | None = None,
    thumbs: bool = False,
    step: Callable[[], Any] = lambda: None,
) -> Run:
    """Draw, read and judge every sitter at every strength; *step* is called after each picture."""
    kept: list[Thumb] = []
    levels = []
    for condition, strength in levels_of(conditions):
        pictures = []
        for sitter in series:
            drawing = sitter.drawn(condition, strength)
            page = read_photo(Photo(drawing.pixels), model=model)
            pictures.append((drawing.pixels, judge(drawing, page, model)))
            step()
        name = CLEAN_NAME if condition is None else condition.name
        levels.append(Level.of(name, strength, [verdict for _, verdict in pictures]))
        if thumbs:
            kept.append(min(pictures, key=lambda picture: (not picture[1].wrong, picture[1].read)))
    return Run(tuple(levels), settings or {}, tuple(kept))


def levels_of(conditions: Iterable[Condition]) -> list[tuple[Condition | None, float]]:
    """The clean level, then every condition with its strengths."""
    return [(None, 0.0), *((one, float(strength)) for one in conditions for strength in one.strengths)]


def withstood(run: Run, name: str) -> str:
    """The worst strength up to which, without a gap, :data:`READ_WELL` of the pictures are read."""
    held = "none"
    for level in run.of(name):
        if level.share < READ_WELL:
            break
        held = f"{level.strength:g}"
    return held


def level_table(run: Run) -> str:
    """A line for each strength."""
    rows: list[tuple[str, ...]] = [
        ("", "strength", "of", "found", "read", "solved", "wrong", "", "stopped by")
    ]
    for level in run.levels:
        counts = (level.count, level.found, level.read, level.solved, level.wrong)
        causes = ", ".join(f"{name} {count}" for name, count in level.causes.items())
        strength = "" if level.condition == CLEAN_NAME else f"{level.strength:g}"
        rows.append((level.condition, strength, *map(str, counts), "WRONG" if level.wrong else "", causes))
    width = max(len(row[-1]) for row in rows)
    return aligned([(*row[:-1], row[-1].ljust(width)) for row in rows])


def summary_table(run: Run, before: Run | None = None) -> str:
    """A line for each condition: the share read over all its strengths, how far it is withstood, causes.

    With an earlier run the same of it stands beside, over the strengths that both have tried.
    """
    units = {condition.name: condition.unit for condition in CONDITIONS}
    heads = ["", "read", "before", "change", "withstood", "before", "wrong", "before", "unit", "stopped by"]
    rows: list[Sequence[str]] = [heads]
    for name in run.names:
        now, then = _both(run.of(name), before.of(name) if before else [])
        causes: Counter[str] = sum((Counter(level.causes) for level in now), Counter())
        words = ", ".join(f"{cause} {causes[cause]}" for cause in CAUSES if causes[cause])
        change = f"{100 * (_share(now) - _share(then)):+.0f}" if then else ""
        rows.append(
            [
                name,
                _percent(now),
                _percent(then),
                change,
                withstood(run, name),
                withstood(before, name) if before and then else "",
                str(sum(level.wrong for level in now)),
                str(sum(level.wrong for level in then)) if then else "",
                units.get(name, ""),
                words,
            ]
        )
    every = [level for name in run.names for level in run.of(name)]
    earlier = [level for name in run.names for level in before.of(name)] if before else []
    now, then = _both(every, earlier)
    change = f"{100 * (_share(now) - _share(then)):+.1f}" if then else ""
    wrong = [str(sum(level.wrong for level in some)) if some else "" for some in (now, then)]
    rows.append(["all", _percent(now), _percent(then), change, "", "", *wrong, "", ""])
    if before is None:
        rows = [[row[0], row[1], row[4], row[6], row[8], row[9]] for row in rows]
    width = [max(len(row[place]) for row in rows) for place in (-2, -1)]
    return aligned([[*row[:-2], row[-2].ljust(width[0]), row[-1].ljust(width[1])] for row in rows])


def _both(now: Sequence[Level], then: Sequence[Level]) -> tuple[list[Level], list[Level]]:
    """The levels that two runs share, or all of the first one if there is no second."""
    if not then:
        return list(now), []
    earlier = {(level.condition, level.strength): level for level in then}
    shared = [level for level in now if (level.condition, level.strength) in earlier]
    return shared, [earlier[level.condition, level.strength] for level in shared]


def _share(levels: Sequence[Level]) -> float:
    return sum(level.read for level in levels) / max(1, sum(level.count for level in levels))


def _percent(levels: Sequence[Level]) -> str:
    return f"{100 * _share(levels):.0f} %" if levels else ""


PANEL_WIDTH, PANEL_HEIGHT, ACROSS = 324, 208, 3
_MARGIN, _HEAD = 26, 84
_PLOT_LEFT, _PLOT_TOP, _PLOT_RIGHT, _PLOT_BOTTOM = 40, 36, 26, 34
GREY: Colour = (120, 120, 120)


def draw_plot(run: Run, before: Run | None = None) -> Image:
    """The share read against strength, a panel for each condition, as a picture (H, W, 3) uint8 BGR."""
    down = -(-len(run.names) // ACROSS)
    chart = Chart(2 * _MARGIN + ACROSS * PANEL_WIDTH, _HEAD + down * PANEL_HEIGHT + _MARGIN)
    chart.text((_MARGIN, 28), "How much a picture may be spoilt", 21, bold=True)
    _draw_legend(chart, run, before)
    for place, name in enumerate(run.names):
        row, column = divmod(place, ACROSS)
        corner = (_MARGIN + column * PANEL_WIDTH, _HEAD + row * PANEL_HEIGHT)
        _draw_panel(chart, corner, [*run.clean, *run.of(name)], before)
    return chart.pixels()


def _draw_legend(chart: Chart, run: Run, before: Run | None) -> None:
    x, y = float(_MARGIN), 57.0
    entries: list[tuple[str, Colour, tuple[float, float] | None]] = [
        ("read, with its 95 % interval", BLUE, None),
        ("found", ORANGE, (2, 3)),
        ("called solved", GREEN, None),
    ]
    if before is not None:
        entries.append(("read before", GREY, (6, 4)))
    for words, colour, dash in entries:
        if colour == BLUE:
            chart.box(x, y - 7, x + 26, y + 7, PALE_BLUE)
        chart.line([(x, y), (x + 26, y)], colour, 2.2, dash)
        x += 33 + chart.text((x + 33, y), words, 13) + 28
    chart.dot((x + 5, y), 5, RED)
    chart.text((x + 17, y), "solved wrongly", 13)
    count = run.levels[0].count if run.levels else 0
    edge = _MARGIN + ACROSS * PANEL_WIDTH
    chart.text((edge - _PLOT_RIGHT, 28), f"{count} pictures at each strength", 13, FAINT, "rm")


def _draw_panel(
    chart: Chart, corner: tuple[float, float], levels: Sequence[Level], before: Run | None
) -> None:
    """One condition: strengths evenly spaced from the clean picture, mildest first."""
    left, top = corner[0] + _PLOT_LEFT, corner[1] + _PLOT_TOP
    right = corner[0] + PANEL_WIDTH - _PLOT_RIGHT
    bottom = corner[1] + PANEL_HEIGHT - _PLOT_BOTTOM
    steps = max(1, len(levels) - 1)

    def at(place: int, share: float) -> tuple[float, float]:
        return left + (right - left) * place / steps, bottom - (bottom - top) * share

    _draw_frame(chart, corner, levels, at)
    limits = [wilson(level.read, level.count) for level in levels]
    band = [at(place, high) for place, (_, high) in enumerate(limits)]
    band += [at(place, limits[place][0]) for place in reversed(range(len(limits)))]
    chart.area(band, PALE_BLUE)
    for share in (0.0, 0.5, 1.0):
        chart.line([at(0, share), at(steps, share)], RULE)
    if before is not None:
        earlier = {(level.condition, level.strength): level.share for level in before.levels}
        keys = [(place, earlier.get((one.condition, one.strength))) for place, one in enumerate(levels)]
        chart.line([at(place, share) for place, share in keys if share is not None], GREY, 2, (6, 4))
    for part, colour, width in (("solved", GREEN, 1.8), ("read", BLUE, 2.6)):
        points = [at(place, getattr(level, part) / level.count) for place, level in enumerate(levels)]
        chart.line(points, colour, width)
    found = [at(place, level.found / level.count) for place, level in enumerate(levels)]
    chart.line(found, ORANGE, 1.8, (2, 3))
    for place, level in enumerate(levels):
        chart.dot(at(place, level.share), 4, BLUE, WHITE)
        if level.wrong:
            chart.dot(at(place, level.wrong / level.count), 5, RED, WHITE)


def _draw_frame(
    chart: Chart,
    corner: tuple[float, float],
    levels: Sequence[Level],
    at: Callable[[int, float], tuple[float, float]],
) -> None:
    """Title, unit and ticks of a panel."""
    name = levels[-1].condition
    unit = next((condition.unit for condition in CONDITIONS if condition.name == name), "")
    left, baseline = corner[0] + _PLOT_LEFT, corner[1] + 22
    chart.text((left, baseline), name, 15, bold=True, anchor="ls")
    chart.text((corner[0] + PANEL_WIDTH - _PLOT_RIGHT, baseline), unit, 12, FAINT, "rs")
    for share in (0.0, 0.5, 1.0):
        x, y = at(0, share)
        chart.text((x - 8, y), f"{100 * share:.0f}", 11, FAINT, "rm")
    for place, level in enumerate(levels):
        words = CLEAN_NAME if level.condition == CLEAN_NAME else f"{level.strength:g}"
        x, y = at(place, 0)
        chart.text((x, y + 13), words, 11, FAINT, "mm")


THUMB = 132
"""Side of a picture on the sheet, in pixels."""


def draw_sheet(run: Run) -> Image:
    """A row for each condition, a picture for each strength: one that failed, if any did.

    The frame is green if it was read and called solved, blue if only read, orange if the grid was found,
    grey if not, and red if it was called solved wrongly. The cause stands below.
    """
    columns = max(len(run.of(name)) for name in run.names)
    line = THUMB + 46
    chart = Chart(128 + columns * (THUMB + 8), line * len(run.names) + 12)
    thumbs = iter(run.thumbs[len(run.clean) :])
    for row, name in enumerate(run.names):
        top = 10 + row * line
        chart.text((12, top + THUMB / 2), name, 15, bold=True)
        for column, level in enumerate(run.of(name)):
            pixels, verdict = next(thumbs)
            left = 128 + column * (THUMB + 8)
            colour = frame_colour(verdict)
            chart.box(left - 3, top - 3, left + THUMB + 3, top + THUMB + 3, colour)
            chart.picture(
                cv2.resize(pixels, (2 * THUMB, 2 * THUMB), interpolation=cv2.INTER_AREA).astype(np.uint8),
                left,
                top,
            )
            words = f"{level.strength:g}: {level.read} of {level.count} read"
            chart.text((left, top + THUMB + 14), words, 12)
            chart.text((left, top + THUMB + 28), verdict.cause, 12, colour)
    return chart.pixels()


def frame_colour(verdict: Verdict) -> Colour:
    """What became of a picture, as a colour."""
    if verdict.wrong:
        return RED
    if verdict.read:
        return GREEN if verdict.solved else BLUE
    return ORANGE if verdict.found else GREY


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description="How much a picture may be spoilt before it isn't read.")
    add = parser.add_argument
    add("--count", type=int, default=6, metavar="N", help="pictures at each strength (6)")
    add("--only", metavar="NAME,...", help="these conditions alone")
    add("--seed", type=int, default=0, help="same seed, same pictures (0)")
    add("--fonts", type=Path, action="append", metavar="DIR", help="folder with more typefaces")
    add("--model", type=Path, metavar="FILE", help="digit model to use instead of the one that comes along")
    add("--plot", type=Path, metavar="FILE", help="write the curves, a panel for each condition")
    add("--sheet", type=Path, metavar="FILE", help="write a picture of each strength")
    add("--json", type=Path, metavar="FILE", help="keep the run")
    add("--against", type=Path, metavar="FILE", help="compare with a run kept before")
    options = parser.parse_args(arguments)
    if options.count < 1:
        parser.error("--count must be 1 or more")
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the tables, and write what was asked for."""
    options = parsed(arguments)
    cv2.setNumThreads(1)
    try:
        run_benchmark(options)
    except SudokuVisionError as error:
        print(f"stress: {error}", file=sys.stderr)
        raise SystemExit(error.exit_code) from None


def run_benchmark(options: argparse.Namespace) -> None:
    """The command, its options parsed."""
    for path in (options.plot, options.sheet):
        if path is not None:
            check_output(path)
    if options.json is not None:
        check_place(options.json)
    before = load_run(options.against) if options.against else None
    conditions = chosen_conditions(options.only)
    faces = [*bundled_typefaces(), *find_typefaces(options.fonts)] if options.fonts else []
    series = sitters(options.count, options.seed, faces)
    settings = {"count": options.count, "seed": options.seed, "typefaces": len(faces or bundled_typefaces())}
    if before is not None and dict(before.settings) != settings:
        print(f"The run before was of {before.settings}, this one is of {settings}.", file=sys.stderr)
    model = load_model(options.model)
    with progress(len(levels_of(conditions)) * options.count, "stress") as bar:
        run = measure(
            conditions, series, model, settings=settings, thumbs=options.sheet is not None, step=bar.advance
        )
    print(f"{level_table(run)}\n\n{summary_table(run, before)}")
    write(run, before, options)


def write(run: Run, before: Run | None, options: argparse.Namespace) -> None:
    """The files that were asked for."""
    if options.json is not None:
        write_atomically(options.json, (json.dumps(run.to_dict(), indent=1) + "\n").encode())
    if options.plot is not None:
        save(options.plot, draw_plot(run, before))
    if options.sheet is not None:
        save(options.sheet, draw_sheet(run))


if __name__ == "__main__":
    main()
