"""What programs call, and the objects that they get: ``from sudoku_vision import ...`` finds all of it.

::

    photos     solve_photo, read_pages, check: from whatever holds a picture
    page       Page, CheckedPage: what was read of a picture, which draws, saves and shows itself
    hints      hint, Hint: the easiest next step, which draws itself
    printing   print_puzzles: pages of a book, as PDF
    notebook   how pictures are shown in one

The modules are imported one by one: hints for a board need no OpenCV.
"""
