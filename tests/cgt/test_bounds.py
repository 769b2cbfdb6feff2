"""Bounds on sums: the examples of section 5.1, every bound against brute force, every policy against everybody."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cgt.randomgames import brute_force, random_sum, random_tree
from zermelo.cgt.boards.ruleset import SIDES, Side
from zermelo.cgt.scores.bounds import (
    METHODS,
    Bounds,
    Method,
    at_tax,
    hanner,
    milnor,
    second_temperature,
    temperatures,
    thermostatic,
    widest,
)
from zermelo.cgt.scores.scored import Tree, leaf, negative, tree, trees_of
from zermelo.cgt.scores.taxed import options, other
from zermelo.cgt.scores.thermostat import Policy, policy, policy_for
from zermelo.cgt.thermographs.thermograph import mean, thermograph
from zermelo.errors import InputError

seeds = st.integers(0, 2**32 - 1).map(random.Random)


def values(bounds: Bounds) -> tuple[Fraction, Fraction]:
    return bounds.lower.value, bounds.upper.value


def test_section_2_3_sente_wins_the_sum() -> None:
    games = trees_of("{15,{100|12}|-20} + {-10|-40}")
    assert brute_force(games, True)[0] == 2
    for find in METHODS.values():
        low, high = values(find(games, "left"))
        assert low <= 2 <= high


def test_footnote_of_section_5_1_5() -> None:
    """Erratum 17: the thermostatic bound at the second temperature is the second-temperature bound."""
    games = trees_of("{25,{50|0}|-75} + {20|-20}")
    assert values(at_tax(games, "left", 0)) == (5, 45)
    low, high = values(second_temperature(games, "left"))
    assert high - low == 20
    assert values(at_tax(games, "left", 20)) == values(second_temperature(games, "left"))
    low, high = values(thermostatic(games, "left"))
    assert high - low <= 20


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_named_bounds_are_thermostatic_at_their_tax(rng: random.Random) -> None:
    games = random_sum(rng, 4, 3)
    first, second = temperatures(games)
    for side in SIDES:
        assert values(milnor(games, side)) == values(at_tax(games, side, 0))
        assert values(hanner(games, side)) == values(at_tax(games, side, first))
        assert values(second_temperature(games, side)) == values(at_tax(games, side, second))


@given(seeds)
def test_milnors_bound_in_his_own_words(rng: random.Random) -> None:
    games = random_sum(rng, 4, 3)
    right = sum(game.right_stop for game in games)
    left = sum(game.left_stop for game in games)
    gain = max(game.left_stop - game.right_stop for game in games)
    assert values(milnor(games, "left")) == (right + gain, left)
    assert values(milnor(games, "right")) == (right, left - gain)


@given(seeds)
def test_hanners_bound_in_his_own_words(rng: random.Random) -> None:
    """Theorem 5.1, and erratum 18 for the other starter."""
    games = random_sum(rng, 4, 3)
    middle, heat = mean(games), max(Fraction(0), *(thermograph(game).temperature for game in games))
    assert values(hanner(games, "left")) == (middle, middle + heat)
    assert values(hanner(games, "right")) == (middle - heat, middle)


@given(seeds)
@settings(max_examples=50, deadline=None)
def test_lemma_5_2_and_theorem_5_2(rng: random.Random) -> None:
    """Erratum 15: H' = {H|y} has temperature x; Hanner's bound on the sum with H' for H bounds V_R of the sum."""
    games = sorted(random_sum(rng, 4, 3), key=lambda game: thermograph(game).temperature, reverse=True)
    x = temperatures(games)[1]
    hottest = games[0]
    if thermograph(hottest).temperature <= x:
        return
    before = tree([hottest], [leaf(thermograph(hottest).right.at(x) - 2 * x)])
    if before.is_number:  # there is nothing to begin with where x is 0
        assert x == 0
        return
    assert thermograph(before).temperature == x
    assert values(hanner([before, *games[1:]], "left")) == values(second_temperature(games, "right"))


@given(seeds, st.integers(0, 60))
@settings(max_examples=150, deadline=None)
def test_every_tax_bounds_the_untaxed_value(rng: random.Random, quarters: int) -> None:
    """Erratum 16, with taxes that are not corners and taxes above all temperatures."""
    games = random_sum(rng, 4, 2)
    for side in SIDES:
        low, high = values(at_tax(games, side, Fraction(quarters, 4)))
        assert low <= brute_force(games, side == "left")[0] <= high


@pytest.mark.parametrize(("components", "depth"), [(4, 2), (3, 3), (6, 1)])
def test_values_lie_within_every_bound(components: int, depth: int) -> None:
    """Erratum 17: thermostatic over all t is never worse than the other three."""
    rng = random.Random(components)
    for _ in range(400):
        games = random_sum(rng, components, depth)
        for side in SIDES:
            value = brute_force(games, side == "left")[0]
            best = thermostatic(games, side)
            for find in METHODS.values():
                found = find(games, side)
                assert found.lower.value <= value <= found.upper.value
                assert best.lower.value >= found.lower.value
                assert best.upper.value <= found.upper.value


@given(seeds)
@settings(max_examples=20, deadline=None)
def test_thermostatic_is_the_best_of_a_fine_grid_of_taxes(rng: random.Random) -> None:
    games = random_sum(rng, 5, 3)
    top = temperatures(games)[0]
    for side in SIDES:
        best = thermostatic(games, side)
        tried = [at_tax(games, side, top * k / 32) for k in range(33)]
        assert best.lower.value >= max(found.lower.value for found in tried)
        assert best.upper.value <= min(found.upper.value for found in tried)


@given(seeds)
@settings(max_examples=50, deadline=None)
def test_a_witness_is_enough_to_get_the_bound_back(rng: random.Random) -> None:
    games = random_sum(rng, 5, 3)
    for find, starts in product(METHODS.values(), SIDES):
        for bound in (find(games, starts).lower, find(games, starts).upper):
            ours, theirs = (0, 1) if bound.side == "left" else (1, 0)
            walls = [thermograph(game).at(bound.t) for game in games]
            sign = 1 if bound.side == "left" else -1
            if starts != bound.side:
                assert bound.component is None
                assert bound.value == sum(wall[theirs] for wall in walls) - sign * bound.t
            elif bound.component is None:
                assert bound.value == sum(game.number for game in games if game.number is not None)
                assert all(game.is_number for game in games)
            else:
                begun = walls[bound.component]
                assert bound.value == sum(wall[theirs] for wall in walls) + begun[ours] - begun[theirs]


@given(seeds)
def test_bounds_of_the_negative_sum_are_mirrored(rng: random.Random) -> None:
    games = random_sum(rng, 4, 3)
    mirrored = [negative(game) for game in games]
    for find in METHODS.values():
        low, high = values(find(games, "left"))
        assert values(find(mirrored, "right")) == (-high, -low)


def worst_score(games: list[Tree], player: Policy, starts: Side) -> Fraction:
    """The score that a policy is held to by an opponent who tries everything."""
    memory: dict[tuple[tuple[Tree, ...], int | None, Fraction, Side], Fraction] = {}
    worse = min if player.side == "left" else max

    def play(now: tuple[Tree, ...], last: int | None, mine: Policy, side: Side) -> Fraction:
        key = now, last, mine.t, side
        if key not in memory:
            if all(game.is_number for game in now):
                memory[key] = sum((game.number or Fraction(0) for game in now), Fraction(0))
            elif side == mine.side:
                choice = mine.choose(now, last)
                assert choice.option in options(now[choice.component], side)
                after = (*now[: choice.component], choice.option, *now[choice.component + 1 :])
                memory[key] = play(after, None, choice.policy, other(side))
            else:
                memory[key] = worse(
                    play((*now[:place], option, *now[place + 1 :]), place, mine, other(side))
                    for place, game in enumerate(now)
                    for option in options(game, side)
                )
        return memory[key]

    return play(tuple(games), None, player, starts)


@pytest.mark.parametrize("method", METHODS)
def test_policies_keep_what_their_bounds_promise(method: Method) -> None:
    rng = random.Random(method)
    for _ in range(60):
        games = random_sum(rng, 3, rng.choice([2, 3]))
        for side, starts in product(SIDES, SIDES):
            player = policy(method, games, side=side, starts=starts)
            score = worst_score(games, player, starts)
            exact = brute_force(games, starts == "left")[0]
            if side == "left":
                assert player.promise <= score <= exact
            else:
                assert player.promise >= score >= exact


def test_policies_keep_their_promise_against_threats_hotter_than_the_thermostat() -> None:
    """What a policy that set itself to the hottest component of the moment would get wrong."""
    rng = random.Random(7)
    for _ in range(15):
        games = []
        for _ in range(3):
            a, b, c = (Fraction(rng.randint(-9, 9)) for _ in range(3))
            threat = tree([leaf(a + rng.randint(10, 40))], [leaf(a)])
            games.append(tree([threat, leaf(b)], [tree([leaf(c)], [leaf(c - rng.randint(10, 40))])]))
        for method, side, starts in product(METHODS, SIDES, SIDES):
            player = policy(method, games, side=side, starts=starts)
            score = worst_score(games, player, starts)
            assert score >= player.promise if side == "left" else score <= player.promise


@pytest.mark.parametrize("method", METHODS)
def test_bounds_are_attained_somewhere(method: Method) -> None:
    """No bound can be improved by a constant: each is the exact value of some hot sum."""
    tight = {"left": 0, "right": 0}
    rng = random.Random(3)
    for _ in range(200):
        games = [random_tree(rng, 2, 1) for _ in range(2)]
        if any(game.is_number for game in games):
            continue
        exact = brute_force(games, True)[0]
        low, high = values(METHODS[method](games, "left"))
        tight["left"] += low == exact
        tight["right"] += high == exact
    assert min(tight.values()) > 0


def test_a_policy_comes_from_its_bound() -> None:
    games = trees_of("{5|-5} + {3||2|-1}")
    bound = thermostatic(games, "right").lower
    assert policy_for(bound) == policy("thermostatic", games, side="left", starts="right")
    assert bound.to_json() == {
        "value": str(bound.value),
        "method": "thermostatic",
        "t": str(bound.t),
        "component": None,
    }


def test_sums_of_numbers_are_what_they_are() -> None:
    games = trees_of("3 + 1/2")
    for find, side in product(METHODS.values(), SIDES):
        assert values(find(games, side)) == (Fraction(7, 2), Fraction(7, 2))
        assert values(find([], side)) == (0, 0)
    assert widest(games, Fraction(0)) is None
    with pytest.raises(InputError, match="every component is a number"):
        policy("milnor", games, side="left", starts="left").choose(games)
    with pytest.raises(InputError, match="a tax of -1"):
        at_tax(games, "left", -1)


def test_a_thousand_components_with_numbers_at_two_to_the_200() -> None:
    rng = random.Random(1)
    huge = 1 << 200
    games = [tree([leaf(rng.randint(1, huge))], [leaf(-rng.randint(1, huge))]) for _ in range(1000)]
    # Switches are worth their means and, hottest first, alternating temperatures (section 3.1).
    heats = sorted((thermograph(game).temperature for game in games), reverse=True)
    exact = mean(games) + sum(heats[::2]) - sum(heats[1::2])
    low, high = values(thermostatic(games, "left"))
    assert low <= exact <= high
    assert high - low <= heats[1]
