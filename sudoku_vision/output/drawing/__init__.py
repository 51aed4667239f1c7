"""What pages and pictures are drawn with; nothing here decides by chance, and nothing knows a camera.

What is printed is a figure in millimetres (``figure``), written as PDF, as SVG or in pixels, from which
``puzzle_figure`` and ``puzzle_pages`` are made.
"""
