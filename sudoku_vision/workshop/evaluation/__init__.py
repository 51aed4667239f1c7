"""Measure how well labelled pictures are read, and whether *solved* is ever said of a wrong reading.

Vocabulary: a *label* is one puzzle of a picture (:mod:`.labels`). It is *found* if a grid of the result is
matched to it, *read* if all 81 cells are right (the printed clues; blank where a person wrote, or where only
pencil marks stand), *answered* if its solution is right, *wrong* if it is called solved though that is not
right. *Of read* is the share of those read that are called solved. *False* is a grid claimed in a picture
that holds none. *With handwriting* counts, where the label says what a person wrote, the puzzles of which
print and handwriting are all right. *Verdicts* are what ``sudoku-vision check`` says of the digits that a
person wrote, and which of them are false. *Roles* are those of clues and entries.
"""
