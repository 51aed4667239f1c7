"""What programs call, and the objects that they get: ``from sudoku_vision import ...`` finds all of it.

::

    photos     solve_photo, read_photo, read_pages, check: from whatever holds a picture
    page       Page: what was read of a picture, which draws, saves and shows itself
    grid       Grid: one grid of it, with the scores from which it is decoded again
    checked    CheckedPage: what a person wrote, right or wrong
    hints      hint, Hint: the easiest next step, which draws itself
    table      a grid as a table of pandas

The modules are imported one by one: hints for a board need no OpenCV.
"""
