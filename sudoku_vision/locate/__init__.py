"""Locate: find every grid of a picture and give its 10x10 line crossings.

Proposals are made on a copy of moderate size at several thresholds (:mod:`.propose`), then from straight
pieces of line (:mod:`.segments`). Each is judged by the lines that are seen where it says they must be, bent
until it follows them (:mod:`.refine`), and kept when nearly all of its 180 pieces of line are there. Of
proposals that overlap the best one stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision import geometry
from sudoku_vision.geometry import fit_homography, shared_area, shifted_units
from sudoku_vision.locate import refine
from sudoku_vision.locate.propose import Array, cell_proposals, outline_proposals
from sudoku_vision.locate.refine import Evidence, Pyramid, Surface
from sudoku_vision.locate.segments import segment_proposals
from sudoku_vision.results import Floats, Image, Lattice, Photo

WORKING_SIDE = 1000
"""Longest side, in pixels, of the copy that is searched, or half of it where nothing is found at first."""
SURE_SCORE = 0.93
"""A grid of this score ends the search for better proposals of the same place."""
LOWEST_SCORE = 0.7
"""Share of its pieces of line that must be seen for a grid to be claimed."""
MAX_JUDGED = 40
"""Most proposals judged at one threshold: a page of print may give hundreds."""
GLANCE_SIDE = 800
"""Longest side, in pixels, of the copy of a frame that is glanced at."""
GLANCES = 5
"""Most proposals judged at a glance: some hundredths of a second each."""
MAX_CUT_OFF = 0.4
"""How much of a cell may lie beyond the picture's edge: a grid that is cut off can't be read."""
GOOD_SCORE = 0.9
"""A grid of this score is not looked for once more from a proposal of the same size at the same place."""
PERFECT_SCORE = 0.97
"""A grid of this score is not tried at places one cell off."""
TOLERANCE = 0.075
"""How far a piece of line may lie from the surface, in cells, to count as seen."""
CLEAR_REACH = 0.15
"""How far round its place, in cells, a line must be the strongest one: noise has its strongest anywhere."""
MIN_JUDGED = 120
"""Pieces of line, of 180, that must not lie on the picture's edge for a grid to be judged at all."""
MIN_STRENGTH = 2.0
"""Depth of the faintest line, in grey levels: below lies the noise of the camera."""
FAINTEST = 0.07
"""Depth of the faintest line as a share of the typical one."""
BOX = 3
"""Every third line runs round the boxes."""
ALL_BOXES = 0.96
"""Share of the lines round the boxes that must be seen where the lines between cells are missing."""
FAINTEST_BOX = 0.25
"""Depth of the faintest piece of those, as a share of the typical one."""
MIN_JUDGED_BOXES = 54
"""Pieces of line round the boxes, of 72, that must not lie on the picture's edge for them to be judged."""
WORTH_BENDING_BOXES = 0.75
"""Share of these pieces that a guess must show before it is bent to follow them."""
IDLE = 0.25
"""Depth below which, as a share of the box lines' depth, there is no line between them."""
BOXES_ONLY = 0.75
"""Score of a grid of which only the boxes are seen."""
STANDS_OUT = 1.35
"""How much deeper than the others lines must be to tell where the boxes are."""
RUNS_ON = 0.8
"""Share of the pieces of line just beyond one side that tells a larger table from a sudoku."""
RUN_ON_DEPTH = 0.4
"""Depth of such a piece, as a share of that of its neighbour: at least this, and the other way round."""
LEAST_ROOM = 0.4
"""Cells of paper that must lie beyond a side for lines to be seen to run on there."""
MANY_MISSING = 3
"""Inner lines of one direction that, wholly unseen, tell that cells were split which are one."""
GAPPED = 0.8
"""What is left of the score of a grid that misses so many."""
MISPLACED = 0.88
"""What is left of the score of a grid whose box lines are at the wrong places."""
STEPS = ((0.3, 1), (0.25, 2), (0.2, 3))
"""Rounds of refining: how far to look, in cells, and the degree of the surface."""
POLISH_STEPS = ((0.35, 4), (0.3, 5), (0.15, 5))
"""The same for the grids that are kept."""
SETTLED = 0.025
"""A surface on which 19 of 20 pieces of line lie this near, in cells, needs no more bending."""
NEIGHBOURS = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""The places one cell off: columns, rows."""
WORTH_BENDING = 0.25
"""Share of pieces that a guess must show before it is bent to follow the lines."""


@dataclass(frozen=True)
class Threshold:
    """One way to tell ink from paper.

    ``block`` is the side of the surroundings that a pixel is compared with, as a share of the picture's
    longer side, ``offset`` by how many grey levels it must differ; gaps up to ``close`` pixels, as those of
    dotted lines, are closed.
    """

    block: float
    offset: float
    light_on_dark: bool = False
    close: int = 0


THRESHOLDS = (
    Threshold(1 / 20, 7),
    Threshold(1 / 45, 4),
    Threshold(1 / 10, 12),
    Threshold(1 / 20, 7, light_on_dark=True),
    Threshold(1 / 45, 3, light_on_dark=True),
    Threshold(1 / 25, 5, close=9),
)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A refined proposal: its surface, its score in 0..1, and the sign of its lines (1 dark, -1 light).

    ``boxes_only``: no lines are drawn but those round the boxes.
    """

    surface: Surface
    score: float
    sign: int = 1
    boxes_only: bool = False


def locate(photo: Photo) -> list[Lattice]:
    """Find the grids of *photo*, in reading order; an empty list where there is none."""
    height, width = photo.pixels.shape[:2]
    first = min(1.0, WORKING_SIDE / max(height, width))
    for scale in (first, 2 * first):
        grey = working_copy(photo.pixels, scale)
        candidates = search(grey)
        if candidates:
            ratio = np.array([grey.shape[1] / width, grey.shape[0] / height])
            return [lattice_of(candidate, ratio) for candidate in candidates]
    return []


def glance(photo: Photo, number: int = 0) -> list[Lattice]:
    """Find the grids of one frame of a film, in bounded time: a few proposals at one threshold are judged.

    *number* counts the glances: every other one looks for dark lines as most grids have them, those between
    take the other thresholds in turn.
    """
    height, width = photo.pixels.shape[:2]
    grey = working_copy(photo.pixels, min(1.0, GLANCE_SIDE / max(height, width)))
    chosen = 0 if number % 2 == 0 else 1 + number // 2 % (len(THRESHOLDS) - 1)
    candidates = search(grey, [guesses_at(grey, THRESHOLDS[chosen])], GLANCES)
    ratio = np.array([grey.shape[1] / width, grey.shape[0] / height])
    return [lattice_of(candidate, ratio) for candidate in candidates]


def proposed(photo: Photo) -> list[Floats]:
    """The corners (4, 2) of the first places that are looked at, in photo pixels: to see what was tried."""
    height, width = photo.pixels.shape[:2]
    scale = min(1.0, WORKING_SIDE / max(height, width))
    grey = working_copy(photo.pixels, scale)
    places = (refine.flat_surface(h)(refine.CORNERS) for h in proposals(binarise(grey, THRESHOLDS[0])))
    return [((points + 0.5) / scale - 0.5).astype(np.float32) for points in islice(places, MAX_JUDGED)]


def working_copy(pixels: Image, scale: float) -> Image:
    """A grey copy of a picture (H, W, 3) BGR, resized by *scale*: averaged over areas, or enlarged.

    Large pictures are halved first, in colour: that is several times faster, and as good.
    """
    size = (max(1, round(scale * pixels.shape[1])), max(1, round(scale * pixels.shape[0])))
    while pixels.shape[1] >= 2 * size[0] and pixels.shape[0] >= 2 * size[1] and pixels.shape[0] > 1:
        half = (pixels.shape[1] // 2, pixels.shape[0] // 2)
        pixels = np.asarray(cv2.resize(pixels, half, interpolation=cv2.INTER_AREA), np.uint8)
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    if grey.shape == size[::-1]:
        return grey
    way = cv2.INTER_AREA if grey.shape[1] > size[0] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(grey, size, interpolation=way), np.uint8)


def lattice_of(candidate: Candidate, ratio: Array) -> Lattice:
    """The crossings of a candidate in photo pixels; *ratio* (2,) is the copy's size over the photo's."""
    points = (candidate.surface(refine.CROSSINGS) + 0.5) / ratio - 0.5
    return Lattice(points.reshape(10, 10, 2).astype(np.float32), score=candidate.score)


def search(
    grey: Image, guesses: Iterable[Iterator[tuple[Array, int]]] | None = None, most: int = MAX_JUDGED
) -> list[Candidate]:
    """All grids of a grey picture (H, W) uint8, best of each place, in reading order.

    *guesses* are rounds of proposals, of which *most* are judged in each; all :func:`rounds` by default.
    """
    pyramid = Pyramid(grey)
    kept: list[Candidate] = []
    for round_ in rounds(grey) if guesses is None else guesses:
        fresh = ((h, sign) for h, sign in round_ if not is_settled(h, kept))
        for homography, sign in islice(fresh, most):
            candidate = judge(pyramid, homography, sign)
            if candidate.score >= LOWEST_SCORE and not is_beaten(candidate, kept):
                kept = best_of_each_place([*kept, improve(pyramid, candidate)])
        if kept and min(c.score for c in kept) >= SURE_SCORE:
            break
    settled = [settle(pyramid, candidate) for candidate in kept]
    return reading_order([candidate for candidate in settled if candidate is not None])


def rounds(grey: Image) -> Iterator[Iterator[tuple[Array, int]]]:
    """Rounds of guesses, the most promising first: homographies with the sign of their lines."""
    for threshold in THRESHOLDS:
        yield guesses_at(grey, threshold)
    yield ((homography, sign) for homography in segment_proposals(grey) for sign in (1, -1))


def guesses_at(grey: Image, threshold: Threshold) -> Iterator[tuple[Array, int]]:
    """The guesses that one threshold leads to."""
    ink = binarise(grey, threshold)
    return ((homography, -1 if threshold.light_on_dark else 1) for homography in proposals(ink))


def is_beaten(candidate: Candidate, kept: list[Candidate]) -> bool:
    """Whether a grid at the same place shows at least as many lines."""
    return any(other.score >= candidate.score and overlap(candidate, other) > 0.6 for other in kept)


def is_settled(homography: Array, kept: list[Candidate]) -> bool:
    """Whether a proposal lies where a sure grid is known, or is a good one again, whole cells off or not."""
    guess = Candidate(refine.flat_surface(homography), 0.0)
    for candidate in kept:
        shared = overlap(guess, candidate)
        if candidate.score >= SURE_SCORE and shared > 0.3:
            return True
        if (
            candidate.score >= GOOD_SCORE
            and shared > 0.6
            and abs(np.log(area(guess) / area(candidate))) < 0.25
        ):
            return True
    return False


def binarise(grey: Image, threshold: Threshold) -> Image:
    """A mask of ink, 255 where a pixel is darker (or lighter) than its surroundings by the offset."""
    smooth = cv2.GaussianBlur(grey, (3, 3), 0)
    block = max(3, round(threshold.block * max(grey.shape))) | 1
    if threshold.light_on_dark:
        kind, offset = cv2.THRESH_BINARY, -threshold.offset
    else:
        kind, offset = cv2.THRESH_BINARY_INV, threshold.offset
    mask = cv2.adaptiveThreshold(smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, kind, block, offset)
    if threshold.close:
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((threshold.close, threshold.close), np.uint8))
    return np.asarray(mask, np.uint8)


def proposals(ink: Image) -> Iterator[Array]:
    """All proposals from one mask of ink."""
    yield from outline_proposals(ink, min_side=0.06 * max(ink.shape))
    yield from cell_proposals(np.asarray(cv2.bitwise_not(ink), np.uint8))


def judge(pyramid: Pyramid, homography: Array, sign: int) -> Candidate:
    """Refine a proposal and score it, as it is and, where that is not good, stretched to the lines seen.

    *sign* is as for :func:`look`.
    """
    candidate = follow(pyramid, homography, sign)
    if candidate.score >= GOOD_SCORE:
        return candidate
    board = refine.small_board(pyramid, refine.flat_surface(homography))
    stretched = refine.stretch(refine.line_profiles(sign * board))
    if not np.allclose(stretched, np.eye(3)):
        candidate = max(candidate, follow(pyramid, homography @ stretched, sign), key=lambda c: c.score)
    if candidate.score >= BOXES_ONLY:
        return candidate
    return max(candidate, follow_boxes(pyramid, homography, sign), key=lambda c: c.score)


def follow(pyramid: Pyramid, homography: Array, sign: int) -> Candidate:
    """Bend a guess along its lines, as long as it looks like a grid, and score it."""
    surface = refine.flat_surface(homography)
    for reach, degree in STEPS:
        evidence = look(pyramid, surface, reach, sign)
        if share_seen(evidence, 0.3) < WORTH_BENDING:
            return Candidate(surface, 0.0, sign)
        surface = refine.bend(surface, evidence, degree)
    return Candidate(surface, share_seen(look(pyramid, surface, 0.1, sign), TOLERANCE), sign)


def follow_boxes(pyramid: Pyramid, homography: Array, sign: int) -> Candidate:
    """The same for a grid of which only the boxes are drawn: digits are not taken for the missing lines."""
    surface = refine.flat_surface(homography)
    for reach, degree in STEPS:
        evidence = look(pyramid, surface, reach, sign, BOX)
        if share_of_boxes(evidence, reach) < WORTH_BENDING_BOXES:
            return Candidate(surface, 0.0, sign)
        surface = refine.bend(surface, evidence.of_boxes(), degree)
    board = sign * refine.small_board(pyramid, surface)
    inside = refine.pieces_inside(surface, pyramid.size)
    evidence = refine.gather(refine.line_profiles(board), 0.1, inside, BOX)
    depth = float(np.median(evidence.strength[:, ::BOX]))
    whole = share_of_boxes(evidence, TOLERANCE) >= ALL_BOXES and refine.between(board) < IDLE * depth
    return Candidate(surface, BOXES_ONLY if whole else 0.0, sign, boxes_only=True)


def share_of_boxes(evidence: Evidence, tolerance: float) -> float:
    """Share of the pieces of line round the boxes that are there, within *tolerance* cells of their place."""
    strength, inside = evidence.strength[:, ::BOX], evidence.inside[:, ::BOX]
    judged, within = inside != 0, inside > 0
    if judged.sum() < MIN_JUDGED_BOXES or not within.any():
        return 0.0
    least = max(MIN_STRENGTH, FAINTEST_BOX * float(np.median(strength[within])))
    seen = (strength > least) & (np.abs(evidence.offset[:, ::BOX]) <= tolerance) & within
    return float(seen[judged].mean())


def look(pyramid: Pyramid, surface: Surface, reach: float, sign: int, drawn: int = 1) -> Evidence:
    """Evidence of the lines near a surface, darker than the cells for a *sign* of 1, lighter for -1."""
    profiles = refine.line_profiles(sign * refine.small_board(pyramid, surface))
    return refine.gather(profiles, reach, refine.pieces_inside(surface, pyramid.size), drawn)


def share_seen(evidence: Evidence, tolerance: float) -> float:
    """Share of the 180 pieces of line that are there, within *tolerance* cells of their place.

    Pieces on the very edge of the picture don't count, pieces beyond it count as missing.
    """
    judged = evidence.inside != 0
    within = evidence.inside > 0
    if judged.sum() < MIN_JUDGED or not within.any():
        return 0.0
    least = max(MIN_STRENGTH, FAINTEST * float(np.median(evidence.strength[within])))
    seen = (evidence.strength > least) & (np.abs(evidence.offset) <= tolerance) & within
    share = float(seen[judged].mean())
    missing = (seen.mean(axis=2) < 0.34)[:, 1:9].sum(axis=1)
    if missing.max() >= MANY_MISSING:
        share *= GAPPED
    return MISPLACED * share if is_misplaced(evidence) else share


def is_misplaced(evidence: Evidence) -> bool:
    """Whether the lines that stand out, every third, say that the grid begins some cells further on."""
    for strength in np.median(evidence.strength, axis=2):
        boxes = {s: strength[[3 + s, 6 + s]].min() for s in (-2, -1, 0, 1, 2)}
        between = np.median(strength[1:9])
        shift = max(boxes, key=lambda s: float(boxes[s]))
        if boxes[shift] > STANDS_OUT * max(boxes[0], between):
            return True
    return False


def settle(pyramid: Pyramid, candidate: Candidate) -> Candidate | None:
    """A candidate in its final place, or None where it is cut off, or a part of a larger table.

    Lines that run on may also mean that a headline's frame was taken for a row of cells, or one box for a
    grid of which only the boxes are drawn.
    """
    for _ in range(2):
        candidate = polish(pyramid, candidate)
        beyond = goes_on(pyramid, candidate)
        if beyond is None:
            whole = cut_off(candidate, pyramid.size) <= MAX_CUT_OFF
            return candidate if whole and is_clear(pyramid, candidate) else None
        if candidate.boxes_only:
            larger = [judge(pyramid, place, candidate.sign) for place in grids_round_a_box(candidate)]
            other, least = max(larger, key=lambda c: c.score), LOWEST_SCORE
        else:
            other, least = judge(pyramid, shift(candidate, *beyond), candidate.sign), candidate.score
            other = improve(pyramid, other)
        if other.score <= least:
            break
        candidate = other
    return None


def is_clear(pyramid: Pyramid, candidate: Candidate) -> bool:
    """Whether the lines of a candidate stand out from what lies beside them, as those seen in noise don't.

    Noise never shows nearly all of them, nor the boxes alone.
    """
    if candidate.boxes_only or candidate.score >= GOOD_SCORE:
        return True
    evidence = look(pyramid, candidate.surface, CLEAR_REACH, candidate.sign)
    return share_seen(evidence, TOLERANCE) >= LOWEST_SCORE


def grids_round_a_box(candidate: Candidate) -> list[Array]:
    """The homographies of the nine grids of which a candidate may be one box."""
    homography = shift(candidate, 0, 0)
    places = [(column, row) for row in range(3) for column in range(3)]
    return [homography @ shifted_units(-9 * c, -9 * r, step=3) for c, r in places]


def goes_on(pyramid: Pyramid, candidate: Candidate) -> tuple[int, int] | None:
    """The step (columns, rows) to a side where the lines run on by a whole row or column, or None.

    Where only the boxes are drawn, it is a row or column of boxes. Lines that run on to the picture's edge
    count: there a grid is cut off, and a part of it was taken.
    """
    step = BOX if candidate.boxes_only else 1
    board = candidate.sign * refine.small_board(pyramid, candidate.surface)
    inside = refine.pieces_inside(candidate.surface, pyramid.size)
    depth = refine.gather(refine.line_profiles(board), 0.1, inside).strength
    ends = np.stack([depth[0, :, -1], depth[0, :, 0], depth[1, :, -1], depth[1, :, 0]])
    typical = float(np.median(depth[:, ::step]))
    beyond = is_same_line(refine.lines_beyond(board).astype(np.float64), ends, typical)
    for (columns, rows), lines, near in zip(NEIGHBOURS, beyond, ends, strict=True):
        if lines[::step].mean() < RUNS_ON or room(candidate, columns, rows, pyramid.size) < step * LEAST_ROOM:
            continue
        surface = refine.flat_surface(shift(candidate, step * columns, step * rows))
        evidence = look(pyramid, surface, 0.2, candidate.sign)
        outer, last = (-1, slice(-step, None)) if columns + rows > 0 else (0, slice(step))
        along = 1 if columns else 0  # which lines run along that side: column lines or row lines
        outside = evidence.inside <= 0
        side = evidence.strength[along, outer] > run_on_depth(depth[along, outer], typical)
        across = is_same_line(evidence.strength[1 - along, ::step, last], near[::step, None], typical)
        side |= outside[along, outer]
        across |= outside[1 - along, ::step, last]
        if side.mean() > RUNS_ON and across.mean() > RUNS_ON:
            return columns, rows
    return None


def is_same_line(beyond: Array, near: Array, typical: float) -> NDArray[np.bool_]:
    """Whether lines of the depth *near* run on as those *beyond*: print beside a grid is much deeper."""
    return (beyond > run_on_depth(near, typical)) & (beyond < near / RUN_ON_DEPTH)


def run_on_depth(near: Array, typical: float) -> Array:
    """Depth from which a line runs on beyond pieces of the depth *near*: glare and shadow fade both alike."""
    return np.asarray(np.maximum(RUN_ON_DEPTH * np.minimum(near, typical), MIN_STRENGTH))


def room(candidate: Candidate, columns: int, rows: int, size: tuple[int, int]) -> float:
    """Cells of picture, of *size* (width, height), between a side of a candidate and the picture's edge."""
    corners = candidate.surface(refine.CORNERS)
    side = {(1, 0): [1, 2], (-1, 0): [0, 3], (0, 1): [2, 3], (0, -1): [0, 1]}[columns, rows]
    inside = np.minimum(corners[side], np.array(size) - 1 - corners[side]).min()
    return float(inside * 9 / np.sqrt(area(candidate)))


def improve(pyramid: Pyramid, candidate: Candidate) -> Candidate:
    """Shift a candidate by whole cells as long as that shows more lines."""
    while BOXES_ONLY < candidate.score < PERFECT_SCORE:
        shifted = [judge(pyramid, shift(candidate, *step), candidate.sign) for step in NEIGHBOURS]
        best = max(shifted, key=lambda c: c.score)
        if best.score <= candidate.score:
            break
        candidate = best
    return candidate


def polish(pyramid: Pyramid, candidate: Candidate) -> Candidate:
    """Bend a candidate once more, as far as a surface can, until it lies on its lines."""
    surface = candidate.surface
    drawn = BOX if candidate.boxes_only else 1
    for reach, degree in POLISH_STEPS:
        evidence = look(pyramid, surface, reach, candidate.sign, drawn)
        if np.quantile(np.abs(evidence.offset[:, ::drawn]), 0.95) < SETTLED:
            break
        evidence = evidence.of_boxes() if candidate.boxes_only else evidence.steady()
        surface = refine.bend(surface, evidence, degree)
    if surface is candidate.surface:
        return candidate
    if candidate.boxes_only:
        return replace(candidate, surface=surface)
    score = share_seen(look(pyramid, surface, 0.1, candidate.sign), TOLERANCE)
    return candidate if score < candidate.score else replace(candidate, surface=surface, score=score)


def cut_off(candidate: Candidate, size: tuple[int, int]) -> float:
    """How far a candidate reaches beyond a picture of *size* (width, height), in cells."""
    points = candidate.surface(refine.CROSSINGS)
    beyond = np.maximum(-points, points - (np.array(size) - 1)).max()
    return float(beyond * 9 / np.sqrt(area(candidate)))


def shift(candidate: Candidate, columns: int, rows: int) -> Array:
    """The homography of a candidate moved by whole cells."""
    fitted = fit_homography(refine.CROSSINGS.units, candidate.surface(refine.CROSSINGS))
    homography = candidate.surface.homography if fitted is None else fitted
    return np.asarray(homography @ shifted_units(columns, rows))


def best_of_each_place(candidates: list[Candidate]) -> list[Candidate]:
    """Of candidates that cover one another, the best."""
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda c: -c.score):
        if all(overlap(candidate, other) < 0.2 for other in kept):
            kept.append(candidate)
    return kept


def overlap(one: Candidate, other: Candidate) -> float:
    """Area that two candidates share, as part of the smaller one."""
    shared = shared_area(one.surface(refine.CORNERS), other.surface(refine.CORNERS))
    return shared / min(area(one), area(other))


def area(candidate: Candidate) -> float:
    """Square pixels that a candidate covers."""
    return max(1e-6, geometry.area(candidate.surface(refine.CORNERS)))


def reading_order(candidates: list[Candidate]) -> list[Candidate]:
    """Top to bottom in bands of half a grid's height, left to right within a band."""

    def centre(candidate: Candidate) -> Array:
        return np.asarray(candidate.surface(refine.CENTRE)[0])

    rest = sorted(candidates, key=lambda c: float(centre(c)[1]))
    ordered: list[Candidate] = []
    while rest:
        first = rest[0]
        height = np.ptp(first.surface(refine.CORNERS)[:, 1])
        band = [c for c in rest if centre(c)[1] < centre(first)[1] + height / 2]
        ordered += sorted(band, key=lambda c: float(centre(c)[0]))
        rest = [c for c in rest if c not in band]
    return ordered
