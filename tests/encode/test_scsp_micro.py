"""The network of one round says of every state exactly what the ground game says."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings

from tests.encode.propagation import completions
from tests.gdl.samples import CROSS, DICE, PENNIES, playable_sheets
from zermelo.encode.scsp.micro import micro_network
from zermelo.errors import InputError, LimitReachedError
from zermelo.gdl.ground import GroundReasoner, ground
from zermelo.gdl.kif import read_kif
from zermelo.gdl.library import sheet_of
from zermelo.gdl.syntax import Rulesheet
from zermelo.scsp.mac import Solver
from zermelo.scsp.network import HALF, Chance, EvenChance, Values
from zermelo.search.forward import RulesheetModel

GAMES = [
    "gdl:tictactoe",
    "gdl:matchingpennies",
    "gdl:nim:2,2",
    "gdl:orchard:2,2,2",
    "gdl:breakthrough:4,3",
    "gdl:hex:4",
    "gdl:connectfour:3,3,3",
    "gdl:dotsandboxes:1,2",
    "gdl:pacman",
]
SHEETS = {"cross": CROSS, "dice": DICE, "pennies": PENNIES}


def reached(game: GroundReasoner, count: int, seed: int = 1) -> list[bytes]:
    """States of random games, the last of each included."""
    random, native, found = Random(seed), game.native, []
    while len(found) < count:
        state, steps = native.start(), 0
        found.append(state)
        while not native.terminal(state) and steps < 50:
            legal = [native.legal(state, role) for role in range(len(game.roles))]
            if not all(legal):
                break
            state, steps = native.next(state, [random.choice(moves) for moves in legal]), steps + 1
            found.append(state)
    return random.sample(found, count)


class Rounds:
    """What the network of one round says of states, by the native solver or by plain propagation."""

    def __init__(self, game: GroundReasoner, *, plain: bool = False) -> None:
        self.game, self.model, self.micro = game, RulesheetModel(game), micro_network(game)
        self.solver = None if plain else Solver(self.micro.network)

    def instantiations(self, given: dict[int, int]) -> list[Values]:
        if self.solver is None:
            return list(completions(self.micro.network, given))
        found = list(self.solver.solutions()) if self.solver.assume(given) else []
        self.solver.retract()
        return found

    def check(self, state: bytes) -> None:
        """The consistent instantiations of a state are its joint moves, each with the right successor and chance."""
        micro, network, native = self.micro, self.micro.network, self.game.native
        given, roles = micro.state_assignment(state), range(len(self.game.roles))
        if native.terminal(state):
            assert not self.instantiations({**given, micro.terminal: 0}), "a state that is over counts as not over"
            assert self.worth(given) <= {tuple(self.score(state, seat) for seat in micro.rules.seats)}
            return
        found = {micro.joint_move(values): values for values in self.instantiations(given)}
        assert sorted(found) == sorted(product(*(native.legal(state, role) for role in roles)))
        drawn = 1 if micro.rules.chance is None else len(native.legal(state, micro.rules.chance))
        for joint, values in found.items():
            assert micro.next_state(values) == native.next(state, list(joint))
            assert values[micro.terminal] == 0
            assert network.probability(values) == Fraction(1, drawn)
            assert not any(network.utility(values))

    def worth(self, given: dict[int, int]) -> set[tuple[Fraction, ...]]:
        """The utilities in a state that is over: the same in all instantiations, if the rules let play go on there."""
        return {self.micro.network.utility(values) for values in self.instantiations({**given, self.micro.terminal: 1})}

    def score(self, state: bytes, seat: int) -> Fraction:
        """The smallest goal, as a share; 0 without one."""
        return Fraction(min(self.game.native.goals(state, seat), default=0), 100)


@cache
def rounds_of(target: str) -> Rounds:
    return Rounds(ground(sheet_of(target)))


@pytest.mark.parametrize("target", GAMES)
def test_the_network_of_a_state_has_its_joint_moves(target: str) -> None:
    rounds = rounds_of(target)
    for state in reached(rounds.game, 12):
        rounds.check(state)


@pytest.mark.parametrize("name", SHEETS)
def test_so_it_has_in_samples_by_plain_propagation(name: str) -> None:
    game = ground(read_kif(SHEETS[name]))
    rounds = Rounds(game, plain=True)
    for state in reached(game, 8):
        rounds.check(state)


@given(playable_sheets())
@settings(max_examples=25, deadline=None)
def test_so_it_has_in_random_rulesheets(sheet: Rulesheet) -> None:
    try:
        game = ground(sheet)
    except (InputError, LimitReachedError):
        return
    rounds = Rounds(game)
    for state in reached(game, 4):
        rounds.check(state)


def test_a_network_without_a_state_speaks_of_all_states_and_moves() -> None:
    micro = rounds_of("gdl:tictactoe").micro
    solver = Solver(micro.network)
    # 3^9 boards, 2 roles in turn; each of them may mark what is empty, also where somebody has a line.
    assert solver.count() == 2 * 9 * 3**8 == 118_098
    assert solver.count(onto=[*micro.state_variables, *micro.move_variables]) == 118_098


def test_matching_pennies_comes_out_as_figure_three() -> None:
    network = rounds_of("gdl:matchingpennies").micro.network
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


def test_chance_whose_moves_depend_on_much_has_a_variable_for_each() -> None:
    micro = rounds_of("gdl:pacman").micro
    (chance,) = micro.network.chances
    assert isinstance(chance, EvenChance)
    names = [micro.network.variables[v].name for v in chance.scope]
    assert len(names) == micro.network.variables[chance.variable].size
    assert all(name.startswith("possible_") for name in names)


def test_a_state_that_breaks_an_invariant_is_refused() -> None:
    micro = rounds_of("gdl:tictactoe").micro
    with pytest.raises(InputError, match="2 values of cell_a_1 hold"):
        micro.state_assignment((0xFF).to_bytes(8, "little"))
