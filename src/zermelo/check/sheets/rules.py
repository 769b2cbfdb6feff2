"""Rules of a rulesheet, and what their bodies say of variables.

A formula is an atom, or a tuple ``("not", formula)``, ``("or", formula...)`` or ``("and", formula...)``: no relation
may be called so. In a body as it is worked with, negation stands before atoms only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Final, NamedTuple

from zermelo.check.sheets.terms import Atom, Term, variables
from zermelo.errors import InputError

Formula = tuple[Term, ...]
Place = tuple[int, int]
"""Line and column in a text, from 1."""
CONNECTIVES: Final = ("not", "or", "and")


class Literal(NamedTuple):
    """An atom that holds, or one that fails."""

    holds: bool
    atom: Atom

    @property
    def binds(self) -> bool:
        """Whether it gives values to its variables."""
        return self.holds and self.atom[0] != "distinct"


class Either(NamedTuple):
    """A disjunction of conjunctions; of none, it never holds."""

    branches: tuple[Body, ...]


Body = tuple[Literal | Either, ...]
"""A conjunction."""


@dataclass(frozen=True)
class Rule:
    """A head that holds wherever all formulas of the body do."""

    head: Atom
    body: tuple[Formula, ...] = ()
    place: Place = field(default=(0, 0), compare=False)

    @cached_property
    def parts(self) -> Body:
        """The body with negation in front of atoms only."""
        return _normal(("and", *self.body), True)

    @cached_property
    def literals(self) -> list[Literal]:
        """The literals of the body, each once."""
        return list(dict.fromkeys(literals_of(self.parts)))


@dataclass(frozen=True)
class Sheet:
    """The rules in the order of the text, and the name that errors give it."""

    rules: tuple[Rule, ...]
    name: str = field(default="rulesheet", compare=False)

    def fault(self, message: str, rule: Rule | None = None) -> InputError:
        """An error about the sheet, at a rule if there is one to blame."""
        line, column = rule.place if rule is not None and rule.place[0] else (None, None)
        return InputError(message, file=self.name, line=line, column=column)


def _normal(formula: Formula, holds: bool) -> Body:
    """Readers bound how deep formulas are nested."""
    word, *rest = formula
    if word == "not":
        return _normal(rest[0], not holds)  # type: ignore[arg-type]
    if word not in CONNECTIVES:
        return (Literal(holds, formula),)
    bodies = [_normal(part, holds) for part in rest]  # type: ignore[arg-type]
    if (word == "and") == holds:  # else a disjunction (De Morgan)
        return tuple(chain(*bodies))
    return bodies[0] if len(bodies) == 1 else (Either(tuple(bodies)),)


def literals_of(body: Body) -> Iterator[Literal]:
    """The literals of a conjunction, those in disjunctions as well."""
    for part in body:
        if isinstance(part, Literal):
            yield part
        else:
            yield from chain(*map(literals_of, part.branches))


def bound(body: Body, counts: Callable[[Atom], bool] = lambda atom: True) -> set[str]:
    """The variables that have a value wherever a conjunction holds, by those of its atoms that count."""
    found: set[str] = set()
    for part in body:
        if isinstance(part, Either):
            branches = [bound(branch, counts) for branch in part.branches]
            found |= set.intersection(*branches) if branches else set()
        elif part.binds and counts(part.atom):
            found |= variables(part.atom)
    return found


def unbound(body: Body, known: Set[str] = frozenset()) -> Iterator[tuple[str, Atom]]:
    """Variables under ``not`` or in ``distinct`` that may be without a value, each with its atom."""
    known = bound(body) | known
    for part in body:
        if isinstance(part, Either):
            yield from chain(*(unbound(branch, known) for branch in part.branches))
        else:
            yield from ((name, part.atom) for name in sorted(variables(part.atom) - known))
