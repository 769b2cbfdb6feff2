"""Quantified Boolean formulas: ``exists`` and ``forall`` choose truth values in turn; one wants the formula true.

A :class:`Circuit` is a list of gates, each written down once; a *literal* is a gate or its negation. A
:class:`Formula` is a circuit, one literal of it as the output, and a prefix of :class:`Block` s: who chooses which
variables, in which order. It is true exactly where ``exists`` wins. The winner's strategy is a set of
:class:`Functions` (Skolem's for ``exists``, Herbrand's for ``forall``): what to choose, given what the other one has
chosen before. Files are in QCIR, a circuit, or in QDIMACS, clauses. :class:`FormulaGame` is the formula as a game.

>>> import zermelo
>>> from zermelo.qbf import parse_qcir
>>> formula = parse_qcir("#QCIR-G14\\nforall(x)\\nexists(y)\\noutput(g)\\ng = xor(x, y)\\n")
>>> formula
<Formula: forall 1 exists 1, 4 nodes>
>>> solution = zermelo.solve(formula)
>>> solution.winner, solution.verified, solution.strategy
('exists', True, <FunctionsStrategy: exists, 1 function>)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.lazy import lazy

if TYPE_CHECKING:
    from zermelo.qbf.circuit import Circuit
    from zermelo.qbf.formula import Block, Formula, truth
    from zermelo.qbf.functions import Functions
    from zermelo.qbf.game import FormulaGame, FunctionsStrategy
    from zermelo.qbf.qcir import parse_qcir, write_qcir
    from zermelo.qbf.qdimacs import parse_qdimacs, write_qdimacs
    from zermelo.qbf.reading import parse_formula, read_formula

# Imported on first use: the modules of this package are needed one by one.
__getattr__, __dir__ = lazy(
    __name__,
    {
        "Block": "formula",
        "Circuit": "circuit",
        "Formula": "formula",
        "FormulaGame": "game",
        "Functions": "functions",
        "FunctionsStrategy": "game",
        "parse_formula": "reading",
        "parse_qcir": "qcir",
        "parse_qdimacs": "qdimacs",
        "read_formula": "reading",
        "truth": "formula",
        "write_qcir": "qcir",
        "write_qdimacs": "qdimacs",
    },
)

__all__ = [
    "Block",
    "Circuit",
    "Formula",
    "FormulaGame",
    "Functions",
    "FunctionsStrategy",
    "parse_formula",
    "parse_qcir",
    "parse_qdimacs",
    "read_formula",
    "truth",
    "write_qcir",
    "write_qdimacs",
]
