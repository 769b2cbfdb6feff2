"""Programs stated in Python, so that they read like the algebra."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from zermelo.brief import counted, fields_in_brief, introduced
from zermelo.errors import InputError
from zermelo.qip.formats.qlp import need_name, need_row_name
from zermelo.qip.modelling.forall_rules import relaxed_rows, with_rules
from zermelo.qip.modelling.linear_expression import (
    EXISTS,
    FORALL,
    Constraint,
    Expression,
    Linear,
    Number,
    Var,
    exact,
    expression,
    literal,
)
from zermelo.qip.programs.program import Objective, Program, Quantifier, Row, Sense, Terms, Variable, terms
from zermelo.qip.programs.wellformed import need_wellformed

Condition = Expression | Constraint
"""A binary variable ``b``, ``~b``, ``b == 0`` or ``b == 1``."""

Axis = int | Iterable[Any]
"""The indices of an array along one direction: a count, from 0 on, or the indices themselves."""

Stage = Number | Callable[..., Number] | None


class Model:
    """A program in the making. Variables are set in the order in which they are made, or by their ``stage``.

    >>> m = Model("umbrella")
    >>> take = m.exists.binary("take")
    >>> rain = m.forall.binary("rain")
    >>> wet = m.exists.binary("wet")
    >>> m.add(wet >= rain - take, name="shelter")
    >>> m.minimize(take + 5 * wet)
    >>> program = m.program()
    >>> [f"{v.quantifier} {v.name}" for v in program.variables], str(program.rows[0])
    (['exists take', 'forall rain', 'exists wet'], '1*#0 - 1*#1 + 1*#2 >= 0')
    """

    def __init__(self, name: str = "program") -> None:
        self.name = name
        self._variables: list[Var] = []
        self._names: set[str] = set()
        self._latest = Fraction(0)
        self._rows: list[_Stated] = []
        self._uncertainty: list[_Stated] = []
        self._rules: list[_Stated] = []
        self._objective: tuple[Sense, Expression] = ("min", expression(0))

    def __repr__(self) -> str:
        rows = counted(len(self._rows) + len(self._uncertainty) + len(self._rules), "row")
        return introduced(self, self.name, counted(len(self._variables), "variable"), rows)

    def _repr_svg_(self) -> str:
        return self.program()._repr_svg_()

    def _repr_latex_(self) -> str:
        return self.program()._repr_latex_()

    @property
    def exists(self) -> Maker:
        """Makes variables of the existential player, who keeps the rows: ``m.exists("x", 0, 3)``."""
        return Maker(self, EXISTS)

    @property
    def forall(self) -> Maker:
        """Makes variables of the universal player: ``m.forall.binary("u")``."""
        return Maker(self, FORALL)

    def of(self, player: Quantifier) -> Maker:
        """Makes variables of a player.

        >>> m = Model()
        >>> [m.of(FORALL if t % 2 else EXISTS).binary(f"x{t}").quantifier for t in range(3)]
        ['exists', 'forall', 'exists']
        """
        if player not in (EXISTS, FORALL):
            raise InputError(f"{player!r} is no player, expected 'exists' or 'forall'")
        return Maker(self, player)

    def add(
        self,
        rows: Constraint | Iterable[Constraint],
        name: str = "",
        when: Condition | Sequence[Condition] = (),
    ) -> None:
        """States a row, or many: what ``exists`` has to see to. With ``when`` it counts only where all conditions hold.

        >>> m = Model()
        >>> x, b = m.exists("x", 0, 9), m.forall.binary("b")
        >>> m.add(x >= 4, when=b)
        >>> m.add((i * x <= 7 for i in range(1, 3)), name="cap", when=~b)
        >>> for row in m.program().rows: print(row.name, row)
         1*#0 - 4*#1 >= 0
        cap_1 1*#0 - 2*#1 <= 7
        cap_2 2*#0 - 11*#1 <= 7
        """
        self._state(self._rows, rows, name, when)

    def rule(
        self,
        rows: Constraint | Iterable[Constraint],
        player: Quantifier = FORALL,
        name: str = "",
        when: Condition | Sequence[Condition] = (),
    ) -> None:
        """States what a player has to see to: who breaks a rule first loses.

        Rules of ``exists`` are rows. For those of ``forall`` see :mod:`zermelo.qip.modelling.forall_rules`: he may
        break them, but then ``exists`` is free from all rows that are not settled yet, and her objective is as good as
        can be.

        >>> m = Model()
        >>> u, v = m.forall.binary("u"), m.forall.binary("v")
        >>> m.rule(u + v <= 1)
        >>> m.add(u + v <= 1)
        >>> m.program().variables[-1].name
        'x_Delta'
        """
        if player not in (EXISTS, FORALL):
            raise InputError(f"{player!r} is no player, expected 'exists' or 'forall'")
        self._state(self._rows if player == EXISTS else self._rules, rows, name, when)

    def uncertainty(
        self,
        rows: Constraint | Iterable[Constraint],
        name: str = "",
        when: Condition | Sequence[Condition] = (),
    ) -> None:
        """States a row over universal variables which ``forall`` cannot break: values against it are not there.

        >>> m = Model()
        >>> u = m.forall("u", 0, 9)
        >>> m.uncertainty(2 * u <= 7)
        >>> str(m.program().uncertainty[0])
        '2*#0 <= 7'
        """
        self._state(self._uncertainty, rows, name, when)

    def minimize(self, objective: Linear) -> None:
        """What ``exists`` makes as small as she can, and ``forall`` as large as he can."""
        self._set_objective("min", objective)

    def maximize(self, objective: Linear) -> None:
        """What ``exists`` makes as large as she can, and ``forall`` as small as he can."""
        self._set_objective("max", objective)

    def program(self) -> Program:
        """The program as it stands; ``InputError`` where it is none (see :mod:`zermelo.qip.programs.wellformed`)."""
        order = sorted(self._variables, key=lambda variable: (variable.stage, variable.number))
        place = {variable: number for number, variable in enumerate(order)}
        variables = tuple(Variable(v.name, v.quantifier, v.lower, v.upper, v.integer) for v in order)

        def made(stated: list[_Stated]) -> tuple[Row, ...]:
            return tuple(row for one in stated for row in one.rows(place, variables))

        sense, goal = self._objective
        objective = Objective(sense, _terms(goal, place), goal.constant)
        plain = Program(variables, made(self._rows), objective, made(self._uncertainty), self.name)
        program = with_rules(plain, made(self._rules))
        need_wellformed(program)
        return program

    def variable(
        self,
        name: str,
        quantifier: Quantifier,
        lower: Number | None,
        upper: Number | None,
        *,
        integer: bool = True,
        stage: Number | None = None,
    ) -> Var:
        """Makes a variable: what :attr:`exists` and :attr:`forall` do, in one function.

        ``stage`` is its place in the prefix: variables of a smaller stage are set earlier, those of one stage in the
        order in which they are made. Without it a variable comes behind all that there are.

        >>> m = Model()
        >>> late, early = m.variable("late", EXISTS, 0, 3, stage=2), m.variable("early", FORALL, 0, 1, stage=1)
        >>> [variable.name for variable in m.program().variables]
        ['early', 'late']
        """
        need_name(name)
        if name in self._names:
            raise InputError(f"there is a variable {name} already, expected another name")
        at = self._latest if stage is None else exact(stage)
        low, high = (None if bound is None else exact(bound) for bound in (lower, upper))
        variable = Var(self, len(self._variables), name, quantifier, low, high, integer, at)
        self._names.add(name)
        self._latest = max(self._latest, at) if self._variables else at
        self._variables.append(variable)
        return variable

    def _state(
        self,
        stated: list[_Stated],
        rows: Constraint | Iterable[Constraint],
        name: str,
        when: Condition | Sequence[Condition],
    ) -> None:
        need_row_name(name)
        conditions = tuple(literal(one) for one in ([when] if isinstance(when, Condition) else when))
        one = isinstance(rows, Constraint)
        if not one and not isinstance(rows, Iterable):
            raise InputError(
                f"{rows!r} is no row, expected a comparison of expressions (total([]) is one, sum([]) is not)"
            )
        for number, row in enumerate([rows] if isinstance(rows, Constraint) else rows, 1):
            if not isinstance(row, Constraint):
                raise InputError(
                    f"{row!r} is no row, expected a comparison of expressions (total([]) is one, sum([]) is not)"
                )
            for form in (row.left, *conditions):
                self._need_own(form)
            stated.append(_Stated(row, name if one or not name else f"{name}_{number}", conditions))

    def _set_objective(self, sense: Sense, objective: Linear) -> None:
        form = expression(objective)
        self._need_own(form)
        self._objective = (sense, form)

    def _need_own(self, form: Expression) -> None:
        for variable in form.coefficients:
            if variable.model is not self:
                raise InputError(f"variable {variable.name} belongs to another model, expected one of this model")


@dataclass(frozen=True)
class Maker:
    """Makes the variables of one player of a model.

    >>> m = Model()
    >>> x = m.exists("x", 0, 3)
    >>> b = m.forall.binary("b")
    >>> c = m.exists.continuous("c", 0, None)
    >>> y = m.exists.binaries("y", 2, ["left", "right"])
    >>> [variable.name for variable in y.values()]
    ['y_0_left', 'y_0_right', 'y_1_left', 'y_1_right']
    >>> print(x + y[1, "left"])
    x + y_1_left
    """

    model: Model
    quantifier: Quantifier

    __repr__ = fields_in_brief

    def __call__(self, name: str, lower: Number, upper: Number, *, stage: Number | None = None) -> Var:
        """An integer variable within bounds."""
        return self.model.variable(name, self.quantifier, lower, upper, stage=stage)

    def binary(self, name: str, *, stage: Number | None = None) -> Var:
        """A variable that is 0 or 1."""
        return self.model.variable(name, self.quantifier, 0, 1, stage=stage)

    def continuous(self, name: str, lower: Number | None, upper: Number | None, *, stage: Number | None = None) -> Var:
        """A variable that may be any number within bounds; ``None`` is no bound."""
        return self.model.variable(name, self.quantifier, lower, upper, integer=False, stage=stage)

    def binaries(self, name: str, *axes: Axis, stage: Stage = None) -> dict[Any, Var]:
        """Binary variables by index: one index, or a tuple where there are several axes.

        ``stage`` may be a function of the indices.

        >>> m = Model()
        >>> x = m.exists.binaries("x", range(1, 4), stage=lambda t: -t)
        >>> [variable.name for variable in m.program().variables]
        ['x_3', 'x_2', 'x_1']
        """
        return self.integers(name, *axes, lower=0, upper=1, stage=stage)

    def integers(self, name: str, *axes: Axis, lower: Number, upper: Number, stage: Stage = None) -> dict[Any, Var]:
        """Integer variables by index: one index, or a tuple where there are several axes.

        >>> stock = Model().exists.integers("stock", 2, lower=0, upper=40)
        >>> stock[0].name, str(stock[1].upper)
        ('stock_0', '40')
        """
        made: dict[Any, Var] = {}
        for index in product(*(range(axis) if isinstance(axis, int) else tuple(axis) for axis in axes)):
            place = stage(*index) if callable(stage) else stage
            label = "_".join([name, *map(str, index)])
            made[index[0] if len(index) == 1 else index] = self(label, lower, upper, stage=place)
        return made


@dataclass(frozen=True)
class _Stated:
    """A row with its conditions: expressions of which each is 1 where it holds and 0 where not."""

    constraint: Constraint
    name: str
    conditions: tuple[Expression, ...]

    def rows(self, place: dict[Var, int], variables: Sequence[Variable]) -> list[Row]:
        left = self.constraint.left
        row = Row(_terms(left, place), self.constraint.relation, -left.constant, self.name)
        if not self.conditions:
            return [row]
        # The row holds or one of the conditions does not: the sum of their opposites is at least 1.
        unmet = sum((1 - condition for condition in self.conditions), expression(0))
        switch = {place[variable]: int(c) for variable, c in unmet.coefficients.items()}
        return relaxed_rows(row, variables, switch, int(unmet.constant))


def _terms(form: Expression, place: dict[Var, int]) -> Terms:
    return terms((place[variable], c) for variable, c in form.coefficients.items())
