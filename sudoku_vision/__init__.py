"""Solve sudokus from photos."""
