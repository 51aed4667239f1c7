"""Decode a killer sudoku: find its likeliest cages and sums from the picture and from what a person says.

A picture may show several likely divisions of the grid into cages, and several likely sums of each cage. All
combinations of divisions and sums are compared. Combinations that contradict the person are left out.
Combinations that make a puzzle with exactly one solution are far likelier. The probability that all cages are
right is the probability of the best combination, divided by the sum of the probabilities of all combinations.
If it is low, the doubts name cages. If a person confirms or corrects all of these cages, the answer is sure.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from sudoku_vision.errors import OverridesError, RulesError
from sudoku_vision.sudoku.rules import CLASSIC, Cage, Rules
from sudoku_vision.sudoku.solver import solve
from sudoku_vision.sudoku.solver.cage_sums import likely_rules
from sudoku_vision.vision.decode import chance, decode
from sudoku_vision.vision.decode.boards import MIN_SUPPORT, PRIOR
from sudoku_vision.vision.decode.confidence import SURE, grid_status
from sudoku_vision.vision.decode.entries import odds_of_entries
from sudoku_vision.vision.decode.uncertainty import MAX_OPTIONS
from sudoku_vision.vision.results import DigitScores, Doubt, Reading

BY_CHANCE = 0.0003
"""Assumed probability that wrong sums have a solution by chance. It is an upper limit.

As a test, 18,350 wrong readings of the sums in 20 photos with unclear sums were drawn at random. Probable
readings were drawn more often than others. None of the drawn readings had a solution.
"""
INFERRED = 0.5
"""The probability of cages is multiplied by this if a sum was not seen, but computed from the other sums."""

CagesSaid = Mapping[int, Cage]
"""What a person says about cages. The key is one cell of the cage. The value is the cage. Its ``sum`` is 0 if
the person gives no sum. Its ``cells`` is () if the person gives no cells."""
NO_CAGE = -1
"""A :class:`Cage` with this sum says that its cells are in no cage."""


def decode_killer(scores: DigitScores) -> tuple[DigitScores, Reading]:
    """Return the scores of a killer sudoku with the likeliest rules, and its reading.

    If the cages alone, without any clue, have exactly one solution, and the digits contradict this solution
    or are unclear, all digits are taken for entries of a person.
    """
    scores, reading = decode_cages(scores, {})
    if grid_status(replace(reading, confidence=1.0)) != "solved" and _is_complete(scores.rules):
        scores = replace(scores, written=np.ones(81, np.float32), roles=())
        reading = replace(_decoded(scores), doubts=tuple(one for one in reading.doubts if one.cages))
    return scores, reading


def decode_cages(scores: DigitScores, said: CagesSaid) -> tuple[DigitScores, Reading]:
    """Return *scores* with the likeliest cages, and the reading of these scores.

    *said* is what a person says about cages. If the cages alone, without any clue, have exactly one solution,
    no hidden cell can change the answer. So hidden cells are ignored. A sum that the ink doesn't show is
    never sure. Raises OverridesError for impossible cages.
    """
    likely = _likely_rules(scores, said)
    if not likely:
        scores = replace(scores, rules=with_cages(scores.rules, said))
        return scores, decode(scores)
    complete = [rules for rules in likely if _is_complete(rules)]
    if complete:
        scores = replace(scores, hidden=np.zeros(81, np.float32))
        weights = {one: sure * (1 if one in complete else PRIOR["many"]) for one, sure in likely.items()}
    else:
        weights = {one: sure * chance(replace(scores, rules=one)) for one, sure in likely.items()}
    best = max(weights, key=weights.__getitem__)
    weights[CLASSIC] = BY_CHANCE * max(0.0, 1 - sum(likely.values()))  # stands for all other cages
    read = {cage: scores.sums.get(cage.cells[0], {}).get(cage.sum, 0.0) for cage in best.cages}
    given = {cell for cell, cage in said.items() if cage.sum > 0}
    read |= {cage: 1.0 for cage in best.cages if given.intersection(cage.cells)}
    inferred = min(read.values()) < MIN_SUPPORT
    sure = weights[best] / sum(weights.values()) * (INFERRED if inferred else 1)
    scores = replace(scores, rules=best, rules_probability=sure)
    reading = _decoded(scores)
    return scores, replace(reading, doubts=(*_doubts(best, weights, read), *reading.doubts))


def _is_complete(rules: Rules) -> bool:
    """Return whether the cages of *rules* alone, without any clue, have exactly one solution.

    The solver remembers its last results, so repeated calls are fast.
    """
    return solve("0" * 81, rules=rules).status == "one"


def _decoded(scores: DigitScores) -> Reading:
    """Return the reading of *scores* with the rules of a killer.

    If the cages alone have exactly one solution, the answer is as sure as the cages. But the answer is less
    sure if most entries (digits of a person) differ from it.
    """
    reading = decode(scores)
    if reading.solution is None or reading.solutions != 1 or not _is_complete(scores.rules):
        return reading
    entered = reading.written > 0
    right = int(np.count_nonzero(entered & (reading.written == reading.solution)))
    odds = min(1.0, odds_of_entries(right, int(np.count_nonzero(entered)) - right))
    sure = scores.rules_probability
    doubts = tuple(doubt for doubt in reading.doubts if doubt.kind != "clue")
    return replace(reading, confidence=sure * odds / (sure * odds + 1 - sure), doubts=doubts)


def _likely_rules(scores: DigitScores, said: CagesSaid) -> Mapping[Rules, float]:
    """Return the likely rules with their probabilities. *said*: what a person said about cages.

    A division is a way to divide the grid into cages. If some divisions have all cages that the person gave,
    only these divisions are used. Otherwise, all divisions are used, and the given cages are put into them.
    If the person says that some cells are in no cage, the result is empty. The reason is that the total of
    all sums is then unknown; otherwise it is 405.
    """
    if any(cage.sum == NO_CAGE for cage in said.values()):
        return {}
    changed = [(cost, _regrouped(cages, said)) for cost, cages in scores.divisions]
    kept = [one for one in changed if one in scores.divisions]
    distinct = {str(cages): (cost, cages) for cost, cages in reversed(kept or changed)}
    sums = {cell: cage.sum for cell, cage in said.items() if cage.sum > 0}
    return likely_rules(distinct.values(), scores.sums, sums)


def _regrouped(cages: Iterable[Sequence[int]], said: CagesSaid) -> list[list[int]]:
    """Return the cells of each cage after the changes that a person *said*.

    If the person puts cells into a cage, these cells are removed from their old cages.
    """
    groups = [list(cells) for cells in cages]
    for cage in said.values():
        if cage.cells:
            groups = [[cell for cell in group if cell not in cage.cells] for group in groups]
            groups += [] if cage.sum == NO_CAGE else [sorted({*cage.cells})]
    return sorted(group for group in groups if group)


def with_cages(rules: Rules, said: CagesSaid) -> Rules:
    """Return *rules* with the cages and sums that a person *said*.

    If the person gives no sum for a cage, the cage gets the sum of the old cage with the same first cell.
    Raises OverridesError for impossible cages.
    """
    groups = _regrouped([cage.cells for cage in rules.cages], said)
    sums = {cage.cells[0]: cage.sum for cage in rules.cages}
    for cell, cage in said.items():
        if cage.sum > 0:
            sums |= {group[0]: cage.sum for group in groups if cell in group}
    try:
        return Rules(rules.regions, rules.diagonal, [(sums.get(one[0], 0), one) for one in groups])
    except RulesError as error:
        raise OverridesError(error.message, error.remedy) from None


def _doubts(best: Rules, weights: Mapping[Rules, float], read: Mapping[Cage, float]) -> tuple[Doubt, ...]:
    """Return doubts about cages of the *best* rules. If a person confirms these cages, *best* is sure.

    *weights* holds the weight of each of the likely rules. The key ``CLASSIC`` stands for all other
    combinations of cages and sums. *read* is the probability that the sum of each cage is right, by its ink.
    If the ink doesn't show the sum of a cage, there is always a doubt about this cage.
    """
    named: list[Cage] = []
    left = dict(weights)
    while left[best] < (1 + SURE) / 2 * sum(left.values()) and len(named) < len(best.cages):
        against = {
            cage: sum(
                weight * (1 - read[cage] if rules == CLASSIC else cage not in rules.cages)
                for rules, weight in left.items()
            )
            for cage in best.cages
            if cage not in named
        }
        named.append(max(against, key=against.__getitem__))
        confirmed = {rules: weight for rules, weight in left.items() if named[-1] in rules.cages}
        likelier = 1 / max(read[named[-1]], MIN_SUPPORT)
        left = {rules: weight * likelier for rules, weight in confirmed.items()} | {CLASSIC: left[CLASSIC]}
    inferred = [cage for cage in best.cages if read[cage] < MIN_SUPPORT]
    doubts = []
    for cage in dict.fromkeys((*named, *inferred)):
        shares: dict[Cage, float] = {}
        for rules, weight in weights.items():
            share = weight / sum(weights.values()) * (INFERRED if cage in inferred else 1)
            for own in rules.cages:
                if cage.cells[0] in own.cells:
                    shares[own] = shares.get(own, 0.0) + share
        ranked = sorted(shares.items(), key=lambda option: -option[1])[:MAX_OPTIONS]
        options = [one for place, one in enumerate(ranked) if not place or one[1] > (1 - SURE) / 2]
        cages, probabilities = zip(*options, strict=True)
        doubts.append(Doubt(cage.cells[0], (), probabilities, kind="cage", cages=cages))
    return tuple(doubts)
