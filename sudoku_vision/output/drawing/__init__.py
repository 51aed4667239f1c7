"""Draw puzzles as figures, and write figures as PDF, as SVG or in pixels."""
