"""Solving live: grids are tracked from frame to frame, readings are added up, and the answer is held.

::

    sources         cameras, films and streams, and their frames
    session         the loop: takes a frame, tracks, draws and reports; acts on keys
    tracker         follows all grids of a film from frame to frame
      target        one tracked grid, when it is worth reading, and when it is replaced
      tracking      finds the motion of one grid by its ``template``
      accumulation  adds up the scores of all frames, and follows entries that a person writes meanwhile
      occlusion     finds the cells that a hand covers
    tracked_grid    a grid in one frame, and its JSON
    draw            draws answers, outlines and words into the picture
    record          writes a film with the answers drawn in, with one of the ``encoders``
    window          a window on the screen, and its keys
"""
