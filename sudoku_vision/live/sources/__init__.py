"""Sources of frames: a camera, a film in a file or a stream, all opened and read the same way.

::

    address   finds the camera, file or stream that people name, and says why it gives no frames
    source    an open source, which is read frame by frame
    feeds     every frame of a film, or the newest frame of a camera; waits for a camera that was unplugged
    cameras   lists the cameras that are connected
"""
