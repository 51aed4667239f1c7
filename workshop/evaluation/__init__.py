"""Measure how well labelled pictures are read, and whether wrongly read puzzles are called solved.

A *label* describes one puzzle of a picture (:mod:`.labels`). The labelled puzzle is

* *found* if a grid of the result matches the label,
* *read* if the rules and all 81 cells are right: a printed clue must be read as this clue, and any other cell
  as blank, even if it holds handwriting or pencil marks,
* *answered* if the solution is right,
* *wrong* if the puzzle is called solved, although its answer is not right.

A *false* grid is a grid that was found in a picture without a sudoku.
"""
