"""The workshop beside the package: it draws synthetic photos, measures reading, and trains the models.

Run it from a clone as ``python -m workshop train|evaluate|draw``; training needs the extra ``train``. The
package ``sudoku_vision`` imports nothing from here.

The kinds of pictures are listed here, so that ``--help`` need not import the renderer.
"""

from typing import Literal, get_args

Kind = Literal[
    "newspaper_phone", "newspaper", "book", "sheet", "screenshot_light", "screenshot_dark", "screen_photo"
]
HalfSolvedKind = Literal["half_solved_page", "half_solved_app"]

KINDS: tuple[Kind, ...] = get_args(Kind)
HALF_SOLVED_KINDS: tuple[HalfSolvedKind, ...] = get_args(HalfSolvedKind)
