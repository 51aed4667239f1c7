"""The functions for programs: ``from sudoku_vision import ...`` finds all of them.

::

    photos     solve_photo, read_pages, check: read a picture from any source
    hints      hint, Hint: the easiest next step, which draws itself
    printing   print_puzzles: pages of a book, as PDF
    board_pages, answers: boards in text as pages; the answers of the command line and of the service
    notebook   pictures in a notebook

The modules are imported one by one: hints for a board need no OpenCV.
"""
