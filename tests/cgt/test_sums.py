"""Sums of scored trees: search against trying everything, variants against each other, limits, big numbers."""

from __future__ import annotations

import random
from fractions import Fraction
from statistics import median
from typing import Any

import pytest
from benchmarks.cgt_sums import CLASSES
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cgt.randomgames import brute_force, left_heavy, random_sum, random_tree
from zermelo.cgt.scores.scored import LEFT_TO_MOVE, RIGHT_TO_MOVE, Tree, leaf, moved_by, negative, tree, trees_of
from zermelo.cgt.scores.sums import BestMove, Method, Played, best_move, solve_sum, stop_of, unit_of
from zermelo.errors import ArgumentError, LimitReachedError
from zermelo.limits import Limits

INFINITESIMALS = ["*", "*2", "^", "v", "^^*", "-_2", "+_1", "{0|0||-3}"]
VARIANTS: list[dict[str, str]] = [
    {"cut": "none", "strike": "none"},
    {"cut": "none", "strike": "all"},
    {"cut": "mean", "strike": "none"},
    {"cut": "mean", "strike": "switches"},
    {"cut": "tax", "strike": "none"},
    {"cut": "tax", "strike": "switches"},
]


def some_sum(rng: random.Random) -> list[Tree]:
    """Small enough to try everything: trees of all shapes, left-heavy ones, now and then an infinitesimal or a copy."""
    if rng.random() < 0.2:
        games = [left_heavy(rng, 12) for _ in range(rng.randint(1, 5))]
    else:
        games = random_sum(rng, components=4, depth=rng.randint(1, 3), options=rng.randint(1, 3))
    if rng.random() < 0.3:
        games += trees_of(rng.choice(INFINITESIMALS))
    if rng.random() < 0.2:
        games.append(rng.choice(games))
    if rng.random() < 0.1:
        games.append(negative(rng.choice(games)))
    return games


def both(games: list[Tree], **options: Any) -> tuple[Played, Played]:
    answer = solve_sum(games, **options)
    return answer.left_first, answer.right_first


def after(games: list[Tree], move: BestMove) -> list[Tree]:
    return [*games[: move.component], move.option, *games[move.component + 1 :]]


def replies_elsewhere(games: list[Tree], move: BestMove, by_left: bool) -> list[list[Tree]]:
    played = after(games, move)
    return [
        [*played[:index], reply, *played[index + 1 :]]
        for index, game in enumerate(played)
        if game is not move.option
        for reply in (game.left if by_left else game.right)
    ]


def test_score_and_tempo_are_what_trying_everything_gives() -> None:
    rng = random.Random(1)
    for _ in range(700):
        games = some_sum(rng)
        for played, left_starts in zip(both(games, best=False), (True, False), strict=True):
            assert played.exact
            assert played.lower == brute_force(games, left_starts), [str(game) for game in games]


def test_the_best_move_keeps_the_value_and_sente_is_told() -> None:
    rng = random.Random(2)
    found = set()
    for _ in range(250):
        games = some_sum(rng)
        for played, left in zip(both(games), (True, False), strict=True):
            if played.move is None:
                assert all(game.is_number for game in games)
                continue
            value, move = played.lower, played.move
            assert brute_force(after(games, move), not left) == value
            elsewhere = [brute_force(rest, left) for rest in replies_elsewhere(games, move, not left)]
            forced = all(other > value if left else other < value for other in elsewhere)
            assert move.sente == (forced and not move.option.is_number)
            found.add(move.sente)
    assert found == {True, False}


def test_all_variants_agree() -> None:
    rng = random.Random(3)
    for _ in range(100):
        games = some_sum(rng)
        expected = [played.lower for played in both(games, best=False)]
        for variant in VARIANTS:
            told = both(games, best=False, **variant)
            assert [played.lower for played in told] == [played.upper for played in told] == expected, variant


@pytest.mark.parametrize("rule", ["berliner", "palay"])
def test_b_star_finds_a_best_move_and_bounds_that_hold(rule: str) -> None:
    rng = random.Random(4)
    for _ in range(150):
        games = some_sum(rng)
        for played, left in zip(both(games, method=rule), (True, False), strict=True):
            value = brute_force(games, left)
            assert played.lower <= value <= played.upper
            if played.move is not None:
                assert brute_force(after(games, played.move), not left) == value


def test_winners_are_exact_at_score_zero() -> None:
    star = both(trees_of("*"))
    assert [played.winner for played in star] == ["left", "right"]
    nothing = both(trees_of("{4|-4} + {4|-4}"))
    assert [(played.score, played.winner) for played in nothing] == [(0, "right"), (0, "left")]
    up = both(trees_of("^"))
    assert [played.winner for played in up] == ["left", "left"]


def test_a_game_and_its_negative_leave_the_tempo_to_who_starts() -> None:
    rng = random.Random(5)
    for _ in range(50):
        game = random_tree(rng, depth=3)
        played = both([game, negative(game)])
        assert [one.lower for one in played] == [(0, LEFT_TO_MOVE), (0, RIGHT_TO_MOVE)]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.fractions(-50, 50, max_denominator=1).map(lambda x: x / 4))
def test_a_number_added_anywhere_is_added_to_the_score(seed: int, number: Fraction) -> None:
    rng = random.Random(seed)
    games = random_sum(rng, components=3)
    moved = [moved_by(games[0], number), *games[1:]]
    if moved[0].is_number != games[0].is_number:
        return
    for before, now in zip(both(games), both(moved), strict=True):
        assert (before.lower[0] + number, before.lower[1]) == now.lower


@pytest.mark.parametrize("power", [40, 58, 61, 90, 125, 200, 2000])
def test_numbers_of_any_size_are_exact(power: int) -> None:
    rng = random.Random(power)
    spread = 1 << power
    games = []
    for _ in range(5):
        z, y, x = sorted(Fraction(rng.randint(-spread, spread), 4) for _ in range(3))
        games.append(tree([tree([leaf(x)], [leaf(y)])], [leaf(z)]))
    for played, left_starts in zip(both(games), (True, False), strict=True):
        assert played.lower == played.upper == brute_force(games, left_starts)


def test_a_deep_tree_is_no_trouble() -> None:
    [game] = trees_of("{" * 5_000 + "0|0}" + "|0}" * 4_999)
    answer = solve_sum([game])
    assert answer.solved and answer.left_first.score == 0


def test_a_thousand_switches_are_played_from_the_hottest_down() -> None:
    rng = random.Random(11)
    sizes = sorted((rng.randint(1, 1000) for _ in range(1000)), reverse=True)
    games = [tree([leaf(size)], [leaf(-size)]) for size in sizes]
    answer = solve_sum(games, Limits(nodes=50_000))
    assert answer.left_first.score == sum(sizes[::2]) - sum(sizes[1::2])
    assert answer.left_first.move is not None and answer.left_first.move.option is leaf(sizes[0])


def test_twenty_four_left_heavy_trees_are_solved() -> None:
    rng = random.Random(24)
    answer = solve_sum([left_heavy(rng) for _ in range(24)], Limits(nodes=1_000_000))
    assert answer.solved and answer.left_first.move is not None


def test_bounds_and_comparisons_save_nodes_and_b_star_needs_fewer_than_the_value() -> None:
    total = dict.fromkeys(("plain", "bounds", "default", "palay"), 0)
    for seed in range(15):
        games = [left_heavy(random.Random(f"{seed} {n}")) for n in range(8)]
        ask: dict[str, Any] = {"starters": ("left",), "best": False}
        total["plain"] += solve_sum(games, cut="none", strike="none", **ask).nodes
        total["bounds"] += solve_sum(games, strike="none", **ask).nodes
        total["default"] += solve_sum(games, **ask).nodes
        total["palay"] += solve_sum(games, method="palay", **ask).nodes
    assert 5 * total["bounds"] < total["plain"]
    assert 10 * total["default"] < total["plain"]
    assert total["palay"] < total["default"]


@pytest.mark.parametrize("rule", ["berliner", "palay"])
@pytest.mark.parametrize(
    ("name", "size"),
    [("left-heavy", 12), ("depth 2, two options", 10), ("full depth 3", 8), ("switches + left-heavy", 20)],
)
def test_a_best_move_takes_fewer_nodes_than_the_value_in_every_class(name: str, size: int, rule: Method) -> None:
    ask: dict[str, Any] = {"starters": ("left",), "best": False}
    sums = [CLASSES[name][0](random.Random(f"{name} {size} {seed}"), size) for seed in range(15)]
    value = median(solve_sum(games, **ask).nodes for games in sums)
    move = median(solve_sum(games, method=rule, **ask).nodes for games in sums)
    assert move < value


@pytest.mark.parametrize("method", ["alphabeta", "palay"])
def test_a_limit_leaves_bounds_that_hold(method: Method) -> None:
    rng = random.Random(7)
    games = [left_heavy(rng) for _ in range(16)]
    exact = both(games)
    for nodes in (1, 20, 300):
        answer = solve_sum(games, Limits(nodes=nodes), method=method)
        assert answer.stopped == "nodes" or answer.left_first.move is not None
        for told, value in zip((answer.left_first, answer.right_first), exact, strict=True):
            assert told.lower <= value.lower <= told.upper


def test_little_memory_is_enough_or_said_to_be_too_little() -> None:
    rng = random.Random(8)
    games = [left_heavy(rng) for _ in range(14)]
    exact = both(games)
    for mebibytes in (1, 2, 8):
        answer = solve_sum(games, Limits(memory=mebibytes << 20))
        assert answer.solved or answer.stopped == "memory"
        assert answer.left_first.lower <= exact[0].lower <= answer.left_first.upper


def test_a_thousand_components_are_bounded() -> None:
    rng = random.Random(9)
    answer = solve_sum([left_heavy(rng) for _ in range(1000)], Limits(nodes=1))
    for played in (answer.left_first, answer.right_first):
        assert 0 <= played.upper[0] - played.lower[0] <= 200


def test_nothing_but_numbers_is_over_at_once() -> None:
    left, right = both(trees_of("3 + 1/2"))
    assert left.lower == left.upper == (Fraction(7, 2), LEFT_TO_MOVE)
    assert right.lower == right.upper == (Fraction(7, 2), RIGHT_TO_MOVE)
    assert left.move is None and both([]) == (
        Played("left", (Fraction(0), LEFT_TO_MOVE), (Fraction(0), LEFT_TO_MOVE)),
        Played("right", (Fraction(0), RIGHT_TO_MOVE), (Fraction(0), RIGHT_TO_MOVE)),
    )


def test_asking_for_a_move_that_is_not_there_says_so() -> None:
    with pytest.raises(ArgumentError, match="every component is a number"):
        best_move([leaf(3)], "left")
    rng = random.Random(10)
    with pytest.raises(LimitReachedError):
        best_move([left_heavy(rng) for _ in range(40)], "left", Limits(nodes=5))


def test_units_and_stops_fit_together() -> None:
    assert unit_of(trees_of("{6|4} + 2")) == 2
    assert unit_of(trees_of("*")) == 1
    assert stop_of(-3, Fraction(1), "left") == (-2, RIGHT_TO_MOVE)
    assert stop_of(-3, Fraction(1), "right") == (-1, LEFT_TO_MOVE)


def test_coins_in_stacks_of_three_defeat_the_greedy_rule() -> None:
    """Erratum 4: worth 22 to Left, greedy gets 20. A stack is {top + rest | -top + rest}: who takes a coin keeps it."""

    def stack(coins: tuple[int, ...]) -> Tree:
        game = leaf(0)
        for coin in reversed(coins):
            game = tree([moved_by(game, coin)], [moved_by(game, -coin)])
        return game

    answer = solve_sum([stack(coins) for coins in ((18, 35, 29), (27, 17, 16), (18,))])
    assert answer.left_first.score == 22
