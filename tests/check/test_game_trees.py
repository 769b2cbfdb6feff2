"""Games by number, as the checker keeps and compares them: against tables and against the definitions."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest
from tests.cgt import plain

from zermelo.check.clock import Clock
from zermelo.check.games import Games
from zermelo.check.groups import groups
from zermelo.check.trees import LEFT_TO_MOVE, RIGHT_TO_MOVE, Trees, simplest_between
from zermelo.check.verdict import Fault
from zermelo.check.walls import thermograph, walls_at
from zermelo.errors import LimitReachedError
from zermelo.limits import Limits

TINY = Fraction(1, 1024)


def fits(number: Fraction, above: tuple[Fraction, int] | None, below: tuple[Fraction, int] | None) -> bool:
    """Whether a number lies between: a bound itself counts where the other side is to move there."""
    low = above is None or number > above[0] or (number == above[0] and above[1] == LEFT_TO_MOVE)
    return low and (below is None or number < below[0] or (number == below[0] and below[1] == RIGHT_TO_MOVE))


def test_the_simplest_number_between_two_stops_is_the_one_found_by_trying() -> None:
    quarters = [Fraction(n, 4) for n in range(-10, 11)]
    turns = (LEFT_TO_MOVE, RIGHT_TO_MOVE)
    bounds = [None, *product(quarters[::3], turns)]
    tried = sorted(
        {Fraction(n, d) for d in (1, 2, 4, 8) for n in range(-32, 33)}, key=lambda x: (x.denominator, abs(x))
    )
    for above, below in product(bounds, bounds):
        expected = next((number for number in tried if fits(number, above, below)), None)
        assert simplest_between(above, below) == expected, (above, below)


def as_plain(games: Trees, game: int) -> plain.Game:
    number = games.numbers[game]
    if number is not None:
        return plain.game_of(f"({number})")
    left, right = ([as_plain(games, option) for option in side[game]] for side in (games.left, games.right))
    return plain.canonical(left, right)


def some_games(seed: str, count: int) -> tuple[Games, list[int]]:
    rng = random.Random(seed)
    games = Games(Limits())
    made = [games.number(Fraction(n, 2)) for n in range(-4, 5)]
    while len(made) < count:
        left, right = (rng.sample(made, rng.randint(0, 3)) for _ in range(2))
        made.append(games.canonical(left, right))
    return games, made


def test_games_are_compared_and_added_as_by_the_definitions() -> None:
    games, made = some_games("compared", 40)
    plains = {game: as_plain(games, game) for game in made}
    rng = random.Random("pairs")
    for _ in range(250):
        one, other = rng.choice(made), rng.choice(made)
        assert games.less_equal(one, other) == plain.less_equal(plains[one], plains[other])
        total = plain.add(plains[one], plains[other])
        assert as_plain(games, games.add(one, other)) == total
        assert as_plain(games, games.negate(one)) == plain.negate(plains[one])


def test_equal_games_have_one_canonical_form() -> None:
    games, made = some_games("canonical", 60)
    for one in set(made):
        for other in set(made):
            equal = games.less_equal(one, other) and games.less_equal(other, one)
            assert equal == (one == other)
        assert games.add(one, games.negate(one)) == games.zero


@pytest.mark.parametrize(
    ("left", "right", "value"),
    [
        ([0], [1], Fraction(1, 2)),
        ([], [], Fraction(0)),
        ([3], [], Fraction(4)),
        ([], [3], Fraction(0)),
        ([], [-3], Fraction(-4)),
        ([-7], [9], Fraction(0)),
        ([1], [-1], None),
        ([1], [1], None),
    ],
)
def test_a_number_that_fits_between_options_is_taken_for_the_game(
    left: list[int], right: list[int], value: Fraction | None
) -> None:
    games = Games(Limits())
    sides = [[games.number(Fraction(n)) for n in side] for side in (left, right)]
    assert games.numbers[games.node(*sides)] == value
    assert games.numbers[games.canonical(*sides)] == value


def test_stops_are_those_of_alternating_play() -> None:
    trees = Trees()
    five, minus, two = (trees.number(Fraction(n)) for n in (5, -5, 2))
    switch = trees.node([five], [minus])
    assert (trees.left_first[switch], trees.right_first[switch]) == ((5, RIGHT_TO_MOVE), (-5, LEFT_TO_MOVE))
    threat = trees.node([switch], [two])
    assert trees.numbers[threat] is None or trees.left_first[threat][0] >= trees.right_first[threat][0]
    assert trees.node([five, two, five], [minus]) == trees.node([two, five], [minus])


def test_moving_and_turning_a_game_are_undone_by_the_opposite() -> None:
    games, made = some_games("moved", 40)
    other = Games(Limits())
    for game in made:
        assert games.negate(games.negate(game)) == game
        assert games.moved(games.moved(game, Fraction(3, 2)), Fraction(-3, 2)) == game
        assert games.moved(game, Fraction(2)) == games.add(game, games.number(Fraction(2)))
        assert games.moved(game, Fraction(0)) == game
        assert games.taken_over(other, other.taken_over(games, game)) == game


def test_nim_heaps_add_by_exclusive_or_and_ups_are_positive() -> None:
    games = Games(Limits())
    heaps = [games.nimber(size) for size in range(8)]
    for one, other in product(range(8), range(8)):
        assert games.add(heaps[one], heaps[other]) == heaps[one ^ other]
    up = games.up()
    assert games.less_equal(games.zero, up) and not games.less_equal(up, games.zero)
    assert games.left[up] == (games.zero,) and games.right[up] == (heaps[1],)


def test_limits_are_looked_at_now_and_then() -> None:
    clock = Clock(Limits(seconds=1e-9))
    with pytest.raises(LimitReachedError, match="the limit was reached"):
        for _ in range(1000):
            clock.tick()
    clock = Clock(Limits())
    clock.too_large = lambda: True
    with pytest.raises(LimitReachedError, match="the limit was reached"):
        for _ in range(1000):
            clock.tick()
    clock = Clock(Limits())
    for _ in range(1000):
        clock.tick()


# Thermographs


SCALE = 8


def brute_walls(games: Trees, game: int, eighths: int, known: dict[tuple[int, int], tuple[Fraction, Fraction]]) -> Any:
    """Both stops of a game with a tax: where they have met before, they stay."""
    if (game, eighths) not in known:
        number = games.numbers[game]
        if number is not None:
            found = number, number
        elif eighths and len(set(before := brute_walls(games, game, eighths - 1, known))) == 1:
            found = before
        else:
            tax = Fraction(eighths, SCALE)
            high = max(brute_walls(games, option, eighths, known)[1] for option in games.left[game]) - tax
            low = min(brute_walls(games, option, eighths, known)[0] for option in games.right[game]) + tax
            assert high >= low
            found = high, low
        known[game, eighths] = found
    return known[game, eighths]


def corners(games: Trees, game: int) -> tuple[tuple[int, int, int], ...]:
    number = games.numbers[game]
    if number is not None:
        whole = int(number * SCALE)
        return ((0, whole, whole),)
    left, right = ([corners(games, option) for option in side[game]] for side in (games.left, games.right))
    return thermograph(left, right)


def hot_games(count: int) -> tuple[Trees, list[int]]:
    rng = random.Random("walls")
    trees = Trees()
    numbers = [trees.number(Fraction(n)) for n in range(-8, 9, 2)]
    made: list[int] = []
    while len(made) < count:
        left, right = (rng.sample(numbers + made[-6:], rng.randint(1, 3)) for _ in range(2))
        game = trees.node(left, right)
        if trees.numbers[game] is None and trees.left_first[game][0] > trees.right_first[game][0]:
            made.append(game)
        if len(made) % 6 == 0:
            made.sort(key=lambda game: rng.random())
    return trees, made


def test_thermographs_have_the_stops_of_taxed_games() -> None:
    trees, made = hot_games(30)
    known: dict[tuple[int, int], tuple[Fraction, Fraction]] = {}
    compared = 0
    for game in made:
        try:
            drawn = corners(trees, game)
        except Fault:
            continue
        compared += 1
        for eighths in range(drawn[-1][0] + 3):
            expected = brute_walls(trees, game, eighths, known)
            assert tuple(Fraction(wall, SCALE) for wall in walls_at(drawn, eighths)) == expected
    assert compared > 15


Drawn = tuple[tuple[int, int, int], ...]


def wall(drawn: Drawn, tax: Fraction) -> tuple[Fraction, Fraction]:
    """Both walls at any tax, by going along the corners."""
    for (begin, *low), (end, *high) in pairwise(drawn):
        if tax <= end:
            part = (tax - begin) / (end - begin)
            return low[0] + (high[0] - low[0]) * part, low[1] + (high[1] - low[1]) * part
    return Fraction(drawn[-1][1]), Fraction(drawn[-1][2])


def expected_walls(left: list[Drawn], right: list[Drawn], most: int) -> list[tuple[Fraction, Fraction]] | None:
    """The walls at whole taxes by their definition; ``None`` where they do not meet at a whole one."""
    found: list[tuple[Fraction, Fraction]] = []
    met: tuple[Fraction, Fraction] | None = None
    for halves in range(2 * most):  # slopes are 0 and 1, so walls meet at a half at worst
        tax = Fraction(halves, 2)
        if met is None:
            high = max(wall(option, tax)[1] for option in left) - tax
            low = min(wall(option, tax)[0] for option in right) + tax
            if high < low or (high == low and halves % 2):
                return None
            if high == low:
                met = high, high
        if halves % 2 == 0:
            found.append(met or (high, low))
    return found


def test_thermographs_are_drawn_by_their_definition() -> None:
    rng = random.Random("drawn")
    known: list[Drawn] = [((0, n, n),) for n in range(-8, 9)]
    refused = 0
    for _ in range(600):
        left, right = (rng.sample(known, rng.randint(1, 4)) for _ in range(2))
        expected = expected_walls(left, right, 24)
        if expected is None:
            refused += 1
            with pytest.raises(Fault):
                thermograph(left, right)
            continue
        found = thermograph(left, right)
        assert [walls_at(found, tax) for tax in range(24)] == expected
        if found not in known:
            known.append(found)
    assert 100 < refused < 500 and len(known) > 100


LEAF = {n: ((0, n, n),) for n in range(-20, 21)}


@pytest.mark.parametrize(
    ("left", "right", "bonus", "expected"),
    [
        ([LEAF[10]], [LEAF[2]], 0, ((0, 10, 2), (4, 6, 6))),
        ([LEAF[10]], [LEAF[2]], 1, ((0, 11, 1), (5, 6, 6))),
        ([LEAF[10], LEAF[4]], [LEAF[2], LEAF[8]], 0, ((0, 10, 2), (4, 6, 6))),
        ([LEAF[2]], [LEAF[2]], 0, ((0, 2, 2),)),
        ([LEAF[2]], [LEAF[2]], 2, ((0, 4, 0), (2, 2, 2))),
        # Right's reply to {10|-10} at once is worth it below 6: {10|-10} || -14
        ([((0, 10, -10), (10, 0, 0))], [LEAF[-14]], 0, ((0, -10, -14), (2, -10, -12), (4, -10, -10))),
        ([LEAF[20]], [((0, 10, -10), (10, 0, 0))], 0, ((0, 20, 10), (10, 10, 10))),
    ],
)
def test_thermographs_worked_out_by_hand(
    left: list[tuple[tuple[int, int, int], ...]],
    right: list[tuple[tuple[int, int, int], ...]],
    bonus: int,
    expected: tuple[tuple[int, int, int], ...],
) -> None:
    found = thermograph(left, right, bonus)
    assert found[0] == expected[0] and found[-1] == expected[-1]
    for tax in range(expected[-1][0] + 3):
        assert walls_at(found, tax) == walls_at(expected, tax), tax


@pytest.mark.parametrize(
    ("left", "right", "reason"),
    [
        ([LEAF[5]], [LEAF[2]], "between whole numbers"),
        ([LEAF[2]], [LEAF[5]], "no hot game"),
    ],
)
def test_walls_that_do_not_meet_in_whole_numbers_are_refused(
    left: list[tuple[tuple[int, int, int], ...]], right: list[tuple[tuple[int, int, int], ...]], reason: str
) -> None:
    with pytest.raises(Fault, match=reason):
        thermograph(left, right)


def test_walls_are_straight_between_corners_and_upright_above_the_last() -> None:
    drawn = ((0, 12, 0), (2, 10, 0), (6, 6, 4), (7, 5, 5))
    expected = [(12, 0), (11, 0), (10, 0), (9, 1), (8, 2), (7, 3), (6, 4), (5, 5), (5, 5), (5, 5)]
    assert [walls_at(drawn, tax) for tax in range(10)] == expected


def test_what_hangs_together_is_one_group_and_points_that_are_not_there_join_nothing() -> None:
    assert groups([5, 4, 1, 9, 2], lambda point: [point - 1, point + 1]) == [{1, 2}, {4, 5}, {9}]
    assert groups([1, 3], lambda point: [2]) == [{1}, {3}]
    assert groups([], lambda point: [point]) == []
