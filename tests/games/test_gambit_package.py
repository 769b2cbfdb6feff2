"""Gambit's own package reads the same files, and its solvers say the same."""

from __future__ import annotations

import io
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import zermelo
from zermelo.fuzzing.drawing import DRAWN
from zermelo.options import Options

pygambit = pytest.importorskip("pygambit", reason="the package pygambit is not installed")

QUICK = Options(certify=False, move_values=False)


def fraction(number: Any) -> Fraction:
    return Fraction(str(number))


def paid(game: Any, node: Any) -> list[Fraction]:
    """What Gambit says is paid at a node itself."""
    players = list(game.players)
    return [fraction(node.outcome[player]) if node.outcome else Fraction(0) for player in players]


def by_gambits_tree(game: Any, node: Any) -> list[Fraction]:
    """Backward induction over the tree as Gambit has read it, the first of equal moves taken."""
    own, players = paid(game, node), list(game.players)
    if node.is_terminal:
        return own
    after = [by_gambits_tree(game, child) for child in node.children]
    if node.player.is_chance:
        chances = [fraction(action.prob) for action in node.infoset.actions]
        best = [
            sum((c * v for c, v in zip(chances, column, strict=True)), Fraction(0))
            for column in zip(*after, strict=True)
        ]
    else:
        mover = players.index(node.player)
        best = max(after, key=lambda vector: vector[mover])
    return [one + other for one, other in zip(own, best, strict=True)]


def payoffs(game: Any, found: Any) -> set[tuple[Fraction, ...]]:
    """What every player gets in each equilibrium that a solver of Gambit's has found."""
    return {tuple(fraction(each.payoff(player)) for player in game.players) for each in found.equilibria}


def by_linear_program(game: Any) -> Any:
    """Over strategies: over sequences, Gambit gives a move that is the only one the chance 0 (version 16.7)."""
    return pygambit.nash.lp_solve(game, use_strategic=True)


def test_trees_are_worth_what_gambit_reads() -> None:
    for seed in range(150):
        text = DRAWN["tree file"](Random(seed)).text
        game = pygambit.read_efg(io.StringIO(text))
        found, wanted = zermelo.solve(text, kind="efg", options=QUICK), by_gambits_tree(game, game.root)
        assert found.value == wanted[0], seed
        assert not found.values or list(found.values.values()) == wanted, seed


def test_two_opposed_players_get_what_gambits_linear_program_says() -> None:
    solved = 0
    for seed in range(400):
        text = DRAWN["tree file"](Random(seed)).text
        game = pygambit.read_efg(io.StringIO(text))
        if len(game.players) == 2 and game.is_const_sum and not game.root.is_terminal:
            found = zermelo.solve(text, kind="efg", options=QUICK)
            assert {vector[0] for vector in payoffs(game, by_linear_program(game))} == {found.value}, seed
            solved += 1
    assert solved > 20


def test_what_each_gets_is_one_of_gambits_equilibria() -> None:
    compared = 0
    for seed in range(150):
        text = DRAWN["tree file"](Random(seed)).text
        game = pygambit.read_efg(io.StringIO(text))
        sizes = [len(player.strategies) for player in game.players]
        values = tuple(zermelo.solve(text, kind="efg", options=QUICK).values.values())
        if values and not game.root.is_terminal and max(sizes) <= 12:
            assert values in payoffs(game, pygambit.nash.enumpure_solve(game)), seed
            compared += 1
    assert compared > 40


def test_tables_are_worth_what_gambits_linear_program_says() -> None:
    compared = 0
    for seed in range(120):
        text = DRAWN["strategic file"](Random(seed)).text
        game = pygambit.read_nfg(io.StringIO(text))
        if len(game.players) == 2 and game.is_const_sum:
            found = zermelo.solve(text, kind="nfg", options=QUICK)
            assert {vector[0] for vector in payoffs(game, by_linear_program(game))} == {found.value}, seed
            compared += 1
    assert compared > 40


@pytest.mark.parametrize("target", ["goofspiel:3", "examples/pennies.nfg", "nim:1,2", "examples/toss.efg"])
def test_a_game_of_ours_that_is_written_as_a_tree_is_worth_the_same_to_gambit(target: str) -> None:
    game = pygambit.read_efg(io.StringIO(zermelo.encoded(target, "efg")))
    found = zermelo.solve(target)
    assert {vector[0] for vector in payoffs(game, by_linear_program(game))} == {found.value}
