"""Drawing of pages and pictures: nothing here is random, and nothing depends on a photo.

``puzzle_figure`` and ``puzzle_pages`` make figures in millimetres; ``figure`` defines what a figure is. A
figure is written as PDF, as SVG or in pixels.
"""
