"""Drawing of puzzles on pages and in pictures. Equal puzzles give equal pages, and no photo is needed.

``puzzle_figure`` and ``puzzle_pages`` make figures, whose lengths are in millimetres. ``figure`` has the
classes of figures and their elements. A figure can be written as PDF, as SVG or in pixels.
"""
