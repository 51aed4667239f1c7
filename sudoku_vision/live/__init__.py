"""Solving live: grids are tracked from frame to frame, what is read is added up, and the answer is held.

::

    sources         cameras, films and streams, and the frames that they give
    session         the loop: take a frame, track, draw, tell; and what the keys change of it
    tracker         the grids of a film, from frame to frame; frames are searched beside the tracking
      target        one grid that is tracked, when it is worth reading, and what takes its place
      tracking      where one grid went; by its ``template``
      accumulation  what all frames say together about its digits, and what is written meanwhile
      occlusion     the cells that a hand lies over
    tracked_grid    what the tracker says of a grid in a frame, and how other programs read it
    draw            answers, outlines and words in the picture
    record          the film with the answers drawn in; ``encoders``
    window          a window on the screen, and its keys
"""
