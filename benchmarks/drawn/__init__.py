"""Draw pages and films with sudokus, and pictures with none, for tests, benchmarks and the docs' tools."""
