"""Decode what the classifier says of 81 cells into the most probable well-posed puzzle.

The model is Bayes' rule, cell by cell and then board by board:

* *Ink.* A cell holds a printed digit, or none (it is blank, or its digit was written by hand). The
  probabilities of these ten cases are multiplied over the cells: the *joint likelihood* of a board.
* *Rules.* A printed puzzle is *proper*: it has one solution. Boards with many solutions, none, or a clash get
  printed too, but any single one of them is far less likely than a proper one (``boards``).
* *Roles.* Where the ink leaves it open which digits were given and which entered, the given ones are those
  that make a proper puzzle, which a division by chance hardly ever does (``roles``).
* *Hands.* Either all ink of a page is by one hand, and is the puzzle; or it is print mixed with handwriting.
  The two *hypotheses* about a page are weighed and both are decoded: cells that are doubtfully handwritten
  then give way like digits do (``hypotheses``).

If the likeliest board is proper, that is all. Otherwise the next likeliest boards are searched, best first,
changing only what the ink leaves open, and where digits clash, only those. What stays likeliest
wins, even if it breaks the rules: a board that the ink doesn't support is never made up.

The *confidence* is the posterior probability of the puzzle: its share of all boards that could have been
printed (``confidence``); where it isn't sure, the cells to look at are named (``uncertainty``). What a person
says of cells overrules the ink (``overrides``).
"""

from sudoku_vision.vision.decode.boards import MIN_SUPPORT
from sudoku_vision.vision.decode.decoder import decode, decode_turns
from sudoku_vision.vision.decode.entries import CLEAR
from sudoku_vision.vision.decode.status import SURE, grid_status

__all__ = ["CLEAR", "MIN_SUPPORT", "SURE", "decode", "decode_turns", "grid_status"]
