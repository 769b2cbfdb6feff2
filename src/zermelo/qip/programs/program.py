"""Quantified programs: variables in the order in which they are set, linear rows, an objective.

All numbers are exact. Engines and the checker work on one normal form, in which the objective is minimised and every
row is an upper bound: :func:`normal`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from math import ceil, floor
from typing import Literal

from zermelo.brief import counted, fields_in_brief, introduced, shown_in_brief

Quantifier = Literal["exists", "forall"]
Relation = Literal["<=", ">=", "="]
Sense = Literal["min", "max"]
Terms = tuple[tuple[int, Fraction], ...]
"""A linear form: numbers of variables with their coefficients, in the order of the prefix, none of them zero."""

OTHER: Mapping[Quantifier, Quantifier] = {"exists": "forall", "forall": "exists"}
"""The other role."""


@dataclass(frozen=True)
class Variable:
    """A variable, who sets it and within which bounds; ``None`` is no bound, which only continuous ones may lack."""

    name: str
    quantifier: Quantifier = "exists"
    lower: Fraction | None = Fraction(0)
    upper: Fraction | None = Fraction(1)
    integer: bool = True

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief


@dataclass(frozen=True)
class Row:
    """A linear constraint.

    >>> str(Row(((0, Fraction(2)), (1, Fraction(-1))), "<=", Fraction(3)))
    '2*#0 - 1*#1 <= 3'
    """

    terms: Terms
    relation: Relation
    right: Fraction
    name: str = ""

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief

    def __str__(self) -> str:
        parts = [f"{'-' if c < 0 else '+'} {abs(c)}*#{variable}" for variable, c in self.terms]
        return f"{' '.join(parts).removeprefix('+ ') or '0'} {self.relation} {self.right}"

    def holds(self, values: Sequence[Fraction | int]) -> bool:
        """Whether the row holds for values of all variables.

        >>> Row(((0, Fraction(2)),), ">=", Fraction(3)).holds([1])
        False
        """
        left = value_of(self.terms, values)
        return (
            left <= self.right
            if self.relation == "<="
            else left >= self.right
            if self.relation == ">="
            else left == self.right
        )


@dataclass(frozen=True)
class Objective:
    """What ``exists`` makes small or large."""

    sense: Sense = "min"
    terms: Terms = ()
    constant: Fraction = Fraction(0)

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief


@dataclass(frozen=True)
class Block:
    """Variables that one role sets together: the numbers from ``first`` up to before ``end``."""

    quantifier: Quantifier
    first: int
    end: int

    __repr__ = fields_in_brief


@dataclass(frozen=True)
class Program:
    """A quantified program. ``uncertainty`` are rows that ``forall`` must keep to; they hold his variables only.

    >>> x = Variable("x", "forall")
    >>> y = Variable("y", upper=Fraction(2))
    >>> program = Program((x, y), (Row(terms({0: 1, 1: -1}), "<=", Fraction(-1)),), Objective("min", terms({1: 1})))
    >>> [block.quantifier for block in program.blocks], program.is_integer
    (['forall', 'exists'], True)
    """

    variables: tuple[Variable, ...]
    rows: tuple[Row, ...] = ()
    objective: Objective = Objective()
    uncertainty: tuple[Row, ...] = ()
    name: str = field(default="program", compare=False)

    def _repr_svg_(self) -> str:
        from zermelo.qip.pictures.rows import rows_scene

        return rows_scene(self, ()).svg()

    def _repr_latex_(self) -> str:
        from zermelo.qip.pictures.program_latex import program_latex

        return f"$${program_latex(self)}$$"

    def __repr__(self) -> str:
        rows = counted(len(self.rows) + len(self.uncertainty), "row")
        return introduced(
            self, self.name, counted(len(self.variables), "variable"), rows, counted(len(self.blocks), "block")
        )

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The prefix by blocks."""
        made = []
        for quantifier, group in groupby(range(len(self.variables)), key=lambda i: self.variables[i].quantifier):
            numbers = list(group)
            made.append(Block(quantifier, numbers[0], numbers[-1] + 1))
        return tuple(made)

    @property
    def is_integer(self) -> bool:
        """Whether all variables are integers."""
        return all(variable.integer for variable in self.variables)

    @property
    def is_linear(self) -> bool:
        """Whether all existential variables are continuous: then only the ends of the universal intervals matter."""
        return all(not variable.integer for variable in self.variables if variable.quantifier == "exists")


def terms(coefficients: Mapping[int, Fraction | int] | Iterable[tuple[int, Fraction | int]]) -> Terms:
    """Terms from coefficients by variable; those of one variable are added.

    >>> terms([(2, 1), (0, 3), (2, -1)])
    ((0, Fraction(3, 1)),)
    """
    pairs = coefficients.items() if isinstance(coefficients, Mapping) else coefficients
    total: dict[int, Fraction] = {}
    for variable, coefficient in pairs:
        total[variable] = total.get(variable, Fraction(0)) + coefficient
    return tuple((variable, total[variable]) for variable in sorted(total) if total[variable])


def value_of(form: Terms, values: Sequence[Fraction | int]) -> Fraction:
    """The value of a linear form.

    >>> value_of(terms({0: 2, 1: -1}), [3, 4])
    Fraction(2, 1)
    """
    return sum((coefficient * values[variable] for variable, coefficient in form), Fraction(0))


@dataclass(frozen=True)
class Bound:
    """A row of the normal form: the linear form is at most ``right``."""

    terms: Terms
    right: Fraction


@dataclass(frozen=True)
class Normal:
    """A program as engines and the checker see it: minimise ``objective``, all rows are upper bounds.

    ``rows[0]`` is the objective: its right side is a value that is asked for, less the constant (see :func:`normal`).
    The other rows are those of the program in its order, an equation as two, ``<=`` before ``>=``.
    """

    variables: tuple[Variable, ...]
    rows: tuple[Bound, ...]
    uncertainty: tuple[Bound, ...]


def normal(program: Program, asked: Fraction | int = 0) -> Normal:
    """The normal form, with ``asked`` as the value of the program's own objective that row 0 speaks of.

    >>> y = Variable("y", upper=Fraction(2))
    >>> program = Program((y,), (Row(terms({0: 1}), "=", Fraction(1)),), Objective("max", terms({0: 3}), Fraction(5)))
    >>> [(str(row.terms[0][1]), str(row.right)) for row in normal(program, 8).rows]
    [('-3', '-3'), ('1', '1'), ('-1', '-1')]
    """
    sign = minimised(program)
    goal = program.objective
    first = Bound(_times(goal.terms, sign), sign * (Fraction(asked) - goal.constant))
    rows = [first, *(bound for row in program.rows for bound in bounds_of(row))]
    uncertainty = [bound for row in program.uncertainty for bound in bounds_of(row)]
    return Normal(program.variables, tuple(rows), tuple(uncertainty))


def minimised(program: Program) -> int:
    """What the objective is multiplied by so that it is minimised: 1 or -1."""
    return 1 if program.objective.sense == "min" else -1


def bounds_of(row: Row) -> tuple[Bound, ...]:
    """A row as upper bounds."""
    below, above = Bound(row.terms, row.right), Bound(_times(row.terms, -1), -row.right)
    return (below,) if row.relation == "<=" else (above,) if row.relation == ">=" else (below, above)


def _times(form: Terms, factor: int) -> Terms:
    return form if factor == 1 else tuple((variable, factor * coefficient) for variable, coefficient in form)


def tightened(program: Program) -> Program:
    """The program with whole numbers as bounds of its integer variables.

    >>> program = Program((Variable("y", lower=Fraction(1, 2), upper=Fraction(5, 2)),))
    >>> [(str(v.lower), str(v.upper)) for v in tightened(program).variables]
    [('1', '2')]
    """

    def whole(v: Variable) -> Variable:
        if not v.integer or v.lower is None or v.upper is None:
            return v
        return Variable(v.name, v.quantifier, Fraction(ceil(v.lower)), Fraction(floor(v.upper)), True)

    variables = tuple(whole(variable) for variable in program.variables)
    return Program(variables, program.rows, program.objective, program.uncertainty, program.name)
