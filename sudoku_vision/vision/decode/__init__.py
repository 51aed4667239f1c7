"""Decode what the classifier says of 81 cells into the most probable well-posed puzzle.

The model is Bayes' rule, cell by cell and then board by board:

* *Ink.* A cell holds a printed digit, or none (it is blank, or its digit was written by hand). The
  probabilities of these ten cases, multiplied over the cells, are the *joint likelihood* of a board.
* *Rules.* A printed puzzle is *proper*: it has one solution. Other boards get printed, too, but any single
  one of them is far less likely (``boards``).
* *Roles.* Of the divisions into given and entered digits, that one counts which makes a puzzle (``roles``).
* *Hands.* Either all ink of a page is by one hand, or it is print mixed with handwriting (``hypotheses``).

Unless the likeliest board is proper, the next likeliest are searched, best first, changing only what the ink
leaves open: nothing is made up. The *confidence* is the posterior probability of the puzzle (``confidence``);
where it isn't sure, the cells to look at are named (``uncertainty``). What a person says of cells overrules
the ink (``overrides``).
"""

from sudoku_vision.vision.decode.boards import MIN_SUPPORT
from sudoku_vision.vision.decode.confidence import SURE, grid_status
from sudoku_vision.vision.decode.decoder import decode, decode_turns, with_rules
from sudoku_vision.vision.decode.entries import CLEAR

__all__ = ["CLEAR", "MIN_SUPPORT", "SURE", "decode", "decode_turns", "grid_status", "with_rules"]
