"""Draws pages and films with sudokus, and pictures without, for tests, benchmarks and tools of the docs."""
