"""Many games of one rulesheet at once: each is played as the plain reasoner plays it."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from zermelo.bridges.many_games import ManyGames
from zermelo.errors import ArgumentError, IllegalMoveError, NotApplicableError
from zermelo.gdl.syntax import RANDOM

SHEETS = ("tictactoe", "connectfour:4,4,3", "matchingpennies", "cantstop", "backgammon", "pacman")
"""Turns, moves made at once, chance."""


def drawn(games: ManyGames, rng: Any) -> dict[str, Any]:
    """A random legal move of each role in each game."""
    return {role: (rng.random(games.legal(role).shape) * games.legal(role)).argmax(axis=1) for role in games.roles}


def shown(games: ManyGames, number: int) -> set[str]:
    """The facts of one game."""
    return {fact for fact, holds in zip(games.facts, games.positions[number], strict=True) if holds}


@pytest.mark.parametrize("name", SHEETS)
def test_each_of_many_games_is_played_by_the_rules(name: str) -> None:
    games, rng = ManyGames(f"gdl:{name}", 7, seed=3), numpy.random.default_rng(5)
    reasoner = games.game.reasoner
    states = [reasoner.start()] * games.count
    for _ in range(12):
        chosen, before = drawn(games, rng), games.over
        for number, state in enumerate(states):
            assert shown(games, number) == set(state)
            over = reasoner.terminal(state)
            assert games.over[number] == over
            for role in games.roles:
                allowed = [
                    move for move, legal in zip(moves_of(games, role), games.legal(role)[number], strict=True) if legal
                ]
                assert sorted(allowed) == ([] if over else reasoner.legal(state, games.game.rulesheet_role(role)))
            if over:
                expected = [int(*reasoner.goals(state, games.game.rulesheet_role(role))) for role in games.roles]
                assert games.scores()[number].tolist() == expected
        games.step(chosen)
        for number, state in enumerate(states):
            if not before[number]:
                after = [reasoner.next(state, joint) for joint in joints(games, reasoner, state, chosen, number)]
                states[number] = next(found for found in after if set(found) == shown(games, number))


def moves_of(games: ManyGames, role: str) -> list[str]:
    """The moves of a role as the rulesheet writes them."""
    return list(games.ground.moves[games._moves_of(role)])


def joints(games: ManyGames, reasoner: Any, state: Any, chosen: Any, number: int) -> list[list[str]]:
    """What all roles did in one game; there is one for each move that chance may have made."""
    made = {games.game.rulesheet_role(role): moves_of(games, role)[chosen[role][number]] for role in games.roles}
    outcomes = reasoner.legal(state, RANDOM) if RANDOM in reasoner.roles else [""]
    return [[made.get(role, outcome) for role in reasoner.roles] for outcome in outcomes]


def test_more_games_than_fit_into_one_block_are_played_to_their_ends() -> None:
    games, rng = ManyGames("gdl:tictactoe", 1500), numpy.random.default_rng(1)
    for _ in range(9):
        games.step(drawn(games, rng))
    assert games.over.all() and set(map(tuple, games.scores().tolist())) == {(100, 0), (50, 50), (0, 100)}
    share = (games.scores()[:, 0] == 100).mean()
    assert 0.52 < share < 0.65, "x wins 58.5 % of all random games of tic-tac-toe"
    half = numpy.arange(1500) % 2 == 0
    games.begin(half)
    assert (games.over == ~half).all() and games.legal("x").sum(axis=1)[half].tolist() == [9] * 750


def test_chance_follows_its_seed_and_draws_every_outcome() -> None:
    def after_a_step(seed: int) -> Any:
        games = ManyGames("gdl:orchard", 300, seed=seed)
        for _ in range(2):
            games.step({role: games.legal(role).argmax(axis=1) for role in games.roles})
        return games.positions

    assert (after_a_step(1) == after_a_step(1)).all()
    assert not (after_a_step(1) == after_a_step(2)).all()
    assert len({row.tobytes() for row in after_a_step(1)}) > 4


def test_moves_that_are_not_legal_are_refused_and_nothing_is_played() -> None:
    games = ManyGames("gdl:tictactoe", 2)
    off = int(games.legal("x")[1].argmin())
    for x in ([0, games.legal("x").shape[1]], [0, -1], [0], [0, off], [0.0, 1.0], ["0", "1"], [True, False], 0, None):
        with pytest.raises(IllegalMoveError):
            games.step({"x": x, "o": games.legal("o").argmax(axis=1)})
        assert games.legal("x").sum() == 18
    with pytest.raises(IllegalMoveError, match="o needs one move"):
        games.step({"x": [0, 0]})
    with pytest.raises(ArgumentError, match="'z' is no role"):
        games.legal("z")
    for count in (0, -1, 2.5, "3", 1 << 32, (1 << 32) - 1):
        with pytest.raises(ArgumentError, match="games, expected a whole number from 1"):
            ManyGames("gdl:tictactoe", count)  # type: ignore[arg-type]
    for seed in (-1, 0.5, "1"):
        with pytest.raises(ArgumentError, match="seed"):
            games.draw_by(seed)  # type: ignore[arg-type]
    with pytest.raises(NotApplicableError, match="only rulesheets"):
        ManyGames("hex:3", 2)
