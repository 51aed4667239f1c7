"""The commands for measuring and training the classifier: ``evaluate`` and ``train``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from sudoku_vision.cli.options import CLASSIFIER, SHARING, Options, command


class Part(StrEnum):
    """What is trained."""

    DIGITS = "digits"
    MARKS = "marks"


@command(CLASSIFIER)
def train(
    part: Annotated[
        Part, typer.Option(help="The classifier of digits, or the reader of pencil marks.")
    ] = Part.DIGITS,
    fonts: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR", help="Folder with font files; may be given several times.", show_default=False
        ),
    ] = None,
    photos: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="Folder with labelled photos, whose cells are learnt from too; may be given several times. "
            "For marks: such as note where marks stand.",
            show_default=False,
        ),
    ] = None,
    handwriting: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Handwritten digits, as .npz with images and labels.", show_default=False
        ),
    ] = None,
    marks: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Digits of the pencil marks in photos: a table of puzzle, cell and digits.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where the model is written: models/digits.npz or models/marks.npz."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Same seed and data: same model.")] = 0,
    folds: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Measure on the photos with N networks, each trained without the puzzles it is measured on.",
        ),
    ] = 0,
) -> None:
    """Train the digit classifier, or the reader of pencil marks, from fonts, handwriting and photos.

    Draws boards in every font found, adds handwriting and the cells of photos where given, spoils them as
    cameras do, and learns to read them. Takes some minutes.
    """
    from sudoku_vision.cli.train import run_train

    run_train(
        part,
        out or Path(f"models/{part}.npz"),
        fonts=fonts or [],
        photos=photos or [],
        handwriting=handwriting,
        table=marks,
        folds=folds,
        seed=seed,
    )


@command(CLASSIFIER, "as_json", "model", *SHARING)
def evaluate(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR",
            help="Folders with pictures and their labels: a .dat file beside each, one labels.csv, or "
            "labels/*.txt about images/.",
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
            help="Tell how far confidence holds, and draw it.",
            show_default=False,
        ),
    ] = None,
    marks: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Digits of the pencil marks, for labels/*.txt that only say where marks stand: a table of "
            "puzzle, cell and digits.",
            show_default=False,
        ),
    ] = None,
    *,
    options: Options,
) -> None:
    """Measure how well labelled photos are read, solved, and wrongly called solved."""
    from sudoku_vision.cli.evaluate import Pictures, run_evaluate

    run_evaluate(folders, Pictures(sheet, reliability), options, marks=marks)
