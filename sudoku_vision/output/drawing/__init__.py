"""What pages and pictures are drawn with.

What is printed is a figure in millimetres (``figure``), written as PDF, as SVG or in pixels; ``puzzle_figure``
and ``puzzle_pages`` are made of such. A canvas of pixels is for captions and synthetic photos, tiles are for
the pictures that show how the program sees. Nothing here decides by chance, and nothing knows a camera.
"""
