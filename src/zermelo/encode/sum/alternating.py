"""Formulas in the form that the reduction starts from: exists x1 forall x2 exists x3 ..., clauses behind.

Blocks are taken apart into single variables, and a variable that occurs nowhere is put wherever the other role would
have to choose; so the roles alternate, ``exists`` chooses first and ``forall`` last. That changes nothing.

The thesis asks for clauses of exactly three literals besides. Its construction does not need that, and without it the
sum is much smaller; ``three=True`` does it all the same: *Long clauses* are split by new variables, chosen last by
``exists``: (a b c d) is (a b e)(-e c d), since she can make e true where neither a nor b is and only then needs c or d.
*Short clauses* are filled up with new variables of ``forall``: each occurs only unnegated, so he makes it false
wherever it stands in the prefix, and it helps no clause.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from zermelo.qbf.formula import Formula
from zermelo.qbf.tseitin import Clause, Clauses, clausal


@dataclass(frozen=True)
class AlternatingFormula:
    """Clauses over the variables 1, 2, ..., of which ``exists`` chooses the odd and ``forall`` the even ones, in order.

    ``names`` has a name for each, empty for variables that only fill a place.

    >>> formula = AlternatingFormula(("x", "y"), ((1, -2), (1, 2)))
    >>> len(formula.names)
    2
    """

    names: tuple[str, ...]
    clauses: tuple[Clause, ...]


def alternating(formula: Formula, *, three: bool = False) -> AlternatingFormula:
    """An equivalent alternating formula; every clause has exactly three different literals if ``three`` is asked for.

    >>> from zermelo.qbf.qdimacs import parse_qdimacs
    >>> text = "p cnf 3 2\\ne 1 2 0\\na 3 0\\n1 -2 3 0\\n2 -3 0\\n"
    >>> alternating(parse_qdimacs(text))
    AlternatingFormula(names=('1', '', '2', '3'), clauses=((1, -3, 4), (3, -4)))
    """
    source = clausal(formula)
    clauses = _without_tautologies(source.clauses)
    last = source.variables
    inner: list[int] = []
    if three:
        clauses, inner = _split(clauses, last)
        last += len(inner)
    used = {abs(literal) for clause in clauses for literal in clause}
    order: list[tuple[int, str]] = []
    for is_exists, number, name in [*_bound(source), *((True, number, "") for number in inner)]:
        if number in used:
            if (len(order) % 2 == 0) != is_exists:
                order.append((0, ""))
            order.append((number, name))
    if len(order) % 2:
        order.append((0, ""))
    if three:
        clauses = _filled_up(clauses, order, last)
    place = {number: place for place, (number, _) in enumerate(order, 1) if number}
    return AlternatingFormula(
        tuple(name for _, name in order),
        tuple(tuple(place[abs(i)] if i > 0 else -place[abs(i)] for i in clause) for clause in clauses),
    )


def _bound(source: Clauses) -> Iterable[tuple[bool, int, str]]:
    for block in source.prefix:
        for number in block.variables:
            variable = source.origin.get(number)
            name = f"gate {number}" if variable is None else source.formula.name(variable)
            yield block.quantifier == "exists", number, name


def _without_tautologies(clauses: Iterable[Clause]) -> list[Clause]:
    distinct = [tuple(dict.fromkeys(clause)) for clause in clauses]
    return [clause for clause in distinct if not any(-literal in clause for literal in clause)]


def _split(clauses: Iterable[Clause], last: int) -> tuple[list[Clause], list[int]]:
    found: list[Clause] = []
    new: list[int] = []
    for clause in clauses:
        rest = clause
        while len(rest) > 3:
            last += 1
            new.append(last)
            found.append((*rest[:2], last))
            rest = (-last, *rest[2:])
        found.append(rest)
    return found, new


def _filled_up(clauses: Sequence[Clause], order: list[tuple[int, str]], last: int) -> list[Clause]:
    """The clauses with variables that fill a place of ``forall`` added; ``order`` grows where there are not enough."""
    missing = 3 - min(map(len, clauses), default=3)
    idle = [place for place in range(1, len(order), 2) if not order[place][0]][:missing]
    while len(idle) < missing:
        order += [(0, ""), (0, "")]
        idle.append(len(order) - 1)
    fill = []
    for place in idle:
        last += 1
        order[place] = (last, "")
        fill.append(last)
    return [(*clause, *fill[: 3 - len(clause)]) for clause in clauses]
