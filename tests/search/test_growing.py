"""A game without a native twin is searched where its value is decided, and the answer is that of the whole game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.randomgames import TableGame, oracle, oracle_values

from zermelo.errors import GameError
from zermelo.game import DRAW, Game, Score, win_for
from zermelo.graph import NotGrownError
from zermelo.limits import Limits
from zermelo.search import growing as module
from zermelo.search.growing import ByRules, decide
from zermelo.search.partial import proved_by_growing
from zermelo.solving import solve_game

SEEDS = st.integers(0, 2**32)
VALUES = st.sampled_from([(-1, 1), (-1, 0, 1), (-5, Fraction(-1, 3), 0, 1, 7), (1,)])
ROLES = st.sampled_from([("first", "second"), ("one",)])


def sparse_game(seed: int, cyclic: bool, values: tuple[Score, ...], roles: tuple[str, ...], nodes: int) -> TableGame:
    """A random game with few ends, so that much of it can stay unexplored."""
    rng = random.Random(seed)
    rate = rng.choice((0.03, 0.1, 0.3))
    turns, successors, scores = [], [], []
    for node in range(nodes):
        targets = range(nodes) if cyclic else range(node + 1, min(nodes, node + 2 + nodes // 3))
        over = not targets or (node > 0 and rng.random() < rate)
        turns.append(rng.choice(roles))
        successors.append(() if over else tuple(rng.choice(targets) for _ in range(rng.randint(1, 4))))
        scores.append(rng.choice(values) if over else None)
    return TableGame(tuple(turns), tuple(successors), tuple(scores), roles=roles)


def with_range(game: TableGame, values: tuple[Score, ...]) -> TableGame:
    object.__setattr__(game, "score_range", (min(values), max(values)))
    return game


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Looks at the part after every few positions, and stops as soon as it decides."""
    for name, value in (("FIRST", 3), ("SLICE", 4), ("WIDELY", 0), ("WIDELY_SECONDS", 0.0)):
        monkeypatch.setattr(module, name, value)
    yield


@settings(max_examples=150)
@given(seed=SEEDS, cyclic=st.booleans(), values=VALUES, roles=ROLES, told=st.booleans())
def test_a_part_that_decides_has_the_value_of_the_whole_game(
    seed: int, cyclic: bool, values: tuple[Score, ...], roles: tuple[str, ...], told: bool
) -> None:
    game = sparse_game(seed, cyclic, values, roles, 120)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "FIRST", 3)
        patch.setattr(module, "WIDELY", 0)
        solution = solve_game(with_range(game, values) if told else game)
    assert (solution.status, solution.value, solution.verified) == ("solved", oracle(game), True)
    after = oracle_values(game)
    for name, value in solution.move_values.items():
        assert value in (None, after[game.successors[0][int(name)]])


@settings(max_examples=80)
@given(seed=SEEDS, cyclic=st.booleans(), values=VALUES, roles=ROLES, widely=st.booleans())
def test_what_has_grown_bounds_the_game_at_every_size(
    seed: int, cyclic: bool, values: tuple[Score, ...], roles: tuple[str, ...], widely: bool
) -> None:
    game = sparse_game(seed, cyclic, values, roles, 40)
    growing, value = ByRules(game, Limits()), oracle(game)
    growing.ask(values[len(values) // 2])
    while growing.growth.open:
        growing.grow(growing.growth.nodes + 1, widely or growing.growth.answered)
        lower, upper = proved_by_growing(game, growing).bounds
        assert (lower is None or lower <= value) and (upper is None or value <= upper)
        if growing.growth.answered:
            assert lower is None or upper is None or lower > growing._above[0] or upper <= growing._above[0]
    assert proved_by_growing(game, growing).value == value


@settings(max_examples=60)
@given(seed=SEEDS, cyclic=st.booleans())
def test_a_question_is_answered_as_the_value_says(seed: int, cyclic: bool) -> None:
    game = sparse_game(seed, cyclic, (-1, 0, 1), ("first", "second"), 80)
    growing, value = ByRules(game, Limits()), oracle(game)
    for above in (0, -1, 0):
        growing.ask(above)
        growing.grow(80)
        if growing.growth.answered:
            lower, upper = proved_by_growing(game, growing).bounds
            proved = lower is not None and lower > above
            assert proved == (value > above) and (proved or (upper is not None and upper <= above))


class Tower(Game):
    """Put a stone on one of twenty towers; whoever puts it on an equal one wins: far too many positions."""

    score_range = (-1, 1)

    def __init__(self) -> None:
        self.calls = 0

    def start(self) -> Any:
        return ((0,) * 20, 0, 0)

    def turn(self, position: Any) -> str:
        return self.roles[position[1]]

    def moves(self, position: Any) -> list[tuple[int, int]]:
        self.calls += 1
        return [(tower, stone) for tower in range(20) for stone in range(1, 6)]

    def play(self, position: Any, move: tuple[int, int]) -> Any:
        towers, turn, _ = position
        tower, stone = move
        won = towers[tower] == stone
        return ((*towers[:tower], stone, *towers[tower + 1 :]), 1 - turn, int(won))

    def result(self, position: Any) -> Any:
        towers, turn, won = position
        return win_for(1 - turn) if won else DRAW if 0 not in towers else None


def test_a_win_near_the_start_of_a_huge_game_is_found_without_exploring_it(at_once: None) -> None:
    game = Tower()
    solution = solve_game(game, limits=Limits(nodes=20_000))
    assert (solution.value, solution.winner, solution.verified, solution.engine) == (-1, "second", True, "pns")
    assert game.calls < 5_000


class Jungle(Game):
    """Take 1 at once, or go through a jungle of forks whose ends are far away."""

    def start(self) -> Any:
        return ""

    def turn(self, position: Any) -> str:
        return self.roles[len(position) % 2]

    def moves(self, position: Any) -> list[str]:
        return ["left", "right", "take"] if not position else ["left", "right"]

    def play(self, position: Any, move: str) -> Any:
        return position + move[0]

    def result(self, position: Any) -> Any:
        return win_for(0) if position == "t" else win_for(1) if len(position) == 40 else None


class Told(Jungle):
    score_range = (-1, 1)


class Changed(Told):
    def result(self, position: Any) -> Any:
        return (2, -2) if position == "t" else win_for(1) if len(position) == 40 else None


def test_with_a_range_of_scores_the_best_of_them_decides() -> None:
    solution = solve_game(Told(), limits=Limits(nodes=20_000))
    assert (solution.status, solution.value, solution.move, solution.verified) == ("solved", 1, "take", True)
    assert solution.move_values == {"left": None, "right": None, "take": 1}


def test_without_a_range_of_scores_a_win_is_a_bound_since_more_might_be_won() -> None:
    solution = solve_game(Jungle(), limits=Limits(nodes=300))
    assert (solution.status, solution.bounds, solution.move) == ("bounded", (1, None), "take")
    assert "limit reached after 300 positions" in solution.note


def test_the_range_of_a_class_that_changes_the_rules_is_its_own() -> None:
    assert solve_game(Changed(), limits=Limits(nodes=300)).bounds == (2, None)


def test_a_result_beyond_the_range_is_a_mistake_of_the_game() -> None:
    game = with_range(sparse_game(1, False, (3,), ("first", "second"), 10), (0, 1))
    with pytest.raises(GameError, match="beyond score_range"):
        solve_game(game)


@pytest.mark.parametrize("wrong", [(1, 0), 3, ("a", "b"), (0, 1, 2)])
def test_a_range_that_is_none_is_a_mistake_of_the_game(wrong: Any) -> None:
    game = sparse_game(1, False, (0, 1), ("first", "second"), 10)
    object.__setattr__(game, "score_range", wrong)
    with pytest.raises(GameError, match="score_range"):
        solve_game(game)


def test_chance_moves_at_once_and_other_totals_are_left_to_exploration() -> None:
    chance = TableGame(("chance", "first", "first"), ((1, 2), (), ()), (None, 1, -1), ((Fraction(1, 2),) * 2, (), ()))
    with pytest.raises(NotGrownError):
        decide(chance, ByRules(chance, Limits()))
    assert solve_game(chance).value == 0


@pytest.mark.parametrize("cyclic", [False, True])
def test_a_small_game_is_known_as_a_whole(cyclic: bool) -> None:
    game = sparse_game(7, cyclic, (-1, 0, 1), ("first", "second"), 60)
    solution = solve_game(game)
    assert solution.engine == "dp" and None not in solution.move_values.values()
