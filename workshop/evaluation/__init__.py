"""Measure how well labelled pictures are read, and whether a wrong reading is ever called solved.

A *label* describes one puzzle of a picture (:mod:`.labels`). The labelled puzzle is

* *found* if a grid of the result matches the label,
* *read* if all 81 cells are right: a cell with a printed clue must have this digit, and any other cell must
  be blank, even if it holds handwriting or pencil marks,
* *answered* if the solution is right,
* *wrong* if the puzzle is called solved, although its answer is not right.

A *false* grid is a grid that was found in a picture that holds no sudoku. The column *by hand* has two
numbers: how many puzzles have all print and handwriting read right, and how many puzzles have labels for
their handwriting. *Verdicts* say whether a written digit is right or wrong, as in ``sudoku-vision
check``. The *role* of a digit is clue or entry.
"""
