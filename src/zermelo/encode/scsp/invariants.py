"""Which facts are one variable: groups of facts of which no two ever hold at once, proved from the rules.

``(cell a 1 x)`` and ``(cell a 1 o)`` are two values of one variable only if they never hold together (erratum 4.9).
Candidates are the facts that differ in some arguments alone. Those that a random game contradicts go at once; the
rest are supposed to hold before a legal joint move in a state that is not over, and a SAT solver looks for such a
move after which one of them fails. Those go, and so on until none fails: what is left holds at the start and is kept
by every move, so it always holds (the greatest inductive subset: Flanagan and Leino, "Houdini, an annotation assistant
for ESC/Java", 2001). Recursive relations are left open in this, which can only lose a group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

import numpy as np
from numpy.typing import NDArray
from pysat.solvers import Cadical195

from zermelo.encode.scsp.rules import Literal, Rules
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.kif import read_term
from zermelo.gdl.syntax import Variable

_WALKS, _STATES = 40, 2000
_MOST_ARGUMENTS = 5


@dataclass(frozen=True)
class StateVariable:
    """Facts that are one variable: at most one of them holds, and exactly one if ``exhaustive``.

    A single fact is a variable of its own: ``facts`` has one entry then, and it is Boolean.
    """

    name: str
    facts: tuple[int, ...]
    values: tuple[str, ...]
    exhaustive: bool

    @property
    def boolean(self) -> bool:
        """Whether its values say whether a fact holds."""
        return len(self.facts) == 1


@dataclass(frozen=True)
class _Family:
    """The facts of one name and number of arguments."""

    name: str
    facts: tuple[int, ...]
    arguments: tuple[tuple[str, ...], ...]

    def groups(self, places: tuple[int, ...]) -> dict[tuple[str, ...], list[int]]:
        """The facts (by place in the family) that differ in the arguments at these places alone."""
        found: dict[tuple[str, ...], list[int]] = {}
        for number, arguments in enumerate(self.arguments):
            rest = tuple(text for place, text in enumerate(arguments) if place not in places)
            found.setdefault(rest, []).append(number)
        return found

    def subsets(self) -> Iterator[tuple[int, ...]]:
        """The sets of arguments that may be values."""
        count = len(self.arguments[0])
        sizes = range(1, count + 1) if count <= _MOST_ARGUMENTS else (1, count)
        return (places for size in sizes for places in combinations(range(count), size))


def state_variables(game: GroundReasoner, rules: Rules) -> tuple[StateVariable, ...]:
    """The variables that a state of the game is made of, as few as are proved.

    >>> from zermelo.encode.scsp.rules import rules_of
    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> pennies = ground(rulesheet("matchingpennies"))
    >>> for variable in state_variables(pennies, rules_of(pennies)):
    ...     print(variable.name, *variable.values)
    coin_alice heads tails unset
    coin_bob heads tails unset
    coin_random heads tails unset
    control_alice false true
    control_bob false true
    control_random false true
    """
    families = _families(rules.fluents)
    candidates = sorted(
        {
            tuple(family.facts[number] for number in group)
            for family in families
            for places in family.subsets()
            for group in family.groups(places).values()
            if len(group) > 1
        }
    )
    at_most_one, at_least_one = _inductive(game, rules, candidates)
    return tuple(variable for family in families for variable in _best_grouping(family, at_most_one, at_least_one))


def _families(fluents: Sequence[str]) -> list[_Family]:
    found: dict[tuple[str, int], tuple[list[int], list[tuple[str, ...]]]] = {}
    for number, text in enumerate(fluents):
        term = read_term(text)
        assert not isinstance(term, Variable)
        facts, arguments = found.setdefault((term.name, len(term.args)), ([], []))
        facts.append(number)
        arguments.append(tuple(map(str, term.args)))
    return [_Family(name, tuple(facts), tuple(texts)) for (name, _), (facts, texts) in found.items()]


def _best_grouping(
    family: _Family, at_most_one: set[tuple[int, ...]], at_least_one: set[tuple[int, ...]]
) -> list[StateVariable]:
    """The proved groups by the arguments that leave the fewest variables; then those without an extra value."""
    best = [_boolean(family, number) for number in range(len(family.facts))]
    score = (len(best), 0, 0)
    for places in family.subsets():
        made: list[StateVariable] = []
        for rest, group in family.groups(places).items():
            facts = tuple(family.facts[number] for number in group)
            if len(facts) == 1 or facts not in at_most_one:
                made += [_boolean(family, number) for number in group]
                continue
            values = tuple(" ".join(family.arguments[number][place] for place in places) for number in group)
            made.append(StateVariable(_plain(family.name, *rest), facts, values, facts in at_least_one))
        extra = sum(not variable.exhaustive for variable in made)
        if (len(made), extra, -places[-1]) < score:
            best, score = made, (len(made), extra, -places[-1])
    return best


def _boolean(family: _Family, number: int) -> StateVariable:
    name = _plain(family.name, *family.arguments[number])
    return StateVariable(name, (family.facts[number],), ("false", "true"), exhaustive=True)


def _plain(*words: str) -> str:
    """Words as one name of letters, digits and underscores."""
    text = "_".join(words)
    return "".join(letter if letter.isalnum() else "_" for letter in text).strip("_")


def _inductive(
    game: GroundReasoner, rules: Rules, candidates: Sequence[tuple[int, ...]]
) -> tuple[set[tuple[int, ...]], set[tuple[int, ...]]]:
    """The candidates of which always at most one fact holds, and those of which at least one does."""
    counts = _counts(_reached(game, rules), candidates)
    most = [group for group, column in zip(candidates, counts.T, strict=True) if column.max() <= 1]
    least = {group for group, column in zip(candidates, counts.T, strict=True) if column.min() >= 1}
    if not most:
        return set(), set()
    with _Induction(rules, most, [group for group in most if group in least]) as induction:
        return induction.fixpoint()


def _reached(game: GroundReasoner, rules: Rules) -> NDArray[np.uint8]:
    """Some states that random games reach: a row each, a column for each fact."""
    random, native = Random(0), game.native
    seen = {native.start(): None}
    for _ in range(_WALKS):
        state = native.start()
        for _ in range(_STATES):
            if len(seen) >= _STATES or native.terminal(state):
                break
            legal = [native.legal(state, role) for role in range(len(rules.roles))]
            if not all(legal):
                break
            state = native.next(state, [random.choice(moves) for moves in legal])
            seen[state] = None
    packed = np.frombuffer(b"".join(seen), dtype=np.uint8).reshape(len(seen), -1)
    return np.unpackbits(packed, axis=1, bitorder="little")[:, : len(rules.fluents)]


def _counts(states: NDArray[np.uint8], candidates: Sequence[tuple[int, ...]]) -> NDArray[np.float32]:
    """How many facts of each candidate hold in each state."""
    member = np.zeros((states.shape[1], len(candidates)), dtype=np.float32)
    for column, group in enumerate(candidates):
        member[list(group), column] = 1
    return np.asarray(states.astype(np.float32) @ member, dtype=np.float32)


class _Induction:
    """One legal joint move from any state that is not over, as clauses; the variable of a node is one more than it."""

    def __init__(self, rules: Rules, most: Sequence[tuple[int, ...]], least: Sequence[tuple[int, ...]]) -> None:
        self.rules, self.most, self.least = rules, list(most), list(least)
        self.solver = Cadical195()
        self.count = rules.first_gate + len(rules.inputs)
        self.circuit()
        self.supposed: dict[tuple[str, tuple[int, ...]], int] = {}
        self.fails: dict[tuple[str, tuple[int, ...]], int] = {}
        for group in self.most:
            self.at_most_one(group)
        for group in self.least:
            self.at_least_one(group)

    def __enter__(self) -> _Induction:
        return self

    def __exit__(self, *_: object) -> None:
        self.solver.delete()

    def fresh(self) -> int:
        self.count += 1
        return self.count

    def of(self, literal: Literal) -> int:
        number = (literal >> 1) + 1
        return -number if literal & 1 else number

    def circuit(self) -> None:
        rules, add = self.rules, self.solver.add_clause
        add([-1])
        for node in rules.cone([*rules.next, *rules.legal, rules.terminal]):
            if node in rules.recursive:
                continue
            gate = node - rules.first_gate
            sign = 1 if rules.is_or[gate] else -1
            inputs = [self.of(literal) for literal in rules.inputs[gate]]
            for literal in inputs:
                add([sign * (node + 1), -sign * literal])
            add([-sign * (node + 1), *(sign * literal for literal in inputs)])
        add([-self.of(rules.terminal)])
        for role in range(len(rules.roles)):
            done = [1 + len(rules.fluents) + move + 1 for move in rules.moves_of(role)]
            add(done)
            self.ladder(done, None)
            for number, move in zip(done, rules.moves_of(role), strict=True):
                add([-number, self.of(rules.legal[move])])

    def ladder(self, literals: Sequence[int], when: int | None) -> None:
        """At most one of the literals holds, if ``when`` does."""
        add = self.solver.add_clause
        guard = [] if when is None else [-when]
        before = literals[0]
        for literal in literals[1:]:
            add([*guard, -literal, -before])
            some = self.fresh()
            add([some, -before])
            add([some, -literal])
            before = some

    def at_most_one(self, group: tuple[int, ...]) -> None:
        supposed, fails = self.fresh(), self.fresh()
        self.supposed["most", group], self.fails["most", group] = supposed, fails
        self.ladder([fact + 2 for fact in group], supposed)
        # Where it fails some fact comes and so does one before it.
        add = self.solver.add_clause
        later = [self.of(self.rules.next[fact]) for fact in group]
        pairs, before = [], later[0]
        for literal in later[1:]:
            pair, some = self.fresh(), self.fresh()
            add([-pair, literal])
            add([-pair, before])
            add([-some, before, literal])
            pairs.append(pair)
            before = some
        add([-fails, *pairs])

    def at_least_one(self, group: tuple[int, ...]) -> None:
        supposed, fails = self.fresh(), self.fresh()
        self.supposed["least", group], self.fails["least", group] = supposed, fails
        self.solver.add_clause([-supposed, *(fact + 2 for fact in group)])
        for fact in group:
            self.solver.add_clause([-fails, -self.of(self.rules.next[fact])])

    def fixpoint(self) -> tuple[set[tuple[int, ...]], set[tuple[int, ...]]]:
        """Drops what some move breaks until no move breaks anything."""
        kept = set(self.supposed)
        while kept:
            asked = self.fresh()
            self.solver.add_clause([-asked, *(self.fails[claim] for claim in kept)])
            if not self.solver.solve(assumptions=[asked, *(self.supposed[claim] for claim in kept)]):
                break
            model = self.solver.get_model()
            assert model is not None
            true = {literal for literal in model if literal > 0}
            kept -= {claim for claim in kept if self.broken(claim, true)}
        return {group for kind, group in kept if kind == "most"}, {group for kind, group in kept if kind == "least"}

    def broken(self, claim: tuple[str, tuple[int, ...]], true: set[int]) -> bool:
        kind, group = claim
        later = [self.of(self.rules.next[fact]) for fact in group]
        holding = sum(literal in true if literal > 0 else -literal not in true for literal in later)
        return holding > 1 if kind == "most" else holding == 0
