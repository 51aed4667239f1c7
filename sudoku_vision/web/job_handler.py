"""Job handler: what a worker of the service does, from plain values to the bytes of an answer.

It knows of no request and keeps nothing between two jobs but the cameras that it follows; each job raises the
:class:`~sudoku_vision.errors.SudokuVisionError` that says why there is no answer.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_vision.api.board_pages import board_of, solved_board
from sudoku_vision.api.hint_request import HintRequest, request_of_board, request_of_grid
from sudoku_vision.api.json_output import (
    board_answer,
    explained,
    explanation_data,
    hint_data,
    page_answer,
    rating_data,
)
from sudoku_vision.errors import ImproperError, OverridesError
from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle, draw_puzzle
from sudoku_vision.output.overlay import overlay
from sudoku_vision.output.overlay.answer_drawing import check_shapes
from sudoku_vision.output.overlay.stroke_font import PEN_PATHS, WIDTH
from sudoku_vision.output.save import encode
from sudoku_vision.pipeline import MESSAGES
from sudoku_vision.results import NO_MARKS, GridResult, board_text
from sudoku_vision.sudoku.board import board_array, parse_board
from sudoku_vision.sudoku.formats import SITES, NamedBoard, link, write_board
from sudoku_vision.sudoku.formats.named_board import marks_beside
from sudoku_vision.sudoku.logic import hints, rate
from sudoku_vision.sudoku.logic.explain import rating_of
from sudoku_vision.sudoku.rules import CLASSIC
from sudoku_vision.sudoku.verdicts import PageCheck, check
from sudoku_vision.texts import ENGLISH
from sudoku_vision.vision.decode.overrides import Said, read_overrides
from sudoku_vision.vision.digits import CellClassifier, load_model
from sudoku_vision.web.live_jobs import LiveJobs
from sudoku_vision.web.pages import open_pages, said_rules
from sudoku_vision.web.settings import BoardQuestion, Limits, LiveMode
from sudoku_vision.web.state import GridState, StateCodec, TextContent
from sudoku_vision.web.view import grid_view, names_of, step_shapes

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
"""What is answered about a board that hasn't one solution, beside why there is no more."""

_WARMING = "400000805030000000000700000020000060000080400000010000000603070500200000104000000"
"""A puzzle whose picture is read before the first request comes."""


def open_job_handler(key: bytes, limits: Limits, model: Path | None = None) -> "JobHandler":
    """Return a handler that has read a picture: the object whose methods are the jobs.

    Raises :class:`~sudoku_vision.errors.ModelError` if *model* is none.
    """
    handler = JobHandler(load_model(model), key, limits)
    puzzle = board_array(parse_board(_WARMING))
    handler.solve(encode(draw_puzzle(PrintablePuzzle(puzzle, puzzle)), ".jpg"))
    return handler


class JobHandler:
    """Does the jobs of one worker.

    What is *said* of a body is that of :func:`~sudoku_vision.web.pages.open_pages`. Of a grid that was read
    before, whose *state* comes back, a person says *overrides* of its cells, its *rules* and *regions*, and
    what they have *filled* in since, 81 digits.
    """

    def __init__(self, model: CellClassifier, key: bytes, limits: Limits | None = None) -> None:
        """*model* reads cells, *key* signs states, *limits* bound pictures and cameras."""
        limits = limits or Limits()
        self._model = model
        self._codec = StateCodec(key)
        self._limits = limits
        self._live = LiveJobs(model, limits.live_clients)

    def solve(self, body: bytes, **said: Any) -> bytes:
        """Read and solve what was sent: ``solve --json`` of each page and its view, several in ``pages``."""
        read, told = open_pages(body, self._model, self._limits, **said), []
        for page in read.pages:
            views = [grid_view(grid, kept, self._codec.pack(kept)) for grid, kept in page.grids_and_states()]
            told.append(page_answer(page.result.to_dict(), in_text=page.in_text) | {"view": page.view(views)})
        return _pages_json(told, read.next_page)

    def picture(self, body: bytes, *, page: int | None = None, suffix: str = ".jpg", **said: Any) -> bytes:
        """Return the picture of one page, the first by default, its answers drawn in, as *suffix* says.

        Raises :class:`~sudoku_vision.errors.ImproperError` where there is no grid in it.
        """
        (read,) = open_pages(body, self._model, self._limits, page=page or 1, **said).pages
        if read.photo is None or not read.result.grids:
            raise ImproperError(MESSAGES["no_grid"], status="no_grid")
        return encode(overlay(read.photo, read.result.grids), suffix, exif=read.photo.exif)

    def check_photo(self, body: bytes, *, marks: bool = False, answers: bool = False, **said: Any) -> bytes:
        """Read what was sent and check what is written in it: ``check --json`` of each page with its view."""
        read, told = open_pages(body, self._model, self._limits, **said), []
        for page in read.pages:
            checks, views = [], []
            for grid, kept in page.grids_and_states():
                checked = check(grid)
                shapes = check_shapes(checked, kept.print_style, answers=answers, marks=marks)
                checks.append(checked)
                views.append(grid_view(checked.grid, kept, self._codec.pack(kept), shapes))
            data = page_answer(
                PageCheck(page.result, tuple(checks)).to_dict(marks=marks), in_text=page.in_text
            )
            told.append(data | {"view": page.view(views)})
        return _pages_json(told, read.next_page)

    def settle(self, state: str, **said: Any) -> bytes:
        """Decode a grid again with a person's word."""
        kept, grid = self._read(state, **said)
        return _json({"grid": _placed(grid.to_dict(), kept), "view": grid_view(grid, kept, state)})

    def check(self, state: str, *, marks: bool = False, answers: bool = False, **said: Any) -> bytes:
        """Check what is written in a grid, its verdicts as shapes; *marks* and *answers* as for ``check``."""
        kept, grid = self._read(state, **said)
        checked = check(grid)
        shapes = check_shapes(checked, kept.print_style, answers=answers, marks=marks)
        told = _placed(checked.to_dict(marks=marks), kept)
        return _json({"check": told, "view": grid_view(checked.grid, kept, state, shapes)})

    def hint(self, state: str, *, marks: bool = False, language: str = ENGLISH, **said: Any) -> bytes:
        """Find the easiest next step, with all that lead to a digit.

        Of what is filled in the right digits count. *marks*: go on from the person's pencil marks, or the
        *notes* of 81 cells in their place. What is said is in the words of a *language*, by its code.
        """
        kept, grid = self._read(state, **said)
        try:
            asked = _asked(kept, grid, language)
            candidates = asked.marks if marks else NO_MARKS
            steps = hints(asked.board, candidates, asked.clues, rules=asked.rules)
        except ImproperError as error:
            return _unanswered("hint", kept.source, _reading(grid, kept), grid, error)
        drawn = step_shapes(grid, asked.board, steps, kept, candidates, said.get("notes") or ())
        told = [
            names_of(step, language) | {"text": step.told(language), "view": view}
            for step, (_, view) in zip(steps, drawn, strict=True)
        ]
        data = hint_data(asked, steps, marks=marks)
        return _json(board_answer(kept.source, _reading(grid, kept), asked, data) | {"steps": told})

    def explain(self, state: str, *, language: str = ENGLISH, **said: Any) -> bytes:
        """Return every step to the solution, each with its board and shapes, and how hard that is.

        Where all is filled in, the way begins with the clues.
        """
        kept, grid = self._read(state, **said)
        try:
            asked = _asked(kept, grid, language).begun_at(None)
            found = explained(asked)
        except ImproperError as error:
            return _unanswered("explain", kept.source, _reading(grid, kept), grid, error)
        data = explanation_data(asked, found)
        drawn = step_shapes(grid, asked.board, found.steps, kept, NO_MARKS, said.get("notes") or ())
        data["steps"] = [
            told | names_of(step, language) | {"board": board_text(before), "view": view}
            for step, told, (before, view) in zip(found.steps, data["steps"], drawn, strict=True)
        ]
        one = found.status == "one"  # else the steps don't lead to the solution
        data["rating"] = rating_of(Counter(step.technique for step in found.steps)).to_dict() if one else None
        return _json(board_answer(kept.source, _reading(grid, kept), asked, data))

    def board(
        self, text: str, what: BoardQuestion, language: str = ENGLISH, *, rules: str = "", regions: str = ""
    ) -> bytes:
        """Answer what is asked about a board of 81 characters, as the command line does with ``--json``."""
        board = NamedBoard(parse_board(text), rules=said_rules(rules, regions) or CLASSIC)
        page = solved_board(board, text)
        if what == "solve":
            return _json(page_answer(page.to_dict(), in_text=True))
        if what == "links":
            texts = {form: write_board(board, form) for form in ("line", "grid")}
            takers = [name for name, site in SITES.items() if board.rules == CLASSIC or "rules" in site.keeps]
            return _json({"links": {site: link(board, site) for site in takers}, "texts": texts})
        asked = replace(request_of_board(board, page), language=language)
        try:
            if what == "hint":
                data = hint_data(asked, hints(asked.board, clues=asked.clues, rules=asked.rules))
            elif what == "explain":
                data = explanation_data(asked, explained(asked))
            else:
                data = rating_data(asked, rate(asked.board, rules=asked.rules))
        except ImproperError as error:
            return _unanswered(what, text, None, page.grids[0], error)
        return _json(board_answer(text, None, asked, data))

    def live(self, session: str, frame: bytes, mode: LiveMode, language: str = ENGLISH) -> bytes:
        """Tell what is seen in a frame of the camera called *session*."""
        return _json(self._live.frame(session, frame, mode, language))

    def forget(self, session: str) -> bytes:
        """Forget a camera."""
        self._live.end(session)
        return b"{}"

    def pen_paths(self) -> bytes:
        """Return how a pen writes each digit, for a page that draws as the pictures are drawn."""
        return _json({"width": WIDTH, "paths": {str(digit): path for digit, path in PEN_PATHS.items()}})

    def _read(
        self,
        state: str,
        *,
        overrides: str = "",
        rules: str = "",
        regions: str = "",
        filled: str = "",
        notes: Sequence[str] | None = None,
    ) -> tuple[GridState, GridResult]:
        """Return what was kept of a grid, and it with a person's word, and what is *filled* in."""
        kept = self._codec.unpack(state)
        said = single_grid_overrides(overrides), said_rules(rules, regions)
        grid = _filled_in(kept.grid(*said), filled)
        if notes is None:
            return kept, grid
        marks = marks_beside(grid.puzzle + grid.written, notes)
        return kept, replace(grid, reading=replace(grid.reading, marks=marks))


def _asked(kept: GridState, grid: GridResult, language: str) -> HintRequest:
    """Return what is asked about a grid, to be answered in a *language*.

    Raises :class:`~sudoku_vision.errors.ImproperError` where the grid hasn't one solution.
    """
    if isinstance(kept.content, TextContent):
        board = replace(board_of(grid), uncertain=kept.content.board.uncertain)
        asked = request_of_board(board, solved_board(board, kept.source))
    else:
        asked = request_of_grid(grid)
    return replace(asked, language=language)


def _filled_in(grid: GridResult, filled: str) -> GridResult:
    """Return a grid with the digits of *filled*, 81 or none, as what is surely written in its blank cells."""
    if not filled:
        return grid
    reading = grid.reading
    digits = np.array(parse_board(filled), np.int8).reshape(9, 9) * (reading.puzzle == 0)
    told = digits.ravel().tolist()
    return replace(
        grid,
        reading=replace(
            reading,
            written=np.where(digits > 0, digits, reading.written).astype(np.int8),
            doubts=tuple(one for one in reading.doubts if one.kind != "entry" or not told[one.cell]),
            unclear=tuple(cell for cell in reading.unclear if not told[cell]),
            marks=tuple(
                frozenset() if digit else marks for digit, marks in zip(told, reading.marks, strict=True)
            ),
        ),
    )


def _unanswered(
    question: BoardQuestion, source: str, reading: str | None, grid: GridResult, error: ImproperError
) -> bytes:
    """Return the answer to a question about a board that hasn't one solution, which says so."""
    text = board_text(grid.puzzle)
    told = {"source": source, "reading": reading, "status": error.status, "message": error.message}
    told |= {"puzzle": text, "output": None, "board": text} | grid.rules.to_dict()
    return _json(told | _NO_ANSWER[question])


def single_grid_overrides(text: str) -> Said:
    """Read what a person says of the cells of one grid; raises :class:`OverridesError` for others."""
    said = read_overrides(text.strip()) or {None: {}}
    if None not in said:
        raise OverridesError(
            "The cells name a grid, and here it is known which one is meant.", "Leave it out."
        )
    return said[None]


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _pages_json(pages: list[dict[str, Any]], next_page: int | None) -> bytes:
    """Tell of one page by itself, of several in a list, with the first that was left out."""
    alone = len(pages) == 1 and next_page is None
    return _json(pages[0] if alone else {"pages": pages, "next_page": next_page})


def _placed(told: dict[str, Any], kept: GridState) -> dict[str, Any]:
    """Tell of a grid as of those of a page: one in text lies nowhere."""
    return told | {"corners": None} if kept.in_text else told


def _reading(grid: GridResult, kept: GridState) -> str | None:
    return None if kept.in_text else grid.status
