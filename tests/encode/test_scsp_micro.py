"""The network of one round says of every state exactly what the ground game says."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from tests.encode.propagation import completions
from zermelo.encode.scsp.micro import MicroNetwork, micro_network
from zermelo.gdl.ground import GroundReasoner, ground
from zermelo.gdl.library import sheet_of
from zermelo.play.forward import RulesheetModel
from zermelo.scsp.network import HALF, Chance

GAMES = [
    "gdl:tictactoe",
    "gdl:matchingpennies",
    "gdl:nim:2,2",
    "gdl:orchard:2,2,2",
    "gdl:breakthrough:4,3",
    "gdl:hex:3",
    "gdl:connectfour:3,3,3",
    "gdl:dotsandboxes:1,2",
]


def reached(game: GroundReasoner, count: int, seed: int = 1) -> list[bytes]:
    """States of random games, the last of each included."""
    random, native, found = Random(seed), game.native, []
    while len(found) < count:
        state = native.start()
        found.append(state)
        while not native.terminal(state):
            legal = [native.legal(state, role) for role in range(len(game.roles))]
            state = native.next(state, [random.choice(moves) for moves in legal])
            found.append(state)
    return random.sample(found, count)


def assert_same_round(micro: MicroNetwork, game: GroundReasoner, state: bytes) -> None:
    """The consistent instantiations of a state are its joint moves, each with the right successor and chance."""
    network, native, model = micro.network, game.native, RulesheetModel(game)
    if native.terminal(state):
        given = {**micro.state_assignment(state), micro.terminal: 0}
        assert next(completions(network, given), None) is None, "a state that is over counts as not over"
        return
    found = {micro.joint_move(values): values for values in completions(network, micro.state_assignment(state))}
    expected = list(product(*(native.legal(state, role) for role in range(len(game.roles)))))
    assert sorted(found) == sorted(expected)
    drawn = 1 if model.chance is None else len(native.legal(state, model.chance))
    for joint, values in found.items():
        assert micro.next_state(values) == native.next(state, list(joint))
        assert values[micro.terminal] == 0
        assert network.probability(values) == Fraction(1, drawn)
        assert not any(network.utility(values))


@pytest.mark.parametrize("target", GAMES)
def test_the_network_of_a_state_has_its_joint_moves(target: str) -> None:
    game = ground(sheet_of(target))
    micro = micro_network(game)
    for state in reached(game, 12):
        assert_same_round(micro, game, state)


def test_matching_pennies_comes_out_as_figure_three() -> None:
    micro = micro_network(ground(sheet_of("gdl:matchingpennies")))
    network = micro.network
    players, sides = ("alice", "bob", "random"), ("heads", "tails", "unset")
    moves = ("(choose heads)", "(choose tails)", "noop")
    domains = {"terminal_t": ("false", "true")}
    for player in players:
        domains |= {f"coin_{player}_{t}": sides for t in ("t", "t1")}
        domains |= {f"control_{player}_{t}": ("false", "true") for t in ("t", "t1")}
        domains[f"move_{player}_t"] = moves
    assert {variable.name: variable.domain for variable in network.variables} == domains

    said = {tuple(network.variables[v].name for v in table.scope): table for table in network.tables}
    legal = {(0, 1), (1, 1), (2, 0)}
    for player in players:
        assert said[f"move_{player}_t", f"control_{player}_t"].tuples == legal
        coin = said[f"coin_{player}_t", f"move_{player}_t", f"coin_{player}_t1"]
        for row in [(0, 2, 0), (1, 2, 1), (2, 2, 2), (2, 0, 0), (2, 1, 1)]:
            assert coin.allows(row)
        assert not any(coin.allows((before, 2, after)) for before in range(3) for after in range(3) if before != after)
    assert said["control_alice_t", "control_random_t1"].tuples == {(0, 0), (1, 1)}
    terminal = said["coin_alice_t", "coin_bob_t", "coin_random_t", "terminal_t"]
    for coins in product(range(3), repeat=3):
        over = 2 not in coins
        assert terminal.allows((*coins, int(over))) and not terminal.allows((*coins, int(not over)))
    assert len(said) == 3 + 3 + 3 + 1

    (chance,) = network.chances
    assert isinstance(chance, Chance)
    assert [network.variables[v].name for v in chance.scope] == ["control_random_t"]
    assert chance.table == {(0,): (0, 0, 1), (1,): (HALF, HALF, 0)}
    (goal,) = network.utilities
    assert [network.variables[v].name for v in goal.scope] == ["coin_alice_t", "coin_bob_t", "coin_random_t"]
    assert goal.table == {(0, 0, 0): (1, 1), (1, 1, 1): (1, 1)}
