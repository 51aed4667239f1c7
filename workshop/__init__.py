"""The workshop: developers' tools to draw synthetic photos, measure how photos are read, and train models.

Run it from a clone as ``python -m workshop train|evaluate|draw``; training needs the extra ``train``.
"""

from typing import Literal, get_args

Kind = Literal[
    "newspaper_phone", "newspaper", "book", "sheet", "screenshot_light", "screenshot_dark", "screen_photo"
]
HalfSolvedKind = Literal["half_solved_page", "half_solved_app"]

KINDS: tuple[Kind, ...] = get_args(Kind)
HALF_SOLVED_KINDS: tuple[HalfSolvedKind, ...] = get_args(HalfSolvedKind)
