"""Quantified Boolean formulas: a prefix of blocks over a circuit.

A formula is a game of two roles, ``exists`` and ``forall``. They choose the values of the variables in the order of
the prefix; ``exists`` wins where the circuit's output comes out true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal as Either

from zermelo.brief import counted, fields_in_brief, introduced, shown_in_brief
from zermelo.errors import InputError
from zermelo.qbf.circuit import QUANTIFIED, Circuit, Literal, cone, holds, values

Quantifier = Either["exists", "forall"]

OTHER: Mapping[Quantifier, Quantifier] = {"exists": "forall", "forall": "exists"}
"""The other role."""


@dataclass(frozen=True)
class Block:
    """Variables (numbers of nodes) that one role chooses together."""

    quantifier: Quantifier
    variables: tuple[int, ...]

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief


@dataclass(frozen=True)
class Formula:
    """A prefix and a circuit; variables that no block binds are ``free``.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable() // 2, circuit.variable() // 2
    >>> output = circuit.exclusive(2 * x, 2 * y)
    >>> truth(Formula(circuit, (Block("forall", (x,)), Block("exists", (y,))), output, {x: "x", y: "y"}))
    True
    """

    circuit: Circuit
    prefix: tuple[Block, ...]
    output: Literal
    names: Mapping[int, str] = field(default_factory=dict)
    free: tuple[int, ...] = ()

    def __repr__(self) -> str:
        prefix = " ".join(f"{block.quantifier} {len(block.variables)}" for block in self.prefix[:5])
        more = " ..." if len(self.prefix) > 5 else ""
        return introduced(
            self, f"{prefix}{more}", counted(len(self.circuit), "node"), f"{len(self.free)} free" if self.free else ""
        )

    def _repr_svg_(self) -> str:
        from zermelo.qbf.game import FormulaGame

        return FormulaGame(self)._repr_svg_()

    def _repr_latex_(self) -> str:
        from zermelo.qbf.formula_latex import formula_latex

        return f"${formula_latex(self)}$"

    @property
    def is_prenex(self) -> bool:
        """Whether the prefix holds all the quantifiers that matter."""
        return not any(self.circuit.kind[node] in QUANTIFIED for node in cone(self.circuit, [self.output]))

    @property
    def is_normal(self) -> bool:
        """Whether blocks alternate, none is empty, nothing is free and the formula is prenex: what engines take."""
        if self.free or any(not block.variables for block in self.prefix):
            return False
        return all(a.quantifier != b.quantifier for a, b in pairwise(self.prefix)) and self.is_prenex

    def name(self, variable: int) -> str:
        """What a variable is called."""
        return self.names.get(variable) or f"v{variable}"


def variables_by_name(formula: Formula) -> dict[str, int]:
    """The variables of the prefix by what they are called; ``InputError`` where two are called the same.

    >>> circuit = Circuit()
    >>> x = circuit.variable()
    >>> variables_by_name(Formula(circuit, (Block("exists", (x // 2,)),), x, {x // 2: "x"}))
    {'x': 1}
    """
    named: dict[str, int] = {}
    for block in formula.prefix:
        for variable in block.variables:
            if named.setdefault(formula.name(variable), variable) != variable:
                raise InputError(f"two variables are called {formula.name(variable)!r}")
    return named


def quantifiers(formula: Formula) -> dict[int, Quantifier]:
    """Who chooses each variable of the prefix.

    >>> circuit = Circuit()
    >>> x = circuit.variable()
    >>> quantifiers(Formula(circuit, (Block("exists", (x // 2,)),), x))
    {1: 'exists'}
    """
    return {variable: block.quantifier for block in formula.prefix for variable in block.variables}


def truth(formula: Formula) -> bool:
    """The answer by the definition, trying all values: for formulas of a dozen variables and for tests.

    Free variables count as chosen by ``exists`` before all others.
    """
    order: list[tuple[int, bool]] = [(variable, True) for variable in formula.free]
    for block in formula.prefix:
        order += [(variable, block.quantifier == "exists") for variable in block.variables]
    return _decide(formula, order, 0, {})


def _decide(formula: Formula, order: Sequence[tuple[int, bool]], place: int, chosen: dict[int, bool]) -> bool:
    if place == len(order):
        return holds(values(formula.circuit, chosen), formula.output)
    variable, wanted = order[place]
    answers = (_decide(formula, order, place + 1, chosen | {variable: value}) for value in (False, True))
    return any(answers) if wanted else all(answers)
