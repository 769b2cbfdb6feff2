"""Quantified Boolean formulas as programs: every formula is one, over binary variables and without an objective."""

from __future__ import annotations

from fractions import Fraction

from zermelo.errors import InputError
from zermelo.qbf.formula import Formula
from zermelo.qbf.tseitin import Clause, clausal
from zermelo.qip.formats.qlp import need_name
from zermelo.qip.programs.program import Program, Row, Variable, terms


def program_of_formula(formula: Formula, name: str = "formula") -> Program:
    """A program that is feasible exactly if the formula is true.

    The clauses become rows: the sum of the literals, ``x`` or ``1 - x``, is at least 1. A formula that is no set of
    clauses gets definitions first, see :func:`zermelo.qbf.tseitin.clausal`. Variables keep their names where a program
    can have them; the others are called ``x1``, ``x2``, ... by their numbers, definitions ``g1``, ``g2``, ...

    >>> from zermelo.qbf.qdimacs import parse_qdimacs
    >>> program = program_of_formula(parse_qdimacs("p cnf 2 2\\na 1 0\\ne 2 0\\n1 2 0\\n-1 -2 0\\n"))
    >>> [f"{v.quantifier} {v.name}" for v in program.variables], [str(row) for row in program.rows]
    (['forall x1', 'exists x2'], ['1*#0 + 1*#1 >= 1', '- 1*#0 - 1*#1 >= -1'])
    """
    clauses = clausal(formula)
    order = [(number, block.quantifier) for block in clauses.prefix for number in block.variables]
    said = {number: clauses.formula.name(variable) for number, variable in clauses.origin.items()}
    names = _names([number for number, _ in order], said)
    variables = tuple(Variable(names[number], quantifier) for number, quantifier in order)
    place = {number: position for position, (number, _) in enumerate(order)}
    return Program(variables, tuple(_row(clause, place) for clause in clauses.clauses), name=name)


def _row(clause: Clause, place: dict[int, int]) -> Row:
    negative = sum(literal < 0 for literal in clause)
    return Row(terms((place[abs(i)], -1 if i < 0 else 1) for i in clause), ">=", Fraction(1 - negative))


def _names(numbers: list[int], said: dict[int, str]) -> dict[int, str]:
    """What the variables are called: as the formula says where that can be, else by their numbers."""
    kept = {number: said[number] for number in numbers if number in said and _fits(said[number])}
    taken = set(kept.values())
    for number in numbers:
        if number not in kept:
            name = f"{'x' if number in said else 'g'}{number}"
            while name in taken:
                name += "_"
            taken.add(name)
            kept[number] = name
    return kept


def _fits(name: str) -> bool:
    try:
        need_name(name)
    except InputError:
        return False
    return True
