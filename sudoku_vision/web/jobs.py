"""Jobs: what a worker of the service does, as plain functions from plain values to the bytes of an answer.

A :class:`Desk` is what they share. It knows of no request and keeps nothing between two jobs; each raises the
:class:`~sudoku_vision.errors.SudokuVisionError` that says why there is no answer.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from sudoku_vision.api.board_pages import solved_board
from sudoku_vision.api.hint_request import AskedBoard, asked_of_picture, asked_of_text
from sudoku_vision.api.json_output import (
    board_answer,
    explained,
    explanation_data,
    hint_data,
    page_answer,
    rating_data,
)
from sudoku_vision.errors import ImproperError, OverridesError
from sudoku_vision.output.overlay import overlay
from sudoku_vision.output.overlay.verdicts import check_shapes
from sudoku_vision.output.save import encode
from sudoku_vision.pipeline import MESSAGES
from sudoku_vision.results import NO_MARKS, GridResult, board_text
from sudoku_vision.sudoku.board import parse_board
from sudoku_vision.sudoku.formats import SITES, NamedBoard, link, write_board
from sudoku_vision.sudoku.logic import hints, rate
from sudoku_vision.sudoku.logic.explain import Explanation
from sudoku_vision.sudoku.logic.rating import rating_of
from sudoku_vision.sudoku.logic.words import seen_in
from sudoku_vision.sudoku.verdicts import check, page_dict
from sudoku_vision.vision.decode.overrides import Overrides, OverridesByGrid, parse_overrides
from sudoku_vision.vision.digits import CellClassifier
from sudoku_vision.web.pages import ReadPage, open_pages
from sudoku_vision.web.settings import BoardQuestion, BodyKind
from sudoku_vision.web.state import GridState, StateCodec, TextContent
from sudoku_vision.web.view import step_shapes, view_of

_TEXT_FORMS = ("line", "grid")
"""The forms in which a board is handed on as text, by the names of ``FORMATS``."""


class Desk:
    """Does the jobs of one worker."""

    def __init__(self, model: CellClassifier, key: bytes, *, megapixels: float = 50.0) -> None:
        """*model* reads cells, *key* signs states; pictures of more *megapixels* are refused."""
        self._model = model
        self._codec = StateCodec(key)
        self._megapixels = megapixels

    def solve(
        self,
        body: bytes,
        *,
        kind: BodyKind = "photo",
        page: int | None = None,
        overrides: str = "",
        corners: str = "",
    ) -> bytes:
        """Read and solve what was sent: ``solve --json`` of each page and its view, several in ``pages``."""
        pages = self._pages(body, kind, page, overrides, corners)
        return _told_pages([self._solved(one) for one in pages])

    def picture(
        self,
        body: bytes,
        *,
        kind: BodyKind = "photo",
        page: int | None = None,
        overrides: str = "",
        corners: str = "",
        suffix: str = ".jpg",
    ) -> bytes:
        """Return the picture of one page, the first by default, its answers drawn in, as *suffix* says.

        Raises :class:`~sudoku_vision.errors.ImproperError` where there is no grid in it.
        """
        (one,) = self._pages(body, kind, page or 1, overrides, corners)
        if one.photo is None or not one.grids:
            raise ImproperError(MESSAGES["no_grid"], status="no_grid")
        return encode(overlay(one.photo, one.grids), suffix, exif=one.photo.exif)

    def check_photo(
        self,
        body: bytes,
        *,
        kind: BodyKind = "photo",
        page: int | None = None,
        overrides: str = "",
        corners: str = "",
        marks: bool = False,
        answers: bool = False,
    ) -> bytes:
        """Read what was sent and check what is written in it: ``check --json`` of each page with its view."""
        pages = self._pages(body, kind, page, overrides, corners)
        return _told_pages([self._checked(one, marks=marks, answers=answers) for one in pages])

    def settle(self, state: str, *, overrides: str = "") -> bytes:
        """Decode a grid again with a person's word for some cells."""
        kept, said = self._kept(state, overrides)
        grid = kept.grid(said)
        return _json({"grid": _grid_dict(grid, kept), "view": view_of(grid, kept, state).to_dict()})

    def check(self, state: str, *, overrides: str = "", marks: bool = False, answers: bool = False) -> bytes:
        """Check what is written in a grid, its verdicts as shapes; *marks* and *answers* as for ``check``."""
        kept, said = self._kept(state, overrides)
        checked = check(kept.grid(said))
        shapes = check_shapes(checked, kept.print_style, answers=answers, marks=marks)
        told = checked.to_dict(marks=marks)
        if kept.in_text:
            told |= {"corners": None}
        return _json({"check": told, "view": view_of(checked.grid, kept, state, shapes).to_dict()})

    def hint(self, state: str, *, overrides: str = "", filled: str = "", marks: bool = False) -> bytes:
        """Find the easiest next step, with all that lead to a digit.

        *filled*: 81 digits that the person has filled in since, of which the right ones count. *marks*: go on
        from the person's pencil marks.
        """
        kept, said = self._kept(state, overrides)
        grid = kept.grid(said)
        asked = _asked(grid, kept, said, filled)
        candidates = asked.marks if marks else NO_MARKS
        steps = hints(asked.board, candidates)
        drawn = step_shapes(grid, asked.board, steps, kept.print_style, candidates)
        told = [
            {
                "name": step.technique.name,
                "place": seen_in(step),
                "text": step.text,
                "view": {"shapes": [shape.to_dict() for shape in shapes]},
            }
            for step, (_, shapes) in zip(steps, drawn, strict=True)
        ]
        data = hint_data(asked, steps, marks=marks)
        return _json(board_answer(kept.source, _reading(grid, kept), asked, data) | {"steps": told})

    def explain(self, state: str, *, overrides: str = "", filled: str = "") -> bytes:
        """Return every step to the solution, each with its board and shapes, and how hard that is."""
        kept, said = self._kept(state, overrides)
        grid = kept.grid(said)
        asked = _asked(grid, kept, said, filled)
        found = explained(asked)
        data = explanation_data(asked, found)
        drawn = step_shapes(grid, asked.board, found.steps, kept.print_style, NO_MARKS)
        data["steps"] = [
            told | {"board": board_text(before), "view": {"shapes": [shape.to_dict() for shape in shapes]}}
            for told, (before, shapes) in zip(data["steps"], drawn, strict=True)
        ]
        told = board_answer(kept.source, _reading(grid, kept), asked, data)
        return _json(told | {"rating": _rating(found)})

    def board(self, text: str, what: BoardQuestion) -> bytes:
        """Answer what is asked about a board of 81 characters, as the command line does with ``--json``."""
        board = NamedBoard(parse_board(text))
        page = solved_board(board, text)
        if what == "solve":
            return _json(page_answer(page.to_dict(), in_text=True))
        if what == "links":
            return _json(_hand_on(board))
        asked = asked_of_text(board, page)
        return _json(board_answer(text, None, asked, _BOARD_ANSWERS[what](asked)))

    def _pages(
        self, body: bytes, kind: BodyKind, page: int | None, overrides: str, corners: str
    ) -> list[ReadPage]:
        return open_pages(
            body,
            kind,
            self._model,
            self._megapixels,
            page=page,
            overrides=overrides,
            corners=corners,
        )

    def _solved(self, one: ReadPage) -> dict[str, Any]:
        """Tell of one page that was read."""
        told = page_answer(one.result.to_dict(), in_text=one.in_text)
        states = one.states()
        views = [
            view_of(grid, kept, self._codec.pack(kept)) for grid, kept in zip(one.grids, states, strict=True)
        ]
        return told | {"view": one.view(views)}

    def _checked(self, one: ReadPage, *, marks: bool, answers: bool) -> dict[str, Any]:
        """Tell of one page that was read, what is written in it checked."""
        checks = [check(grid) for grid in one.grids]
        told = page_answer(page_dict(one.result, checks, marks=marks), in_text=one.in_text)
        views = [
            view_of(
                checked.grid,
                kept,
                self._codec.pack(kept),
                check_shapes(checked, kept.print_style, answers=answers, marks=marks),
            )
            for checked, kept in zip(checks, one.states(), strict=True)
        ]
        return told | {"view": one.view(views)}

    def _kept(self, state: str, overrides: str) -> tuple[GridState, Overrides]:
        """Return the state of a text, and a person's word for cells of that one grid."""
        kept = self._codec.unpack(state)
        return kept, single_grid_overrides(overrides)


def single_grid_overrides(text: str) -> Overrides:
    """Read what a person says of the cells of one grid; raises :class:`OverridesError` for others."""
    said: Overrides | OverridesByGrid = parse_overrides(text) if text.strip() else {}
    if any(isinstance(key, int) for key in said):
        raise OverridesError(
            "The cells name a grid, and here it is known which one is meant.", "Leave it out."
        )
    return said  # type: ignore[return-value]  # the keys were just looked at


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _told_pages(pages: list[dict[str, Any]]) -> bytes:
    """Tell of one page by itself, of several in a list."""
    return _json(pages[0] if len(pages) == 1 else {"pages": pages})


def _grid_dict(grid: GridResult, kept: GridState) -> dict[str, Any]:
    """Tell of a grid as of those of a page: one in text lies nowhere."""
    return grid.to_dict() | ({"corners": None} if kept.in_text else {})


def _reading(grid: GridResult, kept: GridState) -> str | None:
    return None if kept.in_text else grid.status


def _asked(grid: GridResult, kept: GridState, overrides: Overrides, filled: str) -> AskedBoard:
    """Return what is asked about a grid, with what was *filled* in rightly since."""
    if isinstance(kept.content, TextContent):
        board = kept.content.with_overrides(overrides)
        asked = asked_of_text(board, solved_board(board, kept.source))
    else:
        asked = asked_of_picture(grid)
    if not filled:
        return asked
    digits = np.array(parse_board(filled), np.int8).reshape(9, 9)
    right = digits if grid.solution is None else np.where(digits == grid.solution, digits, 0)
    return replace(asked, board=np.where(asked.board > 0, asked.board, right).astype(np.int8))


def _rating(found: Explanation) -> dict[str, Any] | None:
    """Tell how hard the steps of an explanation are; None where they don't lead to one solution."""
    if found.status != "one":
        return None
    return rating_of(Counter(step.technique for step in found.steps)).to_dict()


def _hint_answer(asked: AskedBoard) -> dict[str, Any]:
    return hint_data(asked, hints(asked.board))


def _explain_answer(asked: AskedBoard) -> dict[str, Any]:
    return explanation_data(asked, explained(asked))


def _rate_answer(asked: AskedBoard) -> dict[str, Any]:
    return rating_data(asked, rate(asked.board))


_BOARD_ANSWERS: dict[str, Callable[[AskedBoard], dict[str, Any]]] = {
    "hint": _hint_answer,
    "explain": _explain_answer,
    "rate": _rate_answer,
}


def _hand_on(board: NamedBoard) -> dict[str, Any]:
    """Return the links that open a board on other sites, and the board as text."""
    return {
        "links": {site: link(board, site) for site in SITES},
        "texts": {form: write_board(board, form) for form in _TEXT_FORMS},
    }
