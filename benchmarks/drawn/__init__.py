"""Draw pages and films with sudokus, and pictures without, for tests, benchmarks and the docs' tools."""
