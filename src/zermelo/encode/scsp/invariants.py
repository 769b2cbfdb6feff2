"""Which facts are one variable: groups of facts of which no two ever hold at once, proved from the rules.

``(cell a 1 x)`` and ``(cell a 1 o)`` are two values of one variable only if they never hold together (erratum 4.9).
Candidates are the facts that differ in some arguments alone. Those that a random game contradicts go at once; the
rest are supposed to hold before a legal joint move in a state that is not over, and a SAT solver looks for such a
move after which one of them fails. Those go, and so on until none fails: what is left holds at the start and is kept
by every move, so it always holds (the greatest inductive subset: Flanagan and Leino, "Houdini, an annotation assistant
for ESC/Java", 2001). Recursive relations are left open in this, which can only lose a group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pysat.solvers import Cadical195

from zermelo.encode.scsp.rule_circuit import Literal as NodeLiteral
from zermelo.encode.scsp.rule_circuit import Rules
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.kif import read_term
from zermelo.gdl.syntax import Variable

_STATES = 4000
"""States of random games that claims are tried on first."""
_IDLE = 300
"""Steps without a new state after which there may be no more."""
_FURTHER = 64
"""States after one that breaks a claim, which may break others."""
_MOST_ARGUMENTS = 5
_SMALL = 16
"""Facts of a family with no more facts than this may be phases of the game."""

Group = tuple[int, ...]
Claim = tuple[Literal["most", "least", "apart"], Group]
"""At most one fact holds, at least one does, or the first does not hold together with any of the others."""


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


def _go_on() -> None:
    """No limit."""


def state_variables(game: GroundReasoner, rules: Rules, step: Callable[[], None] = _go_on) -> tuple[StateVariable, ...]:
    """The variables that a state of the game is made of, as few as are proved. ``step`` raises at a limit.

    >>> from zermelo.encode.scsp.rule_circuit import rules_of
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
    walks = _Walks(game, rules)
    states = walks.states(game.native.start(), _STATES)
    most, least = _seen(families, states)
    proved: set[Claim] = set()
    while True:
        # The grouping that would be best if all that no game has refuted were true. Phases are looked at only where
        # it cannot be proved without them, and what cannot be proved with them is out of question from then on.
        variables = [variable for family in families for variable in _best_grouping(family, most, least)]
        wanted = _claims(variables)
        if not wanted - proved:
            return tuple(variables)
        proved = _inductive(rules, wanted | proved, walks, step)
        if any(kind == "most" for kind, _ in wanted - proved):
            proved = _inductive(rules, wanted | proved | _apart(states, families, variables), walks, step)
        failed = wanted - proved
        most -= {group for kind, group in failed if kind == "most"}
        least -= {group for kind, group in failed if kind == "least"}


def _seen(families: Sequence[_Family], states: NDArray[np.uint8]) -> tuple[set[Group], set[Group]]:
    """The groups of which at most one fact holds in all of the states, and those of which at least one does."""
    candidates = sorted(
        {
            tuple(family.facts[number] for number in group)
            for family in families
            for places in family.subsets()
            for group in family.groups(places).values()
            if len(group) > 1
        }
    )
    counts = _counts(states, candidates)
    most = {group for group, column in zip(candidates, counts.T, strict=True) if column.max() <= 1}
    least = {group for group, column in zip(candidates, counts.T, strict=True) if column.min() >= 1}
    return most, least & most


def _claims(variables: Sequence[StateVariable]) -> set[Claim]:
    """What has to be true for facts to be these variables."""
    groups = [variable for variable in variables if not variable.boolean]
    return {("most", own.facts) for own in groups} | {("least", own.facts) for own in groups if own.exhaustive}


def _families(fluents: Sequence[str]) -> list[_Family]:
    found: dict[tuple[str, int], tuple[list[int], list[tuple[str, ...]]]] = {}
    for number, text in enumerate(fluents):
        term = read_term(text)
        assert not isinstance(term, Variable)
        facts, arguments = found.setdefault((term.name, len(term.args)), ([], []))
        facts.append(number)
        arguments.append(tuple(map(str, term.args)))
    return [_Family(name, tuple(facts), tuple(texts)) for (name, _), (facts, texts) in found.items()]


def _best_grouping(family: _Family, at_most_one: set[Group], at_least_one: set[Group]) -> list[StateVariable]:
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


def _inductive(rules: Rules, claims: set[Claim], walks: _Walks, step: Callable[[], None]) -> set[Claim]:
    """The largest set of these claims that every legal move in a state with all of them keeps."""
    with _Induction(rules, sorted(claims)) as induction:
        return set(induction.fixpoint(walks, step))


def _apart(states: NDArray[np.uint8], families: Sequence[_Family], variables: Sequence[StateVariable]) -> set[Claim]:
    """Facts of small families with the facts of a variable, or with one fact, that no state has both of.

    Phases are like this: while dice are rolled none of them shows a number.
    """
    small = [fact for family in families if len(family.facts) <= _SMALL for fact in family.facts]
    groups = [variable.facts for variable in variables]
    others = [*groups, *((fact,) for fact in small)]
    some = (_counts(states, others) > 0).astype(np.float32)
    together = states[:, small].astype(np.float32).T @ some
    found: set[Claim] = set()
    whole: set[tuple[int, int]] = set()
    for row, column in np.argwhere(together == 0).tolist():
        first, group = small[row], others[column]
        inside = any(first in own and group[0] in own for own in groups)
        if not inside and (len(group) > 1 or not {(first, group[0]), (group[0], first)} & whole):
            found.add(("apart", (first, *group)))
            whole |= {(first, fact) for fact in group}
    return found


class _Walks:
    """Random games from any state."""

    def __init__(self, game: GroundReasoner, rules: Rules) -> None:
        self.native, self.rules, self.random = game.native, rules, Random(0)

    def states(self, start: bytes, count: int) -> NDArray[np.uint8]:
        """So many states that games from a start pass, or all if they are few: a row each, a column for each fact."""
        native, seen, state, idle = self.native, {start: None}, start, 0
        roles = range(len(self.rules.roles))
        while len(seen) < count and idle < _IDLE:
            legal = [] if native.terminal(state) else [native.legal(state, role) for role in roles]
            state = native.next(state, list(map(self.random.choice, legal))) if legal and all(legal) else start
            idle = idle + 1 if state in seen else 0
            seen[state] = None
        packed = np.frombuffer(b"".join(seen), dtype=np.uint8).reshape(len(seen), -1)
        return np.unpackbits(packed, axis=1, bitorder="little")[:, : len(self.rules.fluents)]


def _counts(states: NDArray[np.uint8], candidates: Sequence[tuple[int, ...]]) -> NDArray[np.float32]:
    """How many facts of each candidate hold in each state."""
    member = np.zeros((states.shape[1], len(candidates)), dtype=np.float32)
    for column, group in enumerate(candidates):
        member[list(group), column] = 1
    return np.asarray(states.astype(np.float32) @ member, dtype=np.float32)


class _Induction:
    """One legal joint move from any state that is not over, as clauses; the variable of a node is one more than it."""

    def __init__(self, rules: Rules, claims: Sequence[Claim]) -> None:
        self.rules, self.claims = rules, claims
        self.solver = Cadical195()
        self.count = rules.first_gate + len(rules.inputs)
        self.circuit()
        self.supposed: dict[Claim, int] = {}
        self.fails: dict[Claim, int] = {}
        say = {"most": self.at_most_one, "least": self.at_least_one, "apart": self.apart}
        for claim in claims:
            self.supposed[claim], self.fails[claim] = self.fresh(), self.fresh()
            say[claim[0]](claim[1], self.supposed[claim], self.fails[claim])

    def __enter__(self) -> _Induction:
        return self

    def __exit__(self, *_: object) -> None:
        self.solver.delete()

    def fresh(self) -> int:
        self.count += 1
        return self.count

    def of(self, literal: NodeLiteral) -> int:
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
        unless = [] if when is None else [-when]
        before = literals[0]
        for literal in literals[1:]:
            add([*unless, -literal, -before])
            some = self.fresh()
            add([some, -before])
            add([some, -literal])
            before = some

    def at_most_one(self, group: Group, supposed: int, fails: int) -> None:
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

    def at_least_one(self, group: Group, supposed: int, fails: int) -> None:
        self.solver.add_clause([-supposed, *(fact + 2 for fact in group)])
        for fact in group:
            self.solver.add_clause([-fails, -self.of(self.rules.next[fact])])

    def apart(self, group: Group, supposed: int, fails: int) -> None:
        first, *others = group
        for fact in others:
            self.solver.add_clause([-supposed, -(first + 2), -(fact + 2)])
        self.solver.add_clause([-fails, self.of(self.rules.next[first])])
        self.solver.add_clause([-fails, *(self.of(self.rules.next[fact]) for fact in others)])

    def fixpoint(self, walks: _Walks, step: Callable[[], None]) -> list[Claim]:
        """The claims that are left when what some move breaks is dropped until no move breaks anything.

        The state before such a move keeps all claims that are left. So does every state after it once the claims that
        fail there are dropped, and games that go on from it break more claims at once.
        """
        left = list(self.claims)
        while left:
            step()
            tests = _Tests(left)
            asked = self.fresh()
            self.solver.add_clause([-asked, *(self.fails[claim] for claim in left)])
            if not self.solver.solve(assumptions=[asked, *(self.supposed[claim] for claim in left)]):
                break
            before, after = self.found()
            packed = np.packbits(before, bitorder="little").tobytes().ljust(len(self.rules.start), b"\0")
            kept = np.flatnonzero(tests.hold(after) & tests.hold(walks.states(packed, _FURTHER)))
            left = [left[number] for number in kept.tolist()]
        return left

    def found(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The facts before the move that the solver found, and after it."""
        model = self.solver.get_model()
        assert model is not None
        true = (np.array(model) > 0).astype(np.uint8)  # that of node n is at n
        later = np.array(self.rules.next)
        return true[1 : 1 + len(self.rules.fluents)], (true[later >> 1] ^ (later & 1).astype(np.uint8))[None]


class _Tests:
    """Claims as lists of facts, to try many on many states."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self.most = np.array([kind == "most" for kind, _ in claims])
        self.least = np.array([kind == "least" for kind, _ in claims])
        self.first = np.array([group[0] for _, group in claims])
        members = [group[kind == "apart" :] for kind, group in claims]
        self.facts = np.array([fact for group in members for fact in group])
        self.begin = np.cumsum([0, *map(len, members[:-1])])

    def hold(self, states: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """For each claim whether it holds in all the states."""
        count = np.add.reduceat(states[:, self.facts].astype(np.int32), self.begin, axis=1)
        apart = (count == 0) | (states[:, self.first] == 0)
        fine = np.where(self.most, count <= 1, np.where(self.least, count >= 1, apart))
        return np.asarray(fine.all(axis=0))


def never_goes_on(
    rules: Rules, state: Sequence[StateVariable], clock: Sequence[int], times: Sequence[frozenset[int]]
) -> int | None:
    """The first of the times, each the facts of a clock that hold then, at which no game can be under way."""
    claims = sorted(_claims(state))
    with _Induction(rules, claims) as induction:
        supposed = [induction.supposed[claim] for claim in claims]
        for number, holding in enumerate(times):
            facts = [fact + 2 if fact in holding else -(fact + 2) for fact in clock]
            if not induction.solver.solve(assumptions=[*supposed, *facts]):
                return number
    return None
