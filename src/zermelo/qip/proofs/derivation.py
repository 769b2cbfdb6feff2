"""Refutations by derived clauses: a proof of ``forall`` for engines that learn.

A clause is a disjunction of bounds on variables. Each is derived from the rows and the clauses before it: if all its
bounds are assumed to fail, the antecedents, looked at in the order in which they are listed, tighten the bounds of the
variables until one of them cannot hold. Then bounds on universal variables that are set after all existential variables
of the clause are dropped, for ``forall`` will set them so that they fail. The last clause is empty. This is the part of
QRAT that learning needs (Heule, Seidl and Biere, A unified proof system for QBF preprocessing, 2014), with rows in the
place of clauses.

Two ways to treat the universal variables:

* Without scenarios they are variables like the others.
* With scenarios, lines of play of ``forall``, each existential variable is there once for each beginning of a line that
  ``forall`` has played before it, each row once for each scenario with the universal variables set, and nothing is left
  to drop (Janota and Marques-Silva, Expansion-based QBF solving versus Q-resolution, 2015).

Rows of the uncertainty may be antecedents where there are no scenarios: they are numbered on after the others. A
variable that is in one of them is dropped only together with the others that such rows connect to it, so that all of
these have one value left when the bounds of the clause fail, and these values keep the rows. Every scenario keeps to
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from zermelo.brief import counted, introduced


@dataclass(frozen=True, slots=True)
class Literal:
    """``variable >= bound``, or ``variable <= bound`` where ``upper``; of the copy that belongs to a scenario."""

    variable: int
    upper: bool
    bound: int | Fraction
    scenario: int = 0


@dataclass(frozen=True, slots=True)
class FromRow:
    """An antecedent: a row of the normal form, in a scenario. Row 0 says: the objective is better than the value."""

    row: int
    scenario: int = 0


@dataclass(frozen=True, slots=True)
class FromClause:
    """An antecedent: the clause of that number."""

    clause: int


@dataclass(frozen=True, slots=True)
class FromSum:
    """An antecedent: rows, each times a multiplier that is not negative, added up (Farkas' lemma).

    Where all its variables are integers, the sum is divided by the largest common divisor of its coefficients and its
    right side rounded down (Chvatal, Edmonds polytopes and a hierarchy of combinatorial problems, 1973). Rows count as
    they do as antecedents of their own: with whole coefficients, rounded in the same way, and row 0 one less.
    """

    parts: tuple[tuple[FromRow, int | Fraction], ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """At least one of the literals holds, by the antecedents; those that ``forall`` makes fail may be left out.

    ``dropped`` are literals on universal variables that the antecedents need and that are then dropped.
    """

    literals: tuple[Literal, ...]
    antecedents: tuple[FromRow | FromClause | FromSum, ...]
    dropped: tuple[Literal, ...] = ()


@dataclass(frozen=True)
class Derivation:
    """``forall`` enforces that the objective is no better than ``value``, or, where that is ``None``, that the rows
    cannot be kept. ``scenarios`` are values of all his variables in the order of the prefix.

    >>> Derivation(None, (), (Clause((), (FromRow(1),)),)).owner
    'forall'
    """

    value: Fraction | None
    scenarios: tuple[tuple[int | Fraction, ...], ...]
    clauses: tuple[Clause, ...]

    def __repr__(self) -> str:
        return introduced(
            self, self.owner, counted(len(self.clauses), "clause"), counted(len(self.scenarios), "scenario")
        )

    @property
    def owner(self) -> str:
        """Whose proof it is."""
        return "forall"
