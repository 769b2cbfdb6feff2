"""Formulas that were made in Python, without a text: copied for the checker, node by node."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from zermelo.check.boolean import Block, QuantifiedFormula, joined
from zermelo.check.circuit import QUANTIFIERS, Circuit
from zermelo.check.prenex import prenex, unbound
from zermelo.errors import InputError

if TYPE_CHECKING:
    from zermelo.qbf.formula import Formula
    from zermelo.qbf.game import FormulaGame

KINDS = ("false", "variable", "and", "or", "xor", "ite", "exists", "forall")
"""What the numbers mean that a formula made in Python has for the kinds of its nodes."""


def of_game(game: FormulaGame) -> QuantifiedFormula:
    """The formula of a game that was made in Python: copied as it was stated, and made prenex here."""
    formula = copied(game.written, game.given)
    if len({formula.names[variable] for variable in formula.order}) != len(formula.order):
        raise InputError("two variables are called the same")  # and what functions say of them is not clear
    return formula


def copied(formula: Formula, given: bytes) -> QuantifiedFormula:
    """A formula node by node; what its parts mean is written in ``zermelo.qbf.circuit``."""
    circuit, theirs = Circuit(), formula.circuit
    image: dict[int, int] = {0: 0}
    for node in range(1, len(theirs.kind)):
        kind = KINDS[theirs.kind[node]]
        inputs = [image[literal >> 1] ^ (literal & 1) for literal in theirs.inputs[node]]
        image[node] = circuit.variable() if kind == "variable" else circuit.gate(kind, inputs)
    number = {n: image[n] >> 1 for n in range(len(theirs.kind)) if KINDS[theirs.kind[n]] == "variable"}
    names = {number[node]: formula.names.get(node) or f"v{node}" for node in number}
    free = Block("exists", tuple(number[v] for v in formula.free))
    blocks = [free, *(Block(b.quantifier, tuple(number[v] for v in b.variables)) for b in formula.prefix)]
    output = image[formula.output >> 1] ^ (formula.output & 1)
    found = QuantifiedFormula(circuit, last_bindings(blocks), output, names)
    loose = unbound(found, names.keys() - found.owner.keys())
    blocks[0] = Block("exists", (*free.variables, *loose))
    found = replace(found, blocks=last_bindings(blocks))
    nested = any(circuit.kinds[node] in QUANTIFIERS for node in found.nodes)
    return replace(prenex(found) if nested else found, given=bytes(given))


def last_bindings(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Alternating blocks, where the last binding of a variable holds.

    >>> blocks = [Block("exists", (1, 2)), Block("forall", (3,)), Block("exists", (2,))]
    >>> [block.variables for block in last_bindings(blocks)]
    [(1,), (3,), (2,)]
    """
    kept = joined(blocks)
    last = {variable: place for place, block in enumerate(kept) for variable in block.variables}
    alone = [
        Block(b.quantifier, tuple(dict.fromkeys(v for v in b.variables if last[v] == n))) for n, b in enumerate(kept)
    ]
    return joined(alone)
