"""The page and its service: ``sudoku-vision serve`` shows the page to browsers and answers programs.

::

    settings              address, workers and limits of the service
    server, protocol      uvicorn, with limits and refusals of our own
    app                   the application;  auth  who may ask, and the headers of every answer
    endpoints             what can be asked, by HTTP and for cameras by WebSocket
    schemas               the models of requests and answers;  api_page  their description for people
    bodies                reads the bodies of requests, with limits;  problems  refusals
    own_files, certificate  what is kept from one start to the next: the token, and the certificate for https
    pools                 processes that read pictures, and that can be killed
    job_handler, live_camera  what such a process does: plain values in, plain values out
    pages, view, state    what was read, what a browser draws, and the data for decoding a grid again
    static                the page itself

Only the command ``serve`` imports this package; ``job_handler`` and its helpers import no web library. The
process that answers requests imports no code that reads pictures.
"""
