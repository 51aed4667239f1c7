"""Does the jobs of the service in a worker process. Arguments and answers are plain values.

Between two jobs, a process stores only what it knows about its cameras. If a job has no answer, it raises a
:class:`~sudoku_vision.errors.SudokuVisionError` that says why.
"""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_vision.api.answers import (
    HintRequest,
    board_answer,
    explained,
    hint_data,
    page_answer,
    refused_answer,
    request_of_grid,
    result_data,
)
from sudoku_vision.errors import ImproperError, OverridesError
from sudoku_vision.live.draw import AnnotationOptions, Annotator
from sudoku_vision.live.tracker import TrackedGrid, Tracker, frame_state
from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle, draw_puzzle
from sudoku_vision.output.overlay.answer_drawing import check_shapes, grid_shapes
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.output.overlay.shapes import Fade, Shapes
from sudoku_vision.output.save import encode
from sudoku_vision.page import Page, board_of, check_page, solved_board
from sudoku_vision.sudoku.board import NO_MARKS, board_array, board_text, parse_board
from sudoku_vision.sudoku.formats import SITES, NamedBoard, link, write_board
from sudoku_vision.sudoku.formats.named_board import marks_beside
from sudoku_vision.sudoku.logic import hints, rate, rating_of
from sudoku_vision.sudoku.rules import CLASSIC
from sudoku_vision.texts import ENGLISH
from sudoku_vision.values import Image
from sudoku_vision.vision.decode.overrides import CellOverrides, read_overrides
from sudoku_vision.vision.digits import CellClassifier, load_model
from sudoku_vision.vision.grid import Grid, solved_grid
from sudoku_vision.vision.load import load_photo
from sudoku_vision.vision.results import Photo, Reading
from sudoku_vision.vision.status import MESSAGES
from sudoku_vision.vision.verdicts import check
from sudoku_vision.web.pages import named_rules, open_pages
from sudoku_vision.web.settings import BoardQuestion, Limits, LiveMode
from sudoku_vision.web.state import GridState, pack, unpack
from sudoku_vision.web.view import (
    cover_dicts,
    crossings_list,
    grid_view,
    names_of,
    pen_paths,
    preview_of,
    shape_dicts,
    step_views,
)

FRAME_MEGAPIXELS = 13.0
"""Largest size of a frame, in megapixels. The page sends less than 1 megapixel. Cameras of phones give at
most 12 megapixels."""
_NO_ANSWER: dict[BoardQuestion, dict[str, Any]] = {
    "hint": {"hint": None, "leads_to": [], "steps": []},
    "explain": {
        "solution": None,
        "start": "entries",
        "method": "easiest",
        "headings": [],
        "steps": [],
        "rating": None,
    },
    "rate": {"start": "entries", "difficulty": None, "score": None, "hardest": None, "counts": {}},
}
"""For each question, the answer if the board doesn't have exactly one solution."""

_WARM_UP = "400000805030000000000700000020000060000080400000010000000603070500200000104000000"
"""A drawing of this puzzle is read before the first request, so that the first request isn't slow."""


def open_job_handler(key: bytes, limits: Limits, model: Path | None = None) -> "JobHandler":
    """Return the object whose methods are the jobs. First read a picture, so that the first job isn't slow.

    *key* signs the states of grids. Raises :class:`~sudoku_vision.errors.ModelError` for a bad *model* file.
    """
    handler = JobHandler(load_model(model), key, limits)
    puzzle = board_array(parse_board(_WARM_UP))
    handler.solve(encode(draw_puzzle(PrintablePuzzle(puzzle, puzzle)), ".jpg"))
    return handler


class JobHandler:
    """Does the jobs of a worker. An answer is a JSON object as a dictionary, or the bytes of a picture.

    Jobs for a picture or text have the arguments *body* (its bytes), and the *options* of
    :func:`~sudoku_vision.web.pages.open_pages`. Jobs for a grid that was read before have the *options* of
    :meth:`_unpack`: the *state* of the grid, a person's corrections of its cells (*overrides*), its *rules*
    and *regions*; *filled*, the digits that were filled in after the reading (81 characters, 0 for none); and
    *notes*, which replace the pencil marks that were read (81 texts).
    """

    def __init__(self, model: CellClassifier, key: bytes, limits: Limits | None = None) -> None:
        """*model* reads cells. *key* signs the states of grids.

        *limits* are the limits for pictures, for documents and for cameras.
        """
        self._limits = limits or Limits()
        self._model = model
        self._key = key
        self._tracking = ThreadPoolExecutor(1, thread_name_prefix="sudoku-vision-live")
        self._cameras: OrderedDict[str, FollowedCamera] = OrderedDict()  # sorted by time of last frame

    def solve(self, body: bytes, **options: Any) -> dict[str, Any]:
        """Solve a picture or text. Return values of ``solve --json``, and data for drawing the answers."""
        return self._answer_pages(body, lambda page: (page.to_dict(), page.grids), grid_shapes, options)

    def picture(self, body: bytes, *, page: int | None = None, suffix: str = ".jpg", **options: Any) -> bytes:
        """Return the bytes of a picture of a page (by default, the first) with its answers.

        *suffix*: a file's ending, which decides the picture's format. Raises ImproperError if the page has no
        grid.
        """
        ((one,), _) = open_pages(body, self._model, self._limits, page=page or 1, **options)
        if one.page.photo is None or not one.page.grids:
            raise ImproperError(MESSAGES["no_grid"], status="no_grid")
        return encode(one.page.image(), suffix, exif=one.page.photo.exif)

    def check_photo(
        self, body: bytes, *, marks: bool = False, answers: bool = False, **options: Any
    ) -> dict[str, Any]:
        """Check a picture or text. Return values of ``check --json``, and data for drawing the verdicts."""

        def checked(page: Page) -> tuple[dict[str, Any], Sequence[Any]]:
            found = check_page(page)
            return found.to_dict(marks=marks), found.grids

        shapes_of = partial(check_shapes, answers=answers, marks=marks)
        return self._answer_pages(body, checked, shapes_of, options)

    def _answer_pages(
        self,
        body: bytes,
        result_of: Callable[[Page], tuple[dict[str, Any], Sequence[Any]]],
        shapes_of: Callable[[Any, PrintStyle], Shapes],
        options: dict[str, Any],
    ) -> dict[str, Any]:
        """Read the pages in *body*, and return them as a JSON object.

        If *body* has only one page, the result is the object for this page. Otherwise, the result has a list
        of pages and the number of the first page that was not read (None if all were read). *result_of*
        returns the values of a page, and a list with the result for each grid. *shapes_of* returns the shapes
        that show the result for a grid.
        """
        read, next_page = open_pages(body, self._model, self._limits, **options)
        pages = []
        for one in read:
            photo, (values, results) = one.page.photo, result_of(one.page)
            views = [
                grid_view(grid, kept, pack(kept, self._key), shapes_of(result, kept.print_style), photo)
                for grid, kept, result in zip(one.page.grids, one.states, results, strict=True)
            ]
            preview = preview_of(photo.pixels) if photo and one.preview else None
            view = {"size": [*photo.size] if photo else [0, 0], "preview": preview, "grids": views}
            in_text = any(kept.in_text for kept in one.states)
            pages.append(page_answer(values, in_text=in_text) | {"view": view})
        alone = len(pages) == 1 and next_page is None
        return pages[0] if alone else {"pages": pages, "next_page": next_page}

    def settle(self, state: str, **options: Any) -> dict[str, Any]:
        """Decode a grid again with a person's corrections. Return its values, and its :func:`grid_view`."""
        kept, grid = self._unpack(state, **options)
        view = grid_view(grid, kept, state, grid_shapes(grid, kept.print_style))
        return {"grid": _without_place(grid.to_dict(), kept), "view": view}

    def check(
        self, state: str, *, marks: bool = False, answers: bool = False, **options: Any
    ) -> dict[str, Any]:
        """Check the entries of a grid. Return the verdicts, and the grid's :func:`grid_view`."""
        kept, grid = self._unpack(state, **options)
        checked = check(grid)
        shapes = check_shapes(checked, kept.print_style, answers=answers, marks=marks)
        verdicts = _without_place(checked.to_dict(marks=marks), kept)
        return {"check": verdicts, "view": grid_view(grid, kept, state, shapes)}

    def hint(
        self, state: str, *, marks: bool = False, language: str = ENGLISH, **options: Any
    ) -> dict[str, Any]:
        """Return the easiest next step, and all steps that are needed for the next digit.

        Wrong digits that were filled in are ignored. With *marks*, the steps start from the pencil marks.
        """
        kept, grid = self._unpack(state, **options)
        try:
            asked = _request(kept, grid, language)
            candidates = asked.marks if marks else NO_MARKS
            steps = hints(asked.board, candidates, asked.clues, rules=asked.rules)
        except ImproperError as error:
            return _no_answer("hint", *_names(kept, grid), grid, error)
        drawn = step_views(grid, asked.board, steps, kept, candidates, options.get("notes") or ())
        shown = [
            names_of(step, language) | {"text": step.text_in(language), "view": view}
            for step, (_, view) in zip(steps, drawn, strict=True)
        ]
        data = hint_data(asked, steps, marks=marks)
        return board_answer(*_names(kept, grid), asked, data) | {"steps": shown}

    def explain(self, state: str, *, language: str = ENGLISH, **options: Any) -> dict[str, Any]:
        """Return all steps to the solution, and the difficulty of the puzzle.

        Each step has the board before the step, and the shapes that explain the step.

        If all cells are filled in, the steps start from the board with only the clues.
        """
        kept, grid = self._unpack(state, **options)
        try:
            asked = _request(kept, grid, language).begun_at(None)
            found = explained(asked)
        except ImproperError as error:
            return _no_answer("explain", *_names(kept, grid), grid, error)
        data = result_data(asked, found)
        drawn = step_views(grid, asked.board, found.steps, kept, NO_MARKS, options.get("notes") or ())
        data["steps"] = [
            values | names_of(step, language) | {"board": board_text(before), "view": view}
            for step, values, (before, view) in zip(found.steps, data["steps"], drawn, strict=True)
        ]
        one = found.status == "one"  # otherwise, the steps don't reach the solution
        data["rating"] = rating_of(Counter(step.technique for step in found.steps)).to_dict() if one else None
        return board_answer(*_names(kept, grid), asked, data)

    def board(
        self,
        text: str,
        question: BoardQuestion,
        language: str = ENGLISH,
        *,
        rules: str = "",
        regions: str = "",
        filled: str = "",
    ) -> dict[str, Any]:
        """Answer a question about a board of 81 characters. The values are those that ``--json`` prints."""
        placed = parse_board(filled or "0" * 81)
        board = NamedBoard(parse_board(text), placed, rules=named_rules(rules, regions) or CLASSIC)
        page = solved_board(board, text)
        if question == "solve":
            return page_answer(page.to_dict(), in_text=True)
        if question == "links":
            texts = {form: write_board(board, form) for form in ("line", "grid")}
            sites = [name for name, site in SITES.items() if board.rules == CLASSIC or "rules" in site.keeps]
            return {"links": {site: link(board, site) for site in sites}, "texts": texts}
        asked = request_of_grid(page.grids[0], in_text=True, language=language)
        try:
            if question == "hint":
                data = hint_data(asked, hints(asked.board, clues=asked.clues, rules=asked.rules))
            elif question == "explain":
                data = result_data(asked, explained(asked))
            else:
                data = result_data(asked, rate(asked.board, rules=asked.rules))
        except ImproperError as error:
            return _no_answer(question, text, None, page.grids[0], error)
        return board_answer(text, None, asked, data)

    def live(
        self, camera: str, frame: bytes, mode: LiveMode = "answers", language: str = ENGLISH
    ) -> dict[str, Any]:
        """Return what is known about the grids in a frame. The first frame registers the *camera*.

        If there are too many cameras, the camera that has sent no frame for the longest time is dropped.
        """
        followed = self._cameras.pop(camera, None) or FollowedCamera(self._model, self._tracking)
        self._cameras[camera] = followed
        while len(self._cameras) > self._limits.live_clients:
            self._cameras.popitem(last=False)
        return followed.answer(frame, mode, language)

    def forget(self, camera: str) -> None:
        """Forget a camera and its grids, if it is known."""
        self._cameras.pop(camera, None)

    pen_paths = staticmethod(pen_paths)

    def _unpack(
        self,
        state: str,
        *,
        overrides: str = "",
        rules: str = "",
        regions: str = "",
        filled: str = "",
        notes: Sequence[str] | None = None,
    ) -> tuple[GridState, Grid]:
        """Return the unpacked *state*, and its grid with all corrections and the digits in *filled*."""
        kept = unpack(state, self._key)
        grid = kept.grid(single_grid_overrides(overrides), named_rules(rules, regions))
        reading = _filled_in(grid.reading, filled) if filled else grid.reading
        if notes is not None:
            reading = replace(reading, marks=marks_beside(reading.puzzle + reading.written, notes))
        return kept, replace(grid, reading=reading)


def _request(kept: GridState, grid: Grid, language: str) -> HintRequest:
    """Return the request for a hint or explanation. Raises ImproperError unless the grid has one solution."""
    if kept.in_text:
        board = replace(board_of(grid), uncertain=kept.board.uncertain)
        grid, _ = solved_grid(board)
    return request_of_grid(grid, in_text=kept.in_text, language=language)


def _filled_in(reading: Reading, filled: str) -> Reading:
    """Add the digits in *filled* (81 characters) to *reading*, as entries that are read for sure."""
    entries = np.array(parse_board(filled), np.int8).reshape(9, 9) * (reading.puzzle == 0)
    digits = entries.ravel().tolist()
    return replace(
        reading,
        written=np.where(entries > 0, entries, reading.written).astype(np.int8),
        doubts=tuple(one for one in reading.doubts if one.kind != "entry" or not digits[one.cell]),
        unclear=tuple(cell for cell in reading.unclear if not digits[cell]),
        marks=tuple(NO_MARKS[0] if digits[cell] else marks for cell, marks in enumerate(reading.marks)),
    )


def _no_answer(
    question: BoardQuestion, source: str, reading: str | None, grid: Grid, error: ImproperError
) -> dict[str, Any]:
    """Return the answer to a *question* about a board that doesn't have exactly one solution."""
    data = refused_answer(source, reading, error.status, error.message, grid.puzzle, grid.rules)
    return data | {"board": data["puzzle"]} | _NO_ANSWER[question]


def single_grid_overrides(text: str) -> CellOverrides:
    """Return the corrections in *text*. They are for the one grid of a request.

    Raises :class:`OverridesError` if *text* names a grid by its number, as in ``2:r3c5=8``.
    """
    cells = read_overrides(text.strip()) or {None: {}}
    if None not in cells:
        raise OverridesError(
            "The cells name a grid, but only one grid can be meant here.", "Leave its number out."
        )
    return cells[None]


def _without_place(values: dict[str, Any], kept: GridState) -> dict[str, Any]:
    """Return the *values* of a grid. A board in text has no picture, so its corners become None."""
    return values | {"corners": None} if kept.in_text else values


def _names(kept: GridState, grid: Grid) -> tuple[str, str | None]:
    """Return the name of a grid's source, and the status of its reading (None for a board in text)."""
    return ("board", None) if kept.in_text else ("photo", grid.status)


class FollowedCamera:
    """A camera. A tracker follows its grids, and an annotator draws the answers.

    A thread searches for grids and reads them while frames arrive. The answer to a frame contains what is
    known at that moment, with the grids' places in this frame. Frames are not stored.
    """

    def __init__(self, model: CellClassifier, jobs: Executor) -> None:
        """*jobs*: an executor with one thread, which searches for grids, reads them and looks for hints."""
        self._tracker = Tracker(model, jobs)
        self._annotator = Annotator(jobs)
        self._numbers = count()

    def answer(self, frame: bytes, mode: LiveMode = "answers", language: str = ENGLISH) -> dict[str, Any]:
        """Return what is known about the grids in a *frame*, the bytes of a JPEG, as a JSON object.

        Raises :class:`~sudoku_vision.errors.OpenError` if the frame can't be opened.
        """
        pixels = load_photo(frame, name="frame", max_megapixels=FRAME_MEGAPIXELS).pixels
        started = time.perf_counter()
        grids = self._tracker.update(pixels, time.monotonic())
        options = AnnotationOptions(hint=mode == "hint", check=mode == "check")
        values = [self._grid(pixels, grid, options, language) for grid in grids]
        return {
            "frame": next(self._numbers),
            "size": [pixels.shape[1], pixels.shape[0]],
            "state": frame_state(grids),
            "grids": values,
            "seconds": round(time.perf_counter() - started, 4),
        }

    def _grid(
        self, pixels: Image, grid: TrackedGrid, options: AnnotationOptions, language: str
    ) -> dict[str, Any]:
        """Return what is known about a grid. The solution is included only if the state is ``sure``."""
        # Another thread can find the hint between the next two lines. Then the shapes of this frame show
        # the hint, but the name and the other values of the hint come with the next frame.
        of_mode = self._values_of_mode(grid, options, language)
        shapes, words = self._annotator.shapes(pixels, grid, options)
        result = grid.result
        solution = None if result is None or grid.state != "sure" else result.solution
        lattice, photo = grid.lattice if result is None else result.lattice, Photo(pixels)
        faded = {shape.cell for shape in shapes if isinstance(shape, Fade)}
        rules = CLASSIC if result is None else result.rules
        return {
            "number": grid.number,
            "state": grid.state,
            "status": None if result is None else result.status,
            "puzzle": None if result is None else board_text(result.puzzle),
            "written": None if result is None else board_text(result.written),
            "solution": None if solution is None else board_text(solution),
            "crossings": crossings_list(lattice),
            "shapes": shape_dicts(shapes, lattice, photo.size),
            "covers": cover_dicts(photo, lattice, faded, rules),
            "words": list(words),
            **rules.to_dict(),
            **of_mode,
        }

    def _values_of_mode(self, grid: TrackedGrid, options: AnnotationOptions, language: str) -> dict[str, Any]:
        """Return the values that depend on the mode: a hint if one was found, or a count for each verdict."""
        if grid.state != "sure" or grid.result is None:
            return {}
        if options.check:
            checked = check(grid.result)
            counts = {name: len(getattr(checked, name)) for name in ("right", "wrong", "unclear")}
            return {"check": counts | {"left": checked.left}}
        found = self._annotator.hint(grid) if options.hint else None
        if found is None or not found.done():
            return {}
        step = found.result()
        return {"hint": None if step is None else step.to_dict(language) | names_of(step, language)}
