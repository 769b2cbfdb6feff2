"""Plans of ``exists``: what to set, whatever ``forall`` does, and how much slack that needs.

A plan is a node of a proof of ``exists`` that knows its weakest precondition: it works in every situation whose rows
have at least ``need`` slack left and whose rows of the uncertainty have less than ``cap`` slack left (where the plan
says that ``forall`` breaks one of his own). So a plan that was found for one line of play can be used for others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

from zermelo.qip.exact_lp.mip import Number
from zermelo.qip.programs.packed import MOST, scaled, whole_factor
from zermelo.qip.programs.program import Block, Bound, Program, minimised, normal, tightened
from zermelo.qip.proofs.proof import END, Branch, Case, Choose, Node, Proof

ALWAYS = float("-inf")
"""In place of the slack that a row needs: none, because ``forall`` breaks a row of his own."""
NO_CAP = float("inf")

Slacks = list[Number]
"""What the rows of the normal form (scaled to whole coefficients) have left."""


@dataclass(frozen=True)
class Shape:
    """A row from some variable on, by role.

    ``existential``: variable, how many universal ones lie before it, coefficient; ``universal``: how many before it,
    coefficient.
    """

    existential: tuple[tuple[int, int, int], ...]
    universal: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Frame:
    """A program in normal form with whole coefficients, by rows and by columns.

    ``rows`` and ``uncertainty`` are tuples of (variable, coefficient); ``in_rows[v]`` and ``in_uncertainty[v]`` are
    tuples of (row, coefficient). The right sides of rows of integer variables are rounded down.
    """

    program: Program
    rows: tuple[tuple[tuple[int, int], ...], ...]
    right: tuple[Number, ...]
    uncertainty: tuple[tuple[tuple[int, int], ...], ...]
    uncertainty_right: tuple[Number, ...]
    in_rows: tuple[tuple[tuple[int, int], ...], ...]
    in_uncertainty: tuple[tuple[tuple[int, int], ...], ...]
    scale: Fraction
    """What the objective was multiplied by (after it was turned into one to be minimised)."""
    lower: tuple[Number | None, ...]
    upper: tuple[Number | None, ...]
    blocks: tuple[Block, ...]
    is_small: bool
    """Whether no sum over a row can leave 64 bits."""
    _shapes: dict[int, tuple[Shape, ...]] = field(default_factory=dict, compare=False)

    def shapes(self, begin: int) -> tuple[Shape, ...]:
        """The rows from a variable on."""
        if begin not in self._shapes:
            place, before = 0, dict[int, int]()
            for variable in range(begin, self.size):
                before[variable] = place
                place += not self.exists(variable)
            self._shapes[begin] = tuple(
                Shape(
                    tuple((v, before[v], c) for v, c in row if v >= begin and self.exists(v)),
                    tuple((before[v], c) for v, c in row if v >= begin and not self.exists(v)),
                )
                for row in self.rows
            )
        return self._shapes[begin]

    @property
    def size(self) -> int:
        """The number of variables."""
        return len(self.program.variables)

    def exists(self, variable: int) -> bool:
        """Whether ``exists`` sets the variable."""
        return self.program.variables[variable].quantifier == "exists"

    def integer(self, variable: int) -> bool:
        """Whether the variable is an integer."""
        return self.program.variables[variable].integer

    def most(self, variable: int, coefficient: int) -> Number:
        """The largest that a term can be; 0 for variables without a bound, which no plan leaves open."""
        bound = self.upper[variable] if coefficient > 0 else self.lower[variable]
        return 0 if bound is None else coefficient * bound

    def least(self, variable: int, coefficient: int) -> Number:
        """The least that a term can be."""
        return -self.most(variable, -coefficient)

    def asked(self, value: Fraction | None) -> Number:
        """The right side of row 0 for a value of the program's own objective; ``None`` asks for nothing."""
        if value is None:
            return sum((self.most(variable, coefficient) for variable, coefficient in self.rows[0]), 0)
        goal = self.program.objective
        return int_if_whole(minimised(self.program) * (value - goal.constant) * self.scale)

    def value(self, right: Number) -> Fraction:
        """The value of the program's own objective that a right side of row 0 asks for."""
        return minimised(self.program) * Fraction(right) / self.scale + self.program.objective.constant


def int_if_whole(number: Number) -> Number:
    """The same number, as an ``int`` where it is one.

    >>> int_if_whole(Fraction(4, 2))
    2
    """
    return int(number) if number.denominator == 1 else number


def frame(program: Program) -> Frame:
    """The frame of a program.

    >>> from zermelo.qip.programs.program import Objective, Row, Variable, terms
    >>> rows = (Row(terms({0: Fraction(1, 2), 1: 1}), ">=", Fraction(1, 3)),)
    >>> made = frame(Program((Variable("x"), Variable("y")), rows, Objective("max", terms({1: 3}))))
    >>> made.rows, made.right[1], made.in_rows[1], made.asked(Fraction(3))
    ((((1, -1),), ((0, -1), (1, -2))), -1, ((0, -1), (1, -2)), -1)
    """
    program = tightened(program)
    form = normal(program)
    rows = [_scaled(program, row) for row in form.rows]
    own = [_scaled(program, row) for row in form.uncertainty]
    in_rows: list[list[tuple[int, int]]] = [[] for _ in program.variables]
    in_own: list[list[tuple[int, int]]] = [[] for _ in program.variables]
    for made, into in ((rows, in_rows), (own, in_own)):
        for number, (cells, _) in enumerate(made):
            for variable, coefficient in cells:
                into[variable].append((number, coefficient))
    return Frame(
        program,
        tuple(cells for cells, _ in rows),
        tuple(right for _, right in rows),
        tuple(cells for cells, _ in own),
        tuple(right for _, right in own),
        tuple(map(tuple, in_rows)),
        tuple(map(tuple, in_own)),
        whole_factor(form.rows[0], with_right=False),
        tuple(None if v.lower is None else int_if_whole(v.lower) for v in program.variables),
        tuple(None if v.upper is None else int_if_whole(v.upper) for v in program.variables),
        program.blocks,
        program.is_integer and all(_is_small(program, cells, right) for cells, right in (*rows, *own)),
    )


def _is_small(program: Program, cells: Sequence[tuple[int, int]], right: Number) -> bool:
    total = abs(int(right))
    for variable, coefficient in cells:
        low, high = program.variables[variable].lower, program.variables[variable].upper
        if low is None or high is None:
            return False
        total += abs(coefficient) * max(abs(int(low)), abs(int(high)), 1)
    return total <= MOST >> 2


def _scaled(program: Program, row: Bound) -> tuple[tuple[tuple[int, int], ...], Number]:
    scale = whole_factor(row, with_right=False)
    cells = tuple((variable, int(coefficient)) for variable, coefficient in scaled(row.terms, scale))
    right = row.right * scale
    return cells, floor(right) if all(program.variables[v].integer for v, _ in cells) else int_if_whole(right)


@dataclass(frozen=True, eq=False, slots=True)
class Leaf:
    """A case of a branch: values from ``lower`` to ``upper``; no plan where ``forall`` breaks row ``breaks``."""

    lower: Number
    upper: Number
    plan: Plan | None
    breaks: int | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Plan:
    """A plan from variable ``at`` on: the end (no values, no cases), values for own variables, or a branch."""

    at: int
    need: list[Number | float]
    cap: list[Number | float]
    values: tuple[Number, ...] = ()
    then: Plan | None = None
    cases: tuple[Leaf, ...] = ()


def end_plan(of: Frame) -> Plan:
    """The plan when all variables are set: every row must hold.

    >>> from zermelo.qip.programs.program import Variable
    >>> end_plan(frame(Program((Variable("x"),)))).need
    [0]
    """
    return Plan(of.size, [0] * len(of.rows), [NO_CAP] * len(of.uncertainty))


def chosen(of: Frame, at: int, values: Sequence[Number], then: Plan) -> Plan:
    """A plan that sets the variables from ``at`` on; those between them and the next plan may take any value.

    >>> from zermelo.qip.programs.program import Row, Variable, terms
    >>> of = frame(Program((Variable("x"), Variable("u", "forall")), (Row(terms({0: 2, 1: 3}), "<=", Fraction(9)),)))
    >>> chosen(of, 0, (1,), end_plan(of)).need
    [0, 5]
    """
    after, cap = lifted(of, then, at + len(values))
    need = list(after)
    for variable, value in enumerate(values, at):
        if value:
            for row, coefficient in of.in_rows[variable]:
                need[row] += coefficient * value
    return Plan(at, need, cap, tuple(values), then)


def lifted(of: Frame, plan: Plan, at: int) -> tuple[list[Number | float], list[Number | float]]:
    """Need and cap of a plan for an earlier begin: variables between may take any value.

    >>> from zermelo.qip.programs.program import Row, Variable, terms
    >>> of = frame(Program((Variable("u", "forall"),), (Row(terms({0: 3}), "<=", Fraction(3)),)))
    >>> lifted(of, end_plan(of), 0)
    ([0, 1], [])
    """
    if at == plan.at:
        return plan.need, plan.cap
    need, cap = list(plan.need), list(plan.cap)
    for variable in range(at, plan.at):
        for row, coefficient in of.in_rows[variable]:
            need[row] += of.most(variable, coefficient)
        for row, coefficient in of.in_uncertainty[variable]:
            cap[row] += of.least(variable, coefficient)
    return need, cap


def branched(of: Frame, at: int, cases: Iterable[tuple[Number, Plan | None, int | None]]) -> Plan:
    """A plan for the values of a variable of ``forall``, in their order; equal neighbours become one case.

    >>> from zermelo.qip.programs.program import Row, Variable, terms
    >>> of = frame(Program((Variable("u", "forall"), Variable("x")), (Row(terms({0: 1, 1: 1}), "<=", Fraction(1)),)))
    >>> plans = [chosen(of, 1, (value,), end_plan(of)) for value in (1, 0)]
    >>> branched(of, 0, [(0, plans[0], None), (1, plans[1], None)]).need
    [0, 1]
    """
    leaves: list[Leaf] = []
    need: list[Number | float] = [ALWAYS] * len(of.rows)
    cap: list[Number | float] = [NO_CAP] * len(of.uncertainty)
    for value, plan, breaks in cases:
        if leaves and leaves[-1].plan is plan and leaves[-1].breaks == breaks:
            leaves[-1] = Leaf(leaves[-1].lower, value, plan, breaks)
        else:
            leaves.append(Leaf(value, value, plan, breaks))
        if plan is None:
            assert breaks is not None
            coefficient = next((c for row, c in of.in_uncertainty[at] if row == breaks), 0)
            later = sum(of.least(v, c) for v, c in of.uncertainty[breaks] if v > at)
            cap[breaks] = min(cap[breaks], later + coefficient * value)
            continue
        after, kept = lifted(of, plan, at + 1)
        added = dict(of.in_rows[at])
        for row, slack in enumerate(after):
            need[row] = max(need[row], slack + added.get(row, 0) * value)
        added = dict(of.in_uncertainty[at])
        for row, most in enumerate(kept):
            cap[row] = min(cap[row], most + added.get(row, 0) * value)
    return Plan(at, need, cap, cases=tuple(leaves))


def works(plan_need: Sequence[Number | float], slack: Sequence[Number]) -> bool:
    """Whether the rows have the slack that a plan needs.

    >>> works([1, ALWAYS], [1, -5])
    True
    """
    return all(need <= left for need, left in zip(plan_need, slack, strict=True))


def cost_of(plan: Plan) -> Number:
    """What a plan from the first variable on guarantees: the slack that row 0 needs.

    >>> from zermelo.qip.programs.program import Objective, Variable, terms
    >>> of = frame(Program((Variable("x"),), objective=Objective("max", terms({0: 1}))))
    >>> cost_of(chosen(of, 0, (1,), end_plan(of)))
    -1
    """
    cost = plan.need[0]
    assert not isinstance(cost, float)
    return cost


def written(plan: Plan, value: Fraction | None) -> Proof:
    """The proof of ``exists`` that a plan is.

    >>> from zermelo.qip.programs.program import Variable
    >>> of = frame(Program((Variable("x"),)))
    >>> written(chosen(of, 0, (1,), end_plan(of)), Fraction(0)).nodes
    (Choose(at=0, values=(1,), then=-1),)
    """
    numbers: dict[int, int] = {}
    nodes: list[Node] = []
    stack = [plan]
    while stack:
        top = stack[-1]
        followers = [top.then] if top.then is not None else [leaf.plan for leaf in top.cases if leaf.plan is not None]
        pending = [plan for plan in followers if id(plan) not in numbers]
        if pending:
            stack.extend(pending)
            continue
        stack.pop()
        if id(top) in numbers:
            continue
        if top.then is not None:
            then = numbers[id(top.then)]
            if top.values:
                nodes.append(Choose(top.at, top.values, then))
                then = len(nodes) - 1
            numbers[id(top)] = then
        elif top.cases:
            nodes.append(Branch(top.at, tuple(_case(leaf, numbers) for leaf in top.cases)))
            numbers[id(top)] = len(nodes) - 1
        else:
            numbers[id(top)] = END
    return Proof("exists", value, tuple(nodes))


def _case(leaf: Leaf, numbers: dict[int, int]) -> Case:
    if leaf.plan is None:
        return Case(leaf.lower, leaf.upper, END, leaf.breaks)
    return Case(leaf.lower, leaf.upper, numbers[id(leaf.plan)])
