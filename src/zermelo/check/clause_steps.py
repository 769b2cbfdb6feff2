"""A derivation by the rule ``clauses`` as it is stated: a list of clauses, each with what it is derived from.

``docs/certificates.md`` describes it. Whether the clauses follow is not looked at here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from zermelo.check.quantified import Number, Role
from zermelo.check.shapes import fields, listed, number, numbered, several, value, whole
from zermelo.check.verdict import Fault


@dataclass(frozen=True, slots=True)
class Literal:
    """``variable >= bound``, or ``variable <= bound`` where ``upper``; of the copy that belongs to a scenario."""

    variable: int
    upper: bool
    bound: int
    scenario: int = 0


@dataclass(frozen=True, slots=True)
class FromRow:
    """An antecedent: a row in a scenario. Row 0 says that the objective is better than the value."""

    row: int
    scenario: int = 0


@dataclass(frozen=True, slots=True)
class FromClause:
    """An antecedent: an earlier clause."""

    clause: int


@dataclass(frozen=True, slots=True)
class FromSum:
    """An antecedent: rows times their multipliers, added up."""

    parts: tuple[tuple[FromRow, Number], ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """One of the literals holds, by the antecedents, after those in ``dropped`` have been left out."""

    literals: tuple[Literal, ...]
    antecedents: tuple[FromRow | FromClause | FromSum, ...]
    dropped: tuple[Literal, ...] = ()


@dataclass(frozen=True)
class Derivation:
    """A refutation by clauses, in lines of play of ``forall`` if there are scenarios.

    The objective cannot be better than ``value``; ``None``: the rows cannot be kept.
    """

    value: Fraction | None
    scenarios: tuple[tuple[Number, ...], ...]
    clauses: tuple[Clause, ...]
    owner: ClassVar[Role] = "forall"


def read_derivation(data: Mapping[str, Any]) -> Derivation:
    """The derivation that data states; a fault if it states none.

    >>> read_derivation({"value": None, "scenarios": [[0, 1]], "clauses": [[[], [[1, 0]], []]]}).clauses
    (Clause(literals=(), antecedents=(FromRow(row=1, scenario=0),), dropped=()),)
    """
    stated, scenarios, clauses = fields(data, "value", "scenarios", "clauses")
    lines = several(scenarios, lambda line: several(line, number))
    return Derivation(value(stated), lines, numbered("clause", clauses, _clause))


def _clause(item: object) -> Clause:
    literals, antecedents, dropped = listed(item, 3)
    return Clause(several(literals, _literal), several(antecedents, _antecedent), several(dropped, _literal))


def _literal(item: object) -> Literal:
    variable, upper, bound, scenario = listed(item, 4)
    if whole(upper) not in (0, 1):
        raise Fault("a bound is not [variable, 0 or 1, number, scenario]")
    return Literal(whole(variable), upper == 1, whole(bound), whole(scenario))


def _antecedent(item: object) -> FromRow | FromClause | FromSum:
    if not isinstance(item, list):
        return FromClause(whole(item))
    if item and isinstance(item[0], list):
        return FromSum(several(item, _part))
    return _row(item)


def _row(item: object) -> FromRow:
    row, scenario = listed(item, 2)
    return FromRow(whole(row), whole(scenario))


def _part(item: object) -> tuple[FromRow, Number]:
    *row, multiplier = listed(item, 3)
    return _row(row), number(multiplier)
