"""Sources of frames: a camera, a film in a file or a stream, all opened and read the same way.

::

    address   what people write -> a camera, a file or a stream; why it gives no frames
    source    an open source, read frame by frame
    feeds     every frame of a film, or the newest of whatever is live; waits for a camera that was unplugged
    cameras   the cameras that are there
"""
