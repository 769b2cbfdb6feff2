"""Shows that a program has no better value, by the rows of some scenarios: a clause-learning branch and bound.

The rows are those of an expansion (:mod:`zermelo.qip.solvers.expansion`). Bounds of the copies are halved and
propagated through the rows; a linear program over what is left is solved by HiGHS. Where a row, a clause or the linear
program (by its Farkas multipliers, rounded and checked with whole numbers) leaves nothing, the bounds that made it so
are traced back until one is left of those that the last decision implies; that they cannot all hold is the clause that
is learned, and with what it was traced through it becomes a step of a
:class:`~zermelo.qip.proofs.derivation.Derivation` (Achterberg, "Conflict analysis in mixed integer programming", 2007;
Marques-Silva and Sakallah, "GRASP: a search algorithm for propositional satisfiability", 1999). So the answer rests on
no floating point: HiGHS only proposes where to branch and which rows to add up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import ceil, floor, gcd

from zermelo.qip.exact_lp.mip import Column, Inequality, Meter, Number
from zermelo.qip.proofs.derivation import Clause, Derivation, FromClause, FromRow, FromSum, Literal
from zermelo.qip.proofs.exists_plan import Frame, int_if_whole
from zermelo.qip.solvers.expansion import Choices, Expansion
from zermelo.qip.solvers.relaxation import NEARLY, Relaxation, System

Fact = tuple[int, bool]
"""A column and a side of it: the upper bound (``True``) or the lower one."""
Facts = dict[Fact, int]
"""Bounds that hold, by side."""
Antecedent = FromRow | FromClause | FromSum
DECISION = -1
_DECAY = 1.05
_MUCH = 1e100


def system(of: Frame, value: Fraction | None, scenarios: Sequence[Choices]) -> System:
    """What would have to hold if ``exists`` did better than ``value``, or kept the rows where that is ``None``.

    >>> from zermelo.qip.proofs.exists_plan import frame
    >>> from zermelo.qip.programs.program import Objective, Program, Variable, terms
    >>> of = frame(Program((Variable("x"),), objective=Objective("min", terms({0: 1}))))
    >>> system(of, Fraction(1), [()]).rows
    (Inequality(cells=((0, 1),), right=0),)
    """
    asked, in_steps = of.asked(value), all(of.integer(variable) for variable, _ in of.rows[0])
    expansion = Expansion(of, 0, [ceil(asked) - 1 if in_steps else asked, *of.right[1:]])
    met: list[int] = []
    for number, scenario in enumerate(scenarios):
        expansion.add(scenario)
        met += [number] * (len(expansion.columns) - len(met))
    rows: list[tuple[Inequality, bool, FromRow]] = []
    for row, (place, number) in zip(expansion.rows, expansion.source, strict=True):
        if number or value is not None:
            rows.append((*_canonical(row, expansion.columns, number == 0 and not in_steps), FromRow(number, place)))
    if value is not None and not in_steps:
        rows += _decided_by_forall(of, asked, scenarios)
    copies = tuple(zip(expansion.copies, met, strict=True))
    inequalities, strict, source = zip(*rows, strict=True) if rows else ((), (), ())
    return System(tuple(expansion.columns), inequalities, strict, source, copies)


def _decided_by_forall(
    of: Frame, asked: Number, scenarios: Sequence[Choices]
) -> Iterator[tuple[Inequality, bool, FromRow]]:
    """Where ``forall`` alone decides the objective: scenarios in which it is not less than asked."""
    universal = [variable for variable in range(of.size) if not of.exists(variable)]
    if any(of.exists(variable) for variable, _ in of.rows[0]):
        return
    for place, scenario in enumerate(scenarios):
        chosen = dict(zip(universal, scenario, strict=True))
        if asked <= sum(coefficient * chosen[variable] for variable, coefficient in of.rows[0]):
            yield Inequality((), -1), False, FromRow(0, place)


def _canonical(row: Inequality, columns: Sequence[Column], less: bool) -> tuple[Inequality, bool]:
    divisor = gcd(*(int(c) for _, c in row.cells)) or 1
    right = Fraction(row.right) / divisor
    cells = tuple((column, int(c) // divisor) for column, c in row.cells)
    if all(columns[column].integer for column, _ in cells):
        return Inequality(cells, floor(right)), False
    return Inequality(cells, right), less


@dataclass(slots=True)
class Entry:
    """A bound on the trail, what was there before it, and why."""

    fact: Fact
    bound: int
    before: int
    """The bound that was replaced."""
    earlier: int
    """The place of the entry that made it; -1 for the first bounds."""
    row: int = DECISION
    clause: int = DECISION
    margin: Number = 0
    """By how much the row would be broken one step beyond the bound, with a step of ``step``."""
    step: Number = 0


@dataclass
class Conflict:
    """Facts that contradict each other by a row, a clause or a sum of rows."""

    facts: Facts
    antecedent: Antecedent


@dataclass
class Solved:
    """What there is instead of a refutation: values of the copies (variable, choices before it) that keep all rows."""

    copies: Mapping[tuple[int, Choices], Number]


@dataclass
class Refuter:
    """The search for a refutation of a system."""

    system: System
    meter: Meter
    clauses: list[Clause] = field(default_factory=list)
    conflicts: int = 0

    def __post_init__(self) -> None:
        columns = self.system.columns
        self.low: list[Number | None] = [column.lower for column in columns]
        self.high: list[Number | None] = [column.upper for column in columns]
        self.trail: list[Entry] = []
        self.levels: list[int] = []
        """Where on the trail each decision stands."""
        self.last: list[list[int]] = [[-1, -1] for _ in columns]
        self.in_rows: list[list[tuple[int, int]]] = [[] for _ in columns]
        for number, row in enumerate(self.system.rows):
            for column, coefficient in row.cells:
                self.in_rows[column].append((number, int(coefficient)))
        self.least = [self._least(row) for row in self.system.rows]
        """Of each row: what the columns add at the least; ``None`` where nothing bounds it."""
        self.learned: list[list[tuple[Fact, int]]] = []
        """Of each clause: literals as facts."""
        self.watched: list[tuple[list[int], list[int]]] = [([], []) for _ in columns]
        self.pending = set(range(len(self.system.rows)))
        self.unit: dict[int, int] = {}
        """Clauses of one literal for entries that no decision stands before."""
        self.activity = [0.0] * len(columns)
        self.bump = 1.0
        self.relaxation = Relaxation(self.system, self.meter)
        self.seen = 0
        """How much of the trail was propagated through the clauses."""

    def _least(self, row: Inequality) -> Number | None:
        total: Number = 0
        for column, coefficient in row.cells:
            bound = self.low[column] if coefficient > 0 else self.high[column]
            if bound is None:
                return None
            total += coefficient * bound
        return total

    # Bounds

    def bound(self, fact: Fact) -> Number | None:
        return self.high[fact[0]] if fact[1] else self.low[fact[0]]

    def set(
        self,
        fact: Fact,
        bound: int,
        row: int = DECISION,
        margin: Number = 0,
        step: Number = 0,
        *,
        clause: int = DECISION,
    ) -> None:
        """Puts a bound on the trail."""
        column, upper = fact
        now = self.bound(fact)
        assert now is not None
        self.trail.append(Entry(fact, bound, int(now), self.last[column][upper], row, clause, margin, step))
        self.last[column][upper] = len(self.trail) - 1
        self._move(fact, bound)

    def _move(self, fact: Fact, bound: int) -> None:
        column, upper = fact
        now = self.high[column] if upper else self.low[column]
        assert now is not None
        if upper:
            self.high[column] = bound
        else:
            self.low[column] = bound
        self.relaxation.change(column, self.low[column], self.high[column])
        for row, coefficient in self.in_rows[column]:
            if (coefficient < 0) == upper:
                least = self.least[row]
                if least is not None:
                    self.least[row] = least + coefficient * (bound - now)
                    self.pending.add(row)

    def undo(self, level: int) -> None:
        """Takes back all decisions after the first so many."""
        start = self.levels[level]
        while len(self.trail) > start:
            entry = self.trail.pop()
            column, upper = entry.fact
            self.last[column][upper] = entry.earlier
            self._move(entry.fact, entry.before)
        del self.levels[level:]
        self.pending.clear()
        self.seen = min(self.seen, start)

    # Propagation

    def propagate(self) -> Conflict | None:
        """Tightens bounds until nothing changes or something cannot hold."""
        while True:
            while self.seen < len(self.trail):
                conflict = self._through_clauses(self.trail[self.seen].fact)
                if conflict is not None:
                    return conflict
                self.seen += 1
            if not self.pending:
                return None
            conflict = self._through_row(self.pending.pop())
            if conflict is not None:
                return conflict

    def _through_row(self, number: int) -> Conflict | None:
        row, least = self.system.rows[number], self.least[number]
        if least is None:
            return None
        slack = row.right - least
        if slack < 0 or (slack == 0 and self.system.strict[number]):
            return Conflict(self._facts(row, number, -slack), self.system.source[number])
        columns = self.system.columns
        for column, coefficient in row.cells:
            low, high = self.low[column], self.high[column]
            assert low is not None or high is not None
            if low == high or not columns[column].integer:
                continue
            assert low is not None
            assert high is not None
            if coefficient > 0:
                if coefficient * (high - low) > slack:
                    fit = int(slack // coefficient)
                    self.set((column, True), int(low) + fit, number, (fit + 1) * coefficient - slack, coefficient)
            elif -coefficient * (high - low) > slack:
                fit = int(slack // -coefficient)
                self.set((column, False), int(high) - fit, number, (fit + 1) * -coefficient - slack, -coefficient)
        return None

    def _facts(self, row: Inequality, number: int, margin: Number) -> Facts:
        """The bounds that break a row by ``margin``, as weak as they may be."""
        return self.weakest(row.cells, margin, self.system.strict[number], len(self.trail))

    def weakest(
        self, cells: Sequence[tuple[int, Number]], margin: Number, strict: bool, place: int, skip: int = -1
    ) -> Facts:
        """Bounds from before a place on the trail, under which a sum of terms is by ``margin`` too large.

        As much of them as the margin allows is given back: all of a bound, or a step of it; the latest first.
        """
        facts: Facts = {}
        queue: list[tuple[int, int, Number]] = []
        last, trail = self.last, self.trail
        for column, coefficient in cells:
            at = last[column][coefficient < 0]
            while at >= place:
                at = trail[at].earlier
            if at >= 0 and column != skip:
                queue.append((-at, column, coefficient))
        heapify(queue)
        while queue:
            at, column, coefficient = heappop(queue)
            entry = self.trail[-at]
            change = coefficient * (entry.bound - entry.before)
            given = change if change > 0 else -change
            if margin - given > 0 or (strict and margin == given):
                margin -= given
                if entry.earlier >= 0:
                    heappush(queue, (-entry.earlier, column, coefficient))
            else:
                facts[entry.fact] = entry.bound
        return facts

    def _through_clauses(self, fact: Fact) -> Conflict | None:
        column, upper = fact
        watching = self.watched[column][upper]
        kept: list[int] = []
        conflict: Conflict | None = None
        for place, number in enumerate(watching):
            literals = self.learned[number]
            # The literal that may have failed goes second; then another one takes its place if it can.
            if literals[0][0] == (column, not upper) and not self._possible(literals[0]):
                literals[0], literals[1] = literals[1], literals[0]
            if self._possible(literals[1]) or self._holds(literals[0]):
                kept.append(number)
                continue
            following = next((n for n in range(2, len(literals)) if self._possible(literals[n])), None)
            if following is not None:
                literals[1], literals[following] = literals[following], literals[1]
                (other, side), _ = literals[1]
                self.watched[other][not side].append(number)
                continue
            kept.append(number)
            if not self._possible(literals[0]):
                kept += watching[place + 1 :]
                conflict = Conflict(_failed(literals), FromClause(number))
                break
            self.set(*literals[0], clause=number)
        self.watched[column][upper][:] = kept
        return conflict

    def _holds(self, literal: tuple[Fact, int]) -> bool:
        (column, upper), bound = literal
        now = self.high[column] if upper else self.low[column]
        assert now is not None
        return now <= bound if upper else now >= bound

    def _possible(self, literal: tuple[Fact, int]) -> bool:
        (column, upper), bound = literal
        now = self.low[column] if upper else self.high[column]
        assert now is not None
        return now <= bound if upper else now >= bound

    # Learning

    def explain(self, place: int, bound: int) -> Facts:
        """Facts from before an entry that imply its fact with a bound that may be weaker than its own."""
        entry = self.trail[place]
        if entry.clause != DECISION:
            return _failed([literal for literal in self.learned[entry.clause] if literal[0] != entry.fact])
        row, (column, upper) = self.system.rows[entry.row], entry.fact
        # If the bound failed, the column would be a step beyond it; with the others at their least that is too much.
        margin = entry.margin + entry.step * (bound - entry.bound if upper else entry.bound - bound)
        return self.weakest(row.cells, margin, self.system.strict[entry.row], place, skip=column)

    def entry_of(self, fact: Fact, bound: int) -> int:
        """The first entry that made a fact hold; -1 where it always did."""
        at, found = self.last[fact[0]][fact[1]], -1
        while at >= 0 and (self.trail[at].bound <= bound if fact[1] else self.trail[at].bound >= bound):
            found, at = at, self.trail[at].earlier
        return found

    def learn(self, conflict: Conflict) -> bool:
        """Derives a clause from a conflict and goes back to where it says something; ``False`` where it is empty."""
        self.meter.look()
        self.conflicts += 1
        level = self.levels[-1] if self.levels else 0
        needed: dict[int, int] = {}
        """Places on the trail, with the bounds that are needed of them."""
        queue: list[int] = []

        def need(facts: Facts) -> None:
            for fact, bound in facts.items():
                place = self.entry_of(fact, bound)
                if place < 0:
                    continue
                if place not in needed:
                    needed[place] = bound
                    heappush(queue, -place)
                elif bound < needed[place] if fact[1] else bound > needed[place]:
                    needed[place] = bound
                self.activity[fact[0]] += self.bump

        need(conflict.facts)
        used: list[int] = []
        base = self.levels[0] if self.levels else len(self.trail)
        while queue and -queue[0] >= level and (len(queue) > 1 and -sorted(queue)[1] >= level):
            place = -heappop(queue)
            used.append(place)
            need(self.explain(place, needed[place]))
        kept = [-place for place in queue if -place >= base]
        units = [-place for place in queue if -place < base]
        antecedents: list[Antecedent] = [FromClause(self.unit_clause(place)) for place in sorted(units)]
        antecedents += [self._reason(place) for place in reversed(used)]
        literals = [_opposite(self.trail[place].fact, needed[place]) for place in kept]
        self.add(literals, (*antecedents, conflict.antecedent))
        self._forget_a_little()
        if not kept:
            return False
        latest = max(kept)
        back = max((sum(start <= place for start in self.levels) for place in kept if place != latest), default=0)
        asserted = _opposite(self.trail[latest].fact, needed[latest])
        self.undo(back)
        self.set(asserted[0], asserted[1], clause=len(self.learned) - 1)
        return True

    def _reason(self, place: int) -> FromRow | FromClause:
        entry = self.trail[place]
        return FromClause(entry.clause) if entry.clause != DECISION else self.system.source[entry.row]

    def _forget_a_little(self) -> None:
        self.bump *= _DECAY
        if self.bump > _MUCH:
            self.activity = [value / _MUCH for value in self.activity]
            self.bump /= _MUCH

    def unit_clause(self, place: int) -> int:
        """The clause that says what an entry before all decisions says."""
        needed, queue = set[int](), [-place]
        followers: dict[int, list[int]] = {}
        while queue:
            at = -heappop(queue)
            if at in needed or at in self.unit:
                continue
            needed.add(at)
            facts = self.explain(at, self.trail[at].bound)
            followers[at] = [found for f, b in facts.items() if (found := self.entry_of(f, b)) >= 0]
            for found in followers[at]:
                heappush(queue, -found)
        for at in sorted(needed):
            entry = self.trail[at]
            before = [FromClause(self.unit[found]) for found in sorted(followers[at])]
            self.add([(entry.fact, entry.bound)], (*before, self._reason(at)))
            self.unit[at] = len(self.learned) - 1
        return self.unit[place]

    def add(self, literals: list[tuple[Fact, int]], antecedents: tuple[Antecedent, ...]) -> None:
        """A derived clause."""
        number = len(self.learned)
        self.learned.append(literals)
        if len(literals) > 1:
            # The one that will be asserted, and the one that fails last.
            literals.sort(key=lambda literal: -self.entry_of((literal[0][0], not literal[0][1]), _beyond(literal)))
            for (column, upper), _ in literals[:2]:
                self.watched[column][not upper].append(number)
        made = []
        for (column, upper), bound in literals:
            (variable, _), scenario = self.system.copies[column]
            made.append(Literal(variable, upper, bound, scenario))
        self.clauses.append(Clause(tuple(made), antecedents))

    # The linear program

    def relaxed(self) -> Conflict | Sequence[float] | None:
        """What the linear program over the bounds says: a conflict, a point, or nothing for certain."""
        candidates, point = self.relaxation.solve()
        for weights in candidates:
            conflict = self._sum(weights)
            if conflict is not None:
                return conflict
        return point

    def _sum(self, weights: Sequence[tuple[int, int]]) -> Conflict | None:
        total: dict[int, int] = {}
        margin: Number = 0
        strict = False
        for number, weight in weights:
            row = self.system.rows[number]
            margin -= weight * row.right
            strict |= self.system.strict[number]
            for column, coefficient in row.cells:
                total[column] = total.get(column, 0) + weight * int(coefficient)
        cells = [(column, coefficient) for column, coefficient in total.items() if coefficient]
        for column, coefficient in cells:
            bound = self.low[column] if coefficient > 0 else self.high[column]
            if bound is None:
                return None
            margin += coefficient * bound
        if margin < 0 or (margin == 0 and not strict):
            return None
        parts = tuple((self.system.source[number], weight) for number, weight in weights)
        return Conflict(self.weakest(cells, margin, strict, len(self.trail)), FromSum(parts))

    # The search

    def run(self) -> Solved | None:
        """Derives the empty clause; or returns what shows that there is none."""
        if any(
            c.integer and c.lower is not None and c.upper is not None and c.lower > c.upper for c in self.system.columns
        ):
            self.add([], ())
            return None
        while True:
            found = self.propagate() or self.relaxed()
            if found is not None and not isinstance(found, Conflict):
                solved = self._rounded(found)
                if solved is not None:
                    return solved
            if not isinstance(found, Conflict):
                choice = self.choice(found)
                if choice is not None:
                    self.levels.append(len(self.trail))
                    self.set(*choice)
                    continue
                last = self.solution()
                if isinstance(last, Solved):
                    return last
                found = last
            if not self.learn(found):
                return None

    def choice(self, point: Sequence[float] | None) -> tuple[Fact, int] | None:
        """The next decision: halves what the linear program leaves undecided."""
        best, found = -1.0, None
        for column, kind in enumerate(self.system.columns):
            low, high = self.low[column], self.high[column]
            if not kind.integer or low == high:
                continue
            assert low is not None
            assert high is not None
            if point is not None:
                value = min(max(point[column], float(low)), float(high))
                away = abs(value - round(value))
            else:
                value, away = float(low + high) / 2, 0.5
            score = (1.0 if away > 1e-6 else 0.0) * 2 + away + self.activity[column] / self.bump
            if away <= 1e-6:
                score -= 1e6
            if score > best or found is None:
                best = score
                down = int(min(max(floor(value), low), high - 1))
                found = ((column, False), down + 1) if value - down > 0.5 else ((column, True), down)
        return found

    def solution(self) -> Solved | Conflict:
        """When all integers are set: what keeps the rows, or why nothing does."""
        values: list[Number] = [low if low is not None else 0 for low in self.low]
        if all(column.integer for column in self.system.columns):
            return self._solved(values)
        exact = self.relaxation.exact()
        if isinstance(exact, tuple):
            return self._solved(exact)
        conflict = self._sum(exact)
        assert conflict is not None
        return conflict

    def _rounded(self, point: Sequence[float]) -> Solved | None:
        """A point near that of the linear program that keeps all rows, if it is an easy one."""
        columns = self.system.columns
        if any(self.system.strict) or any(abs(v - round(v)) > NEARLY for v, c in zip(point, columns, strict=True)):
            return None
        values = tuple(round(value) for value in point)
        if not all(row.holds(values) for row in self.system.rows):
            return None
        return self._solved(values) if all(map(_within, values, columns)) else None

    def _solved(self, values: Sequence[Number]) -> Solved:
        copies = self.system.copies
        return Solved({copy: int_if_whole(value) for (copy, _), value in zip(copies, values, strict=True)})


def _within(value: int, column: Column) -> bool:
    return (column.lower is None or value >= column.lower) and (column.upper is None or value <= column.upper)


def _failed(literals: Sequence[tuple[Fact, int]]) -> Facts:
    """The facts under which all literals fail."""
    facts: Facts = {}
    for literal in literals:
        (column, upper), _ = literal
        fact, beyond = (column, not upper), _beyond(literal)
        known = facts.get(fact)
        facts[fact] = beyond if known is None else (min if fact[1] else max)(known, beyond)
    return facts


def _beyond(literal: tuple[Fact, int]) -> int:
    """The weakest bound of the other side with which the literal fails."""
    return literal[1] + 1 if literal[0][1] else literal[1] - 1


def _opposite(fact: Fact, bound: int) -> tuple[Fact, int]:
    return (fact[0], not fact[1]), (bound + 1 if fact[1] else bound - 1)


def refuted(of: Frame, value: Fraction | None, scenarios: Sequence[Choices], meter: Meter) -> Derivation | Solved:
    """A derivation from the rows of these scenarios, or what shows that they are not enough.

    >>> from zermelo.limits import Limits
    >>> from zermelo.qip.proofs.exists_plan import frame
    >>> from zermelo.qip.programs.program import Program, Row, Variable, terms
    >>> u, y = Variable("u", "forall"), Variable("y")
    >>> of = frame(Program((u, y), (Row(terms({0: 2, 1: 1}), "=", Fraction(1)),)))
    >>> refuted(of, None, [(0,)], Meter(Limits(), lambda calls: None))
    Solved(copies={(1, (0,)): 1})
    >>> refuted(of, None, [(1,)], Meter(Limits(), lambda calls: None)).clauses
    (Clause(literals=(), antecedents=(FromRow(row=1, scenario=0),), dropped=()),)
    """
    if value is not None and not of.rows[0]:
        # Without an objective there is nothing better, whatever happens.
        return Derivation(value, tuple(scenarios[:1]), (Clause((), (FromRow(0),)),))
    refuter = Refuter(system(of, value, scenarios), meter)
    found = refuter.run()
    if found is not None:
        return found
    return Derivation(value, tuple(scenarios), tuple(refuter.clauses))
