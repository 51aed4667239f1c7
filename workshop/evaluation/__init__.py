"""Measure how well labelled pictures are read, and whether a wrong reading is ever called solved.

A *label* is one puzzle of a picture (:mod:`.labels`). It is

* *found* if a grid of the result matches it,
* *read* if all 81 cells are right: the printed clues, and blanks where a person wrote or where only pencil
  marks stand,
* *answered* if its solution is right,
* *wrong* if it is called solved and that is not right.

*Of read* is the share of those read that are called solved. *False* is a grid claimed in a picture that holds
none. *With handwriting* counts the puzzles whose print and handwriting are all right, if handwriting is
labelled. *Verdicts* are those of ``sudoku-vision check`` on written digits; *roles* are clue and entry.
"""
