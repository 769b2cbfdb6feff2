"""Bodies with every negation at an atom: conjunctions, disjunctions and literals.

>>> print(normal((("not", ("or", ("p", "?x"), ("not", ("q",)))),)))
All(parts=(All(parts=(Literal(holds=False, atom=('p', '?x')), Literal(holds=True, atom=('q',)))),))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from zermelo.check.sheets.terms import Atom, Formula, variables

Relation = tuple[str, int]
"""A relation is its name and its number of arguments."""


@dataclass(frozen=True)
class Literal:
    """An atom that holds, or one that fails."""

    holds: bool
    atom: Atom

    @property
    def binds(self) -> bool:
        """Whether it gives values to its variables."""
        return self.holds and self.atom[0] != "distinct"


@dataclass(frozen=True)
class All:
    """All parts hold."""

    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Any:
    """At least one part holds."""

    parts: tuple[Part, ...]


Part = Literal | All | Any


def relation_of(atom: Atom) -> Relation:
    """The relation of an atom.

    >>> relation_of(("cell", "?x", "b"))
    ('cell', 2)
    """
    return str(atom[0]), len(atom) - 1


def normal(body: Iterable[Formula]) -> All:
    """A body with its negations at the atoms (De Morgan). Readers bound how deep formulas are nested."""
    return All(tuple(_pushed(formula, True) for formula in body))


def _pushed(formula: Formula, holds: bool) -> Part:
    word, *rest = formula
    if word == "not":
        return _pushed(rest[0], not holds)  # type: ignore[arg-type]
    if word in ("or", "and"):
        parts = tuple(_pushed(part, holds) for part in rest)  # type: ignore[arg-type]
        return Any(parts) if (word == "or") == holds else All(parts)
    return Literal(holds, formula)


def literals_of(part: Part) -> Iterator[Literal]:
    """The literals of a body, in their order."""
    waiting = [part]
    while waiting:
        here = waiting.pop()
        if isinstance(here, Literal):
            yield here
        else:
            waiting.extend(reversed(here.parts))


def variables_in(part: Part) -> set[str]:
    """All variables of a body.

    >>> sorted(variables_in(normal([("p", "?x"), ("not", ("q", "?y"))])))
    ['?x', '?y']
    """
    return {name for literal in literals_of(part) for name in variables(literal.atom)}


def bound(part: Part, counts: Callable[[Atom], bool] = lambda atom: True) -> set[str]:
    """The variables that have a value wherever a body holds, by those of its atoms that count.

    >>> sorted(bound(normal([("or", ("p", "?x", "?y"), ("q", "?x"))])))
    ['?x']
    """
    if isinstance(part, Literal):
        return variables(part.atom) if part.binds and counts(part.atom) else set()
    found = [bound(inner, counts) for inner in part.parts]
    if isinstance(part, All):
        return set().union(*found)
    return set.intersection(*found) if found else set()
