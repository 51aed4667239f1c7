"""What pages and pictures are drawn with, by the commands that print and by the renderer of synthetic photos.

What is printed is a figure in millimetres (``figure``), written as PDF, as SVG or in pixels; ``puzzle`` and
``pages`` are made of such. Synthetic photos have a canvas of pixels with a printed grid; tiles are for the
pictures that show how the program sees. Nothing here decides by chance, and nothing knows a camera.
"""
