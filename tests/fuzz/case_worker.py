"""The worker of a case: it does with the input what the program would do, and measures memory and time.

Pictures are read, checked and drawn into; boards are solved and written again. An error of the package itself
is a proper refusal. Any other exception is a failure.
"""

import contextlib
import itertools
import json
import os
import time
import traceback
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

from sudoku_vision import hint, rate
from sudoku_vision.errors import OpenError, OutOfMemoryError, SudokuVisionError
from sudoku_vision.live.sources.address import Address
from sudoku_vision.live.sources.source import Source
from sudoku_vision.live.tracker import Tracker
from sudoku_vision.output.overlay import overlay
from sudoku_vision.page import solved_board
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.bulk.lists import read_list
from sudoku_vision.sudoku.formats import FORMATS, SITES, is_link, read_boards, write_board
from sudoku_vision.sudoku.formats.links import find_in_link
from sudoku_vision.vision.decode.overrides import parse_corners, parse_overrides
from sudoku_vision.vision.digits.model_files import DIGIT_MODELS, MARK_READERS, load_model
from sudoku_vision.vision.load import iter_pages
from sudoku_vision.vision.locate import locate_at
from sudoku_vision.vision.results import Photo
from sudoku_vision.vision.verdicts import check

MAX_PAGES = 3
READ_ONE_IN = 3
"""One in this many damaged pictures is read. Unpacking finds most faults, in a hundredth of the time."""
MAX_BOARDS = 2
"""The number of boards of a text that are solved, rated and written in every format."""
MAX_FRAMES = 4
MEMORY_FILES = Path("/proc/self/clear_refs"), Path("/proc/self/status")
"""Linux resets the peak memory of this process in the first file, and shows it in the second."""


class CaseWorker:
    def __init__(self, folder: str) -> None:
        """Write the files that a case needs into *folder*."""
        self._folder = Path(folder)
        self._model = load_model()
        self._actions: dict[str, Callable[[str, bytes], None]] = {
            "picture": self._picture,
            "film": self._film,
            "text": self._text,
            "link": self._link,
            "model": self._try_model,
            "words": self._words,
        }
        with (self._folder / "stderr.txt").open("ab") as file:
            os.dup2(file.fileno(), 2)  # libtiff and libjpeg write to it by themselves
        warnings.simplefilter("error")  # a warning of a library would land on the user's terminal

    def attempt(self, kind: str, name: str, data: bytes) -> bytes:
        """Run a case; return its outcome, error, seconds and bytes of memory as JSON."""
        with contextlib.suppress(OSError):
            MEMORY_FILES[0].write_text("5")
        begun, error = time.process_time(), ""
        try:
            self._actions[kind](name, data)
            outcome = "done"
        except OutOfMemoryError as refusal:
            outcome, error = "failed", f"wanted more memory than there is: {refusal}"
        except SudokuVisionError as refusal:
            outcome, error = "refused", f"{type(refusal).__name__}: {refusal}"
        except Exception:
            outcome, error = "failed", traceback.format_exc()
        seconds = time.process_time() - begun
        return json.dumps(
            {"outcome": outcome, "error": error, "seconds": seconds, "memory": peak_memory()}
        ).encode()

    def _picture(self, name: str, data: bytes) -> None:
        refusal: OpenError | None = None
        for page in iter_pages(data, name=name, max_pages=MAX_PAGES):
            if isinstance(page, OpenError):
                refusal = page
                continue
            if zlib.crc32(data) % READ_ONE_IN:
                continue
            result = read_page(page, model=self._model)
            json.dumps(result.to_dict())
            for grid in result.grids:
                check(grid)
            overlay(page, result.grids)
        if refusal is not None:
            raise refusal

    def _film(self, name: str, data: bytes) -> None:
        path = self._folder / name
        path.write_bytes(data)
        with Source(path) as source:
            tracker = Tracker(self._model)
            for frame in itertools.islice(iter(source.read, None), MAX_FRAMES):
                tracker.update(frame.pixels, frame.seconds)

    def _text(self, _: str, data: bytes) -> None:
        path = self._folder / "list.txt"
        path.write_bytes(data)
        with contextlib.suppress(SudokuVisionError):
            for _chunk in read_list(str(path)):
                pass
        for board in read_boards(data)[:MAX_BOARDS]:
            for name in (*FORMATS, *SITES):
                with contextlib.suppress(SudokuVisionError):
                    read_boards(write_board(board, name))
            page = solved_board(board, "board.txt")
            json.dumps(page.to_dict())
            if page.status == "solved":
                hint(board.clues, board.marks)
                rate(board.clues)

    def _link(self, _: str, data: bytes) -> None:
        text = data.decode("utf-8", "surrogateescape")
        is_link(text)
        find_in_link(text)

    def _try_model(self, name: str, data: bytes) -> None:
        if name.startswith("marks"):
            MARK_READERS.from_bytes(data, name)
            return
        model = DIGIT_MODELS.from_bytes(data, name)
        model.classify_turns(np.random.default_rng(0).random((81, 40, 40), np.float32))

    def _words(self, _: str, data: bytes) -> None:
        text = data.decode("utf-8", "surrogateescape")
        with contextlib.suppress(SudokuVisionError):
            parse_overrides(text)
        with contextlib.suppress(SudokuVisionError):
            Address.of(text).check()
        locate_at(Photo(np.full((100, 100, 3), 200, np.uint8), "grey", 1), parse_corners(text))


def peak_memory() -> int:
    """Return the peak memory of this process in bytes since the last reset; 0 if unknown."""
    with contextlib.suppress(OSError, StopIteration):
        lines = MEMORY_FILES[1].read_text().splitlines()
        return 1024 * int(next(line.split()[1] for line in lines if line.startswith("VmHWM")))
    return 0
