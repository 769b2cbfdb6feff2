"""Formulas that were made in Python, without a text: copied for the checker, node by node."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from zermelo.check.boolean import Block, QuantifiedFormula, Stated, in_front
from zermelo.check.circuit import Circuit
from zermelo.errors import InputError

if TYPE_CHECKING:
    from zermelo.qbf.formula import Formula
    from zermelo.qbf.game import FormulaGame

KINDS = ("false", "variable", "and", "or", "xor", "ite", "exists", "forall")
"""What the numbers mean that a formula made in Python has for the kinds of its nodes."""


def of_game(game: FormulaGame) -> QuantifiedFormula:
    """The formula of a game that was made in Python: copied as it was stated, and made prenex here."""
    formula = replace(in_front(_copied(game.written)), given=bytes(game.given))
    if len(set(formula.names.values())) != len(formula.names):
        raise InputError("two variables are called the same")  # and what functions say of them is not clear
    return formula


def of_engines(game: FormulaGame) -> QuantifiedFormula:
    """The formula that engines solve, for comparison: in the normal form that *they* made of it."""
    return replace(in_front(_copied(game.formula)), given=bytes(game.given))


def _copied(formula: Formula) -> Stated:
    """A formula node by node; what its parts mean is written in ``zermelo.qbf.circuit``."""
    circuit, theirs = Circuit(), formula.circuit
    image: dict[int, int] = {0: 0}
    for node in range(1, len(theirs.kind)):
        kind = KINDS[theirs.kind[node]]
        inputs = [image[literal >> 1] ^ (literal & 1) for literal in theirs.inputs[node]]
        image[node] = circuit.variable() if kind == "variable" else circuit.gate(kind, inputs)
    variables = [node for node in range(len(theirs.kind)) if KINDS[theirs.kind[node]] == "variable"]
    number = {node: image[node] >> 1 for node in variables}
    blocks = tuple(Block(b.quantifier, tuple(number[v] for v in b.variables)) for b in formula.prefix)
    names = {number[node]: formula.names[node] or f"v{node}" for node in variables if node in formula.names}
    output = image[formula.output >> 1] ^ (formula.output & 1)
    return Stated(circuit, tuple(number[v] for v in formula.free), blocks, output, names)
