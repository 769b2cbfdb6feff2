"""Formulas in LaTeX, for notebooks and papers."""

from __future__ import annotations

from typing import Final

from zermelo.latex import latex_name
from zermelo.qbf.circuit import Kind, cone
from zermelo.qbf.formula import Formula

MOST_NODES: Final = 60
"""The matrix of a larger formula is one letter."""
MOST_NAMES: Final = 12
_SIGNS: Final = {Kind.AND: " \\land ", Kind.OR: " \\lor ", Kind.XOR: " \\oplus "}


def formula_latex(formula: Formula) -> str:
    """The prefix, and the matrix if it is small.

    >>> from zermelo.qbf.qdimacs import parse_qdimacs
    >>> print(formula_latex(parse_qdimacs("p cnf 2 1\\na 1 0\\ne 2 0\\n1 -2 0\\n")))
    \\forall\\, 1\\;\\exists\\, 2\\colon\\; 1 \\lor \\lnot 2
    """
    parts = []
    for block in formula.prefix:
        names = [_name(formula, variable) for variable in block.variables[:MOST_NAMES]]
        more = ",\\dots" if len(block.variables) > MOST_NAMES else ""
        parts.append(f"\\{block.quantifier}\\, {','.join(names)}{more}")
    prefix = "\\;".join(parts[:MOST_NAMES])
    return f"{prefix}\\colon\\; {_matrix(formula)}"


def _name(formula: Formula, variable: int) -> str:
    name = formula.name(variable)
    return name if name.isdigit() else latex_name(name)


def _matrix(formula: Formula) -> str:
    circuit, output = formula.circuit, formula.output
    nodes = cone(circuit, [output])
    if len(nodes) > MOST_NODES:
        return "\\varphi"
    written: dict[int, tuple[str, bool]] = {}  # of each node its text, and whether it needs brackets inside another

    def literal(one: int, inner: bool = True) -> str:
        text, joined = written[one >> 1]
        if joined and (inner or one & 1):
            text = f"({text})"
        return f"\\lnot {text}" if one & 1 else text

    for node in nodes:
        kind, inputs = Kind(circuit.kind[node]), circuit.inputs[node]
        if kind == Kind.VARIABLE:
            written[node] = (_name(formula, node), False)
        elif kind == Kind.CONSTANT:
            written[node] = ("\\bot", False)
        elif kind in _SIGNS:
            written[node] = (_SIGNS[kind].join(map(literal, inputs)), len(inputs) > 1)
        elif kind == Kind.ITE:
            written[node] = (f"{literal(inputs[0])} \\mathbin{{?}} {literal(inputs[1])} : {literal(inputs[2])}", True)
        else:
            names = ",".join(literal(one) for one in inputs[:-1])
            written[node] = (f"\\{kind.name.lower()}\\, {names}\\colon {literal(inputs[-1])}", True)
    return literal(output, inner=False)
