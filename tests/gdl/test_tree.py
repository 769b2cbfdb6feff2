"""Plain tree search on ground games: the same kind of tree whichever kernel plays from its leaves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zermelo import _native
from zermelo.gdl.ground import GroundReasoner, ground
from zermelo.gdl.library import rulesheet
from zermelo.play.bandits import UCT, bandit_tree

KERNELS = ("single", "bulk")


def tree_of(game: GroundReasoner, line: list[tuple[str, str]], kernel: str, seed: int = 1) -> _native.BanditTree:
    """A tree whose root is the position after some joint moves."""
    position = game.native.start()
    for joint in line:
        position = game.native.next(position, game.joint(list(joint)))
    tree = bandit_tree(game, seed, replace(UCT, kernel=kernel, memory=16))
    tree.place(position)
    return tree


def searched(tree: _native.BanditTree, simulations: int) -> list[tuple[int, int, float]]:
    assert tree.run(simulations, 0.0, _native.Control()) == simulations
    return [(move, visits, mean) for move, visits, mean, *_ in tree.options(0)]


@pytest.fixture(scope="module")
def tictactoe() -> GroundReasoner:
    return ground(rulesheet("tictactoe"))


LINE = [("(mark a 1)", "noop"), ("noop", "(mark b 1)"), ("(mark a 2)", "noop"), ("noop", "(mark b 2)")]


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_winning_move_is_found(tictactoe: GroundReasoner, kernel: str) -> None:
    tree = tree_of(tictactoe, LINE, kernel)
    move, _, mean = max(searched(tree, 20_000), key=lambda arm: arm[1])
    assert tictactoe.moves[move] == "(mark a 3)"
    assert tree.verdict(0) == (move, mean, False) == (move, 1.0, False), "nothing is proved by plain tree search"


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_simulation_is_a_visit_and_the_seed_decides(tictactoe: GroundReasoner, kernel: str) -> None:
    tree = tree_of(tictactoe, [], kernel, seed=7)
    arms = searched(tree, 5000)
    assert tree.visits == sum(visits for _, visits, _ in arms) == 5000
    assert arms == searched(tree_of(tictactoe, [], kernel, seed=7), 5000)


def test_both_kernels_value_the_root_alike(tictactoe: GroundReasoner) -> None:
    values = []
    for kernel in KERNELS:
        tree = tree_of(tictactoe, [], kernel)
        searched(tree, 60_000)
        values.append(tree.mean(0))
        assert tree.mean(0) + tree.mean(1) == pytest.approx(1)
    assert values[0] == pytest.approx(values[1], abs=0.06)


@pytest.mark.parametrize(("name", "kernel"), [("breakthrough", "bulk"), ("connectfour", "bulk"), ("hex", "single")])
def test_leaves_come_in_batches_where_that_pays(name: str, kernel: str) -> None:
    assert bandit_tree(ground(rulesheet(name)), 1, replace(UCT, memory=1)).kernel == kernel


def test_a_stopped_search_leaves_no_half_made_visits() -> None:
    tree = tree_of(ground(rulesheet("breakthrough")), [], "bulk")
    done = sum(tree.run(1_000_000, 0.0, _native.Control(0.002)) for _ in range(20))
    assert sum(visits for _, visits, *_ in tree.options(0)) == done
