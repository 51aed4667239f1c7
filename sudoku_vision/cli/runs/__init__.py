"""Runs over any number of pictures: what is shared out, and what is kept of a run.

::

    tasks       a picture or some pages of a document -> what was read, and the file of the picture drawn
    drawings    what is drawn into a photo
    provenance  a note in a picture: what it was made from;  recipe  all else that decides what is drawn
    report      a line for each page of a run
    model       the digit model that a run is to use;  warm_up  loads it, and all else, beforehand;
                preloaded  does so for processes that are forked

Nothing here knows the command line, which keeps the processes that do tasks quick to start.
"""
