"""Drawing for pages and pictures: nothing here is random, and nothing depends on a camera.

``puzzle_figure`` and ``puzzle_pages`` make figures in millimetres (``figure``). These are written as PDF, as
SVG or in pixels.
"""
