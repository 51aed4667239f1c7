"""The functions for other programs: all of them can be imported from ``sudoku_vision``.

::

    photos       solve_photo, read_pages, check: read a picture from any source
    hints        hint, Hint: the easiest next step, which can draw itself
    printing     print_puzzles: the pages of a book, as PDF
    board_pages  boards in text as pages
    answers      the answers of the command line and of the service
    notebook     pictures in a notebook

Each module is imported only when it is needed: hints for a board need no OpenCV.
"""
