"""Every engine gives the value that the definition gives, on thousands of random games."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.randomgames import oracle, random_game

from zermelo.game import winner_of
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.search.kernels import KERNELS
from zermelo.solving import solve_game

EXACT = [name for name, engine in KERNELS.items() if engine.complete]
SEEDS = st.integers(0, 2**32)
PLAIN = Options(move_values=False)


@pytest.mark.parametrize("engine", EXACT)
@settings(max_examples=300)
@given(seed=SEEDS)
def test_engine_solves_acyclic_games_and_its_certificate_is_accepted(engine: str, seed: int) -> None:
    game = random_game(seed)
    solution = solve_game(game, engine, options=PLAIN)
    assert solution.value == oracle(game)
    assert solution.winner == winner_of(game, oracle(game))
    assert solution.verified


@pytest.mark.parametrize("engine", EXACT)
@settings(max_examples=300)
@given(seed=SEEDS)
def test_engine_solves_cyclic_games_with_draws_by_repetition(engine: str, seed: int) -> None:
    game = random_game(seed, cyclic=True)
    solution = solve_game(game, engine, options=PLAIN)
    assert solution.value == oracle(game)
    assert solution.verified


@pytest.mark.parametrize("engine", EXACT)
@settings(max_examples=200)
@given(seed=SEEDS, cyclic=st.booleans())
def test_engine_solves_games_with_many_scores(engine: str, seed: int, cyclic: bool) -> None:
    values = (-5, -2, Fraction(-1, 3), 0, Fraction(1, 2), 1, 7, 10**30)
    game = random_game(seed, cyclic=cyclic, values=values)
    solution = solve_game(game, engine, options=PLAIN)
    assert solution.value == oracle(game)
    assert solution.verified


@settings(max_examples=300)
@given(seed=SEEDS)
def test_expected_values_are_exact_fractions(seed: int) -> None:
    game = random_game(seed, chance=True, values=(-2, -1, 0, 1, Fraction(1, 3)))
    solution = solve_game(game, "dp")
    assert solution.value == oracle(game)
    assert solution.verified


@settings(max_examples=200)
@given(seed=SEEDS, cyclic=st.booleans())
def test_puzzles_of_one_role_are_solved_both_ways(seed: int, cyclic: bool) -> None:
    game = random_game(seed, cyclic=cyclic, roles=("first",), values=(0, 50, 100))
    for engine in ("dp", "alphabeta"):
        solution = solve_game(game, engine, options=PLAIN)
        assert solution.value == oracle(game)
        assert solution.verified


@settings(max_examples=200)
@given(seed=SEEDS, cyclic=st.booleans(), nodes=st.integers(1, 60))
def test_bounds_are_sound_when_a_limit_stops_the_search(seed: int, cyclic: bool, nodes: int) -> None:
    game = random_game(seed, nodes=40, cyclic=cyclic)
    for engine in EXACT:
        solution = solve_game(game, engine, Limits(), Options(certify=False, move_values=False))
        assert solution.value == oracle(game)
        limited = solve_game(game, engine, Limits(nodes=nodes), Options(certify=False, move_values=False))
        low, high = limited.bounds
        assert low is None or low <= oracle(game)
        assert high is None or oracle(game) <= high


@settings(max_examples=100)
@given(seed=SEEDS, cyclic=st.booleans())
def test_uct_proves_only_what_is_true(seed: int, cyclic: bool) -> None:
    game = random_game(seed, cyclic=cyclic)
    solution = solve_game(game, "uct", options=Options(simulations=500, move_values=False))
    low, high = solution.bounds
    assert (low is None) == (high is None) == (solution.status == "unknown")
    assert low is None or low <= oracle(game)
    assert high is None or oracle(game) <= high


@settings(max_examples=15)
@given(seed=SEEDS, cyclic=st.booleans())
def test_all_engines_agree(seed: int, cyclic: bool) -> None:
    game = random_game(seed, cyclic=cyclic)
    solution = solve_game(game, "all", options=Options(simulations=200))
    assert solution.engine == "all"
    assert solution.value == oracle(game)


@settings(max_examples=100)
@given(seed=SEEDS)
def test_value_of_every_first_move_is_the_value_of_the_position_after_it(seed: int) -> None:
    game = random_game(seed)
    if game.result(0) is not None:
        return
    solution = solve_game(game, "alphabeta")
    for move in game.moves(0):
        after = type(game)(
            (game.turns[game.play(0, move)], *game.turns[1:]),
            (game.successors[game.play(0, move)], *game.successors[1:]),
            (game.scores[game.play(0, move)], *game.scores[1:]),
        )
        assert solution.move_values[str(move)] == oracle(after)
