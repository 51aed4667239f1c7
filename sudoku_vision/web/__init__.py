"""The page and its service: what ``sudoku-vision serve`` shows a browser, and what it answers to programs.

::

    settings              what the service is told: address, workers, limits
    server, protocol      uvicorn, with bounds and answers of our own
    app, middleware       the application, and what holds for every answer;  auth  who may ask
    endpoints             what is asked for by HTTP, and by cameras also by WebSocket
    api_page              all of that described, for people
    bodies, schemas       what requests say, read with a limit, and what answers hold;  problems  refusals
    own_files, certificate  what is kept from one start to the next: the token, and what https needs
    pools                 processes in which pictures are read, and which can be ended
    job_handler, live_jobs  what such a process does: plain values in, the bytes of an answer out
    pages, view, state    what was read, what a browser draws of it, and what decodes it again
    static                the page itself

Only the command ``serve`` imports this room; ``job_handler`` and what it builds on know of no web library.
The process that answers knows nothing of vision.
"""
