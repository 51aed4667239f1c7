"""Solving live: grids are tracked from frame to frame, readings are added up, and the answer is held.

::

    sources         cameras, films and streams, and their frames
    session         the loop: take a frame, track, draw, report; and the keys
    tracker         all grids of a film, from frame to frame
      target        one tracked grid, when it is worth reading, and when it is replaced
      tracking      the motion of one grid, found by its ``template``
      accumulation  the scores of all frames, added up, and entries that are written meanwhile
      occlusion     the cells that a hand covers
    tracked_grid    a grid in one frame, and its JSON
    draw            answers, outlines and words in the picture
    record          the film with the answers drawn in; ``encoders``
    window          a window on the screen, and its keys
"""
