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

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from zermelo.certificate import Claim
from zermelo.check.clause_steps import Clause, Derivation, FromClause, FromRow, FromSum, Literal, read_derivation
from zermelo.check.programclaim import promised
from zermelo.check.quantified import Number, QuantifiedProgram, plain, total, whole_scale
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

    >>> from dataclasses import replace
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
            steps.check(clause)
        except Fault as fault:
            raise Fault(f"clause {number}: {fault}") from None
    if not clauses or clauses[-1].literals:
        raise Fault("the last clause is not empty")
    return Verdict("accepted", how=f"forall in {len(clauses):,} clause{'s' * (len(clauses) != 1)}")


@dataclass(frozen=True, slots=True)
class _Row:
    """Whole terms over columns add up to at most ``right``, or to less where ``strict``."""

    terms: tuple[tuple[int, int], ...]
    right: Number
    strict: bool


class _Steps:
    """The columns, the rows of the scenarios, and what they make of bounds that are assumed."""

    def __init__(self, program: QuantifiedProgram, derivation: Derivation) -> None:
        if not all(variable.integer for variable in program.variables):
            from zermelo.check.wholes import whole_where_enough  # who asks about integers alone need not trust it

            program = whole_where_enough(program)
        self.program = program
        self.infeasible, lines = derivation.value is None, derivation.scenarios
        self.stated = (program.asked(derivation.value or 0), *program.rows, *(() if lines else program.own))
        universal = [number for number, v in enumerate(program.variables) if v.role == "forall"]
        if any(len(line) != len(universal) for line in lines):
            raise Fault("a scenario does not set all universal variables")
        self.set_by: list[dict[int, Number]] = [dict(zip(universal, line, strict=True)) for line in lines] or [{}]
        """By scenario: the values of universal variables; none where these are columns as well."""
        self.law = _law_of(program)
        self.column: dict[tuple[int, int], int] = {}
        """By scenario and variable."""
        self.variable: list[int] = []
        """Of each column, as are the following."""
        self.integer: list[bool] = []
        self.low: list[Any] = []
        self.high: list[Any] = []
        """Whole numbers for integers; a fraction or ``None`` for continuous variables only."""
        self.moved: list[tuple[int, Number | None, Number | None]] = []
        """Columns whose bounds were narrowed since the start, with what they were."""
        self.rows: dict[tuple[int, int], _Row] = {}
        self.checked: list[Assumed] = []
        seen: dict[tuple[int, tuple[Number, ...]], int] = {}
        for number, chosen in enumerate(self.set_by):
            if lines:
                self.need_legal(number, chosen)
            self.number_columns(number, chosen, seen)

    def need_legal(self, number: int, chosen: Mapping[int, Number]) -> None:
        for place, value in chosen.items():
            variable = self.program.variables[place]
            broken = variable.integer and value.denominator != 1
            if broken or not (variable.lower or 0) <= value <= (variable.upper or 0):
                raise Fault(f"scenario {number} sets {variable.name} to {value}, which is not within its bounds")
        if any(total(row.terms, chosen) > row.right for row in self.program.own):
            raise Fault(f"scenario {number} breaks a row of forall's own")

    def number_columns(
        self, scenario: int, chosen: Mapping[int, Number], seen: dict[tuple[int, tuple[Number, ...]], int]
    ) -> None:
        """A variable of ``exists`` is one column in scenarios in which ``forall`` has chosen the same before it."""
        played: tuple[Number, ...] = ()
        for number, variable in enumerate(self.program.variables):
            if number in chosen:
                played += (chosen[number],)
                continue
            column = self.column[scenario, number] = seen.setdefault((number, played), len(self.variable))
            if column == len(self.variable):
                self.variable.append(number)
                self.integer.append(variable.integer)
                self.low.append(None if variable.lower is None else plain(variable.lower))
                self.high.append(None if variable.upper is None else plain(variable.upper))

    def check(self, clause: Clause) -> None:
        """A clause follows, and what it drops may be dropped; a fault if not."""
        kept, dropped = self.assumed(clause.literals), self.assumed(clause.dropped)
        if dropped:
            self.need_droppable(kept, dropped)
        self.need_derived(self.failed(kept + dropped), clause.antecedents)
        self.checked.append(kept)

    def assumed(self, literals: Iterable[Literal]) -> Assumed:
        made = []
        for literal in literals:
            column = self.column.get((literal.scenario, literal.variable))
            if column is None:
                raise Fault(f"there is no variable {literal.variable} in scenario {literal.scenario}")
            if not self.integer[column]:
                raise Fault(f"variable {literal.variable} is not an integer")
            made.append((column, literal.upper, literal.bound))
        return tuple(made)

    def need_droppable(self, kept: Assumed, dropped: Assumed) -> None:
        """What is dropped comes after the existential variables, and all bounds on it can fail together."""
        role = [self.program.variables[number].role for number in self.variable]
        last = max((column for column, _, _ in kept if role[column] == "exists"), default=-1)
        columns = {column for column, _, _ in dropped}  # as variables, since in scenarios none is universal
        for column in columns:
            if role[column] != "forall" or column < last:
                raise Fault(f"variable {self.variable[column]} cannot be dropped")
        if self.failed(tuple(one for one in kept + dropped if one[0] in columns)) is None:
            raise Fault("one of the bounds on a variable that is dropped always holds")
        if self.law is not None:
            self.law.need_free(columns, self.failed(kept), self.failed(kept + dropped))

    def failed(self, literals: Assumed) -> Bounded | None:
        """The bounds under which all the literals fail; ``None`` where they cannot."""
        bounds: Bounded = {}
        for column, upper, bound in literals:
            low, high = bounds.get(column) or (self.low[column], self.high[column])
            bounds[column] = low, high = (max(low, bound + 1), high) if upper else (low, min(high, bound - 1))
            if low > high:
                return None
        return bounds

    def need_derived(self, bounds: Bounded | None, antecedents: Iterable[FromRow | FromClause | FromSum]) -> None:
        """All bounds are assumed to fail; then an antecedent must be impossible."""
        if bounds is None:
            return  # one of them always holds
        for column, (low, high) in bounds.items():
            self.narrow(column, low, high)
        impossible = any(self.tightened_by(antecedent) for antecedent in antecedents)
        while self.moved:
            column, before_low, before_high = self.moved.pop()
            self.low[column], self.high[column] = before_low, before_high
        if not impossible:
            raise Fault("the antecedents leave room")

    def narrow(self, column: int, low: int, high: int) -> None:
        self.moved.append((column, self.low[column], self.high[column]))
        self.low[column], self.high[column] = low, high

    def tightened_by(self, antecedent: FromRow | FromClause | FromSum) -> bool:
        """Narrows the bounds by what the antecedent leaves; whether it cannot hold."""
        if isinstance(antecedent, FromClause):
            if not 0 <= antecedent.clause < len(self.checked):
                raise Fault(f"clause {antecedent.clause} does not come before")
            return self.tightened_by_clause(self.checked[antecedent.clause])
        return self.tightened_by_row(self.row(antecedent) if isinstance(antecedent, FromRow) else self.sum(antecedent))

    def tightened_by_clause(self, literals: Assumed) -> bool:
        """If one literal alone can still hold, its bound holds."""
        low, high = self.low, self.high
        only: tuple[int, bool, int] | None = None
        for literal in literals:
            column, upper, bound = literal
            if low[column] > bound if upper else high[column] < bound:
                continue
            if only is not None:
                return False
            only = literal
        if only is None:
            return True
        column, upper, bound = only
        least, most = low[column], high[column]
        self.narrow(column, *((least, min(most, bound)) if upper else (max(least, bound), most)))
        return False

    def tightened_by_row(self, row: _Row) -> bool:
        """What the other terms take at the least leaves the rest to each integer. Nearly all time is spent here."""
        low, high = self.low, self.high
        slack = row.right
        for column, coefficient in row.terms:
            end = low[column] if coefficient > 0 else high[column]
            if end is None:
                return False  # nothing bounds the sum from below
            slack -= coefficient * end
        if slack < 0 or (row.strict and slack == 0):
            return True
        for column, coefficient in row.terms:
            if self.integer[column]:
                least, most = low[column], high[column]
                if abs(coefficient) * (most - least) > slack:
                    steps = slack // abs(coefficient)
                    self.narrow(column, *((least, least + steps) if coefficient > 0 else (most - steps, most)))
        return False

    def row(self, antecedent: FromRow) -> _Row:
        """A row in a scenario; row 0 asks for better than the value."""
        number, scenario = antecedent.row, antecedent.scenario
        if (scenario, number) not in self.rows:
            if not 0 <= number < len(self.stated) or not 0 <= scenario < len(self.set_by):
                raise Fault(f"there is no row {number} in scenario {scenario}")
            if number == 0 and self.infeasible:
                raise Fault("what is said to be infeasible is to be refuted without the objective")
            stated, chosen = self.stated[number], self.set_by[scenario]
            taken = total([term for term in stated.terms if term[0] in chosen], chosen)
            terms = {self.column[scenario, v]: c for v, c in stated.terms if v not in chosen}
            self.rows[scenario, number] = self.rounded(terms, stated.right - taken, strict=number == 0)
        return self.rows[scenario, number]

    def sum(self, antecedent: FromSum) -> _Row:
        terms: dict[int, Number] = {}
        right, strict = Fraction(0), False
        for part, multiplier in antecedent.parts:
            if multiplier < 0:
                raise Fault(f"{multiplier} cannot be the multiplier of a row")
            row = self.row(part)
            right += multiplier * row.right
            strict |= row.strict and multiplier > 0
            for column, coefficient in row.terms:
                terms[column] = terms.get(column, 0) + multiplier * coefficient
        return self.rounded({column: c for column, c in terms.items() if c}, right, strict)

    def rounded(self, terms: Mapping[int, Number], right: Fraction, strict: bool) -> _Row:
        """With whole coefficients that have no common divisor; so where all variables are integers, the right side
        is whole, too, and to be less is to be less by one."""
        scale = whole_scale(list(terms.items()))
        right *= scale
        made = tuple((column, int(coefficient * scale)) for column, coefficient in terms.items())
        if not all(self.integer[column] for column in terms):
            return _Row(made, right, strict)
        return _Row(made, ceil(right) - 1 if strict else floor(right), strict=False)


def _law_of(program: QuantifiedProgram) -> Law | None:
    if not program.own:
        return None
    from zermelo.check.law import Law  # whoever asks about a program without such rows need not trust it

    return Law(program)
