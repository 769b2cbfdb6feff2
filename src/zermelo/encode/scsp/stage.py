"""One round of a game as variables and constraints: the part that every stage of its network repeats.

The rules as they stand say what is legal and what comes next also where play is over (so does figure 3 of Koriche,
Lagrue, Piette and Tabary 2016). A stage that is ``absorbing`` is for networks of several stages: where play is over
every role has only the move ``over``, and the state stays.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Final

import numpy as np

from zermelo.encode.scsp.drafting import BOOLEAN, CELLS, Draft, DraftTable, DraftVariable, Kind, condition_rows
from zermelo.encode.scsp.functions import FALSE, Function, cover
from zermelo.encode.scsp.invariants import StateVariable
from zermelo.encode.scsp.rule_circuit import Literal, Rules
from zermelo.scsp.network import ANY, Chance, EvenChance, Utility, Values

OVER: Final = "over"
NONE: Final = "none"
GOES_ON: Final = "goes on"
_CHANCE_ROWS = 64
"""The most rows of a probability table that is written out."""
_MOVE_ROWS = 8
"""The most rows for one move in a table of legal moves."""
_LEGAL_ENTRIES = 1 << 15
"""The most entries of a table of legal moves."""
_ORDER: Final[dict[Kind, int]] = {
    "terminal": 0,
    "state": 1,
    "now": 2,
    "goal": 3,
    "possible": 4,
    "action": 5,
    "chance": 6,
    "step": 7,
    "next": 8,
}
"""What comes before what in a stage."""


@dataclass(frozen=True)
class Stage:
    """A round: variables of all kinds, constraints over them, and which variable says what."""

    variables: tuple[DraftVariable, ...]
    tables: tuple[DraftTable, ...]
    utilities: tuple[Utility, ...]
    chances: tuple[Chance | EvenChance, ...]
    terminal: int
    facts: tuple[int, ...]
    """The variables of the state."""
    later: tuple[int, ...]
    """Those of the state that comes next, in the same order."""
    moves: tuple[int, ...]
    """The variable of each role's move."""
    results: tuple[int, ...] = ()
    """The variable of what each player has in the state, if it was asked for: a goal, or that play goes on."""


def stage_of(
    rules: Rules, state: Sequence[StateVariable], step: Callable[[], None], *, absorbing: bool, results: bool = False
) -> Stage:
    """The round of a game whose states are made of these variables. ``step`` raises at a limit.

    With ``results`` the goals are variables, one for each player, instead of utilities.

    >>> from zermelo.encode.scsp.invariants import state_variables
    >>> from zermelo.encode.scsp.rule_circuit import rules_of
    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> nim = ground(rulesheet("nim", "1,1"))
    >>> stage = stage_of(rules_of(nim), state_variables(nim, rules_of(nim)), lambda: None, absorbing=True)
    >>> stage.variables[stage.moves[0]].domain
    ('(take a 1)', '(take b 1)', 'noop', 'over')
    """
    return _in_order(_without_unused(_Drafting(rules, state, step, absorbing).stage(results)))


class _Drafting:
    """A stage under way."""

    def __init__(self, rules: Rules, state: Sequence[StateVariable], step: Callable[[], None], absorbing: bool) -> None:
        self.rules, self.state, self.step, self.absorbing = rules, tuple(state), step, absorbing
        self.draft = Draft()
        self.terminal = self.draft.variable("terminal", BOOLEAN, "terminal")
        self.facts = [self.draft.variable(own.name, state_domain(own), "state") for own in self.state]
        self.moves = [self.move_variable(role) for role in range(len(rules.roles))]
        self.function: dict[int, Function] = {0: FALSE}
        for own, number in zip(self.state, self.facts, strict=True):
            for value, fact in enumerate(own.facts):
                self.function[1 + fact] = self.draft.is_value(number, 1 if own.boolean else value)
        for role, number in enumerate(self.moves):
            for value, move in enumerate(rules.moves_of(role)):
                self.function[1 + len(rules.fluents) + move] = self.draft.is_value(number, value)
        self.utilities: list[Utility] = []
        self.chances: list[Chance | EvenChance] = []

    def move_variable(self, role: int) -> int:
        names = [self.rules.moves[move] for move in self.rules.moves_of(role)]
        name = f"move_{plain(self.rules.roles[role])}"
        domain = [*names, unlike(OVER, names)] if self.absorbing else names
        return self.draft.variable(name, domain, "chance" if role == self.rules.chance else "action")

    def stage(self, results: bool) -> Stage:
        rules = self.rules
        self.evaluate([rules.terminal, *rules.legal, *(when for _, _, when in rules.goals)])
        self.draft.define(self.terminal, self.of(rules.terminal).numbers())
        said = tuple(map(self.result, rules.seats)) if results else ()
        if not results:
            self.goals()
        for role in range(len(rules.roles)):
            if role == rules.chance:
                self.chance(role)
            else:
                self.legal(role)
        self.evaluate(rules.next)
        later = tuple(self.next_state(number, own) for number, own in zip(self.facts, self.state, strict=True))
        draft = self.draft
        return Stage(
            tuple(draft.variables),
            tuple(draft.tables),
            tuple(self.utilities),
            tuple(self.chances),
            self.terminal,
            tuple(self.facts),
            later,
            tuple(self.moves),
            said,
        )

    def of(self, literal: Literal) -> Function:
        function = self.function[literal >> 1]
        return function.negated() if literal & 1 else function

    def evaluate(self, roots: Sequence[Literal]) -> None:
        """The functions of all gates that the roots depend on."""
        rules = self.rules
        for node in rules.cone(roots):
            self.step()
            if node not in self.function:
                gate = node - rules.first_gate
                inputs = [self.of(literal) for literal in rules.inputs[gate]]
                self.function[node] = self.draft.either(inputs) if rules.is_or[gate] else self.draft.all(inputs)

    def goals(self) -> None:
        """What each player gets where play is over."""
        seats = self.rules.seats
        values = [sorted((v, when) for role, v, when in self.rules.goals if role == seat) for seat in seats]
        if self.goals_of_state(values):
            return
        for player, (seat, own) in enumerate(zip(seats, values, strict=True)):
            shares = [_share(value) for value, _ in own]
            goal = self.draft.variable(
                f"goal_{plain(self.rules.roles[seat])}", [*(str(v) for v, _ in own), NONE], "goal"
            )
            self.first_that_holds(goal, [self.of(when) for _, when in own])
            table: dict[Values, tuple[Fraction, ...]] = {
                (1, place): _only(share, player, len(seats)) for place, share in enumerate(shares) if share
            }
            self.utilities.append(Utility((self.terminal, goal), table))

    def goals_of_state(self, values: Sequence[Sequence[tuple[int, Literal]]]) -> bool:
        """The goals as one table over the state, if that is small."""
        flat = [self.of(self.rules.terminal), *(self.of(when) for own in values for _, when in own)]
        found = self.draft.space.joint(flat, CELLS)
        if found is None:
            return False
        axes, parts, tables = found
        members = [self.draft.space.members(part) for part in parts]
        columns = np.moveaxis(tables, 0, -1)
        made: dict[Values, tuple[Fraction, ...]] = {}
        for cell in np.argwhere(tables[0]).tolist():
            holds = columns[tuple(cell)]
            shares, place = [], 1
            for own in values:
                first = next((v for number, (v, _) in enumerate(own) if holds[place + number]), 0)
                shares.append(_share(first))
                place += len(own)
            if any(shares):
                for row in product(*(members[axis][entry] for axis, entry in enumerate(cell))):
                    made[row] = tuple(shares)
                if len(made) > CELLS:
                    return False
        self.utilities.append(Utility(axes, made))
        return True

    def result(self, seat: int) -> int:
        """A variable that says what a role has: no end, one of its goals in their order, or no goal or several."""
        own = [(value, when) for role, value, when in self.rules.goals if role == seat]
        name, domain = f"result_{plain(self.rules.roles[seat])}", (GOES_ON, *(str(value) for value, _ in own), NONE)
        variable = self.draft.variable(name, domain, "goal")
        functions = [self.of(self.rules.terminal), *(self.of(when) for _, when in own)]
        found = self.draft.space.joint(functions, CELLS)
        if found is not None:
            axes, parts, tables = found
            goals = tables[1:]
            number = np.where(goals.sum(axis=0) == 1, 1 + goals.argmax(axis=0), len(own) + 1) if own else 1
            self.draft.define(variable, self.draft.space.reduced(axes, parts, np.where(tables[0], number, 0)))
            return variable
        over, *truths = (self.draft.truth(function) for function in functions)
        ways: list[tuple[int, dict[int, int]]] = [(len(own) + 1, dict.fromkeys(truths, 0))]
        for place, truth in enumerate(truths):
            if truths.count(truth) == 1:
                ways.append((place + 1, {other: int(other == truth) for other in truths}))
            ways += [(len(own) + 1, {truth: 1, other: 1}) for other in truths[:place]]
        scope = tuple(dict.fromkeys((over, *truths)))
        rows = {(*(0 if v == over else ANY for v in scope), 0)}
        for value, said in ways:
            if said.setdefault(over, 1):
                rows.add((*(said.get(v, ANY) for v in scope), value))
        self.draft.table((*scope, variable), rows, variable)
        return variable

    def first_that_holds(self, variable: int, functions: Sequence[Function]) -> None:
        """A variable says which function is the first to hold; its last value, that none does."""
        space = self.draft.space
        found = space.joint(functions, CELLS)
        if found is not None:
            axes, parts, tables = found
            number = np.where(tables.any(axis=0), tables.argmax(axis=0), len(functions))
            self.draft.define(variable, space.reduced(axes, parts, number))
            return
        truths = [self.draft.truth(function) for function in functions]
        scope = tuple(dict.fromkeys(truths))
        rows = []
        for place in range(len(truths) + 1):
            said = dict.fromkeys(truths[:place], 0)
            if place == len(truths) or said.setdefault(truths[place], 1):
                rows.append((*(said.get(truth, ANY) for truth in scope), place))
        self.draft.table((*scope, variable), rows, variable)

    def legal(self, role: int) -> None:
        """A role does what is legal: one row for each way to be so, in as many tables as keeps them small."""
        ways: list[list[dict[int, int]]] = [self.ways(self.rules.legal[move]) for move in self.rules.moves_of(role)]
        if self.absorbing:
            ways.append([{self.terminal: 1}])
        variable, begin = self.moves[role], 0
        while begin < len(ways):
            end, rows, used = begin, 0, set[int]()
            while end < len(ways):
                more = used.union(*ways[end])
                if end > begin and (rows + len(ways[end])) * (1 + len(more)) > _LEGAL_ENTRIES:
                    break
                end, rows, used = end + 1, rows + len(ways[end]), more
            self.legal_among(variable, ways, range(begin, end), sorted(used))
            begin = end

    def legal_among(self, variable: int, ways: Sequence[list[dict[int, int]]], values: range, used: list[int]) -> None:
        if len(values) == len(ways):
            rows = [(v, *(way.get(u, ANY) for u in used)) for v in values for way in ways[v]]
            self.draft.table((variable, *used), rows)
            return
        other = next(v for v in range(len(ways)) if v not in values)
        part = self.draft.space.partition([v if v in values else other for v in range(len(ways))])
        label = self.draft.space.labels[part].tolist()
        rows = [(label[v], *(way.get(u, ANY) for u in used)) for v in values for way in ways[v]]
        self.draft.table((self.draft.quotient(variable, part), *used), [*rows, (label[other], *(ANY for _ in used))])

    def ways(self, literal: Literal) -> list[dict[int, int]]:
        """The ways in which something can hold, each as values of some variables; conditions with many become one."""
        self.step()
        space = self.draft.space
        parts = [self.of(conjunct).negated() for conjunct in self.conjuncts(literal)]
        if self.absorbing:
            parts.append(self.draft.is_value(self.terminal, 1))
        conditions = [part.negated() for part in space.merged(parts)]
        if any(condition.constant is False for condition in conditions):
            return []
        counts = [space.row_count(c.parts, _true_cubes(c)) for c in conditions]
        while math.prod(counts) > _MOVE_ROWS:
            worst = int(np.argmax(counts))
            conditions[worst] = self.draft.is_value(self.draft.truth(conditions[worst]), 1)
            counts[worst] = 1
        return condition_rows(space, conditions)

    def conjuncts(self, literal: Literal) -> list[Literal]:
        """Literals that hold together exactly if the given one does; none is a conjunction of conditions."""
        rules, found, pending = self.rules, list[Literal](), [literal]
        while pending:
            part = pending.pop()
            gate = (part >> 1) - rules.first_gate
            if gate >= 0 and len(self.of(part).axes) > 1 and rules.is_or[gate] == bool(part & 1):
                pending.extend(other ^ (part & 1) for other in rules.inputs[gate])
            else:
                found.append(part)
        return found

    def chance(self, role: int) -> None:
        """Chance draws evenly from what is legal."""
        variable, space = self.moves[role], self.draft.space
        legal = [self.of(self.rules.legal[move]) for move in self.rules.moves_of(role)]
        if self.absorbing:
            over = self.draft.is_value(self.terminal, 1)
            legal = [*(self.draft.all([function, over.negated()]) for function in legal), over]
        found = space.joint(legal, _CHANCE_ROWS)
        if found is not None and np.prod([space.sizes[axis] for axis in found[0]], dtype=np.float64) <= _CHANCE_ROWS:
            axes, parts, tables = found
            table: dict[Values, tuple[Fraction, ...]] = {}
            for row in product(*(range(space.sizes[axis]) for axis in axes)):
                cell = tuple(int(space.labels[part][value]) for part, value in zip(parts, row, strict=True))
                table[row] = _evenly(np.moveaxis(tables, 0, -1)[cell].tolist())
            self.chances.append(Chance(variable, axes, table))
            self.legal(role)
            return
        possible = []
        for function, text in zip(legal, self.draft.variables[variable].domain, strict=True):
            possible.append(self.draft.variable(f"possible_{plain(text)}", BOOLEAN, "possible"))
            self.draft.define(possible[-1], function.numbers())
        self.chances.append(EvenChance(variable, tuple(possible)))
        rows = [(move, *(1 if own == move else ANY for own in range(len(possible)))) for move in range(len(possible))]
        self.draft.table((variable, *possible), rows)

    def next_state(self, number: int, own: StateVariable) -> int:
        """The variable after the round."""
        self.step()
        later = self.draft.variable(own.name, self.draft.variables[number].domain, "next")
        functions = [self.of(self.rules.next[fact]) for fact in own.facts]
        if self.absorbing:
            first = self.moves[(*self.rules.seats, 0)[0]]
            over = self.draft.is_value(first, self.draft.space.sizes[first] - 1)
            facts = [self.function[1 + fact] for fact in own.facts]
            functions = [
                self.draft.either([self.draft.all([over, fact]), self.draft.all([over.negated(), function])])
                for fact, function in zip(facts, functions, strict=True)
            ]
        if own.boolean:
            self.draft.define(later, functions[0].numbers())
        else:
            self.one_of(later, functions, exhaustive=own.exhaustive)
        return later

    def one_of(self, variable: int, functions: Sequence[Function], *, exhaustive: bool) -> None:
        """A variable says which of the functions holds, of which at most one can be true; its last value, that none.

        Values for which several are true (or none, where one always is) come with no legal move: see ``invariants``.
        """
        space = self.draft.space
        found = space.joint(functions, CELLS)
        if found is not None:
            axes, parts, tables = found
            count = tables.sum(axis=0)
            number = np.where(count == 1, tables.argmax(axis=0), -1)
            if not exhaustive:
                number = np.where(count == 0, len(functions), number)
            self.draft.define(variable, space.reduced(axes, parts, number))
            return
        truths = [self.draft.truth(function) for function in functions]
        times, scope = Counter(truths), tuple(dict.fromkeys(truths))
        rows = [
            (*(int(other == truth) for other in scope), place)
            for place, truth in enumerate(truths)
            if times[truth] == 1
        ]
        if not exhaustive:
            rows.append((*(0 for _ in scope), len(functions)))
        self.draft.table((*scope, variable), rows, variable)


def state_domain(own: StateVariable) -> tuple[str, ...]:
    """The values of a variable of the state."""
    if own.exhaustive:
        return own.values
    return (*own.values, unlike(NONE, own.values))


def unlike(name: str, taken: Container[str]) -> str:
    """The name, with underscores after it until it is not taken.

    >>> unlike("none", ("some", "none"))
    'none_'
    """
    while name in taken:
        name += "_"
    return name


def plain(text: str) -> str:
    """A text as one name of letters, digits and underscores.

    >>> plain("(roll 6 5)")
    'roll_6_5'
    """
    return "".join(letter if letter.isalnum() else "_" for letter in text).strip("_")


def _true_cubes(condition: Function) -> list[tuple[Values, int]]:
    return [cube for cube in cover(condition.array) if cube[1]]


def _share(goal: int) -> Fraction:
    return min(max(Fraction(goal, 100), Fraction(0)), Fraction(1))


def _only(share: Fraction, player: int, players: int) -> tuple[Fraction, ...]:
    return tuple(share if other == player else Fraction(0) for other in range(players))


def _evenly(possible: Sequence[bool]) -> tuple[Fraction, ...]:
    """Even chances of what is possible; of everything where nothing is, which the table of legal moves rules out."""
    count = sum(possible)
    if not count:
        return (Fraction(1, len(possible)),) * len(possible)
    return tuple(Fraction(int(own), count) for own in possible)


def _without_unused(stage: Stage) -> Stage:
    """The stage without derived variables that only their own tables mention."""
    uses = Counter(v for table in stage.tables for v in table.scope if v != table.defines)
    uses.update(v for soft in stage.utilities for v in soft.scope)
    uses.update(v for chance in stage.chances for v in chance.scope)
    defined = {table.defines: table for table in stage.tables if table.defines is not None}
    pending = [v for v in defined if stage.variables[v].kind in ("now", "step") and not uses[v]]
    gone: set[int] = set()
    while pending:
        variable = pending.pop()
        gone.add(variable)
        for other in defined[variable].scope:
            if other != variable:
                uses[other] -= 1
                if not uses[other] and other in defined and stage.variables[other].kind in ("now", "step"):
                    pending.append(other)
    kept = [v for v in range(len(stage.variables)) if v not in gone]
    return renumbered(replace(stage, tables=tuple(t for t in stage.tables if t.defines not in gone)), kept)


def _in_order(stage: Stage) -> Stage:
    """The stage with its variables sorted by what they are for; derived ones get names."""
    order = sorted(range(len(stage.variables)), key=lambda v: _ORDER[stage.variables[v].kind])
    return _named(renumbered(stage, order))


def _named(stage: Stage) -> Stage:
    """Different names for all: a stage and the state after it may have the same."""
    taken: dict[bool, set[str]] = {True: set(), False: set()}
    made: list[DraftVariable] = []
    derived = 0
    for variable in stage.variables:
        derived += not variable.name
        own = taken[variable.kind == "next"]
        name = unlike(variable.name or f"derived_{derived}", own)
        own.add(name)
        made.append(replace(variable, name=name))
    return replace(stage, variables=tuple(made))


def renumbered(stage: Stage, order: Sequence[int]) -> Stage:
    """The stage with its variables in this order; no constraint may mention those left out."""
    place = {variable: number for number, variable in enumerate(order)}

    def scoped(scope: Values) -> Values:
        return tuple(place[v] for v in scope)

    return Stage(
        tuple(stage.variables[v] for v in order),
        tuple(
            DraftTable(scoped(t.scope), t.rows, None if t.defines is None else place[t.defines]) for t in stage.tables
        ),
        tuple(replace(soft, scope=scoped(soft.scope)) for soft in stage.utilities),
        tuple(replace(c, variable=place[c.variable], scope=scoped(c.scope)) for c in stage.chances),
        place[stage.terminal],
        scoped(stage.facts),
        scoped(stage.later),
        scoped(stage.moves),
        scoped(stage.results),
    )
