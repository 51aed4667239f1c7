"""The page and its service: ``sudoku-vision serve`` serves the page, and answers requests of programs.

::

    settings                  address, workers, limits and token of the service
    addresses                 names of this machine, and the page's address for other devices
    server                    uvicorn, with our own limits and refusals
    app                       the application, which answers each address
    auth                      checks who sends a request; redirects to https; adds security headers
    endpoints                 the answers to requests by HTTP and, from cameras, by WebSocket
    schemas                   the models of requests and answers
    docs_pages                pages that describe the service and the techniques to people
    bodies                    reads the bodies of requests, with limits
    problems                  all reasons why a request is refused
    certificate               keeps the https certificate for the next start
    pools                     worker processes that read pictures, and that can be killed
    job_handler               the work of a worker process; arguments and results are plain values
    pages, view, state        reading of pages, data that browsers draw, data to decode grids again
    static                    the files of the page

Only the command ``serve`` imports this package. ``job_handler`` and the modules that it imports run in worker
processes, and need no web library. The process that answers requests imports no code that reads pictures.
"""
