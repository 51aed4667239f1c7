"""Drawn pages on which print and handwriting, givens and entries, are hard to tell apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sudoku_vision.output.drawing.typefaces import Typeface, bundled_typefaces
from sudoku_vision.workshop.rendering import Drawing, Writing, draw, random_conditions
from sudoku_vision.workshop.rendering.hands import new_hand


def face(family: str) -> Typeface:
    faces = [face for face in bundled_typefaces() if face.family == family]
    return min(faces, key=lambda face: abs(face.weight - 400))


def black_pencil(rng: np.random.Generator) -> Drawing:
    """A newspaper with one or two digits in black pencil among black print."""
    base = random_conditions(rng, "newspaper")
    grid = replace(base.grid, digit_colour=(35.0, 33.0, 32.0))
    writing = Writing(share=0.035, writer=new_hand(rng), colour=(55.0, 52.0, 50.0), strength=0.9)
    return draw(rng, replace(base, grid=grid, writing=writing))


def hand_like_print(rng: np.random.Generator) -> Drawing:
    """A magazine whose print looks handwritten."""
    base = random_conditions(rng, "newspaper")
    family = ("Patrick Hand", "Gochi Hand")[int(rng.integers(2))]
    grid = replace(base.grid, typeface=face(family), digit_colour=(35.0, 30.0, 30.0))
    writing = Writing(share=float(rng.choice([0.0, 0.4])), writer=new_hand(rng))
    return draw(rng, replace(base, grid=grid, writing=writing))
