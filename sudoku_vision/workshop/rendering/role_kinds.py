"""Sample the conditions under which print and handwriting, givens and entries, are hard to tell apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.output.drawing.grid import GridStyle
from sudoku_vision.output.drawing.typefaces import Typeface, bundled_typefaces
from sudoku_vision.sudoku.generator import random_puzzle
from sudoku_vision.workshop.rendering.conditions import Conditions, Light, Optics
from sudoku_vision.workshop.rendering.kinds import random_conditions
from sudoku_vision.workshop.rendering.pen import new_hand
from sudoku_vision.workshop.rendering.picture import Drawing, draw
from sudoku_vision.workshop.rendering.writing import Writing

RoleKind = Literal[
    "hand_like_print",
    "hand_drawn_grid",
    "bold_givens",
    "grey_entries",
    "coloured_mistakes",
    "two_givens",
    "solution_in_grey",
    "red_on_red",
    "lit_digit",
    "black_pencil",
]

ROLE_KINDS: tuple[RoleKind, ...] = get_args(RoleKind)
"""A magazine whose print looks handwritten; a grid drawn by hand with a comic typeface; apps with bold givens
and regular entries of one colour, with thin grey entries, with mistakes in a colour of their own, with two
givens and a board of entries, with their solution in light grey, and with all of one digit lit; red print and
a red pen in the dark; one or two digits in black pencil among black print."""

_BLUE: Colour = (215.0, 110.0, 40.0)
_MISTAKES: tuple[Colour, ...] = ((40.0, 40.0, 220.0), (230.0, 90.0, 30.0), (170.0, 40.0, 150.0))
_HAND_LIKE = ("Patrick Hand", "Gochi Hand")


def role_conditions(rng: np.random.Generator, kind: RoleKind) -> Conditions:
    """Return conditions of *kind*, one of :data:`ROLE_KINDS`."""
    return _SAMPLERS[kind](rng)


def draw_role(rng: np.random.Generator, kind: RoleKind) -> Drawing:
    """Draw a picture of *kind*; of ``two_givens`` two clues are printed, and all the rest is entered."""
    conditions = role_conditions(rng, kind)
    if kind != "two_givens":
        return draw(rng, conditions)
    _, solution = random_puzzle(rng, 81)
    given = np.zeros((9, 9), bool)
    given.flat[rng.choice(81, 2, replace=False)] = True
    puzzle, entered = np.where(given, solution, 0), np.where(given, 0, solution)
    return draw(rng, conditions, puzzles=[puzzle.astype(np.int8)], written=[entered.astype(np.int8)])


def _face(family: str, weight: int = 400) -> Typeface:
    faces = [face for face in bundled_typefaces() if face.family == family]
    return min(faces, key=lambda face: abs(face.weight - weight))


def _hand_like(rng: np.random.Generator) -> Typeface:
    return _face(_HAND_LIKE[int(rng.integers(len(_HAND_LIKE)))])


def _app(rng: np.random.Generator, writing: Writing, *, weight: int = 400) -> Conditions:
    """A light app, its digits in Arimo; the entries as *writing* has them, as tall as the givens."""
    base = random_conditions(rng, "screenshot_light")
    style = replace(base.grid, typeface=_face("Arimo", weight), digit_colour=(50.0, 40.0, 35.0))
    settled = replace(
        writing, typed=True, typeface=_face("Arimo"), height=style.digit_height, strength=1.0, jitter=0.0
    )
    return replace(base, grid=style, writing=settled)


def _magazine(rng: np.random.Generator) -> Conditions:
    base = random_conditions(rng, "newspaper")
    grid = replace(base.grid, typeface=_hand_like(rng), digit_colour=(35.0, 30.0, 30.0))
    writing = Writing(share=float(rng.choice([0.0, 0.4])), writer=new_hand(rng))
    return replace(base, grid=grid, writing=writing)


def _hand_drawn(rng: np.random.Generator) -> Conditions:
    base = random_conditions(rng, "sheet")
    colour: Colour = (60.0, 55.0, 50.0)
    grid = GridStyle(
        thin=float(rng.uniform(0.025, 0.05)),
        thick=float(rng.uniform(0.06, 0.1)),
        line_colour=colour,
        digit_colour=colour,
        typeface=_hand_like(rng),
        digit_height=float(rng.uniform(0.5, 0.65)),
    )
    shake = float(rng.uniform(0.02, 0.05))
    return replace(base, puzzles=1, grid=grid, line_shake=shake, writing=Writing())


def _red_on_red(rng: np.random.Generator) -> Conditions:
    base = random_conditions(rng, "newspaper")
    grid = replace(base.grid, digit_colour=(50.0, 45.0, 185.0))
    writing = Writing(share=0.4, writer=new_hand(rng), colour=(60.0, 40.0, 200.0))
    light = Light(exposure=float(rng.uniform(0.3, 0.5)), colour=(0.8, 0.95, 1.1), gradient=0.3, vignette=0.3)
    return replace(base, grid=grid, writing=writing, light=light, optics=Optics(blur=0.7, noise=5, jpeg=85))


def _black_pencil(rng: np.random.Generator) -> Conditions:
    base = random_conditions(rng, "newspaper")
    grid = replace(base.grid, digit_colour=(35.0, 33.0, 32.0))
    writing = Writing(share=0.035, writer=new_hand(rng), colour=(55.0, 52.0, 50.0), strength=0.9)
    return replace(base, grid=grid, writing=writing)


def _lit_digit(rng: np.random.Generator) -> Conditions:
    base = _app(rng, Writing(share=0.4, colour=_BLUE))
    return replace(
        base, grid=replace(base.grid, lit_digit=int(rng.integers(1, 10)), lit_colour=_mistake(rng))
    )


def _mistake(rng: np.random.Generator) -> Colour:
    return _MISTAKES[int(rng.integers(len(_MISTAKES)))]


def _grey(rng: np.random.Generator, low: float, high: float) -> Colour:
    grey = float(rng.uniform(low, high))
    return (grey, grey, grey)


_SAMPLERS = {
    "hand_like_print": _magazine,
    "hand_drawn_grid": _hand_drawn,
    "bold_givens": lambda rng: _app(rng, Writing(share=0.5, colour=(50.0, 40.0, 35.0)), weight=700),
    "grey_entries": lambda rng: _app(rng, Writing(share=0.5, colour=_grey(rng, 110, 150)), weight=700),
    "coloured_mistakes": lambda rng: _app(
        rng, Writing(share=0.5, wrong=0.2, colour=(50.0, 40.0, 35.0), wrong_colour=_mistake(rng))
    ),
    "two_givens": lambda rng: _app(rng, Writing(colour=_BLUE)),
    "solution_in_grey": lambda rng: _app(rng, Writing(share=1.0, colour=_grey(rng, 165, 200))),
    "red_on_red": _red_on_red,
    "lit_digit": _lit_digit,
    "black_pencil": _black_pencil,
}
