"""Decode a killer: weigh what its cages and sums may be, by the picture and by what a person says of them.

A picture shows the likely divisions in cages, and the likely sums of each cage. All choices of both are
weighed. Those that disagree with a person are left out, and those that make a proper puzzle are far likelier.
The share of the best choice in all that is left is the probability that all cages are right. If it is low,
the doubts name cages. After a person has confirmed or corrected all of these, the answer is sure.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from sudoku_vision.errors import OverridesError, RulesError
from sudoku_vision.sudoku.rules import Cage, Rules
from sudoku_vision.sudoku.solver import searcher
from sudoku_vision.vision.decode import chance, decode
from sudoku_vision.vision.decode.boards import MIN_SUPPORT, PRIOR
from sudoku_vision.vision.decode.confidence import SURE, grid_status
from sudoku_vision.vision.decode.hypotheses import Values
from sudoku_vision.vision.decode.uncertainty import MAX_OPTIONS, MIN_DOUBT
from sudoku_vision.vision.results import DigitScores, Doubt, Reading

NO_CLUES: Values = (0,) * 81
BY_CHANCE = 0.004
"""Probability that a killer with two wrong sums is a proper puzzle: 6 of 1,503 such puzzles were."""
INFERRED = 0.5
"""Factor for the probability of cages if the ink doesn't show a sum that follows from the others."""

CagesSaid = Mapping[int, Cage]
"""What a person says of cages, each named by one of its cells: its sum, or 0; all of its cells, or none."""


def decode_killer(scores: DigitScores) -> tuple[DigitScores, Reading]:
    """Return the reading of a killer, and its scores with the likeliest rules.

    If the cages make a proper puzzle without any clue, but the digits contradict its answer or are unclear, a
    person has entered them all.
    """
    scores, reading = decode_cages(scores, {})
    of_digits = reading.confidence / max(scores.rules_probability, MIN_DOUBT)
    if grid_status(replace(reading, confidence=of_digits)) != "solved":
        by_hand = replace(scores, written=np.ones(81, np.float32), roles=())
        of_cages = replace(decode(by_hand), doubts=tuple(one for one in reading.doubts if one.cages))
        if of_cages.solutions == 1:
            return by_hand, of_cages
    return scores, reading


def decode_cages(scores: DigitScores, said: CagesSaid) -> tuple[DigitScores, Reading]:
    """Return the reading of *scores* with what a person *said* of cages, and the scores with these cages.

    If the cages make a proper puzzle without any clue, no hidden cell can change its answer. A sum that the
    ink does not show is never sure. Raises OverridesError for cages that can't be.
    """
    likely = _likely_rules(scores, said)
    if not likely:
        scores = replace(scores, rules=with_cages(scores.rules, said))
        return scores, decode(scores)
    complete = [rules for rules in likely if len(searcher(rules)(NO_CLUES).solutions) == 1]
    if complete:
        scores = replace(scores, hidden=np.zeros(81, np.float32))
        weights = {one: sure * (1 if one in complete else PRIOR["many"]) for one, sure in likely.items()}
    else:
        weights = {one: sure * chance(replace(scores, rules=one)) for one, sure in likely.items()}
    best = max(weights, key=weights.__getitem__)
    sure = weights[best] / (sum(weights.values()) + BY_CHANCE * max(0.0, 1 - sum(likely.values())))
    unread = [
        cage
        for cage in best.cages
        if not any(said[cell].sum for cell in cage.cells if cell in said)
        and scores.sums.get(cage.cells[0], {}).get(cage.sum, 0.0) < MIN_SUPPORT
    ]
    scores = replace(scores, rules=best, rules_probability=sure * (INFERRED if unread else 1))
    reading = decode(scores)
    return scores, replace(reading, doubts=(*_doubts(best, weights, unread), *reading.doubts))


def _likely_rules(scores: DigitScores, said: CagesSaid) -> Mapping[Rules, float]:
    """Return the likely rules with their probabilities, by a picture and by what a person *said* of cages.

    Only divisions with the cages of the person count. If there are none, all divisions are changed.
    """
    if not scores.divisions:
        return {}
    # This import loads OpenCV, which boards that are given as text don't need.
    from sudoku_vision.vision.cages import likely_rules

    changed = [(cost, _regrouped(cages, said)) for cost, cages in scores.divisions]
    kept = [one for one in changed if one in scores.divisions]
    sums = {cell: cage.sum for cell, cage in said.items() if cage.sum}
    return likely_rules(kept or changed, scores.sums, sums)


def _regrouped(cages: Iterable[Sequence[int]], said: CagesSaid) -> list[list[int]]:
    """Return the cells of *cages*; those that a person puts into a cage have left their former cages."""
    groups = [list(cells) for cells in cages]
    for cage in said.values():
        if cage.cells:
            groups = [[cell for cell in group if cell not in cage.cells] for group in groups]
            groups.append(sorted({*cage.cells}))
    return sorted(group for group in groups if group)


def with_cages(rules: Rules, said: CagesSaid) -> Rules:
    """Return *rules* with the cages and sums that a person *said*.

    If no sum is given for a cage, it has the sum of the cage that began in the same cell. Raises
    OverridesError for cages that can't be.
    """
    groups = _regrouped([cage.cells for cage in rules.cages], said)
    sums = {cage.cells[0]: cage.sum for cage in rules.cages}
    for cell, cage in said.items():
        if cage.sum:
            sums |= {group[0]: cage.sum for group in groups if cell in group}
    try:
        return Rules(rules.regions, rules.diagonal, [(sums.get(one[0], 0), one) for one in groups])
    except RulesError as error:
        raise OverridesError(error.message, error.remedy) from None


def _doubts(best: Rules, weights: Mapping[Rules, float], unread: Sequence[Cage]) -> tuple[Doubt, ...]:
    """Return doubts about the cages of the *best* rules: so many that hardly any other rules have them all.

    *weights*: how likely all rules are. *unread*: the cages whose sum the ink doesn't show.
    """
    named: list[Cage] = []
    left = weights
    while left[best] < (1 + SURE) / 2 * sum(left.values()):
        against = {
            cage: sum(weight for rules, weight in left.items() if cage not in rules.cages)
            for cage in best.cages
        }
        named.append(max(against, key=against.__getitem__))
        left = {rules: weight for rules, weight in left.items() if named[-1] in rules.cages}
    doubts = []
    for cage in dict.fromkeys((*named, *unread)):
        shares: dict[Cage, float] = {}
        for rules, weight in weights.items():
            of_cell = next(other for other in rules.cages if cage.cells[0] in other.cells)
            share = weight / sum(weights.values()) * (INFERRED if cage in unread else 1)
            shares[of_cell] = shares.get(of_cell, 0.0) + share
        ranked = sorted(shares.items(), key=lambda option: -option[1])[:MAX_OPTIONS]
        cages, probabilities = zip(*(one for one in ranked if one[1] > (1 - SURE) / 2), strict=True)
        doubts.append(Doubt(cage.cells[0], (), probabilities, kind="cage", cages=cages))
    return tuple(doubts)
