"""Solving live: following grids from frame to frame, adding up what is read, holding the answer."""
