"""The functions for other programs, which can import all of them from ``sudoku_vision``.

::

    photos    solve_photo, read_pages, check: read a picture from any source
    hints     hint, Hint: the easiest next step; a Hint can draw itself
    printing  print_puzzles: the pages of a book, as PDF
    answers   the answers of the command line and of the service

Each module is imported only when it is needed. So hints for a board in text don't load OpenCV.
"""
