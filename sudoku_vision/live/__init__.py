"""Solving live: grids are tracked from frame to frame, what is read is added up, and the answer is held.

::

    sources         cameras, films and streams, and the frames that they give
    session         the loop: take a frame, track, draw, tell; ``window_session`` with a person before it
    tracker         the grids of a film, from frame to frame
      detection     searching frames for grids, beside the tracking
      association   whether a detected grid is one that is tracked
      target        one grid that is tracked, and when it is worth reading
      lost_grids    those that may come back
      tracking      where one grid went; by its ``template`` and ``optical_flow``
      accumulation  what all frames say together about its digits
      smoothing     where it is drawn
    tracked_grid    what the tracker says of a grid in a frame; ``report`` tells it to other programs
    draw            answers, outlines and words in the picture; ``captions``, ``debug_view``
    record          the film with the answers drawn in
    window          a window on the screen, and its keys
"""
