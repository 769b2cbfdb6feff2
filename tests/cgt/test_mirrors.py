"""Many copies of a component are counted, and mirror images cancel: what is left is what trying everything gives."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cgt.randomgames import brute_force, left_heavy, random_tree
from zermelo.certificate import Claim
from zermelo.cgt.game import WrittenSum
from zermelo.cgt.scores.mirrors import KEPT, Mirrored, without_mirrors
from zermelo.cgt.scores.scored import Tree, moved_by, negative, trees_of
from zermelo.cgt.scores.sums import solve_sum
from zermelo.check.read.copied import copied_trees
from zermelo.check.sums import check_components
from zermelo.limits import Limits
from zermelo.solving import solve_game


def hot_tree(rng: random.Random, depth: int) -> Tree:
    while True:
        game = random_tree(rng, depth, options=2, spread=6)
        if not game.is_number:
            return game


def copies_and_mirrors(seed: int) -> list[Tree]:
    """Copies of a switch or of a small tree, of its mirror image moved by a number, and one game of another kind."""
    rng = random.Random(seed)
    one = hot_tree(rng, rng.choice([1, 1, 2]))
    other = moved_by(negative(one), rng.randint(-3, 3))
    return [one] * rng.randint(2, 5) + [other] * rng.randint(0, 4) + [hot_tree(rng, 2)]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_a_sum_with_cancelled_pairs_is_worth_what_trying_everything_gives(seed: int) -> None:
    games = copies_and_mirrors(seed)
    answer = solve_sum(games, certify=True)
    for played, left_starts in ((answer.left_first, True), (answer.right_first, False)):
        assert played.exact and played.lower == brute_force(games, left_starts), [str(game) for game in games]
        assert played.move is not None
        after = [*games[: played.move.component], played.move.option, *games[played.move.component + 1 :]]
        assert brute_force(after, not left_starts) == played.lower
    assert all(check_components(copied_trees(games), claim, Limits()).accepted for claim in answer.claims)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000))
def test_a_mirrored_pair_beside_anything_is_worth_its_score_to_either_starter(seed: int) -> None:
    rng = random.Random(seed)
    one = hot_tree(rng, 2)
    other = moved_by(negative(one), rng.randint(-3, 3))
    pair = Mirrored(one, other, 1)
    rest = [random_tree(rng, 2, options=2) for _ in range(rng.randint(0, 2))]
    assert moved_by(negative(one), pair.score) is other
    for left_starts in (True, False):
        score, turn = brute_force(rest, left_starts)
        assert brute_force([*rest, one, other], left_starts) == (score + pair.score, turn)


def test_two_copies_of_every_component_stay() -> None:
    games = Counter(trees_of("9*{5||3|1} + 7*{0|-2||-4} + 100*{4|-4} + 2*{9|1}"))
    left, pairs = without_mirrors(games)
    assert {str(game): count for game, count in left.items()} == {
        "{5||3|1}": 4,
        "{0|-2||-4}": KEPT,
        "{4|-4}": KEPT,
        "{9|1}": 2,
    }
    assert sorted(pair.pairs for pair in pairs) == [5, 49]
    assert sum(pair.score * pair.pairs for pair in pairs) == 5


def test_components_that_only_look_alike_do_not_cancel() -> None:
    left, pairs = without_mirrors(Counter(trees_of("9*{5||3|1} + 9*{0|-1||-4} + 9*{{5|2}|1}")))
    assert not pairs and set(left.values()) == {9}


def test_a_million_switches_take_a_handful_of_nodes_and_are_checked() -> None:
    games = trees_of("1000000*{1|-1}")
    answer = solve_sum(games, certify=True)
    assert answer.solved and answer.nodes < 20
    assert answer.left_first.score == 0 and answer.left_first.to_move == "left"
    assert all(check_components(copied_trees(games), claim, Limits()).accepted for claim in answer.claims)


def test_many_copies_of_other_trees_are_bounded_within_the_hottest_move_and_need_little_memory() -> None:
    games = trees_of("100000*{9||4|-1} + 50000*{7|3||1}")
    answer = solve_sum(games, Limits(nodes=10, memory=64 << 20), best=False)
    assert answer.stopped in ("", "nodes")
    for played in (answer.left_first, answer.right_first):
        assert Fraction(0) <= played.upper[0] - played.lower[0] <= 10


def test_bounds_of_many_copies_name_them_by_number_in_the_certificate() -> None:
    games = trees_of("100000*{3||2|-1}")
    answer = solve_sum(games, certify=True)
    assert answer.solved
    sums = [entry[0] for claim in answer.claims for entry in (*claim.data["moves"], *claim.data["bounds"])]
    assert sums and max(map(len, sums)) <= 2
    assert all(check_components(copied_trees(games), claim, Limits()).accepted for claim in answer.claims)


def test_many_copies_of_several_kinds_are_what_trying_everything_gives() -> None:
    """Keys of the table count copies beyond three; these sums need the table."""
    rng = random.Random(4)
    for _ in range(25):
        games = [game for _ in range(2) for game in [left_heavy(rng, 9)] * rng.randint(2, 7)]
        answer = solve_sum(games, best=False)
        for played, left_starts in ((answer.left_first, True), (answer.right_first, False)):
            assert played.exact and played.lower == brute_force(games, left_starts), [str(game) for game in games]


@pytest.mark.parametrize(
    ("mirrors", "reason"),
    [
        ([[2, 2, 3]], "there are no 3 pairs"),
        ([[2, 5, 1]], "not mirror images"),
        ([[0, 1, 1]], "not mirror images"),
        ([[2, 2, 0]], "an entry is not [position, position, pairs]"),
        ([[2, 2]], "an entry is not [position, position, pairs]"),
        ([[2, 99, 1]], "not a pair of numbers below 6"),
        ("none", "expected a list"),
    ],
)
def test_pairs_that_do_not_cancel_are_refused(mirrors: Any, reason: str) -> None:
    games = trees_of("5*{5|-5} + {3|-1}")
    data = {
        "starts": "left",
        "value": "8",
        "positions": ["5", "-5", [[0], [1]], "3", "-1", [[3], [4]]],
        "replies": [],
        "over": [],
        "moves": [[[2, 5], 2, 0], [[5], 5, 3]],
        "bounds": [],
        "mirrors": [[2, 2, 2]],
    }
    assert check_components(copied_trees(games), Claim("left", 4, rule="sum", data=data), Limits()).accepted
    told = check_components(
        copied_trees(games), Claim("left", 4, rule="sum", data=data | {"mirrors": mirrors}), Limits()
    )
    assert told.status == "refuted" and reason in told.reason


def test_copies_may_be_written_out_or_counted_in_a_certificate() -> None:
    games = trees_of("3*{5|-5}")
    data = {
        "starts": "left",
        "value": "3",
        "positions": ["5", "-5", [[0], [1]]],
        "replies": [],
        "over": [],
        "moves": [[[[2, 3]], 2, 0], [[2], 2, 0]],
        "bounds": [],
    }
    for key, status in (
        ([2, 2, 2], "accepted"),
        ([[2, 3]], "accepted"),
        ([[2, 2], 2], "accepted"),
        ([[2, 4]], "refuted"),
    ):
        moves = [[key, 2, 0], [[2], 2, 0]]
        claim = Claim("left", 5, rule="sum", data=data | {"moves": moves})
        assert check_components(copied_trees(games), claim, Limits()).status == status


def test_a_sum_of_two_large_multiples_lists_every_move_once() -> None:
    game = WrittenSum("30000*{1|-1} + 30000*{3||2|-1}")
    assert [game.move_text(move) for move in game.moves(game.start())] == ["1:1", "30001:3"]


def test_a_million_switches_are_solved_from_the_target_on() -> None:
    solution = solve_game(WrittenSum("1000000*{1|-1}"), "sum", Limits(nodes=1000))
    assert solution.status == "solved" and solution.verified and solution.winner == "right"
