"""What pages and pictures are drawn with, by ``generate`` and by the renderer of synthetic photos alike.

Colours, typefaces and a canvas below; a printed grid, a puzzle, pages of puzzles and their PDF on top; and
tiles, for the pictures that show how the program sees. Nothing here decides by chance, and nothing knows a
camera.
"""
