"""The network of one round: state, moves, chance, and the state that comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from zermelo.encode.scsp.invariants import StateVariable, state_variables
from zermelo.encode.scsp.rule_circuit import Rules, rules_of
from zermelo.encode.scsp.stage import Stage, stage_of
from zermelo.errors import InputError
from zermelo.gdl.ground import GroundReasoner
from zermelo.limits import Limits, step_watch
from zermelo.scsp.network import Network, Table, Variable

_OFTEN = 4
"""Steps between looks at the limits."""
Place = tuple[int, int]
"""A variable and one of its values."""


@dataclass(frozen=True)
class MicroNetwork:
    """A network of one stage ``(g, f, a, y, f')`` with what its variables say of the game.

    ``facts``, ``later`` and ``moves`` have for each fact of the ground game, fact of the next state and move the
    variable and value that say so.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> from zermelo.scsp.mac import Solver
    >>> game = ground(rulesheet("nim", "1"))
    >>> micro = micro_network(game)
    >>> solver = Solver(micro.network)
    >>> solver.assume(micro.state_assignment(game.native.start()))
    True
    >>> values = solver.first()
    >>> [game.moves[move] for move in micro.joint_move(values)], game.unpack(micro.next_state(values))
    (['(take a 1)', 'noop'], ('(size a 0)', '(turn second)'))
    """

    network: Network
    rules: Rules
    state: tuple[StateVariable, ...]
    terminal: int
    facts: tuple[Place, ...]
    later: tuple[Place, ...]
    moves: tuple[Place, ...]
    state_variables: tuple[int, ...]
    later_variables: tuple[int, ...]
    move_variables: tuple[int, ...]

    def state_assignment(self, packed: bytes) -> dict[int, int]:
        """The values of the state's variables in a state as the ground game packs it."""
        bits = int.from_bytes(packed, "little")
        made: dict[int, int] = {}
        for own, variable in zip(self.state, self.state_variables, strict=True):
            holds = [place for place, fact in enumerate(own.facts) if bits >> fact & 1]
            if own.boolean:
                made[variable] = len(holds)
            elif len(holds) == 1:
                made[variable] = holds[0]
            elif not holds and not own.exhaustive:
                made[variable] = len(own.facts)
            else:
                raise InputError(f"{len(holds)} values of {own.name} hold in a state, expected one")
        return made

    def joint_move(self, instantiation: Sequence[int] | Mapping[int, int]) -> tuple[int, ...]:
        """The number of each role's move."""
        return tuple(
            self.rules.first_move[role] + instantiation[variable] for role, variable in enumerate(self.move_variables)
        )

    def next_state(self, instantiation: Sequence[int] | Mapping[int, int]) -> bytes:
        """The state that comes next, as the ground game packs it."""
        bits = 0
        for fact, (variable, value) in enumerate(self.later):
            bits |= int(instantiation[variable] == value) << fact
        return bits.to_bytes(len(self.rules.start), "little")


def micro_network(game: GroundReasoner, limits: Limits | None = None) -> MicroNetwork:
    """The network of one round of a ground game, its state left open; ``LimitReachedError`` at a limit.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> micro = micro_network(ground(rulesheet("matchingpennies")))
    >>> [variable.name for variable in micro.network.variables][:4]
    ['terminal_t', 'coin_alice_t', 'coin_bob_t', 'coin_random_t']
    """
    step = step_watch(replace(limits or Limits(), nodes=None), _OFTEN)
    rules = rules_of(game)
    state = state_variables(game, rules, step)
    return micro_of_stage(rules, state, stage_of(rules, state, step, absorbing=False))


def micro_of_stage(rules: Rules, state: tuple[StateVariable, ...], stage: Stage) -> MicroNetwork:
    """The network of a stage alone."""
    variables = tuple(
        Variable(f"{own.name}_{'t1' if own.kind == 'next' else 't'}", own.domain, own.kind == "chance")
        for own in stage.variables
    )
    network = Network(
        len(rules.seats),
        variables,
        tables=tuple(Table(table.scope, table.rows) for table in stage.tables),
        utilities=stage.utilities,
        chances=stage.chances,
    )
    return MicroNetwork(
        network,
        rules,
        state,
        stage.terminal,
        _places(state, stage.facts, len(rules.fluents)),
        _places(state, stage.later, len(rules.fluents)),
        tuple(
            (variable, move - rules.first_move[role])
            for role, variable in enumerate(stage.moves)
            for move in rules.moves_of(role)
        ),
        stage.facts,
        stage.later,
        stage.moves,
    )


def _places(state: Sequence[StateVariable], variables: Sequence[int], facts: int) -> tuple[Place, ...]:
    made: list[Place] = [(0, 0)] * facts
    for own, variable in zip(state, variables, strict=True):
        for value, fact in enumerate(own.facts):
            made[fact] = (variable, 1 if own.boolean else value)
    return tuple(made)
