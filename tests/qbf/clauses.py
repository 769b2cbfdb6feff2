"""Clauses as a formula."""

from __future__ import annotations

from zermelo.qbf.circuit import Circuit
from zermelo.qbf.formula import Formula
from zermelo.qbf.tseitin import Clauses


def formula_of(clauses: Clauses) -> Formula:
    """The clauses as a formula, with variables of the same numbers."""
    circuit = Circuit()
    for _ in range(clauses.variables):
        circuit.variable()
    made = [circuit.disjunction([2 * abs(i) + (i < 0) for i in clause]) for clause in clauses.clauses]
    names = {number: clauses.formula.name(variable) for number, variable in clauses.origin.items()}
    return Formula(circuit, clauses.prefix, circuit.conjunction(made), names)
