"""Circuits as linear rows: every gate is a binary variable that follows from its inputs.

With x for a literal's value, x or 1 - x, a gate z is

    AND of l_1 ... l_n     z <= l_i for each i,   z >= l_1 + ... + l_n - (n - 1)
    OR of l_1 ... l_n      z >= l_i for each i,   z <= l_1 + ... + l_n
    XOR of a and b         z <= a + b,  z <= 2 - a - b,  z >= a - b,  z >= b - a
    if c then a else b     z <= a + 1 - c,  z >= a - 1 + c,  z <= b + c,  z >= b - c

A gate is set right after the block of the last variable that it depends on: so propagation sees it as early as it can,
and whoever sets it has no choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from zermelo.qbf.circuit import Circuit, Kind, Literal, cone
from zermelo.qip.programs.program import Quantifier, Relation, Row, Variable, terms

Sum = tuple[dict[int, int], int]
"""Coefficients by variable, and a constant."""


@dataclass(frozen=True)
class Wired:
    """Part of a program: variables in their order, rows, and the place of each node among the variables."""

    variables: tuple[Variable, ...]
    rows: tuple[Row, ...]
    place: Mapping[int, int]

    def value(self, literal: Literal) -> Sum:
        """A literal as a linear form."""
        return _form(literal, self.place)


def wired(
    circuit: Circuit,
    outputs: Sequence[Literal],
    prefix: Sequence[tuple[Quantifier, Sequence[int]]],
    names: Mapping[int, str],
) -> Wired:
    """The variables of a prefix with the gates that outputs depend on among them, and the rows of the gates.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> both = circuit.conjunction([x, y])
    >>> made = wired(circuit, [both], [("exists", [x >> 1]), ("forall", [y >> 1])], {x >> 1: "x", y >> 1: "y"})
    >>> [variable.name for variable in made.variables]
    ['x', 'y', 'g1']
    >>> for row in made.rows: print(row)
    - 1*#0 + 1*#2 <= 0
    - 1*#1 + 1*#2 <= 0
    1*#0 + 1*#1 - 1*#2 <= 1
    """
    level: dict[int, int] = {}
    for number, (_, variables) in enumerate(prefix):
        level |= dict.fromkeys(variables, number)
    after: dict[int, list[int]] = {number: [] for number in range(-1, len(prefix))}
    gates = [node for node in cone(circuit, outputs) if circuit.kind[node] not in (Kind.CONSTANT, Kind.VARIABLE)]
    for node in gates:
        level[node] = max((level[i >> 1] for i in circuit.inputs[node] if i >> 1), default=-1)
        after[level[node]].append(node)
    taken = set(names.values())
    made: list[Variable] = []
    place: dict[int, int] = {}
    count = 0
    for number, (quantifier, variables) in enumerate(prefix):
        for variable in variables:
            place[variable] = len(made)
            made.append(Variable(names[variable], quantifier))
        for node in after[number]:
            count += 1
            place[node] = len(made)
            made.append(Variable(_unused(f"g{count}", taken)))
    rows = tuple(row for node in gates for row in _rows(circuit, node, place))
    return Wired(tuple(made), rows, place)


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _form(literal: Literal, place: Mapping[int, int]) -> Sum:
    if literal >> 1 == 0:
        return {}, literal & 1
    return ({place[literal >> 1]: -1}, 1) if literal & 1 else ({place[literal >> 1]: 1}, 0)


def row_of(parts: Sequence[tuple[int, Sum]], relation: Relation, right: int, name: str = "") -> Row:
    """The row in which forms, each times a number, are added up.

    >>> str(row_of([(2, ({0: 1}, 0)), (-1, ({1: -1}, 1))], "<=", 1))
    '2*#0 + 1*#1 <= 2'
    """
    pairs = [(variable, factor * c) for factor, (form, _) in parts for variable, c in form.items()]
    constant = sum(factor * form[1] for factor, form in parts)
    return Row(terms(pairs), relation, Fraction(right - constant), name)


def _rows(circuit: Circuit, node: int, place: Mapping[int, int]) -> Iterator[Row]:
    gate: Sum = ({place[node]: 1}, 0)
    inputs = [_form(literal, place) for literal in circuit.inputs[node]]
    match circuit.kind[node]:
        case Kind.AND:
            yield from (row_of([(1, gate), (-1, one)], "<=", 0) for one in inputs)
            yield row_of([*((1, one) for one in inputs), (-1, gate)], "<=", len(inputs) - 1)
        case Kind.OR:
            yield from (row_of([(1, one), (-1, gate)], "<=", 0) for one in inputs)
            yield row_of([(1, gate), *((-1, one) for one in inputs)], "<=", 0)
        case Kind.XOR:
            a, b = inputs
            yield row_of([(1, gate), (-1, a), (-1, b)], "<=", 0)
            yield row_of([(1, gate), (1, a), (1, b)], "<=", 2)
            yield row_of([(1, a), (-1, b), (-1, gate)], "<=", 0)
            yield row_of([(1, b), (-1, a), (-1, gate)], "<=", 0)
        case _:
            when, then, otherwise = inputs
            yield row_of([(1, gate), (-1, then), (1, when)], "<=", 1)
            yield row_of([(1, then), (1, when), (-1, gate)], "<=", 1)
            yield row_of([(1, gate), (-1, otherwise), (-1, when)], "<=", 0)
            yield row_of([(1, otherwise), (-1, when), (-1, gate)], "<=", 0)
