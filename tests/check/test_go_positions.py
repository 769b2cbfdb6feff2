"""Go as the checker plays it: boards worked out by hand, and random ones beside the engine, which shares no code."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from zermelo.cgt.go import ground as engine
from zermelo.cgt.go.life import settle as engine_settles
from zermelo.cgt.go.region import Region, region_of
from zermelo.check import go
from zermelo.check.inbrackets import shown
from zermelo.check.read.copied import copied_tree
from zermelo.check.trees import Trees
from zermelo.errors import LimitReachedError, NotApplicableError

LIFE = [
    (".x.x xxxx .... ....", "bXbX XXXX .... ...."),  # two eyes
    (".xx. xx.. .... ....", ".xx. xx.. .... ...."),  # one eye is not enough
    ("x.xx .xxx xxx. ....", "XbXX bXXX XXXb bbbb"),  # chains that share two eyes
    ("x.x.. oxxo. ooo.. ..... .....", "x.x.. oxxo. ooo.. ..... ....."),  # an eye that leans on a chain without one
    (".x.ox xxxxx ..... ..... .....", "bXbbX XXXXX ..... ..... ....."),  # a dead stone in an eye
    ("..x.x xxxxx ..... ..... .....", "bbXbX XXXXX ..... ..... ....."),  # a wide eye along the wall
    ("..x.x ..xxx xxxxx ..... .....", "..x.x ..xxx xxxxx ..... ....."),  # a point that touches no wall
    ("Xx. .x. ...", "XX. .X. ..."),  # what hangs together with a living stone
    ("XXX X.X XXX", "XXX XbX XXX"),
    ("XXX XoX XXX", "XXX XbX XXX"),
    ("OOO O.O OOO", "OOO OwO OOO"),
    ("X.O X.O X.O", "X.O X.O X.O"),
    ("XXXXXX X....X X....X X....X X....X XXXXXX", "XXXXXX X....X X....X X....X X....X XXXXXX"),  # room for two eyes
    ("XXXXX X...X X...X XXXXX XXXXX", "XXXXX XbbbX XbbbX XXXXX XXXXX"),  # each point touches a wall
    ("ooo.x ....x xxxxx .xxxx xxxxx", "ooo.x ....x xxxxx .xxxx xxxxx"),  # one eye, and room in which White may live
]


@pytest.mark.parametrize(("picture", "labels"), LIFE)
def test_life_and_territory_worked_out_by_hand(picture: str, labels: str) -> None:
    size = len(picture.split(maxsplit=1)[0])
    assert go.settle(go.around(size), picture.replace(" ", "")).labels == labels.replace(" ", "")


def random_stones(rng: random.Random, size: int) -> str:
    """Mostly stones of few colours, so that there is life; every chain has a liberty or is given as alive."""
    letters = rng.choice(["..xo", ".xxo", ".xoo", ".xX", "..XO", ".xoXO", ".xoX#"])
    near = go.around(size)
    while True:
        stones = "".join(rng.choice(letters) for _ in range(size * size))
        chains = [go.chain(near, stones, point) for point, stone in enumerate(stones) if stone in "xo"]
        if all(go.is_free(near, stones, chain) for chain in chains):
            return stones


def test_positions_are_taken_apart_as_by_the_engine() -> None:
    rng = random.Random("life")
    for _ in range(400):
        size = rng.randint(2, 5)
        stones = random_stones(rng, size)
        ours, theirs = go.settle(go.around(size), stones), engine_settles(engine.square(size), stones)
        assert (ours.labels, ours.score, sorted(ours.parts)) == (theirs.labels, theirs.score, sorted(theirs.parts))


def test_moves_captures_and_scores_are_those_of_the_engine() -> None:
    rng = random.Random("moves")
    for _ in range(150):
        size = rng.randint(2, 4)
        stones, near, ground = random_stones(rng, size), go.around(size), engine.square(size)
        assert [sorted(found) for found in near] == [sorted(found) for found in ground.neighbours]
        assert go.standing(near, stones) == engine.standing_score(ground, stones), stones
        for point, stone in enumerate(stones):
            for colour in "xo" if stone == "." else "":
                ours, theirs = go.placed(near, stones, point, colour), engine.played(ground, stones, point, colour)
                assert (ours and (ours[0], sorted(ours[1]))) == (theirs and (theirs[0], sorted(theirs[1])))


def checked_region(trees: Trees, size: int, part: str, by_area: bool) -> int | None:
    try:
        return go.region_tree(trees, go.around(size), part, by_area=by_area)
    except (NotApplicableError, LimitReachedError):
        return None


def random_part(rng: random.Random) -> tuple[int, str]:
    """A region between walls, with a few open points and stones."""
    size = rng.randint(3, 4)
    while True:
        rows = [
            rng.choice(["XXXX", "X..O", "X.oO", "Xx.O", "O..X", "X...", "...O", "XxoO", "OOOO"]) for _ in range(size)
        ]
        stones = "".join(row[:size] for row in rows)
        parts = engine_settles(engine.square(size), stones).parts
        if parts and parts[0].count(".") <= 4:
            return size, parts[0]


def engine_region(size: int, part: str, by_area: bool) -> Region:
    return region_of(engine.square(size), part, name="a", size=size, scoring="area" if by_area else "territory")


def test_regions_have_the_trees_that_the_engine_finds_or_none() -> None:
    rng = random.Random("regions")
    exact = refused = 0
    for number in range(60):
        size, part = random_part(rng)
        by_area = number % 2 == 0
        theirs = engine_region(size, part, by_area)
        trees = Trees()
        ours = checked_region(trees, size, part, by_area)
        if theirs.status == "exact":
            exact += 1
            assert ours == copied_tree(trees, theirs.tree), part
        else:
            refused += 1
            assert ours is None, part
    assert exact > 30 and refused > 1


KOS = [
    (4, "XoO#xoO#x.oOXxxO"),
    (4, "#XO#XoxOX.xO#XO#"),
    (4, "XXOOXx.OX.oOXXOO"),
    (3, "Xx.XoxX.o"),
    (4, "XXXXx.x.ooooOOOO"),
    (4, "XXXXXo.oXoooXOOO"),
]


@pytest.mark.parametrize(("size", "part"), KOS)
@pytest.mark.parametrize("by_area", [False, True])
def test_kos_and_sekis_are_refused_where_the_engine_refuses_them(size: int, part: str, by_area: bool) -> None:
    theirs, trees = engine_region(size, part, by_area), Trees()
    ours = checked_region(trees, size, part, by_area)
    assert ours == (copied_tree(trees, theirs.tree) if theirs.status == "exact" else None)


@pytest.mark.parametrize(
    ("marked", "stones", "by_area", "score", "regions"),
    [
        ("XbX XXX XXX", "x.x xxx xxx", True, 9, 0),
        ("XbX XXX XXX", "x.x xxx xxx", False, 1, 0),
        ("XbX XXX XXX", "xox xxx xxx", False, 2, 0),  # a dead stone counts twice: the point and the prisoner
        ("XbX XXX XXX", "xox xxx xxx", True, 9, 0),
        ("X.O X.O X.O", "x.o x.o x.o", False, 0, 1),
        ("X.O XXO OOO", "x.o xxo ooo", True, -2, 1),
        ("OwO OOO OOO", "o.o ooo ooo", False, -1, 0),
        ("XxX XXX XXX", "xxx xxx xxx", False, 0, 0),
        ("x.x xxx .x.", "x.x xxx .x.", False, 3, 0),  # life that nobody has marked
        ("x.x xxx .x.", "x.x xxx .x.", True, 9, 0),
        ("X..O Xo.O X..O XXOO", "x..o xo.o x..o xxoo", False, 0, 1),  # the stone in the middle is not settled
    ],
)
def test_what_is_settled_is_scored_by_area_or_territory(
    marked: str, stones: str, by_area: bool, score: int, regions: int
) -> None:
    trees = Trees()
    plain = stones.replace(" ", "")
    found = go.components(trees, plain, marked.replace(" ", ""), Fraction(7, 2), by_area=by_area)
    assert trees.numbers[found[0]] == score + Fraction(7, 2) and len(found) == 1 + regions


def test_regions_of_many_points_are_not_played_out() -> None:
    with pytest.raises(NotApplicableError, match="over 20 empty points"):
        go.region_tree(Trees(), go.around(5), "X" + "." * 24, by_area=True)


def test_regions_are_played_out_up_to_their_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    part = "O.x.X##OOO##".ljust(36, "#")
    near = [[1], [0, 2, 5], [1, 3, 6], [2, 4, 7], [3], [1, 6], [2, 5, 7], [3, 6]]
    positions = len(go._Lines(near, "O.x.XOOO", lambda: None).steps)
    assert positions > 1
    monkeypatch.setattr(go, "MOST_EMPTY", 2)
    monkeypatch.setattr(go, "MOST_POSITIONS", positions)
    assert checked_region(Trees(), 6, part, True) is not None
    monkeypatch.setattr(go, "MOST_POSITIONS", positions - 1)
    with pytest.raises(LimitReachedError, match="a region of over"):
        go.region_tree(Trees(), go.around(6), part, by_area=True)
    monkeypatch.setattr(go, "MOST_EMPTY", 1)
    with pytest.raises(NotApplicableError, match="over 1 empty points"):
        go.region_tree(Trees(), go.around(6), part, by_area=True)


# Strips of one row: kos, snapbacks, stones that are caught or connect


def strips(ends: str, width: int) -> Iterator[str]:
    """Regions of one row of so many points, between walls of both sides or behind a stone of Black's that may fall."""
    size = width + 2
    near = go.around(size)
    for inner in product("xo.", repeat=width):
        stones = f"{ends[0]}{''.join(inner)}{ends[1]}".ljust(size * size, "#")
        chains = [go.chain(near, stones, point) for point, stone in enumerate(stones) if stone in "xo"]
        if all(go.is_free(near, stones, chain) for chain in chains):
            yield from go.settle(near, stones).parts


@pytest.mark.parametrize("by_area", [False, True])
@pytest.mark.parametrize(("ends", "width"), [("OX", 1), ("OX", 2), ("OX", 3), ("OX", 4), ("Xx", 3), ("Xx", 4)])
def test_strips_have_the_trees_that_the_engine_finds_or_none(ends: str, width: int, by_area: bool) -> None:
    parts = list(strips(ends, width))
    assert parts
    for part in parts[by_area :: 2 if width == 4 else 1]:
        theirs, trees = engine_region(width + 2, part, by_area), Trees()
        ours = checked_region(trees, width + 2, part, by_area)
        assert ours == (copied_tree(trees, theirs.tree) if theirs.status == "exact" else None), part


def test_so_many_captures_are_tried_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """White can throw in once, to no avail; without that capture the two readings differ."""
    part = "X..xx".ljust(25, "#")
    for most, found in ((2, True), (1, True), (0, False)):
        monkeypatch.setattr(go, "MOST_CAPTURES", most)
        assert (checked_region(Trees(), 5, part, True) is not None) == found
    for most, found in ((2, True), (1, False)):
        monkeypatch.setattr(go, "MOST_CAPTURES", most)
        assert (checked_region(Trees(), 5, "X.o.x".ljust(25, "#"), True) is not None) == found


# Sekis

SEKI = [
    (3, "x.# .oX #X#"),  # two stones and two liberties: who plays one of them is caught
    (3, "#x. x.# #oX"),
]


@pytest.mark.parametrize(("size", "picture"), SEKI)
def test_a_region_that_may_end_as_a_seki_is_refused(size: int, picture: str) -> None:
    part = picture.replace(" ", "")
    for by_area in (True, False):
        assert engine_region(size, part, by_area).status != "exact"
        with pytest.raises(NotApplicableError, match="a seki matters"):
            go.region_tree(Trees(), go.around(size), part, by_area=by_area)


@pytest.mark.parametrize(
    ("winner", "captures", "seki", "worth"),
    [
        ("o", 0, "low", "-4"),  # Black may not capture: White takes all four points
        ("o", 0, "high", "-4"),
        ("x", 0, "low", "4"),
        ("x", 1, "high", "4"),
        ("o", 1, "low", "-4"),  # Black gets nothing out of a seki
        ("o", 1, "stands", "{-1|-4}"),
        ("o", 1, "high", "{4|-4}"),  # White has to give everything
    ],
)
def test_what_a_seki_is_worth_is_a_matter_of_reading_it(winner: str, captures: int, seki: Any, worth: str) -> None:
    near = [[1, 2], [0, 3], [0, 3], [1, 2, 4, 5], [3], [3]]
    values = go._Values(go._Lines(near, "x..oXX", lambda: None), lambda: None)
    assert shown(values.games, values.under(go._Reading(winner, captures, seki))) == worth


# One position, by what its moves lead to


def values_of_one_stone() -> go._Values:
    return go._Values(go._Lines([[1], [0]], "x#", lambda: None), lambda: None)


@pytest.mark.parametrize(
    ("black", "white", "worths"),
    [
        ([1], [0, 3], ("{1|0}", "{1|0}", "{1|0}")),  # White takes the better of two
        ([0, 3], [2], ("{3|2}", "{3|2}", "{3|2}")),
        ([0], [3], ("0", "1", "3")),  # both would lose by moving: a seki
        ([1], [3], ("1", "1", "1")),  # Black loses nothing: no seki
        ([0], [1], ("1", "1", "1")),
        ([0], [], ("1", "1", "1")),  # who has no move passes
        ([], [3], ("1", "1", "1")),
        ([2], [], ("2", "2", "2")),
        ([], [-2], ("-2", "-2", "-2")),
        ([], [], ("1", "1", "1")),
    ],
)
def test_a_stone_that_stands_alone_is_worth_what_passing_and_moving_give(
    black: list[int], white: list[int], worths: tuple[str, str, str]
) -> None:
    for seki, worth in zip(("low", "stands", "high"), worths, strict=True):
        values = values_of_one_stone()
        steps = [*((n, "x") for n in black), *((n, "o") for n in white)]
        afters: list[tuple[go.Step, list[go.State]]] = [(go.Step(colour, False, n, ()), []) for n, colour in steps]
        assert shown(values.games, values.value("x#", seki, afters, {})) == worth


def test_captures_are_counted_anew_where_play_never_comes_back() -> None:
    values = values_of_one_stone()
    values.lines.cycle = {"here": 0, "back": 0, "on": 1}
    reading = go._Reading("x", 2, "stands")
    both = go.Step("o", True, 0, ("back", "on"))
    assert values.after(reading, ("here", 1), both) == [("back", 0), ("on", 2)]
    assert values.after(reading, ("here", 0), both) is None
    assert values.after(reading, ("here", 0), go.Step("o", True, 0, ("on",))) == [("on", 2)]
    assert values.after(reading, ("here", 0), go.Step("o", False, 0, ("back",))) == [("back", 0)]
    assert values.after(reading, ("here", 0), go.Step("x", True, 0, ("back",))) == [("back", 0)]


def test_sums_and_means_of_hot_games() -> None:
    values = values_of_one_stone()
    games = values.games
    number = [games.number(Fraction(n)) for n in range(6)]
    hot, hotter = games.node([number[5]], [number[0]]), games.node([number[4]], [games.negate(number[4])])
    assert shown(games, values.plus(hot, hotter)) == "{9|4||1|-4}"
    assert shown(games, values.plus(hotter, hotter)) == "0"
    assert values.mean(hot) == Fraction(5, 2) and values.mean(number[3]) == 3
    assert values.mean(games.node([hot], [games.negate(number[4])])) == Fraction(-3, 4)
