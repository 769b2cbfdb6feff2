"""The network of a whole game up to a number of rounds, and the networks of one stage that it falls into.

Stage t has the state before round t, the moves of that round and what chance draws; the state after the last round
closes the network. Where play is over every role has only the move ``over`` and the state stays, so whatever is
terminal stays terminal, and utilities are read once, from the last state: the goals if play is over by then, else 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from zermelo.encode.scsp.drafting import DraftTable
from zermelo.encode.scsp.invariants import StateVariable, state_variables
from zermelo.encode.scsp.rounds import own_rounds
from zermelo.encode.scsp.rule_circuit import Rules, rules_of
from zermelo.encode.scsp.stage import Stage, stage_of
from zermelo.errors import InputError
from zermelo.gdl.ground import GroundReasoner
from zermelo.limits import Limits, step_watch
from zermelo.scsp.network import Chance, EvenChance, Network, Table, Utility, Values, Variable

_OFTEN = 4
"""Steps between looks at the limits."""


@dataclass(frozen=True)
class StagedNetwork:
    """A network of ``rounds`` stages and a last state.

    ``parts`` has the variables of each network of one stage ``(g, f, a, y, f')``, in order; that of the last stage
    includes what the last state is worth. ``states`` and ``moves`` are the variables of the state before each round
    (and after the last) and of each role's move in it.
    """

    network: Network
    rules: Rules
    state: tuple[StateVariable, ...]
    parts: tuple[tuple[int, ...], ...]
    states: tuple[tuple[int, ...], ...]
    moves: tuple[tuple[int, ...], ...]
    terminals: tuple[int, ...]

    @property
    def rounds(self) -> int:
        """How many rounds are played."""
        return len(self.moves)

    @cached_property
    def one_stage_networks(self) -> tuple[Network, ...]:
        """The sequence of networks of one stage: every constraint is in exactly one of them."""
        return tuple(_restricted(self.network, part) for part in self.parts)


def staged_network(game: GroundReasoner, rounds: int | None = None, limits: Limits | None = None) -> StagedNetwork:
    """The network of a game up to so many rounds; to the end of play if the rules themselves count to it.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> staged = staged_network(ground(rulesheet("matchingpennies")), 2)
    >>> [network.variables[0].name for network in staged.one_stage_networks]
    ['terminal_1', 'terminal_2']
    """
    step = step_watch(replace(limits or Limits(), nodes=None), _OFTEN)
    rules = rules_of(game)
    state = state_variables(game, rules, step)
    if rounds is None:
        rounds = own_rounds(rules, state)
        if rounds is None:
            raise InputError("the rules do not count rounds: say how many to look at", file=game.sheet.file)
    if rounds < 1:
        raise InputError(f"{rounds} rounds, expected one or more", file=game.sheet.file)
    return _Chain(rules, state, stage_of(rules, state, step, absorbing=True), step).network(rounds)


class _Chain:
    """Stages put one after the other, under way: ``place`` has the number of each variable of a stage."""

    def __init__(self, rules: Rules, state: tuple[StateVariable, ...], stage: Stage, step: Callable[[], None]) -> None:
        self.rules, self.state, self.stage, self.step = rules, state, stage, step
        self.variables: list[Variable] = []
        self.tables: list[Table] = []
        self.chances: list[Chance | EvenChance] = []
        self.place: list[dict[int, int]] = []
        self.defined: dict[int, DraftTable] = {t.defines: t for t in stage.tables if t.defines is not None}

    def network(self, rounds: int) -> StagedNetwork:
        stage = self.stage
        worth = self.needed([stage.terminal, *(v for soft in stage.utilities for v in soft.scope)])
        played = self.needed(
            [
                stage.terminal,
                *stage.later,
                *(v for table in stage.tables if table.defines is None for v in table.scope),
                *(v for chance in stage.chances for v in (chance.variable, *chance.scope)),
            ]
        )
        ends: list[int] = []
        for number in range(rounds + 1):
            last = number == rounds
            if number:
                self.add(number - 1, {v for v in played if self.kind(v) == "step"})
            kept = worth | set(stage.facts) if last else played
            self.place.append({})
            self.add(number, {v for v in kept if self.kind(v) not in ("step", "next")})
            ends.append(len(self.variables))
        for number in range(rounds):
            self.place[number] |= {
                later: self.place[number + 1][now] for later, now in zip(stage.later, stage.facts, strict=True)
            }
            self.constrain(number, played)
        self.constrain(rounds, worth)
        self.begin()
        place = self.place
        network = Network(
            len(self.rules.seats),
            tuple(self.variables),
            tuple(self.tables),
            tuple(self.moved_utility(soft, rounds) for soft in stage.utilities),
            tuple(self.chances),
            stages=tuple(ends),
        )
        parts = [set(own.values()) for own in place[:-1]]
        parts[-1] |= set(place[-1].values())
        return StagedNetwork(
            network,
            self.rules,
            self.state,
            tuple(tuple(sorted(part)) for part in parts),
            tuple(tuple(own[v] for v in stage.facts) for own in place),
            tuple(tuple(own[v] for v in stage.moves) for own in place[:-1]),
            tuple(own[stage.terminal] for own in place),
        )

    def kind(self, variable: int) -> str:
        return self.stage.variables[variable].kind

    def needed(self, roots: Iterable[int]) -> set[int]:
        """The variables that some depend on."""
        found, pending = set[int](), list(roots)
        while pending:
            variable = pending.pop()
            if variable not in found:
                found.add(variable)
                if variable in self.defined:
                    pending += self.defined[variable].scope
        return found

    def add(self, number: int, wanted: set[int]) -> None:
        """The variables of a stage that are wanted, in its order."""
        for v, own in enumerate(self.stage.variables):
            if v in wanted:
                self.place[number][v] = len(self.variables)
                self.variables.append(Variable(f"{own.name}_{number + 1}", own.domain, own.kind == "chance"))

    def constrain(self, number: int, kept: set[int]) -> None:
        place, last = self.place[number], number == len(self.place) - 1
        for table in self.stage.tables:
            self.step()
            if (not last) if table.defines is None else table.defines in kept:
                self.tables.append(Table(tuple(place[v] for v in table.scope), table.rows))
        if not last:
            for chance in self.stage.chances:
                scope = tuple(place[v] for v in chance.scope)
                self.chances.append(replace(chance, variable=place[chance.variable], scope=scope))

    def begin(self) -> None:
        """The state in which play begins."""
        for own, variable in zip(self.state, self.stage.facts, strict=True):
            holds = [place for place, fact in enumerate(own.facts) if self.rules.holds_at_start(fact)]
            value = len(holds) if own.boolean else holds[0] if holds else len(own.facts)
            self.tables.append(Table((self.place[0][variable],), frozenset({(value,)})))

    def moved_utility(self, soft: Utility, number: int) -> Utility:
        return replace(soft, scope=tuple(self.place[number][v] for v in soft.scope))


def _restricted(network: Network, kept: Values) -> Network:
    """The network of some variables, with the constraints over them alone."""
    place = {variable: number for number, variable in enumerate(kept)}

    def inside(scope: Iterable[int]) -> bool:
        return all(v in place for v in scope)

    def moved(scope: Values) -> Values:
        return tuple(place[v] for v in scope)

    return Network(
        network.players,
        tuple(network.variables[v] for v in kept),
        tuple(Table(moved(t.scope), t.tuples) for t in network.tables if inside(t.scope)),
        tuple(replace(u, scope=moved(u.scope)) for u in network.utilities if inside(u.scope)),
        tuple(
            replace(c, variable=place[c.variable], scope=moved(c.scope))
            for c in network.chances
            if inside((c.variable, *c.scope))
        ),
        network.threshold,
    )
