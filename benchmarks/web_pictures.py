"""What ``benchmarks/web.py`` sends: photos of every kind, pictures without hope, and films, all drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from sudoku_vision.cli.progress import progress
from sudoku_vision.output.save import encode
from sudoku_vision.results import Image, board_text
from sudoku_vision.workshop.rendering import (
    HALF_SOLVED_KINDS,
    KINDS,
    DrawnGrid,
    draw,
    draw_negative,
    half_solved_conditions,
    random_conditions,
)
from sudoku_vision.workshop.rendering.conditions import Conditions
from sudoku_vision.workshop.rendering.films import story

VGA, LARGE, LARGEST = (640, 480), (4000, 3000), (8000, 6000)
"""Widths and heights in pixels: of the photos, and of those without hope, the last at the limit."""
FRAME = (1280, 720)
"""Size of a film's frames: what browsers get from cameras."""
FILMS = ("moving", "swap", "leaving")
"""Stories of the films: pages move, are changed and taken away."""
FRAME_QUALITY = 80
"""JPEG quality of a film's frames."""
BLOB = 6
"""Size of the pixels of noise, in pixels: a camera's own grain has no more."""


def photos(count: int, seed: int = 5) -> list[bytes]:
    """Draw *count* photos of VGA size, every kind in its turn, one in four half solved; JPEG."""
    drawn: list[bytes] = []
    with progress(count, "photos drawn") as bar:
        for number in range(count):
            rng = np.random.default_rng([seed, number])
            drawn.append(encode(draw(rng, _conditions(rng, number)).pixels, ".jpg"))
            bar.advance()
    return drawn


def _conditions(rng: np.random.Generator, number: int) -> Conditions:
    if number % 4 == 3:
        made = half_solved_conditions(rng, HALF_SOLVED_KINDS[number // 4 % len(HALF_SOLVED_KINDS)])
    else:
        made = random_conditions(rng, KINDS[number % len(KINDS)])
    return replace(made, size=VGA)


def without_hope(seed: int = 5) -> dict[str, bytes]:
    """Draw pictures of 12 megapixels that hold no sudoku: a page of text, and black and white noise; JPEG."""
    rng = np.random.default_rng(seed)
    page = replace(random_conditions(rng, "newspaper"), size=LARGE)
    return {"text": encode(draw_negative(rng, "text", page).pixels, ".jpg"), "noise": noise(rng, LARGE)}


def noise(rng: np.random.Generator, size: tuple[int, int]) -> bytes:
    """Draw noise, as a JPEG of *size* (width, height)."""
    small = rng.integers(0, 256, (size[1] // BLOB, size[0] // BLOB, 3), dtype=np.uint8)
    return _jpeg(np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_CUBIC), np.uint8))


@dataclass(frozen=True, eq=False)
class FilmFrame:
    """One frame as a browser sends it, and the grids that are to be seen in it."""

    jpeg: bytes
    grids: tuple[DrawnGrid, ...]

    def wrong(self, told: Sequence[dict[str, Any]]) -> int:
        """Count solutions among the grids of an answer that are not those of the puzzles that lie there."""
        answered = [one for one in told if one["solution"] is not None]
        return sum(self._solution_at(one["crossings"]) != one["solution"] for one in answered)

    def _solution_at(self, crossings: Any) -> str:
        """Return the solution of the puzzle that lies nearest to where one was seen, if there is any."""
        middle = np.mean(crossings, axis=(0, 1))
        away = [np.linalg.norm(grid.lattice.crossings.mean(axis=(0, 1)) - middle) for grid in self.grids]
        return board_text(self.grids[int(np.argmin(away))].solution) if away else ""


def film(seed: int) -> list[FilmFrame]:
    """Draw one story after the other, with puzzles of their own, at 30 frames a second."""
    stories = [story(name, size=FRAME, seed=seed) for name in FILMS]
    frames: list[FilmFrame] = []
    with progress(sum(one.count for one in stories), "frames drawn") as bar:
        for one in stories:
            for frame in one.frames():
                frames.append(FilmFrame(_jpeg(frame.pixels), frame.grids + frame.cut))
                bar.advance()
    return frames


def _jpeg(pixels: Image) -> bytes:
    done, packed = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, FRAME_QUALITY])
    assert done
    return packed.tobytes()
