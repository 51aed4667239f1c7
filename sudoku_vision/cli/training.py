"""The command ``train``: learn to read digits anew."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from sudoku_vision.cli.app import CLASSIFIER, app, plain_errors


@app.command(rich_help_panel=CLASSIFIER)
def train(
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
            help="Folder with labelled photos, whose cells are learnt from too; may be given several times.",
            show_default=False,
        ),
    ] = None,
    handwriting: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Handwritten digits, as .npz with images and labels.", show_default=False
        ),
    ] = None,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the model is written.")] = Path(
        "models/digits.npz"
    ),
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
    """Train the digit classifier from fonts, handwriting and labelled photos.

    Draws boards in every font found, adds handwriting and the cells of photos where given, spoils them as
    cameras do, and learns to read them. Takes some minutes.
    """
    with plain_errors():
        from sudoku_vision.save import check_place

        check_place(out)
        from sudoku_vision.training.settings import Settings
        from sudoku_vision.training.train import train as run_training  # takes seconds to import

        result = run_training(
            out,
            fonts=fonts or [],
            photos=photos or [],
            handwriting=handwriting,
            folds=folds,
            settings=Settings(seed=seed),
            command=shlex.join(["sudoku-vision", *sys.argv[1:]]),
        )
        typer.echo(json.dumps(result.metrics, indent=2, default=str))
        typer.echo(f"Wrote {out}.", err=True)
