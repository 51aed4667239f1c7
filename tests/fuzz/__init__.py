"""Fuzzing: inputs drawn from a seeded chance, mutated, and tried one by one within limits of time and memory.

::

    mutations    bytes -> bytes that are damaged: flips, cuts, lies about numbers
    structures   the same for those who know a format: PNG, JPEG, TIFF, ISO boxes, PDF
    seeds        sound inputs that mutations begin with
    kinds        kinds of inputs: how each is drawn, and what is done with it
    desk         what is done with a case, in a worker process
    trials       runs cases within limits, and tells what failed
    service      cases that are requests to a running service
    tally        counts, the slowest, the largest

``python -m tests.fuzz --minutes 60`` runs it, ``python -m tests.fuzz --case FILE`` tries one case again.
"""
