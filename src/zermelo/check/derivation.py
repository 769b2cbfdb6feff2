"""Checks refutations of programs that are derived clause by clause.

A clause is a disjunction of bounds on variables. It is derived from rows and from clauses before it: if all its bounds
are assumed to fail, the antecedents, looked at in the order in which they are listed, tighten the bounds of the
variables until one of them cannot hold. Then bounds on universal variables may be dropped. The last clause is empty.
This is the part of QRAT that learning needs (Heule, Seidl and Biere, A unified proof system for QBF preprocessing,
2014), with rows in the place of clauses. With scenarios, lines of play of ``forall``, each existential variable is
there once for each beginning of a line that was played before it, each row once for each scenario with the universal
variables set, and nothing is dropped (Janota and Marques-Silva, Expansion-based QBF solving versus Q-resolution, 2015).
Rows times multipliers may be added up (Farkas); where all its variables are integers a sum is divided by the largest
common divisor of its coefficients and its right side rounded down (Chvatal, Edmonds polytopes, 1973). Rows of
``forall`` are antecedents where there are no scenarios: they are numbered on after the others.

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

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from typing import TYPE_CHECKING, Any

from zermelo.certificate import Claim
from zermelo.check.clause_steps import Clause, Derivation, FromClause, FromRow, FromSum, Literal, read_derivation
from zermelo.check.programclaim import promised
from zermelo.check.quantified import Number, QuantifiedProgram
from zermelo.check.shapes import plain
from zermelo.check.verdict import Fault, Verdict, judged, watch
from zermelo.game import Game
from zermelo.limits import Limits

if TYPE_CHECKING:
    from zermelo.check.law import Law

Bounded = dict[int, tuple[int, int]]
"""Bounds of columns: the copies of the variables, each existential one once for the scenarios that share it."""
Assumed = tuple[tuple[int, bool, int], ...]
"""Literals: the column, whether it is an upper bound, the bound."""


def check_clauses_claim(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim by the rule ``clauses``, whose data is a derivation: only ``forall`` has one.

    >>> from zermelo.qip import Model
    >>> from zermelo.qip.game import ProgramGame
    >>> m = Model()
    >>> m.maximize(m.exists("y", 0, 2))
    >>> data = {"value": 2, "scenarios": [], "clauses": [[[], [[0, 0]], []]]}
    >>> claim = Claim("forall", -2, rule="clauses", data=data)
    >>> check_clauses_claim(ProgramGame(m.program()), claim, Limits()).how
    'forall in 1 clause'
    """
    return judged(lambda: check_derivation(*promised(game, claim, lambda _, data: read_derivation(data)), limits))


def check_derivation(program: QuantifiedProgram, derivation: Derivation, limits: Limits | None = None) -> Verdict:
    """Accepts a derivation of the empty clause, and nothing else.

    >>> from zermelo.check.quantified import Variable, at_most
    >>> x = Variable("x", "exists", True, Fraction(0), Fraction(1))
    >>> program = QuantifiedProgram((x, replace(x, name="y", role="forall")), at_most([(0, 1), (1, 1)], "=", 1))
    >>> x_is_0 = Clause((Literal(0, True, 0),), (FromRow(1),), (Literal(1, True, 0),))
    >>> nothing = Clause((), (FromClause(0), FromRow(2)), (Literal(1, False, 1),))
    >>> check_derivation(program, Derivation(None, (), (x_is_0, nothing))).status
    'accepted'
    >>> check_derivation(program, Derivation(None, (), (x_is_0,))).reason
    'the last clause is not empty'
    """
    return judged(lambda: _verdict(program, derivation, watch(limits or Limits())))


def _verdict(program: QuantifiedProgram, derivation: Derivation, look: Callable[[], None]) -> Verdict:
    steps, clauses = _Steps(program, derivation), derivation.clauses
    for number, clause in enumerate(clauses):
        if number % 64 == 0:
            look()
        try:
            steps.need_droppable(clause)
            steps.need_derived(clause)
        except Fault as fault:
            raise Fault(f"clause {number}: {fault}") from None
    if not clauses or clauses[-1].literals:
        raise Fault("the last clause is not empty")
    return Verdict("accepted", how=f"forall in {len(clauses):,} clause{'s' * (len(clauses) != 1)}")


@dataclass(frozen=True, slots=True)
class _Row:
    """The terms over columns add up to at most ``right``, or to less where ``strict``; ``whole``: all are integers."""

    terms: tuple[tuple[int, int], ...]
    right: Number
    strict: bool
    whole: bool


class _Steps:
    """The columns, the rows of the scenarios, and what they make of bounds that are assumed."""

    def __init__(self, program: QuantifiedProgram, derivation: Derivation) -> None:
        self.program = program = _whole_where_enough(program)
        self.clauses, self.scenarios = derivation.clauses, derivation.scenarios
        self.infeasible = derivation.value is None
        self.all_rows = (program.asked(derivation.value or 0), *program.rows)
        self.universal = [number for number, v in enumerate(program.variables) if v.role == "forall"]
        self.law = _law_of(program)
        self.column: dict[tuple[int, int], int] = {}
        """By scenario and variable."""
        self.variable: list[int] = []
        """Of each column."""
        self.low: list[Any] = []
        self.high: list[Any] = []
        """Whole numbers wherever they are; a fraction or ``None`` for continuous variables only."""
        self.moved: list[tuple[int, Number | None, Number | None]] = []
        """Columns whose bounds were narrowed since the start, with what they were."""
        self.rows: dict[tuple[int, int], _Row] = {}
        self.checked: list[Assumed] = []
        for number, scenario in enumerate(self.scenarios):
            self.need_legal(number, scenario)
        seen: dict[tuple[int, tuple[Number, ...]], int] = {}
        for number in range(max(1, len(self.scenarios))):
            self.number_columns(number, seen)

    def need_legal(self, number: int, scenario: tuple[Number, ...]) -> None:
        if len(scenario) != len(self.universal):
            raise Fault(f"scenario {number} does not set all universal variables")
        chosen = dict(zip(self.universal, scenario, strict=True))
        for place, value in chosen.items():
            variable = self.program.variables[place]
            broken = variable.integer and value.denominator != 1
            if broken or not (variable.lower or 0) <= value <= (variable.upper or 0):
                raise Fault(f"scenario {number} sets {variable.name} to {value}, which is not within its bounds")
        for row in self.program.own:
            if sum((coefficient * chosen[place] for place, coefficient in row.terms), Fraction(0)) > row.right:
                raise Fault(f"scenario {number} breaks a row of forall's own")

    def number_columns(self, scenario: int, seen: dict[tuple[int, tuple[Number, ...]], int]) -> None:
        played: tuple[Number, ...] = ()
        for number, variable in enumerate(self.program.variables):
            if variable.role == "forall" and self.scenarios:
                played = self.scenarios[scenario][: len(played) + 1]
                continue
            column = seen.setdefault((number, played), len(self.variable))
            self.column[scenario, number] = column
            if column == len(self.variable):
                self.variable.append(number)
                self.low.append(None if variable.lower is None else plain(variable.lower))
                self.high.append(None if variable.upper is None else plain(variable.upper))

    def need_droppable(self, clause: Clause) -> None:
        """What is dropped comes after the existential variables, and all bounds on it can fail together."""
        last = max((e.variable for e in clause.literals if self.role(e) == "exists"), default=-1)
        for literal in clause.dropped:
            if self.scenarios or self.role(literal) != "forall" or literal.variable < last:
                raise Fault(f"variable {literal.variable} cannot be dropped")
        dropped = {literal.variable for literal in clause.dropped}
        same = [literal for literal in (*clause.literals, *clause.dropped) if literal.variable in dropped]
        if self.failed(self.assumed(same)) is None:
            raise Fault("one of the bounds on a variable that is dropped always holds")
        if dropped and self.law is not None:
            kept = self.failed(self.assumed(clause.literals))
            self.law.need_free(dropped, kept, self.failed(self.assumed((*clause.literals, *clause.dropped))))

    def role(self, literal: Literal) -> str:
        if not 0 <= literal.variable < len(self.program.variables):
            raise Fault(f"there is no variable {literal.variable}")
        return self.program.variables[literal.variable].role

    def assumed(self, literals: Iterable[Literal]) -> Assumed:
        made = []
        for literal in literals:
            column = self.column.get((literal.scenario, literal.variable))
            if column is None:
                raise Fault(f"no bound {literal.bound} on variable {literal.variable} in scenario {literal.scenario}")
            self.whole_bounds(column)
            made.append((column, literal.upper, literal.bound))
        return tuple(made)

    def whole_bounds(self, column: int) -> tuple[int, int]:
        low, high = self.low[column], self.high[column]
        if not self.is_integer(column) or type(low) is not int or type(high) is not int:
            raise Fault(f"variable {self.variable[column]} is not an integer between bounds")
        return low, high

    def is_integer(self, column: int) -> bool:
        return self.program.variables[self.variable[column]].integer

    def failed(self, literals: Assumed) -> Bounded | None:
        """The bounds under which all the literals fail; ``None`` where they cannot."""
        bounds: Bounded = {}
        for column, upper, bound in literals:
            low, high = bounds.get(column) or self.whole_bounds(column)
            bounds[column] = low, high = (max(low, bound + 1), high) if upper else (low, min(high, bound - 1))
            if low > high:
                return None
        return bounds

    def need_derived(self, clause: Clause) -> None:
        """All bounds are assumed to fail; then an antecedent must be impossible."""
        self.checked.append(self.assumed(clause.literals))
        bounds = self.failed(self.assumed((*clause.literals, *clause.dropped)))
        if bounds is None:
            return  # one of them always holds
        for column, (low, high) in bounds.items():
            self.narrow(column, low, high)
        impossible = any(self.tightened_by(antecedent) for antecedent in clause.antecedents)
        while self.moved:
            column, before_low, before_high = self.moved.pop()
            self.low[column], self.high[column] = before_low, before_high
        if not impossible:
            raise Fault("the antecedents leave room")

    def narrow(self, column: int, low: Number | None, high: Number | None) -> None:
        self.moved.append((column, self.low[column], self.high[column]))
        self.low[column], self.high[column] = low, high

    def tightened_by(self, antecedent: FromRow | FromClause | FromSum) -> bool:
        """Narrows the bounds by what the antecedent leaves; whether it cannot hold."""
        if isinstance(antecedent, FromClause):
            if not 0 <= antecedent.clause < len(self.checked) - 1:
                raise Fault(f"clause {antecedent.clause} does not come before")
            return self.tightened_by_clause(self.checked[antecedent.clause])
        row = self.row(antecedent) if isinstance(antecedent, FromRow) else self.sum(antecedent)
        return self.tightened_by_whole_row(row) if row.whole else self.tightened_by_row(row)

    def tightened_by_clause(self, literals: Assumed) -> bool:
        """If one literal alone can still hold, its bound holds."""
        low, high = self.low, self.high
        only: tuple[int, bool, int] | None = None
        for literal in literals:
            column, upper, bound = literal
            end = low[column] if upper else high[column]
            if end > bound if upper else end < bound:
                continue
            if only is not None:
                return False
            only = literal
        if only is None:
            return True
        column, upper, bound = only
        least, most = self.whole_bounds(column)
        self.narrow(column, *((least, min(most, bound)) if upper else (max(least, bound), most)))
        return False

    def tightened_by_whole_row(self, row: _Row) -> bool:
        """A row over integers between bounds: plain arithmetic, since nearly all time is spent here."""
        low, high = self.low, self.high
        slack = row.right
        for column, coefficient in row.terms:
            slack -= coefficient * (low[column] if coefficient > 0 else high[column])
        if slack < 0:
            return True
        for column, coefficient in row.terms:
            least, most = low[column], high[column]
            if abs(coefficient) * (most - least) > slack:
                if coefficient > 0:
                    self.narrow(column, least, least + slack // coefficient)
                else:
                    self.narrow(column, most - slack // -coefficient, most)
        return False

    def tightened_by_row(self, row: _Row) -> bool:
        slack: Number = row.right
        ends: list[Number] = []
        for column, coefficient in row.terms:
            end = self.low[column] if coefficient > 0 else self.high[column]
            if end is None:
                return False  # nothing bounds the sum from below
            ends.append(end)
            slack -= coefficient * end
        if slack < 0 or (row.strict and slack == 0):
            return True
        for (column, coefficient), end in zip(row.terms, ends, strict=True):
            if self.is_integer(column):
                steps = floor(slack / Fraction(abs(coefficient)))
                low, high = self.whole_bounds(column)
                upper = coefficient > 0
                self.narrow(
                    column, *((low, min(high, int(end) + steps)) if upper else (max(low, int(end) - steps), high))
                )
        return False

    def row(self, antecedent: FromRow) -> _Row:
        """A row in a scenario; row 0 asks for better than the value."""
        key = (antecedent.scenario, antecedent.row)
        if key not in self.rows:
            own = 0 if self.scenarios else len(self.program.own)
            if not 0 <= key[1] < len(self.all_rows) + own or not 0 <= key[0] < max(1, len(self.scenarios)):
                raise Fault(f"there is no row {antecedent.row} in scenario {antecedent.scenario}")
            if antecedent.row == 0 and self.infeasible:
                raise Fault("what is said to be infeasible is to be refuted without the objective")
            self.rows[key] = self.whole_row(*key)
        return self.rows[key]

    def whole_row(self, scenario: int, number: int) -> _Row:
        count = len(self.all_rows)
        row = self.all_rows[number] if number < count else self.program.own[number - count]
        right = row.right
        terms: dict[int, Fraction] = {}
        for place, coefficient in row.terms:
            if self.scenarios and self.program.variables[place].role == "forall":
                right -= coefficient * self.scenarios[scenario][self.universal.index(place)]
            else:
                terms[self.column[scenario, place]] = coefficient
        return self.rounded(terms, right, strict=number == 0)

    def sum(self, antecedent: FromSum) -> _Row:
        terms: dict[int, Fraction] = {}
        right, strict = Fraction(0), False
        for part, multiplier in antecedent.parts:
            if multiplier < 0:
                raise Fault(f"{multiplier} cannot be the multiplier of a row")
            row = self.row(part)
            right += multiplier * row.right
            strict |= row.strict and multiplier > 0
            for column, coefficient in row.terms:
                terms[column] = terms.get(column, Fraction(0)) + multiplier * coefficient
        return self.rounded({column: c for column, c in terms.items() if c}, right, strict)

    def rounded(self, terms: dict[int, Fraction], right: Fraction, strict: bool) -> _Row:
        """With whole coefficients that have no common divisor; so where all variables are integers, the right side
        is whole, too, and to be less is to be less by one."""
        scale = Fraction(1)
        if terms:
            denominators, numerators = zip(*((c.denominator, c.numerator) for c in terms.values()), strict=True)
            scale = Fraction(lcm(*denominators), gcd(*numerators))
        right *= scale
        made = tuple((column, int(coefficient * scale)) for column, coefficient in terms.items())
        if not all(self.is_integer(column) for column in terms):
            return _Row(made, right, strict, whole=False)
        bounded = all(type(self.low[c]) is int and type(self.high[c]) is int for c in terms)
        return _Row(made, ceil(right) - 1 if strict else floor(right), strict=False, whole=bounded)


def _law_of(program: QuantifiedProgram) -> Law | None:
    if not program.own:
        return None
    from zermelo.check.law import Law  # whoever asks about a program without such rows need not trust it

    return Law(program)


def _whole_where_enough(program: QuantifiedProgram) -> QuantifiedProgram:
    """The program with integers in the place of continuous variables for which whole numbers are enough.

    That is so where they come last, between whole bounds, each row but the objective holds one of them at most, and the
    other numbers of the row are multiples of its coefficient: then the others leave it an interval with whole ends, one
    of which is as good as any value.
    """
    variables = program.variables
    first = max((number + 1 for number, v in enumerate(variables) if v.integer), default=0)
    enough = first < len(variables)
    for variable in variables[first:]:
        whole = all(bound is not None and bound.denominator == 1 for bound in (variable.lower, variable.upper))
        enough &= whole and variable.role == "exists"
    for row in program.rows:
        held = [coefficient for number, coefficient in row.terms if number >= first]
        numbers = (row.right, *(coefficient for _, coefficient in row.terms))
        enough &= not held or (len(held) == 1 and all((number / held[0]).denominator == 1 for number in numbers))
    if not enough or not all(v.integer for v in variables[:first]):
        return program
    return replace(program, variables=tuple(replace(variable, integer=True) for variable in variables))
