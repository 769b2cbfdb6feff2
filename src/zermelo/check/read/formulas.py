"""What the readers of formulas have in common: lines, errors with a place, and the copy of a formula made in Python."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from zermelo.check.boolean import Block, QuantifiedFormula
from zermelo.check.circuit import Circuit
from zermelo.check.prenex import Stated, prenex
from zermelo.errors import InputError
from zermelo.source import Source

if TYPE_CHECKING:
    from zermelo.qbf.formula import Formula
    from zermelo.qbf.game import FormulaGame

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LINE_END = re.compile(r"\r\n|\r|\n")
KINDS = ("false", "variable", "and", "or", "xor", "ite", "exists", "forall")
"""What the numbers mean that a formula made in Python has for the kinds of its nodes."""


def lines_of(source: Source) -> list[str]:
    """The lines of a text without a byte order mark; ``InputError`` where it has control characters.

    >>> lines_of(Source("qcir", "\\ufeffa\\r\\nb\\rc", "f"))
    ['a', 'b', 'c']
    >>> lines_of(Source("qcir", "a\\n b\\0", "f"))
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: f:2:3: control character '\\x00', expected a text file
    """
    lines = _LINE_END.split(source.text.removeprefix("\ufeff"))
    for number, line in enumerate(lines, 1):
        if garbage := _CONTROL.search(line):
            fail(source, number, garbage.start(), f"control character {garbage.group()!r}, expected a text file")
    return lines


def fail(source: Source, line: int, place: int, message: str) -> NoReturn:
    """Refuses a text: ``line`` counts from 1, ``place`` in it from 0."""
    raise InputError(message, file=source.name, line=line, column=place + 1)


def of_game(game: FormulaGame) -> QuantifiedFormula:
    """The formula of a game that was made in Python: copied as it was stated, and made prenex here."""
    formula = replace(prenex(_copied(game.written)), given=bytes(game.given))
    if len(set(formula.names.values())) != len(formula.names):
        raise InputError("two variables are called the same")  # and what functions say of them is not clear
    return formula


def of_engines(game: FormulaGame) -> QuantifiedFormula:
    """The formula that engines solve, for comparison: in the normal form that *they* made of it."""
    return replace(prenex(_copied(game.formula)), given=bytes(game.given))


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
