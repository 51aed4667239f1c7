"""The arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...",
        help="Pictures, folders, patterns such as 'photos/*.jpg', or - for standard input.",
        show_default=False,
    ),
]
Boards = Annotated[
    list[str],
    typer.Argument(
        metavar="BOARD...",
        help="Boards: 81 characters, files, links, pictures, or - for standard input.",
        show_default=False,
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help="Write the picture with what is told drawn in: a name ending in .jpg, .png or .webp, or "
        "a folder where there are several pictures.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object a line, for other programs.")]
DebugDir = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Write a numbered picture of every stage.", show_default=False),
]
Page = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="This page of a document alone.", show_default=False),
]
Givens = Annotated[
    str | None,
    typer.Option(
        metavar="CELLS",
        help="What is printed in cells of one picture, rows and columns from 1: r3c5=8,r4c1=blank; "
        "r2c2=written says that its digit is no clue, 2:r3c5=8 means the second of several grids.",
        show_default=False,
    ),
]
Corners = Annotated[
    str | None,
    typer.Option(
        metavar="X,Y,X,Y,X,Y,X,Y",
        help="Where the grid of one picture lies: its outer corners in pixels of the upright picture, "
        "clockwise from the puzzle's top left.",
        show_default=False,
    ),
]
Plain = Annotated[bool, typer.Option("--plain", help="Print boards in ASCII and without colour.")]
MaxMegapixels = Annotated[
    float, typer.Option(min=0.01, metavar="N", help="Refuse pictures of more than N million pixels.")
]
Model = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Digit model to use instead of the one that comes along.", show_default=False
    ),
]
