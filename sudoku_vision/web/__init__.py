"""The page and its service: what ``sudoku-vision serve`` shows a browser, and what it answers to programs.

::

    settings           what the service is told: address, workers, limits
    server, protocol   uvicorn, with answers of our own where it would speak for itself
    app, *_endpoints   what is asked for by HTTP and WebSocket, and how it is answered
    requests, forms    bodies, read with a limit;  answers  JSON and pictures;  openapi  their description
    problems, guard    what is refused, and how that is said
    workers            processes in which pictures are read, and which can be ended; desk is what they make
    jobs, live_jobs    what a worker does: plain values in, the bytes of an answer out
    view, state        what a browser needs to draw a grid, and to have it decoded again
    static             the page itself, given out by static_files

Only the command ``serve`` imports this room; ``jobs`` and what it builds on know of no web library. The
process that answers knows nothing of vision.
"""
