"""Checks refutations of programs that are derived clause by clause (:mod:`zermelo.qip.derivation` says how).

Why an accepted derivation is right: call rows and clauses together the constraints. A clause whose bounds cannot all
fail while the constraints hold follows from them, so it changes nothing to add it. A bound on a universal variable that
is set after all existential variables of its clause can be dropped: if ``exists`` had a strategy that keeps the
constraints but not the shorter clause, ``forall`` would set that variable so that the longer one fails too. So the
empty clause shows that no strategy keeps the rows. All this is said of plays in which ``forall`` keeps to his own rows:
they may be antecedents too, and a bound on a variable that they hold can be dropped where it is clear how he goes on,
since all variables that his rows connect to it have one value left, and those keep them. With scenarios, a strategy of
``exists`` would give every copy of a variable a value, and these would keep every row of every scenario.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, gcd, lcm

from zermelo.check.strategy import Verdict
from zermelo.limits import Limits
from zermelo.qip.derivation import Clause, Derivation, FromRow, FromSum, Literal
from zermelo.qip.program import Bound, Program, normal, tightened

Copy = tuple[int, int]
"""A scenario and a variable: of the scenarios that are the same until the variable is set, the first."""
Bounds = dict[Copy, tuple[int, int]]


class _Fault(Exception):  # noqa: N818  (never leaves this module)
    """Why the derivation is refuted."""


def check_derivation(program: Program, derivation: Derivation, limits: Limits | None = None) -> Verdict:
    """Accepts a derivation of the empty clause, and nothing else.

    >>> from zermelo.qip.derivation import FromClause
    >>> from zermelo.qip.program import Row, Variable, terms
    >>> variables = (Variable("x"), Variable("y", "forall"))
    >>> rows = (Row(terms({0: 1, 1: 1}), "<=", Fraction(1)), Row(terms({0: 1, 1: 1}), ">=", Fraction(1)))
    >>> program = Program(variables, rows)
    >>> x_is_0 = Clause((Literal(0, True, 0),), (FromRow(1),), (Literal(1, True, 0),))
    >>> nothing = Clause((), (FromClause(0), FromRow(2)), (Literal(1, False, 1),))
    >>> check_derivation(program, Derivation(None, (), (x_is_0, nothing))).status
    'accepted'
    >>> check_derivation(program, Derivation(None, (), (x_is_0,))).reason
    'the last clause is not empty'
    """
    limits = limits or Limits()
    try:
        steps = _Steps(program, derivation)
        for number, clause in enumerate(derivation.clauses):
            if number % 64 == 0 and limits.expired():
                return Verdict("limit", "the limit was reached before all clauses were checked")
            try:
                steps.need_droppable(clause)
                steps.need_derived(number, clause)
            except _Fault as fault:
                raise _Fault(f"clause {number}: {fault}") from None
    except _Fault as fault:
        return Verdict("refuted", str(fault))
    if not derivation.clauses or derivation.clauses[-1].literals:
        return Verdict("refuted", "the last clause is not empty")
    return Verdict(
        "accepted", how=f"forall in {len(derivation.clauses):,} clause{'s' * (len(derivation.clauses) != 1)}"
    )


@dataclass(frozen=True, slots=True)
class _Row:
    """The terms add up to at most ``right``, or to less where ``strict``."""

    terms: tuple[tuple[Copy, int], ...]
    right: Fraction
    strict: bool


class _Law:
    """The rows of ``forall`` that can be broken: which variables they connect, and the values that they leave him."""

    ROUNDS = 100
    """So often the rows narrow the bounds; what is left out only makes bounds wider."""

    def __init__(self, program: Program, rows: Iterable[Bound]) -> None:
        self.box: dict[int, tuple[int, int]] = {}
        self.part: dict[int, int] = {}
        """Of each variable in such a row: a variable that stands for all that rows connect to it."""
        self.rows: list[Bound] = []
        for row in rows:
            ends = [
                (c * (program.variables[n].lower or 0), c * (program.variables[n].upper or 0)) for n, c in row.terms
            ]
            if sum((max(pair) for pair in ends), Fraction(0)) > row.right:
                self.rows.append(row)
                self._connect([number for number, _ in row.terms])
        for number in self.part:
            variable = program.variables[number]
            self.box[number] = (ceil(variable.lower or 0), floor(variable.upper or 0))
        for _ in range(self.ROUNDS):
            before = dict(self.box)
            for row in self.rows:
                self._narrow(row)
            if before == self.box:
                break

    def _connect(self, numbers: list[int]) -> None:
        stand = {self.part.get(number, number) for number in numbers}
        for number in numbers:
            self.part[number] = number
        for number, part in self.part.items():
            if part in stand or number in numbers:
                self.part[number] = min(stand)

    def _narrow(self, row: Bound) -> None:
        least = {n: min(c * self.box[n][0], c * self.box[n][1]) for n, c in row.terms}
        room = row.right - sum(least.values())
        for number, coefficient in row.terms:
            low, high = self.box[number]
            steps = max(0, floor(room / abs(coefficient)))
            self.box[number] = (low, min(high, low + steps)) if coefficient > 0 else (max(low, high - steps), high)

    def keeps(self, chosen: Mapping[int, int]) -> bool:
        """Whether the rows whose variables are all chosen hold."""
        return all(
            sum((coefficient * chosen[number] for number, coefficient in row.terms), Fraction(0)) <= row.right
            for row in self.rows
            if row.terms and row.terms[0][0] in chosen
        )


class _Steps:
    """The copies of the variables, the rows of the scenarios, and what they make of bounds that are assumed."""

    def __init__(self, program: Program, derivation: Derivation) -> None:
        self.program = program = tightened(program)
        self.clauses, self.scenarios = derivation.clauses, derivation.scenarios
        self.infeasible = derivation.value is None
        self.form = normal(program, derivation.value or 0)
        self.universal = [number for number, v in enumerate(program.variables) if v.quantifier == "forall"]
        self.law = _Law(program, self.form.uncertainty)
        self.first: dict[Copy, Copy] = {}
        self.box: dict[Copy, tuple[Fraction | None, Fraction | None]] = {}
        self.rows: dict[tuple[int, int], _Row] = {}
        for number, scenario in enumerate(self.scenarios):
            self.need_legal(number, scenario)
        seen: dict[tuple[int, tuple[int | Fraction, ...]], int] = {}
        for number in range(max(1, len(self.scenarios))):
            self.number_copies(number, seen)

    def need_legal(self, number: int, scenario: tuple[int | Fraction, ...]) -> None:
        if len(scenario) != len(self.universal):
            raise _Fault(f"scenario {number} does not set all universal variables")
        chosen = dict(zip(self.universal, scenario, strict=True))
        for place, value in chosen.items():
            variable = self.program.variables[place]
            exact = type(value) is int or (isinstance(value, Fraction) and not variable.integer)
            if not exact or (variable.lower or 0) > value or (variable.upper or 0) < value:
                raise _Fault(f"scenario {number} sets {variable.name} to {value}, which is not within its bounds")
        for row in self.form.uncertainty:
            if sum((coefficient * chosen[place] for place, coefficient in row.terms), Fraction(0)) > row.right:
                raise _Fault(f"scenario {number} breaks a row of forall's own")

    def number_copies(self, scenario: int, seen: dict[tuple[int, tuple[int | Fraction, ...]], int]) -> None:
        played: tuple[int | Fraction, ...] = ()
        for number, variable in enumerate(self.program.variables):
            if variable.quantifier == "forall" and self.scenarios:
                played = self.scenarios[scenario][: len(played) + 1]
                continue
            self.first[scenario, number] = copy = (seen.setdefault((number, played), scenario), number)
            self.box[copy] = (variable.lower, variable.upper)

    def need_droppable(self, clause: Clause) -> None:
        """What is dropped comes after the existential variables, and all bounds on it can fail together."""
        quantifier = [self.quantifier(literal) for literal in clause.literals]
        last = max((e.variable for e, q in zip(clause.literals, quantifier, strict=True) if q == "exists"), default=-1)
        for literal in clause.dropped:
            if self.scenarios or self.quantifier(literal) != "forall" or literal.variable < last:
                raise _Fault(f"variable {literal.variable} cannot be dropped")
        dropped = {literal.variable for literal in clause.dropped}
        same = [literal for literal in (*clause.literals, *clause.dropped) if literal.variable in dropped]
        if self.failed(same) is None:
            raise _Fault("one of the bounds on a variable that is dropped always holds")
        self.need_lawful(clause, dropped)

    def need_lawful(self, clause: Clause, dropped: set[int]) -> None:
        """What is dropped and bound by rows of ``forall`` leaves him one way to go on, and that keeps them."""
        parts = {self.law.part[number] for number in dropped if number in self.law.part}
        if not parts or self.lawful(clause.literals) is None:
            return  # his rows alone imply the clause
        left = self.lawful((*clause.literals, *clause.dropped))
        chosen: dict[int, int] = {}
        for number, part in self.law.part.items():
            if part in parts:
                low, high = (0, 1) if left is None else left.get((0, number)) or self.law.box[number]
                if low != high:
                    raise _Fault(f"forall is not free to set variable {min(dropped & self.law.part.keys())}")
                chosen[number] = low
        if not self.law.keeps(chosen):
            raise _Fault("what is dropped breaks a row of forall's own")

    def lawful(self, literals: Iterable[Literal]) -> Bounds | None:
        """The bounds under which all the literals fail and that the rows of ``forall`` leave him."""
        bounds = self.failed(literals)
        if bounds is None:
            return None
        for copy in bounds:
            if copy[1] in self.law.box:
                least, most = self.law.box[copy[1]]
                bounds[copy] = low, high = max(bounds[copy][0], least), min(bounds[copy][1], most)
                if low > high:
                    return None
        return bounds

    def quantifier(self, literal: Literal) -> str:
        if not 0 <= literal.variable < len(self.program.variables):
            raise _Fault(f"there is no variable {literal.variable}")
        return self.program.variables[literal.variable].quantifier

    def failed(self, literals: Iterable[Literal]) -> Bounds | None:
        """The bounds under which all the literals fail; ``None`` where they cannot."""
        bounds: Bounds = {}
        for literal in literals:
            copy = self.copy_of(literal)
            low, high = bounds.get(copy) or self.whole_box(copy)
            bounds[copy] = low, high = (
                (max(low, int(literal.bound) + 1), high) if literal.upper else (low, min(high, int(literal.bound) - 1))
            )
            if low > high:
                return None
        return bounds

    def copy_of(self, literal: Literal) -> Copy:
        copy = self.first.get((literal.scenario, literal.variable))
        if copy is None or type(literal.bound) is not int:
            raise _Fault(f"no bound {literal.bound} on variable {literal.variable} in scenario {literal.scenario}")
        return copy

    def whole_box(self, copy: Copy) -> tuple[int, int]:
        low, high = self.box[copy]
        if not self.program.variables[copy[1]].integer or low is None or high is None:
            raise _Fault(f"variable {copy[1]} is not an integer between bounds")
        return -((-low.numerator) // low.denominator), high.numerator // high.denominator

    def need_derived(self, number: int, clause: Clause) -> None:
        """All bounds are assumed to fail; then an antecedent must be impossible."""
        bounds = self.failed((*clause.literals, *clause.dropped))
        if bounds is None:
            return  # one of them always holds
        for antecedent in clause.antecedents:
            if isinstance(antecedent, FromRow):
                impossible = self.tightened_by_row(bounds, self.row(antecedent))
            elif isinstance(antecedent, FromSum):
                impossible = self.tightened_by_row(bounds, self.sum(antecedent))
            elif 0 <= antecedent.clause < number:
                impossible = self.tightened_by_clause(bounds, self.clauses[antecedent.clause])
            else:
                raise _Fault(f"clause {antecedent.clause} does not come before")
            if impossible:
                return
        raise _Fault("the antecedents leave room")

    def tightened_by_row(self, bounds: Bounds, row: _Row) -> bool:
        """Narrows the bounds by what the row leaves; whether it cannot hold."""
        room: Fraction | int = row.right
        lows: list[Fraction | int] = []
        for copy, coefficient in row.terms:
            low, high = bounds.get(copy) or self.box[copy]
            end = low if coefficient > 0 else high
            if end is None:
                return False  # nothing bounds the sum from below
            lows.append(coefficient * end)
            room -= coefficient * end
        if room < 0 or (row.strict and room == 0):
            return True
        for (copy, coefficient), least in zip(row.terms, lows, strict=True):
            if not self.program.variables[copy[1]].integer:
                continue
            low, high = bounds.get(copy) or self.whole_box(copy)
            most = (room + least) / Fraction(coefficient)
            if coefficient > 0:
                high = min(high, most.numerator // most.denominator)
            else:
                low = max(low, -((-most.numerator) // most.denominator))
            bounds[copy] = (low, high)
            if low > high:
                return True
        return False

    def row(self, antecedent: FromRow) -> _Row:
        """A row in a scenario; row 0 asks for better than the value."""
        key = (antecedent.scenario, antecedent.row)
        if key not in self.rows:
            own = 0 if self.scenarios else len(self.form.uncertainty)
            if not 0 <= key[1] < len(self.form.rows) + own or not 0 <= key[0] < max(1, len(self.scenarios)):
                raise _Fault(f"there is no row {antecedent.row} in scenario {antecedent.scenario}")
            if antecedent.row == 0 and self.infeasible:
                raise _Fault("what is said to be infeasible is to be refuted without the objective")
            self.rows[key] = self.whole_row(*key)
        return self.rows[key]

    def whole_row(self, scenario: int, number: int) -> _Row:
        row = (*self.form.rows, *self.form.uncertainty)[number]
        right = row.right
        terms: dict[Copy, Fraction] = {}
        for place, coefficient in row.terms:
            if self.scenarios and self.program.variables[place].quantifier == "forall":
                right -= coefficient * self.scenarios[scenario][self.universal.index(place)]
            else:
                terms[self.first[scenario, place]] = coefficient
        return self.rounded(terms, right, strict=number == 0)

    def sum(self, antecedent: FromSum) -> _Row:
        terms: dict[Copy, Fraction] = {}
        right, strict = Fraction(0), False
        for part, multiplier in antecedent.parts:
            if not isinstance(multiplier, int | Fraction) or multiplier < 0:
                raise _Fault(f"{multiplier} cannot be the multiplier of a row")
            row = self.row(part)
            right += multiplier * row.right
            strict |= row.strict and multiplier > 0
            for copy, coefficient in row.terms:
                terms[copy] = terms.get(copy, Fraction(0)) + multiplier * coefficient
        return self.rounded({copy: coefficient for copy, coefficient in terms.items() if coefficient}, right, strict)

    def rounded(self, terms: dict[Copy, Fraction], right: Fraction, strict: bool) -> _Row:
        """With whole coefficients that have no common divisor; so where all variables are integers, the right side
        is whole, too, and to be less is to be less by one."""
        scale = Fraction(1)
        if terms:
            denominators, numerators = zip(*((c.denominator, c.numerator) for c in terms.values()), strict=True)
            scale = Fraction(lcm(*denominators), gcd(*numerators))
        right *= scale
        if all(self.program.variables[place].integer for _, place in terms):
            right, strict = Fraction(ceil(right) - 1 if strict else floor(right)), False
        return _Row(tuple((copy, int(coefficient * scale)) for copy, coefficient in terms.items()), right, strict)

    def tightened_by_clause(self, bounds: Bounds, clause: Clause) -> bool:
        """If one literal alone can still hold, its bound holds; whether none can."""
        open_literals = list(self.possible(bounds, clause))
        if len(open_literals) == 1:
            (literal,) = open_literals
            copy = self.copy_of(literal)
            low, high = bounds.get(copy) or self.whole_box(copy)
            bound = int(literal.bound)
            bounds[copy] = (low, min(high, bound)) if literal.upper else (max(low, bound), high)
        return not open_literals

    def possible(self, bounds: Bounds, clause: Clause) -> Iterator[Literal]:
        for literal in clause.literals:
            copy = self.copy_of(literal)
            low, high = bounds.get(copy) or self.whole_box(copy)
            if (low <= literal.bound) if literal.upper else (high >= literal.bound):
                yield literal
