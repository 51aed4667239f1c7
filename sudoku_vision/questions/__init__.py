"""Questions: what people ask about a board, read or written out, and how programs are told.

::

    board_pages   a board in text as a page with one grid, and its picture
    asked         which board hints and explanations go on from, and what must be said with them
    told          answers as the JSON that the command line prints and the service sends
"""
