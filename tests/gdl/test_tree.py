"""Tree search on ground games: the same kind of tree whichever kernel plays from its leaves."""

from __future__ import annotations

from typing import Literal

import pytest

from zermelo import _native
from zermelo.gdl.ground import GroundReasoner, ground
from zermelo.gdl.library import rulesheet

Kernel = Literal["auto", "single", "bulk"]
KERNELS: tuple[Kernel, ...] = ("single", "bulk")


def tree_of(game: GroundReasoner, line: list[tuple[str, str]], kernel: Kernel, seed: int = 1) -> _native.GdlTree:
    """A tree whose root is the position after some joint moves."""
    tree = _native.GdlTree(game.native, game.native.start(), 1 << 24, seed, kernel)
    for joint in line:
        tree.advance(game.joint(list(joint)))
    return tree


def searched(tree: _native.GdlTree, simulations: int) -> list[tuple[int, int, float]]:
    assert tree.run(simulations, 0.7, 1000, _native.Control()) == simulations
    return tree.arms(0)


@pytest.fixture(scope="module")
def tictactoe() -> GroundReasoner:
    return ground(rulesheet("tictactoe"))


LINE = [("(mark a 1)", "noop"), ("noop", "(mark b 1)"), ("(mark a 2)", "noop"), ("noop", "(mark b 2)")]


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_winning_move_is_found(tictactoe: GroundReasoner, kernel: Kernel) -> None:
    arms = searched(tree_of(tictactoe, LINE, kernel), 20_000)
    move, visits, reward = max(arms, key=lambda arm: arm[1])
    assert tictactoe.moves[move] == "(mark a 3)"
    assert reward / visits == 1


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_simulation_is_a_visit_and_the_seed_decides(tictactoe: GroundReasoner, kernel: Kernel) -> None:
    arms = searched(tree_of(tictactoe, [], kernel, seed=7), 5000)
    assert sum(visits for _, visits, _ in arms) == 5000
    assert arms == searched(tree_of(tictactoe, [], kernel, seed=7), 5000)


def test_both_kernels_value_the_root_alike(tictactoe: GroundReasoner) -> None:
    values = []
    for kernel in KERNELS:
        arms = searched(tree_of(tictactoe, [], kernel), 60_000)
        values.append(sum(reward for _, _, reward in arms) / 60_000)
    assert values[0] == pytest.approx(values[1], abs=0.06)


@pytest.mark.parametrize(("name", "kernel"), [("breakthrough", "bulk"), ("connectfour", "bulk"), ("hex", "single")])
def test_leaves_come_in_batches_where_that_pays(name: str, kernel: str) -> None:
    game = ground(rulesheet(name))
    assert _native.GdlTree(game.native, game.native.start(), 1 << 20, 1).kernel == kernel


def test_a_stopped_search_leaves_no_half_made_visits() -> None:
    game = ground(rulesheet("breakthrough"))
    tree = tree_of(game, [], "bulk")
    done = sum(tree.run(1_000_000, 0.7, 1000, _native.Control(0.002)) for _ in range(20))
    assert sum(visits for _, visits, _ in tree.arms(0)) == done
