"""Drawing of puzzles as figures, which are written as PDF, as SVG or in pixels."""
