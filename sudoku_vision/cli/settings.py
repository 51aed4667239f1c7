"""What the command line asks for beside the pictures and boards."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_vision.display import TextStyle, style_for
from sudoku_vision.load import MAX_MEGAPIXELS
from sudoku_vision.results import Floats

if TYPE_CHECKING:
    from sudoku_vision.decode.overrides import Overrides, OverridesByGrid


@dataclass(frozen=True)
class Options:
    """What the command line asks for beside the pictures."""

    output: str | None = None
    as_json: bool = False
    debug_dir: Path | None = None
    max_megapixels: float = MAX_MEGAPIXELS
    model: Path | None = None
    page: int | None = None
    overrides: Overrides | OverridesByGrid | None = None
    said: str = ""
    corners: Floats | None = None
    plain: bool = False
    link: str | None = None

    @property
    def text_style(self) -> TextStyle:
        """How boards are printed on standard output."""
        return style_for(sys.stdout, plain=self.plain)

    @property
    def for_one_picture(self) -> bool:
        """Whether something was said that can only be meant for one picture."""
        return bool(self.overrides) or self.corners is not None


def read_options(*, givens: str | None, corners: str | None, **others: Any) -> Options:
    """Read *givens* and *corners* as they are typed; *others* are as in :class:`Options`.

    Raises :class:`~sudoku_vision.errors.UsageError` for what can't be read.
    """
    from sudoku_vision.decode.overrides import parse_corners, parse_overrides

    return Options(
        overrides=None if givens is None else parse_overrides(givens),
        said=givens or "",
        corners=None if corners is None else parse_corners(corners),
        **others,
    )
