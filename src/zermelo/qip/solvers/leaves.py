"""The engine ``qip-leaf``: search over the integers in the order of the prefix, a linear program at each line's end.

For programs whose last block has continuous variables. "Can the objective be better than g?" is decided by trying the
values of the integers, rows that have no slack left cut lines short (universal variables at their worst), and a line
that reaches the continuous variables is settled by HiGHS, made exact. Residual problems, told apart by the slack in
their rows, are remembered with bounds on what is left of the objective, so that the entries serve for every g. The
value is approached from above: each "yes" says how much better, the last "no" proves that nothing is (MTD(f): Plaat,
Schaeffer, Pijls and de Bruin 1996, started from above as SSS*).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from time import monotonic

from zermelo.errors import InputError, LimitReachedError, NotApplicableError
from zermelo.limits import Limits, memory_watch
from zermelo.progress import Progress, Watch, no_watch
from zermelo.qip.exact_lp.lp import Exact, solve_exact
from zermelo.qip.exact_lp.mip import UnboundedError
from zermelo.qip.programs.legal import Law
from zermelo.qip.programs.program import Bound, Program, Row, Terms, minimised, normal, tightened
from zermelo.qip.proofs.proof import END, Branch, Case, Choose, Node, Proof, Refute, Scenario
from zermelo.qip.solvers.solver_answer import Answer, Status

NAME = "qip-leaf"
MOST_INTEGERS = 200
"""Lines of more integers are left to others: the search goes as deep as they are many."""

Slacks = tuple[Fraction, ...]
"""How much is left of each row but the objective, then of each row of ``forall``."""
Cost = tuple[int, Fraction]
"""What is left of the objective: ``(0, value)``, or ``(1, 0)`` where the rows cannot be kept, which is worse."""
BROKEN: Cost = (1, Fraction(0))
NOTHING: Cost = (-1, Fraction(0))
"""Better than any cost."""


def solve_by_leaves(program: Program, limits: Limits | None = None, watch: Watch = no_watch) -> Answer:
    """The value of a program with continuous variables in its last block, with both proofs.

    >>> from zermelo.qip.programs.program import Objective, Variable, terms
    >>> u, y = Variable("u", "forall"), Variable("y", upper=Fraction(3), integer=False)
    >>> rows = (Row(terms({0: 1, 1: 2}), ">=", Fraction(2)),)
    >>> answer = solve_by_leaves(Program((u, y), rows, Objective("min", terms({0: 1, 1: 1}))))
    >>> answer.status, str(answer.value), len(answer.exists.nodes), len(answer.forall.nodes)
    ('optimal', '3/2', 3, 2)
    """
    search = _Search(tightened(program), limits or Limits(), watch)
    try:
        return search.answer()
    except LimitReachedError as error:
        return Answer("unknown", bounds=search.bounds(), nodes=search.nodes, cause=str(error))
    except KeyboardInterrupt:
        return Answer("unknown", bounds=search.bounds(), nodes=search.nodes, cause="interrupt")


@dataclass(slots=True)
class _Entry:
    """What is known of a residual problem: bounds on its cost, and the value that gives each of them."""

    lower: Cost = NOTHING
    upper: Cost = BROKEN
    holds: int | None = None  # what forall sets so that it is at least ``lower``
    reaches: int | None = None  # what exists sets so that it is at most ``upper``


@dataclass(frozen=True)
class _Column:
    """An integer variable: its values, and what it takes of each row by the unit."""

    number: int
    exists: bool
    values: tuple[int, ...]
    cost: Fraction
    takes: tuple[tuple[int, Fraction], ...]


@dataclass
class _Worst:
    """Of one row, from each place on: what the variables take at the least, whatever exists does."""

    terms: Terms
    least: list[Fraction | None] = field(default_factory=list)


class _Search:
    """One program on its way to an answer."""

    def __init__(self, program: Program, limits: Limits, watch: Watch) -> None:
        self.program, self.limits, self.watch = program, limits, watch
        self.form = normal(program)
        self.law = Law(program)
        self.first = _first_continuous(program)
        self.rows: tuple[Bound, ...] = (*self.form.rows[1:], *self.form.uncertainty)
        self.owned = len(self.form.rows) - 1
        self.columns = [self._column(number) for number in range(self.first)]
        self.worst = [self._worst(row.terms, place < self.owned) for place, row in enumerate(self.rows)]
        self.goal = self._worst(self.form.rows[0].terms, True)
        self.left = program.variables[self.first :]
        self.leaf_terms = [_after(row.terms, self.first) for row in self.form.rows]
        self.table: dict[tuple[int, Slacks], _Entry] = {}
        self.leaves: dict[Slacks, Exact] = {}
        self.nodes, self.began = 0, monotonic()
        self.over = memory_watch(limits.memory)
        self.start: Slacks = tuple(row.right for row in self.rows)

    def _column(self, number: int) -> _Column:
        variable = self.program.variables[number]
        if variable.lower is None or variable.upper is None:
            raise NotApplicableError(f"{NAME} takes integers with bounds only, not {variable.name}")
        if variable.lower > variable.upper:
            raise InputError(f"no value lies between the bounds of {variable.name}")
        takes = [(place, c) for place, row in enumerate(self.rows) for n, c in row.terms if n == number]
        cost = next((c for n, c in self.form.rows[0].terms if n == number), Fraction(0))
        values = tuple(range(int(variable.lower), int(variable.upper) + 1))
        return _Column(number, variable.quantifier == "exists", values, cost, tuple(takes))

    def _worst(self, form: Terms, of_exists: bool) -> _Worst:
        """Where forall is bound by rows of his own he may not be free to do his worst: then his best is taken."""
        free = not self.form.uncertainty
        found = _Worst(form, [Fraction(0)])
        coefficients = dict(form)
        for number in range(len(self.program.variables) - 1, -1, -1):
            variable, c = self.program.variables[number], coefficients.get(number, Fraction(0))
            against = of_exists and free and variable.quantifier == "forall"
            bound = variable.upper if (c > 0) == against else variable.lower
            last = found.least[-1]
            found.least.append(last if c == 0 else None if bound is None or last is None else last + c * bound)
        found.least.reverse()
        return found

    # The answer

    def bounds(self) -> tuple[Fraction | None, Fraction | None]:
        """What is known of the program's own objective."""
        entry = self.table.get((0, self.start), _Entry())
        low, high = (self._own(cost) for cost in (entry.lower, entry.upper))
        return (low, high) if minimised(self.program) > 0 else (high, low)

    def _own(self, cost: Cost) -> Fraction | None:
        return minimised(self.program) * cost[1] + self.program.objective.constant if cost[0] == 0 else None

    def answer(self) -> Answer:
        if not self.law.allows((), self.limits):
            raise InputError("the universal player cannot keep his own rows")
        cost = BROKEN
        while True:
            better, cost = self.better_than((), self.start, cost)
            if not better:
                break
        value = self._own(cost)
        exists = None if value is None else Proof("exists", value, self.written(cost, by_exists=True))
        forall = Proof("forall", value, self.written(cost, by_exists=False))
        stats: dict[str, int | float | str] = {"entries": len(self.table), "leaves": len(self.leaves)}
        status: Status = "infeasible" if value is None else "optimal"
        return Answer(status, value, (value, value), exists, forall, self.nodes, stats=stats)

    def tick(self) -> None:
        self.nodes += 1
        if self.nodes % 256 == 0:
            if self.limits.nodes is not None and self.nodes > self.limits.nodes:
                raise LimitReachedError("nodes")
            if self.over():
                raise LimitReachedError("memory")
            low, high = self.bounds()
            if low is not None and high is not None:
                self.watch(Progress(NAME, monotonic() - self.began, self.nodes, bounds=(low, high)))
        if self.limits.expired():
            raise LimitReachedError("time")

    # The search

    def better_than(self, played: tuple[int, ...], slack: Slacks, cost: Cost) -> tuple[bool, Cost]:
        """Whether what is left can cost less; with a bound: below ``cost`` from above if so, else from below."""
        place = len(played)
        if place == self.first:
            found = self.leaf_cost(slack)
            return found < cost, found
        least = self.least_cost(place, slack)
        if least >= cost:
            return False, least
        entry = self.table.setdefault((place, slack), _Entry())
        if entry.upper < cost:
            return True, entry.upper
        if entry.lower >= cost:
            return False, entry.lower
        self.tick()
        if self.columns[place].exists:
            return self.some_better(entry, played, slack, cost)
        return self.all_better(entry, played, slack, cost)

    def some_better(self, entry: _Entry, played: tuple[int, ...], slack: Slacks, cost: Cost) -> tuple[bool, Cost]:
        """The existential player needs one value."""
        column = self.columns[len(played)]
        values = column.values if entry.reaches is None else (entry.reaches, *column.values)
        lowest = BROKEN
        for value in values:
            spent = column.cost * value
            better, left = self.better_than((*played, value), self.after(column, slack, value), _less(cost, spent))
            whole = _more(left, spent)
            if better:
                entry.upper, entry.reaches = whole, value
                return True, whole
            lowest = min(lowest, whole)
        entry.lower = max(entry.lower, lowest)
        return False, lowest

    def all_better(self, entry: _Entry, played: tuple[int, ...], slack: Slacks, cost: Cost) -> tuple[bool, Cost]:
        """The universal player must be answered whatever he sets, as long as he can keep his own rows."""
        column = self.columns[len(played)]
        values = column.values if entry.holds is None else (entry.holds, *column.values)
        highest = NOTHING
        for value in values:
            if not self.law.allows((*played, value), self.limits):
                continue
            spent = column.cost * value
            better, left = self.better_than((*played, value), self.after(column, slack, value), _less(cost, spent))
            whole = _more(left, spent)
            if not better:
                entry.lower, entry.holds = whole, value
                return False, whole
            highest = max(highest, whole)
        entry.upper = min(entry.upper, highest)
        return True, highest

    def after(self, column: _Column, slack: Slacks, value: int) -> Slacks:
        """The slack that is left when an integer has a value."""
        if value == 0 or not column.takes:
            return slack
        left = list(slack)
        for place, takes in column.takes:
            left[place] -= takes * value
        return tuple(left)

    def least_cost(self, place: int, slack: Slacks) -> Cost:
        """A bound on the cost that needs no search."""
        if self.full_row(place, slack) is not None:
            return BROKEN
        least = self.goal.least[place]
        return NOTHING if least is None else (0, least)

    def full_row(self, place: int, slack: Slacks) -> int | None:
        """A row of exists that no longer can be kept."""
        for number in range(self.owned):
            least = self.worst[number].least[place]
            if least is not None and least > slack[number]:
                return number
        return None

    def leaf(self, slack: Slacks) -> Exact:
        """The linear program that the slack in the rows leaves; its value is what the continuous variables cost."""
        own = slack[: self.owned]
        found = self.leaves.get(own)
        if found is None:
            self.tick()
            rows = [Row(form, "<=", right) for form, right in zip(self.leaf_terms[1:], own, strict=True)]
            found = solve_exact(self.left, rows, self.leaf_terms[0], self.limits)
            if found.status == "unbounded":
                raise UnboundedError
            self.leaves[own] = found
        return found

    def leaf_cost(self, slack: Slacks) -> Cost:
        exact = self.leaf(slack)
        return BROKEN if exact.value is None else (0, exact.value)

    # The proofs

    def written(self, cost: Cost, *, by_exists: bool) -> tuple[Node, ...]:
        """How the cost is reached, or why nothing is better, from what the search left in the table."""
        return _Writer(self, by_exists).nodes_for(cost)


class _Writer:
    """Writes one proof; equal situations are written once."""

    def __init__(self, search: _Search, by_exists: bool) -> None:
        self.search, self.by_exists = search, by_exists
        self.nodes: list[Node] = []
        self.known: dict[tuple[int, Slacks, Cost | None], int] = {}

    def nodes_for(self, cost: Cost) -> tuple[Node, ...]:
        self.step((), self.search.start, cost)
        return tuple(self.nodes)

    def add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def step(self, played: tuple[int, ...], slack: Slacks, cost: Cost) -> int:
        """The number of the node that shows that the cost is at most (exists) or at least (forall) this."""
        key = (len(played), slack, cost)
        found = self.known.get(key)
        if found is None:
            found = self.exists_step(played, slack, cost) if self.by_exists else self.forall_step(played, slack, cost)
            self.known[key] = found
        return found

    def exists_step(self, played: tuple[int, ...], slack: Slacks, cost: Cost) -> int:
        search, place = self.search, len(played)
        if place == search.first:
            return self.add(Choose(place, search.leaf(slack).primal, END))
        column = search.columns[place]
        if column.exists:
            value = search.table[place, slack].reaches
            assert value is not None
            return self.add(Choose(place, (value,), self.follow(column, played, slack, value, cost)))
        cases = []
        for value in column.values:
            if search.law.allows((*played, value), search.limits):
                cases.append(Case(value, value, self.follow(column, played, slack, value, cost)))
            else:
                cases.append(self.unlawful(place, search.after(column, slack, value), value))
        return self.add(Branch(place, tuple(cases)))

    def follow(self, column: _Column, played: tuple[int, ...], slack: Slacks, value: int, cost: Cost) -> int:
        after = self.search.after(column, slack, value)
        return self.step((*played, value), after, _less(cost, column.cost * value))

    def unlawful(self, place: int, slack: Slacks, value: int) -> Case:
        """A value with which forall cannot keep his rows: one is broken, or will be whatever he goes on with."""
        search = self.search
        for number in range(search.owned, len(slack)):
            least = search.worst[number].least[place + 1]
            if least is not None and least > slack[number]:
                return Case(value, value, breaks=number - search.owned)
        return Case(value, value, self.astray(place + 1, slack))

    def astray(self, place: int, slack: Slacks) -> int:
        """What forall sets after he has gone wrong; what exists sets does not matter."""
        key = (place, slack, None)
        found = self.known.get(key)
        if found is None:
            column = next(column for column in self.search.columns[place:] if not column.exists)
            cases = [
                self.unlawful(column.number, self.search.after(column, slack, value), value) for value in column.values
            ]
            found = self.known[key] = self.add(Branch(column.number, tuple(cases)))
        return found

    def forall_step(self, played: tuple[int, ...], slack: Slacks, cost: Cost) -> int:
        search, place = self.search, len(played)
        if place == search.first:
            return self.add(Refute(place, (Scenario((), self.multipliers(search.leaf(slack))),)))
        full = search.full_row(place, slack)
        least = search.goal.least[place]
        if full is not None:
            return self.add(self.by_row(played, full + 1, search.worst[full]))
        if least is not None and (0, least) >= cost:
            return self.add(self.by_row(played, 0, search.goal))
        column = search.columns[place]
        if not column.exists:
            value = search.table[place, slack].holds
            assert value is not None
            return self.add(Choose(place, (value,), self.follow(column, played, slack, value, cost)))
        cases = [Case(value, value, self.follow(column, played, slack, value, cost)) for value in column.values]
        return self.add(Branch(place, tuple(cases)))

    def by_row(self, played: tuple[int, ...], row: int, worst: _Worst) -> Refute:
        """One row has no slack if forall sets what takes most of it from here on, or what his own rows let him set."""
        law, place = self.search.law, len(played)
        bound = law.completion(played, self.search.limits) if law.rows else ()
        assert bound is not None
        lawful = dict(zip((n for n in law.held if n >= place), bound, strict=False))
        coefficients = dict(worst.terms)
        choices = []
        for column in self.search.columns[place:]:
            if not column.exists:
                c = coefficients.get(column.number, Fraction(0))
                choices.append(lawful.get(column.number, column.values[-1] if c > 0 else column.values[0]))
        return Refute(place, (Scenario(tuple(choices), {row: 1}),))

    def multipliers(self, exact: Exact) -> dict[int, Fraction | int]:
        found: dict[int, Fraction | int] = {row + 1: m for row, m in enumerate(exact.multipliers) if m}
        if exact.status == "optimal":
            found[0] = 1
        return found


def _first_continuous(program: Program) -> int:
    """Where the continuous variables begin; ``NotApplicableError`` for programs of another kind."""
    count = sum(variable.integer for variable in program.variables)
    if count == len(program.variables):
        raise NotApplicableError(f"{NAME} is for programs with continuous variables, all are integers here")
    if count > MOST_INTEGERS:
        raise NotApplicableError(f"{NAME} takes {MOST_INTEGERS} integers at most, here are {count:,}")
    for variable in program.variables[:count]:
        if not variable.integer:
            raise NotApplicableError(f"{NAME} takes continuous variables after all others, not {variable.name}")
    for variable in program.variables[count:]:
        if variable.quantifier == "forall":
            raise NotApplicableError(f"{NAME} takes continuous variables of exists only, not {variable.name}")
    return count


def _after(form: Terms, first: int) -> Terms:
    return tuple((number - first, c) for number, c in form if number >= first)


def _less(cost: Cost, spent: Fraction) -> Cost:
    return (0, cost[1] - spent) if cost[0] == 0 else cost


def _more(cost: Cost, spent: Fraction) -> Cost:
    return (0, cost[1] + spent) if cost[0] == 0 else cost
