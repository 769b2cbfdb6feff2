"""Networks made from rulesheets: what MAC and the resolution find in them is what the rules say."""

from __future__ import annotations

import random
from math import prod

import pytest

from zermelo.encode.scsp.micro import MicroNetwork, micro_network
from zermelo.encode.scsp.staged import staged_network
from zermelo.gdl.ground import GroundReasoner, ground
from zermelo.gdl.library import rulesheet
from zermelo.scsp import resolve
from zermelo.scsp.mac import Method, Solver
from zermelo.scsp.network import HALF
from zermelo.scsp.preprocess import preprocessed, restricted
from zermelo.scsp.stages import best_policy


def states(game: GroundReasoner, count: int, seed: int = 1) -> list[bytes]:
    """Those of a random walk that are not over."""
    rng, native = random.Random(seed), game.native
    found, state = [], native.start()
    while len(found) < count and not native.terminal(state):
        found.append(state)
        state = native.next(state, [rng.choice(native.legal(state, role)) for role in range(len(game.roles))])
    return found


def joint_moves(micro: MicroNetwork, solver: Solver, state: bytes) -> set[tuple[int, ...]]:
    """The moves of all roles that the network allows in a state."""
    solver.assume(micro.state_assignment(state))
    found = set(solver.solutions(onto=micro.move_variables))
    solver.retract()
    return {micro.joint_move(dict(zip(micro.move_variables, row, strict=True))) for row in found}


@pytest.mark.parametrize("method", ["mac", "fc"])
@pytest.mark.parametrize("name", ["matchingpennies", "tictactoe", "orchard", "connectfour"])
def test_profiles_are_the_legal_joint_moves(name: str, method: Method) -> None:
    game = ground(rulesheet(name))
    micro = micro_network(game)
    solver = Solver(micro.network, method)
    for state in states(game, 4 if method == "mac" else 1):
        legal = [game.native.legal(state, role) for role in range(len(game.roles))]
        found = joint_moves(micro, solver, state)
        assert len(found) == prod(map(len, legal))
        assert all(move in own for joint in found for move, own in zip(joint, legal, strict=True))


@pytest.mark.parametrize("name", ["matchingpennies", "orchard", "tictactoe"])
def test_feasible_policies_are_the_joint_moves_of_the_players(name: str) -> None:
    game = ground(rulesheet(name))
    micro = micro_network(game)
    for state in states(game, 3):
        given = micro.state_assignment(state)
        whole = [range(variable.size) for variable in micro.network.variables]
        here = restricted(micro.network, [[given[v]] if v in given else values for v, values in enumerate(whole)])
        players = [role for role in range(len(game.roles)) if role != micro.rules.chance]
        expected = prod(len(game.native.legal(state, role)) for role in players)
        assert sum(1 for _ in resolve.feasible(here)) == expected
        assert sum(1 for _ in resolve.feasible(preprocessed(here))) == expected


def test_matching_pennies_from_its_rulesheet_is_worth_one_half() -> None:
    best = best_policy(staged_network(ground(rulesheet("matchingpennies")), 2).network)
    assert best is not None
    assert best.utility == (HALF, HALF)
