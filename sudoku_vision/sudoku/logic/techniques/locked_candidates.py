"""Locked candidates: where a box and a line cross, a digit of the one is locked in the other."""

from functools import partial

from sudoku_vision.sudoku.logic.candidates import DIGITS, Candidates, candidates_at, cells_of
from sudoku_vision.sudoku.logic.steps import Step, Technique, shown_on


def locked(board: Candidates, technique: Technique, *, in_region: bool) -> Step | None:
    """Find a digit whose places in one unit all lie in another: the rest of that can't hold it.

    *in_region*: whether it is locked into a line by a box or region, or the other way about.
    """
    units = board.sight.units
    for holder, swept in board.sight.region_to_line if in_region else board.sight.line_to_region:
        holding, sweeping = units[holder], units[swept]
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
    Technique("pointing candidates", 400, "medium", 50, partial(locked, in_region=True), _sentence),
    Technique("claiming candidates", 500, "medium", 50, partial(locked, in_region=False), _sentence),
)
POINTING, CLAIMING = TECHNIQUES
