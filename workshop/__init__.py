"""The workshop beside the package: draw synthetic photos, measure how well photos are read, train models.

Run it from a clone as ``python -m workshop train|evaluate|draw``; training needs the extra ``train``. The
package ``sudoku_vision`` imports nothing from here.

The kinds of pictures are listed in this module, so that ``--help`` does not need to import the renderer.
"""

from typing import Literal, get_args

Kind = Literal[
    "newspaper_phone", "newspaper", "book", "sheet", "screenshot_light", "screenshot_dark", "screen_photo"
]
HalfSolvedKind = Literal["half_solved_page", "half_solved_app"]

KINDS: tuple[Kind, ...] = get_args(Kind)
HALF_SOLVED_KINDS: tuple[HalfSolvedKind, ...] = get_args(HalfSolvedKind)
