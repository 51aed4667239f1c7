"""Measure how well labelled pictures are read, and whether a wrong reading is ever called solved.

A *label* is one puzzle of a picture (:mod:`.labels`). It is

* *found* if a grid of the result matches it,
* *read* if all 81 cells are right: the printed clues, and blanks where a person wrote or where only pencil
  marks stand,
* *answered* if its solution is right,
* *wrong* if it is called solved, although its answer is not right.

A *false* grid is one that is found in a picture without any. *By hand* are the puzzles whose handwriting is
labelled; the first number counts those whose print and handwriting are all right. *Verdicts* are what
``sudoku-vision check`` says about written digits. *Roles*: each digit is a clue or an entry.
"""
