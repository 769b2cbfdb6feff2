"""What is held by answers, against every line of play on small boards; the native lines against the plain ones."""

from __future__ import annotations

from random import Random

import pytest

from tests.cgt.go.boards import drawn, rectangle
from tests.cgt.go.invasions import TooManyError, benson, holds
from zermelo import _native
from zermelo.cgt.go.ground import COLOURS, EMPTY, OTHER, Ground, played
from zermelo.cgt.go.holding import Holding, as_data, held
from zermelo.cgt.go.life import Settled, settle
from zermelo.cgt.go.tree import MOST_POSITIONS, Step, explore
from zermelo.check.held import with_pockets
from zermelo.errors import LimitReachedError


def steps_from(ground: Ground, position: str, known: dict[str, Settled] | None = None) -> tuple[Step, ...]:
    """Every legal move of both sides, repetition not looked at; ``known`` remembers what positions settle into."""
    found = []
    known = {} if known is None else known
    for point, stone in enumerate(position):
        if stone != EMPTY:
            continue
        for colour in COLOURS:
            after = played(ground, position, point, colour)
            if after is not None:
                settled = known.get(after[0])
                if settled is None:
                    settled = known[after[0]] = settle(ground, after[0])
                found.append(Step(point, colour, after[1], settled.score, settled.parts))
    return tuple(found)


def random_board(random: Random, rows: int, columns: int) -> tuple[Ground, str]:
    """Stones at random, every chain with a liberty."""
    ground = rectangle(rows, columns)
    while True:
        empty, black = random.choice([0.3, 0.4, 0.45]), random.choice([0.3, 0.5, 0.7])
        stones = "".join(
            EMPTY if random.random() < empty else random.choices(COLOURS, (black, 1 - black))[0]
            for _ in range(rows * columns)
        )
        if all(stone == EMPTY or ground.breathes(stones, ground.chain(stones, p)) for p, stone in enumerate(stones)):
            return ground, stones


def found_in(picture: str) -> Holding:
    ground, stones = drawn(picture)
    return held(ground, stones, _native.Control(), [4_000])


@pytest.mark.parametrize(("rows", "columns"), [(3, 4), (2, 6)])
def test_what_is_held_by_answers_is_lost_in_no_line_of_play(rows: int, columns: int) -> None:
    random, checked = Random(rows), 0
    while checked < 6:
        ground, stones = random_board(random, rows, columns)
        found = held(ground, stones, _native.Control(), [4_000])
        for colour in COLOURS:
            pockets = [pocket for pocket in found.pockets if pocket.colour == colour]
            if not any(pocket.answers for pocket in pockets):
                continue
            kept = {stone for stone in found.stones if stones[stone] == colour}
            owned = {point for pocket in pockets for point in pocket.points}
            try:
                assert holds(ground, stones, colour, kept, owned, most=3_000), stones
            except TooManyError:
                continue
            checked += 1


def test_the_search_by_every_line_of_play_notices_a_group_that_dies() -> None:
    ground, stones = drawn("x.x xxx")
    assert not holds(ground, stones, "x", {0}, set())
    ground, stones = drawn(".x. xxx")
    assert holds(ground, stones, "x", {1}, {0, 2})


@pytest.mark.parametrize("seed", range(60))
def test_a_chain_that_lives_by_benson_is_not_captured_though_its_owner_always_passes(seed: int) -> None:
    ground, stones = random_board(Random(seed), 4, 4)
    for colour in COLOURS:
        labels = settle(ground, stones).labels
        safe = {point for point, stone in enumerate(stones) if stone == colour and labels[point].isupper()}
        assert safe <= benson(ground, stones, colour)  # the conditions here are stricter than the theorem's
        met, waiting = {stones}, [stones] if safe else []
        while waiting and len(met) < 2_000:
            here = waiting.pop()
            for point in [p for p, stone in enumerate(here) if stone == EMPTY]:
                made = played(ground, here, point, OTHER[colour])
                if made is not None and made[0] not in met:
                    assert not safe & set(made[1])
                    met.add(made[0])
                    waiting.append(made[0])


@pytest.mark.parametrize("seed", range(25))
def test_the_checker_finds_the_same_chains_and_territory_by_the_listed_answers(seed: int) -> None:
    ground, stones = random_board(Random(seed), 5, 5)
    found = held(ground, stones, _native.Control(), [4_000])
    board = [stone.upper() if point in found.stones else stone for point, stone in enumerate(stones)]
    for pocket in found.pockets:
        for point in pocket.points:
            board[point] = "b" if pocket.colour == "x" else "w"
    assert with_pockets(stones, as_data(found.pockets)) == "".join(board)


def test_a_pocket_of_six_in_a_row_is_two_eyes_because_its_owner_answers() -> None:
    found = found_in("......x xxxxxxx ooooooo .o.o.o.")
    assert found.pockets[0].points == (0, 1, 2, 3, 4, 5) and found.pockets[0].answers
    assert found.stones >= {6, 7, 13}


def test_a_square_of_four_points_is_not_two_eyes() -> None:
    assert not found_in("..xo ..xo xxxo ooo.").stones & {2, 6, 8, 9, 10}


def test_a_seki_is_held_by_nobody() -> None:
    # Both chains have the same two liberties: whoever fills one of them loses his.
    assert not found_in("xx.o x.oo").pockets


def test_a_chain_without_a_liberty_in_a_pocket_has_no_eyes_there() -> None:
    # Black fills at 8 and captures: what White can answer in the pocket on the right does not help.
    assert not found_in(".xox.oo x.ooxo.").stones & {2, 9, 10}


def plain_lines(ground: Ground, root: str) -> dict[str, object]:
    steps: dict[str, object] = {}
    waiting = [root]
    while waiting:
        position = waiting.pop()
        if position not in steps:
            steps[position] = steps_from(ground, position)
            waiting += [part for step in steps_from(ground, position) for part in step.parts]
            if len(steps) > MOST_POSITIONS:
                raise LimitReachedError("too many")
    return steps


@pytest.mark.parametrize("seed", range(12))
def test_native_lines_of_a_region_are_those_of_the_plain_rules(seed: int) -> None:
    random = Random(seed)
    ground, stones = random_board(random, 2, 5)
    root = "".join(stone.upper() if random.random() < 0.7 else stone for stone in stones)
    assert explore(ground, root).steps == plain_lines(ground, root)
