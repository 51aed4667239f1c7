"""Measure how well labelled pictures are read."""
