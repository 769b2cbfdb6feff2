"""The network of one round with what the round leads to: the goal of each player, or that play goes on.

This is the one-stage problem of a position. With the position's facts and a result given, its solutions are the joint
moves that reach the result; with no result given, all joint moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

from zermelo import _native
from zermelo.encode.scsp.invariants import state_variables
from zermelo.encode.scsp.micro import MicroNetwork, micro_of_stage
from zermelo.encode.scsp.rule_circuit import rules_of
from zermelo.encode.scsp.stage import Stage, renumbered, stage_of
from zermelo.gdl.ground import GroundReasoner
from zermelo.kernel_thread import control_for
from zermelo.limits import Limits, step_watch
from zermelo.scsp.mac import native_instance
from zermelo.scsp.network import Network, Table, Variable

_OFTEN = 4
"""Steps between looks at the limits."""
GOES_ON = -1
NO_GOAL = -2


@dataclass(frozen=True)
class AheadNetwork:
    """The network of a round and, for each role, the variable of its result; ``None`` for chance.

    ``goals`` has for each of them what its values mean: a goal, ``GOES_ON``, or ``NO_GOAL`` at an end where the rules
    name no goal or several.
    """

    micro: MicroNetwork
    results: tuple[int | None, ...]
    goals: tuple[tuple[int, ...], ...]

    @property
    def network(self) -> Network:
        """All variables and constraints."""
        return self.micro.network


def ahead_network(game: GroundReasoner, limits: Limits | None = None) -> AheadNetwork:
    """The one-stage problem of a ground game, its state left open; ``LimitReachedError`` at a limit.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> from zermelo.scsp.mac import Solver
    >>> game = ground(rulesheet("tictactoe"))
    >>> ahead = ahead_network(game)
    >>> solver, place = Solver(ahead.network), ahead.micro
    >>> marks = "(cell a 1 x) (cell b 1 x) (cell a 2 o) (cell b 2 o)"
    >>> board = game.pack(["(turn x)", *marks.replace(") ", ")|").split("|")])
    >>> solver.assume(place.state_assignment(board) | {ahead.results[0]: ahead.goals[0].index(100)})
    True
    >>> [game.moves[move] for values in solver.solutions() for move in place.joint_move(values)]
    ['(mark c 1)', 'noop']
    """
    step = step_watch(replace(limits or Limits(), nodes=None), _OFTEN)
    rules = rules_of(game)
    state = state_variables(game, rules, step)
    stage = stage_of(rules, state, step, absorbing=False, results=True)
    micro, results = _looking_ahead(stage, partial(micro_of_stage, rules, state))
    seats = iter(results)
    goals = [
        (GOES_ON, *(value for own, value, _ in rules.goals if own == role), NO_GOAL) if role in rules.seats else ()
        for role in range(len(rules.roles))
    ]
    places = tuple(next(seats) if role in rules.seats else None for role in range(len(rules.roles)))
    return AheadNetwork(micro, places, tuple(goals))


def native_stage(ahead: AheadNetwork, limits: Limits | None = None) -> _native.BanditStage:
    """The one-stage problem compiled, for trees of bandits.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> native_stage(ahead_network(ground(rulesheet("matchingpennies")))).variables > 10
    True
    """
    micro, network = ahead.micro, ahead.network
    sizes = [variable.size for variable in network.variables]
    absent = [0 if own.boolean else -1 if own.exhaustive else len(own.facts) for own in micro.state]
    return _native.BanditStage(
        native_instance(sizes, network.tables, control_for(limits or Limits())),
        list(micro.facts),
        list(zip(micro.state_variables, absent, strict=True)),
        list(zip(micro.move_variables, micro.rules.first_move, strict=False)),
        [-1 if variable is None else variable for variable in ahead.results],
        [list(goals) for goals in ahead.goals],
    )


def _looking_ahead(stage: Stage, network_of: Callable[[Stage], MicroNetwork]) -> tuple[MicroNetwork, tuple[int, ...]]:
    """The network of a stage with the results of the state that comes next, and where these are."""
    defined = {table.defines: table for table in stage.tables if table.defines is not None}
    scopes = {variable: table.scope for variable, table in defined.items()}
    # Of the results of the state itself nothing is asked.
    played = _needed(
        [
            stage.terminal,
            *stage.facts,
            *stage.later,
            *stage.moves,
            *(v for table in stage.tables if table.defines is None for v in table.scope),
            *(v for chance in stage.chances for v in chance.scope),
        ],
        scopes,
    )
    kept = sorted(played)
    tables = tuple(table for table in stage.tables if table.defines is None or table.defines in played)
    micro = network_of(renumbered(replace(stage, tables=tables, results=()), kept))
    now, variables = micro.network, list(micro.network.variables)
    place = {fact: kept.index(later) for fact, later in zip(stage.facts, stage.later, strict=True)}
    after = _needed(stage.results, scopes)
    for v in sorted(after - place.keys()):
        place[v] = len(variables)
        variables.append(Variable(f"{stage.variables[v].name}_t1", stage.variables[v].domain))
    copies = [
        Table(tuple(place[v] for v in defined[own].scope), defined[own].rows) for own in sorted(after & defined.keys())
    ]
    network = Network(now.players, tuple(variables), (*now.tables, *copies), chances=now.chances)
    return replace(micro, network=network), tuple(place[v] for v in stage.results)


def _needed(roots: Iterable[int], scopes: dict[int, tuple[int, ...]]) -> set[int]:
    """The variables that some depend on."""
    found, pending = set[int](), list(roots)
    while pending:
        variable = pending.pop()
        if variable not in found:
            found.add(variable)
            pending += scopes.get(variable, ())
    return found
