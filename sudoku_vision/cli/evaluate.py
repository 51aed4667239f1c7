"""The command ``evaluate``: how well labelled photos are read, as text, JSON and pictures."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_vision.cli.app import CLASSIFIER, app, plain_errors
from sudoku_vision.cli.options import Model

if TYPE_CHECKING:
    from sudoku_vision.evaluation.metrics import Evaluation


class Turn(str, Enum):
    """How pictures are turned before they are read."""

    NONE = "0"
    RIGHT = "90"
    OVER = "180"
    LEFT = "270"
    ALL = "all"

    @property
    def quarters(self) -> tuple[int, ...]:
        """Quarter turns clockwise."""
        return (0, 1, 2, 3) if self is Turn.ALL else (int(self.value) // 90,)


@dataclass(frozen=True)
class Pictures:
    """Where pictures of an evaluation go, None where they are not wanted.

    ``sheet`` is the contact sheet of the failures, ``reliability`` the diagram of how far confidence holds,
    over the folders and so many ``drawn`` pictures.
    """

    sheet: Path | None
    reliability: Path | None
    drawn: int


@app.command(rich_help_panel=CLASSIFIER)
def evaluate(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR...",
            help="Folders with pictures and their labels: a .dat file beside each, or one labels.csv.",
            show_default=False,
        ),
    ],
    sheet: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a contact sheet of every failure: photo, straightened grid, what was read.",
            show_default=False,
        ),
    ] = None,
    reliability: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Tell how far confidence holds, over these folders and drawn pictures, and draw it.",
            show_default=False,
        ),
    ] = None,
    drawn: Annotated[int, typer.Option(min=0, metavar="N", help="Pictures drawn for --reliability.")] = 210,
    turn: Annotated[
        Turn,
        typer.Option(help="Read every picture turned clockwise by so many degrees, or in all four turns."),
    ] = Turn.NONE,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    model: Model = None,
) -> None:
    """Measure how well labelled photos are read, solved, and wrongly called solved."""
    with plain_errors():
        _evaluate(folders, Pictures(sheet, reliability, drawn), turn.quarters, model, as_json=as_json)


def _evaluate(
    folders: Sequence[Path],
    pictures: Pictures,
    turns: Sequence[int],
    model_path: Path | None,
    *,
    as_json: bool,
) -> None:
    """Evaluate folders, print the figures, and write the pictures.

    Raises :class:`~sudoku_vision.errors.OpenError` if no picture can be opened.
    """
    from sudoku_vision.cli.model import named_model
    from sudoku_vision.cli.show import progress
    from sudoku_vision.evaluation.evaluate import evaluate_folders
    from sudoku_vision.pipeline import read_photo
    from sudoku_vision.results import PageResult, Photo
    from sudoku_vision.save import check_output

    for path in (pictures.sheet, pictures.reliability):
        if path is not None:
            check_output(path)
    model = named_model(model_path)

    def read(photo: Photo) -> PageResult:
        return read_photo(photo, model=model)

    result = evaluate_folders(folders, read, turns=turns, progress=progress)
    _complain_of_unopened(result)
    if pictures.reliability is not None:
        from sudoku_vision.evaluation.drawn import drawn_pictures
        from sudoku_vision.evaluation.evaluate import evaluate_drawn

        with progress(pictures.drawn, "drawing and reading") as step:
            drawn = evaluate_drawn(drawn_pictures(pictures.drawn), read, step=step)
        result = replace(result, drawn=tuple(drawn))
    _print(result, as_json=as_json, reliability=pictures.reliability is not None)
    _save_pictures(result, pictures)


def _complain_of_unopened(result: Evaluation) -> None:
    """Name the pictures that could not be opened; raises OpenError if none could."""
    from sudoku_vision.cli.show import complain
    from sudoku_vision.errors import OpenError

    for _, why in result.unopened:
        complain(f"not opened, and counted nowhere: {why}")
    if not result.pictures:
        raise OpenError("None of the labelled pictures could be opened.", "Look at the messages above.")


def _print(result: Evaluation, *, as_json: bool, reliability: bool) -> None:
    """Print the figures to standard output."""
    from sudoku_vision.evaluation.reliability import groups_of, reliability_dict, reliability_text
    from sudoku_vision.evaluation.text import evaluation_text

    groups = groups_of(result)
    if as_json:
        curve = {"reliability": reliability_dict(groups)} if reliability else {}
        text = json.dumps({**result.to_dict(), **curve}, indent=2)
    else:
        text = evaluation_text(result) + (f"\n\n{reliability_text(groups)}" if reliability else "")
    sys.stdout.write(text.rstrip() + "\n")


def _save_pictures(result: Evaluation, pictures: Pictures) -> None:
    """Write the pictures that are wanted."""
    from sudoku_vision.decode import SURE
    from sudoku_vision.save import save

    if pictures.sheet is not None:
        from sudoku_vision.evaluation.contact_sheet import contact_sheet

        save(pictures.sheet, contact_sheet(result.failures))
    if pictures.reliability is not None:
        from sudoku_vision.evaluation.reliability import groups_of
        from sudoku_vision.evaluation.reliability_diagram import draw_reliability

        save(pictures.reliability, draw_reliability(groups_of(result), sure=SURE))
