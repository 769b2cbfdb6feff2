"""Regions, trees and sums against brute force on whole small boards, where nothing is known but the rules."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import pytest

from tests.cgt.go.allplay import forced
from tests.cgt.go.boards import drawn, rectangle
from tests.cgt.randomgames import brute_force
from zermelo.cgt.go.ground import BLACK, COLOURS, EMPTY, OTHER, SIGN, WHITE, Ground, played
from zermelo.cgt.go.life import settle
from zermelo.cgt.go.region import Region, Scoring, region_of
from zermelo.cgt.scores.scored import Tree


def regions_of(ground: Ground, stones: str, scoring: Scoring) -> tuple[int, list[Region]]:
    found = settle(ground, stones)
    made = [region_of(ground, part, name="a", size=9, scoring=scoring) for part in found.parts]
    return found.score, made


def area_scores(ground: Ground, stones: str, colour: str) -> tuple[Fraction, Fraction]:
    """The least and the most by regions."""
    settled, regions = regions_of(ground, stones, "area")
    low = brute_force([region.low for region in regions if region.low is not None], colour == BLACK)[0]
    high = brute_force([region.high for region in regions if region.high is not None], colour == BLACK)[0]
    return settled + low, settled + high


def random_position(rng: random.Random, letters: str) -> tuple[Ground, str] | None:
    rows, columns = rng.choice([(2, 3), (3, 3), (2, 4)])
    ground = rectangle(rows, columns)
    stones = "".join(rng.choice(letters) for _ in range(rows * columns))
    if stones.count(EMPTY) > 4 or sum(stone in ".xo" for stone in stones) > 6:
        return None
    for point, stone in enumerate(stones):
        if stone in COLOURS and not ground.breathes(stones, ground.chain(stones, point)):
            return None
    return ground, stones


@pytest.mark.parametrize("letters", ["XO...xo", "XO..xxoo", "XXO..o"])
def test_random_boards_by_area(letters: str) -> None:
    rng = random.Random(letters)
    exact = tried = 0
    while tried < 16:
        drawn_position = random_position(rng, letters)
        if drawn_position is None:
            continue
        tried += 1
        ground, stones = drawn_position
        for colour in COLOURS:
            scores = area_scores(ground, stones, colour)
            for_black, for_white = forced(ground, stones, colour)
            assert scores[0] <= for_black and for_white <= scores[1], stones
            if scores[0] == scores[1]:
                assert for_black == for_white == scores[0], stones
                exact += 1
    assert exact > 8


@pytest.mark.parametrize("letters", ["...xo", "X..xxoo"])
def test_bounds_of_unsettled_regions_hold(letters: str) -> None:
    rng = random.Random(letters)
    bounded = 0
    while bounded < 2:
        drawn_position = random_position(rng, letters)
        if drawn_position is None:
            continue
        ground, stones = drawn_position
        if all(region.settled for region in regions_of(ground, stones, "area")[1]):
            continue
        bounded += 1
        for colour in COLOURS:
            low, high = area_scores(ground, stones, colour)
            for_black, for_white = forced(ground, stones, colour)
            assert low <= for_black <= for_white <= high, stones


SENDING_BACK = "XX..O ooxxO OOOOO"
"""Stones can be captured and recaptured here without end, which brute force by territory does not look for."""

BOARDS = [
    "XXXX X..O XXXX",
    "XXXXX X...O XXXXX",
    "XXXXXO X....O XXXXXO",
    "X.O .XO X.O",
    "XXXXO X..oO XXXXO",
    SENDING_BACK,
    "X.O.X XOO.O XXXOO",
    "XXX.O X..OO XXXXO",
]


@pytest.mark.parametrize("picture", BOARDS)
def test_boards_by_area(picture: str) -> None:
    ground, stones = drawn(picture)
    for colour in COLOURS:
        scores = area_scores(ground, stones, colour)
        assert scores is not None and scores[0] == scores[1]
        assert forced(ground, stones, colour) == scores


@pytest.mark.parametrize("picture", [board for board in BOARDS if board != SENDING_BACK])
def test_boards_by_territory(picture: str) -> None:
    ground, stones = drawn(picture)
    settled, regions = regions_of(ground, stones, "territory")
    trees: list[Tree] = [region.tree for region in regions]
    # Territory is area less stones; ``settled`` is area, so the stones that became safe here are taken off again.
    promoted = settle(ground, stones).labels
    fresh = sum(SIGN[new] for new, old in zip(promoted, stones, strict=True) if new in "XO" and old in "xo")
    dead = sum(SIGN[old] for new, old in zip(promoted, stones, strict=True) if new in "bw" and old in "xo")
    for colour in COLOURS:
        expected = brute_force(trees, colour == BLACK)[0] + settled - fresh - dead
        assert by_territory(ground, stones, colour) == expected


def by_territory(ground: Ground, stones: str, colour: str) -> int:
    """Brute force by territory: a move costs its mover a point of area, passes are free.

    When both have passed, what is still to be taken off or to be filled is played out by area; where moving first
    there is worth a dame, nobody gets it, and who passes while more than that is open loses everything.
    """
    start = sum(SIGN[stone] for stone in stones if stone in COLOURS)

    @cache
    def ended(now: str, second: str) -> Fraction:
        first, last = (forced(ground, now, side) for side in (BLACK, WHITE))
        assert first[0] == first[1] and last[0] == last[1]
        if first[0] - last[0] > 2:
            return Fraction(-1000 * SIGN[second])
        return Fraction(first[0] + last[0], 2)

    @cache
    def best(now: str, side: str, passed: bool) -> Fraction:
        found = [ended(now, side) if passed else best(now, OTHER[side], True)]
        for point, stone in enumerate(now):
            if stone == EMPTY:
                after = played(ground, now, point, side)
                if after is not None:
                    found.append(best(after[0], OTHER[side], False) - SIGN[side])
        return max(found) if side == BLACK else min(found)

    value = best(stones, colour, False) - start
    assert value.denominator == 1
    return int(value)
