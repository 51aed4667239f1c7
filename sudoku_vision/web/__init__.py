"""The page and its service: what ``sudoku-vision serve`` shows a browser, and what it answers to programs.

::

    app, *_endpoints   what is asked for by HTTP and WebSocket, and how it is answered
    problems, guard    what is refused, and how that is said
    workers            processes in which pictures are read, and which can be ended
    jobs, live_jobs    what a worker does: plain values in, the bytes of an answer out
    view, state        what a browser needs to draw a grid, and to have it decoded again
    static             the page itself

Only the command ``serve`` imports this room; ``jobs`` and what it builds on know of no web library.
"""
