"""Drawn films, and pictures without a sudoku, that tests, benchmarks and tools of the docs look at."""
