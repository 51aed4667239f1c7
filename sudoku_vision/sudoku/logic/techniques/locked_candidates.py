"""Locked candidates: where a box and a line cross, a digit of the one is locked in the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sudoku_vision.sudoku.logic.candidates import DIGITS, UNIT_SETS, Candidates, candidates_at, cells_of
from sudoku_vision.sudoku.logic.steps import Step, Technique, shown_on

_BOX_TO_LINE = tuple(
    (box, line) for box in range(18, 27) for line in range(18) if UNIT_SETS[box] & UNIT_SETS[line]
)
_LINE_TO_BOX = tuple((line, box) for box, line in sorted(_BOX_TO_LINE, key=lambda pair: pair[1]))


def locked(board: Candidates, technique: Technique, *, pairs: Sequence[tuple[int, int]]) -> Step | None:
    """Find a digit whose places in one unit all lie in another: the rest of that can't hold it.

    *pairs*: the units that are looked at, each with the other one.
    """
    for holder, swept in pairs:
        holding, sweeping = UNIT_SETS[holder], UNIT_SETS[swept]
        for digit in DIGITS:
            places = board.planes[digit] & holding
            if places and not places & ~sweeping:
                gone = board.planes[digit] & sweeping & ~holding
                if gone:
                    return Step(
                        technique,
                        cells_of(places),
                        (digit,),
                        units=(holder,),
                        covers=(swept,),
                        eliminations=candidates_at(gone, digit),
                    )
    return None


_sentence = partial(Step.saying, key="step.locked")


_EXAMPLES = (
    "807410532035870491401305867050104370174503620300700145516237984783941256942658713",
    "892316745546800312173245689038000401410003208625184937061450803350608104284731596",
)
TECHNIQUES = shown_on(
    _EXAMPLES,
    Technique("pointing candidates", 400, "medium", 50, partial(locked, pairs=_BOX_TO_LINE), _sentence),
    Technique("claiming candidates", 500, "medium", 50, partial(locked, pairs=_LINE_TO_BOX), _sentence),
)
POINTING, CLAIMING = TECHNIQUES
