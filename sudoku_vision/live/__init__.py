"""Live solving: grids are tracked from frame to frame, and their answers are drawn into each frame.

The scores of all frames of a grid are added up until the answer is sure. From then on, the answer stays.

::

    sources         cameras, films and streams, and their frames
    session         the main loop: takes a frame, tracks the grids in it, draws, reports, and acts on keys
    tracker         follows all grids of a film; decides when a grid is read again, and when it is replaced
      tracking      finds the motion of one grid with a small straightened picture of it (a template)
      accumulation  adds up the scores of all frames, and finds the entries that a person adds
      occlusion     finds the cells that a hand covers
    draw            draws answers, outlines and words into the picture
    record          writes a film with the answers drawn in
    window          a window on the screen, and its keys
"""
