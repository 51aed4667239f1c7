"""Draw pages and films with sudokus, and pictures without them, for tests, benchmarks and the docs' tools."""
