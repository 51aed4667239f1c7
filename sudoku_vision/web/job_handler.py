"""The desk of a worker: opened once, with the model loaded and one picture read to be warm."""

from __future__ import annotations

import json
from pathlib import Path

from sudoku_vision.output.drawing.puzzle import PrintablePuzzle, draw_puzzle
from sudoku_vision.output.overlay.stroke_font import PEN_PATHS, WIDTH
from sudoku_vision.output.save import encode
from sudoku_vision.sudoku.board import board_array, parse_board
from sudoku_vision.vision.digits import CellClassifier, load_model
from sudoku_vision.web.jobs import Desk
from sudoku_vision.web.live_jobs import LiveDesk
from sudoku_vision.web.settings import Limits, LiveMode

_WARMING = "400000805030000000000700000020000060000080400000010000000603070500200000104000000"
"""A puzzle whose picture is read before the first request comes."""


class WorkerDesk(Desk):
    """All jobs that the endpoints know: photos and grids, cameras, and the pen of the digits."""

    def __init__(self, model: CellClassifier, key: bytes, limits: Limits) -> None:
        """*model* reads cells, *key* signs states."""
        super().__init__(model, key, megapixels=limits.megapixels)
        self._live = LiveDesk(model, sessions=limits.live_clients, idle=2 * limits.live_idle)

    def live(self, session: str, frame: bytes, mode: LiveMode) -> bytes:
        """Tell what is seen in a frame of the camera called *session*."""
        return self._live.frame(session, frame, mode)

    def forget(self, session: str) -> bytes:
        """Forget a camera."""
        self._live.end(session)
        return b"{}"

    def pen_paths(self) -> bytes:
        """Return how a pen writes each digit, for a page that draws as the pictures are drawn."""
        return json.dumps(
            {"width": WIDTH, "paths": {str(key): path for key, path in PEN_PATHS.items()}}
        ).encode()


def open_desk(key: bytes, limits: Limits, model: Path | None = None) -> WorkerDesk:
    """Return a desk that has read a picture: the object whose methods are the jobs.

    Raises :class:`~sudoku_vision.errors.ModelError` if *model* is none.
    """
    desk = WorkerDesk(load_model(model), key, limits)
    puzzle = board_array(parse_board(_WARMING))
    desk.solve(encode(draw_puzzle(PrintablePuzzle(puzzle, puzzle)), ".jpg"))
    return desk
