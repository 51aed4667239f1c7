"""Decode a killer: find its likeliest cages and sums from the picture and from what a person says.

A picture shows the likely divisions of the grid into cages, and the likely sums of each cage. All
combinations of both are weighed. Combinations that disagree with a person are left out, and those that make a
proper puzzle are far likelier. The share of the best combination in the total probability is the probability
that all cages are right. If it is low, the doubts name cages. After a person has confirmed or corrected all
of these cages, the answer is sure.
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
"""Upper limit for the probability that other sums than the tried ones have a solution.

None of 18,350 wrong readings had a solution. These readings were drawn at random by their probabilities, from
20 photos with unclear sums.
"""
INFERRED = 0.5
"""Factor for the probability of cages if one of their sums was computed from the others, not seen in ink."""

CagesSaid = Mapping[int, Cage]
"""What a person says about cages. The key is one cell of the cage; the value has its sum or 0, and all of its
cells or none."""
NO_CAGE = -1
"""With this sum, the cells are in no cage."""


def decode_killer(scores: DigitScores) -> tuple[DigitScores, Reading]:
    """Return the reading of a killer, and its scores with the likeliest rules.

    If the cages make a proper puzzle without any clue, but the digits contradict its answer or are unclear,
    all digits are entries of a person.
    """
    scores, reading = decode_cages(scores, {})
    if grid_status(replace(reading, confidence=1.0)) != "solved" and _is_complete(scores.rules):
        scores = replace(scores, written=np.ones(81, np.float32), roles=())
        reading = replace(_decoded(scores), doubts=tuple(one for one in reading.doubts if one.cages))
    return scores, reading


def decode_cages(scores: DigitScores, said: CagesSaid) -> tuple[DigitScores, Reading]:
    """Return the reading of *scores* with what a person *said* of cages, and the scores with these cages.

    If the cages make a proper puzzle without any clue, no hidden cell can change its answer. A sum that the
    ink does not show is never sure. Raises OverridesError for impossible cages.
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
    weights[CLASSIC] = BY_CHANCE * max(0.0, 1 - sum(likely.values()))  # for all other cages
    read = {cage: scores.sums.get(cage.cells[0], {}).get(cage.sum, 0.0) for cage in best.cages}
    given = {cell for cell, cage in said.items() if cage.sum > 0}
    read |= {cage: 1.0 for cage in best.cages if given.intersection(cage.cells)}
    inferred = min(read.values()) < MIN_SUPPORT
    sure = weights[best] / sum(weights.values()) * (INFERRED if inferred else 1)
    scores = replace(scores, rules=best, rules_probability=sure)
    reading = _decoded(scores)
    return scores, replace(reading, doubts=(*_doubts(best, weights, read), *reading.doubts))


def _is_complete(rules: Rules) -> bool:
    """Return whether cages make a proper puzzle without any clue. The solver keeps its last answers."""
    return solve("0" * 81, rules=rules).status == "one"


def _decoded(scores: DigitScores) -> Reading:
    """Return the reading of *scores* with the rules of a killer.

    If the cages alone give the answer, the answer is as sure as the cages, unless most entries differ from
    it.
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
    """Return the likely rules with their probabilities, by a picture and by what a person *said* of cages.

    Divisions that contain the person's cages are used. If there are none, the person's cages are put into all
    divisions. If the person says that cells are in no cage, the result is empty: divisions can't be weighed,
    because the total of all sums is not known.
    """
    if any(cage.sum == NO_CAGE for cage in said.values()):
        return {}
    changed = [(cost, _regrouped(cages, said)) for cost, cages in scores.divisions]
    kept = [one for one in changed if one in scores.divisions]
    distinct = {str(cages): (cost, cages) for cost, cages in reversed(kept or changed)}
    sums = {cell: cage.sum for cell, cage in said.items() if cage.sum > 0}
    return likely_rules(distinct.values(), scores.sums, sums)


def _regrouped(cages: Iterable[Sequence[int]], said: CagesSaid) -> list[list[int]]:
    """Return the cells of *cages*; cells that a person puts into a cage are removed from their old one."""
    groups = [list(cells) for cells in cages]
    for cage in said.values():
        if cage.cells:
            groups = [[cell for cell in group if cell not in cage.cells] for group in groups]
            groups += [] if cage.sum == NO_CAGE else [sorted({*cage.cells})]
    return sorted(group for group in groups if group)


def with_cages(rules: Rules, said: CagesSaid) -> Rules:
    """Return *rules* with the cages and sums that a person *said*.

    If the person gives no sum for a cage, it keeps the sum of the cage that began in the same cell. Raises
    OverridesError for impossible cages.
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
    """Return doubts about cages of the *best* rules; hardly any other likely rules have all these cages.

    *weights* are the weights of the likely rules; the classic rules stand for all other cages. *read* is the
    probability that the sum of each cage is right, by its ink. Sums that the ink doesn't show are always
    named.
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
