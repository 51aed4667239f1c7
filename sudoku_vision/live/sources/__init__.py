"""Cameras, films in files, and streams; all are opened and read in the same way.

::
    address   finds the camera, file or stream that a person names; has the errors if it gives no frames
    source    an open source, which is read frame by frame
    feeds     give every frame of a film, or the newest frame of a camera; open a lost camera again
    cameras   lists the cameras that are connected
"""
