"""Terms, formulas and rules of a rulesheet as nested tuples.

A variable is a text that begins with ``?``, a constant any other text, a function term a tuple of its name and its
arguments. An atom is such a tuple as well, also without arguments: ``("terminal",)``. The names ``not``, ``or`` and
``and`` build formulas of formulas; no relation may be called so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Final, NamedTuple, Union

from zermelo.errors import InputError

Term = Union[str, "tuple[Term, ...]"]
Atom = tuple[Term, ...]
Formula = tuple[Term, ...]
"""An atom; or ``("not", formula)``, ``("or", formula...)``, ``("and", formula...)``."""
Place = tuple[int, int]
"""Line and column in a text, from 1."""
Relation = tuple[str, int]
"""A name and a number of arguments."""

ARITY: Final = {
    "role": 1, "init": 1, "true": 1, "legal": 2, "does": 2, "next": 1, "terminal": 0, "goal": 2,
    "base": 1, "input": 2, "sees": 2, "distinct": 2,
}  # fmt: skip
"""The relations with a fixed meaning, and how many arguments each has."""
CONNECTIVES: Final = ("not", "or", "and")
RANDOM: Final = "random"
"""The role that is chance."""
DEEPEST: Final = 128
"""Levels of parentheses in a rule, as KIF writes it: so much may everything that follows recurse."""


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


def unbound(body: Body, known: Iterable[str] = ()) -> Iterator[tuple[str, Atom]]:
    """Variables under ``not`` or in ``distinct`` that may be without a value, each with its atom."""
    known = bound(body).union(known)
    for part in body:
        if isinstance(part, Either):
            yield from chain(*(unbound(branch, known) for branch in part.branches))
        elif not part.binds:
            yield from ((name, part.atom) for name in sorted(variables(part.atom) - known))


def relation_of(atom: Atom) -> Relation:
    """The relation of an atom: its name and its number of arguments."""
    return str(atom[0]), len(atom) - 1


def is_variable(term: Term) -> bool:
    """Whether a term is a variable."""
    return isinstance(term, str) and term.startswith("?")


def parts_of(term: Term) -> Iterator[Term]:
    """A term, and everything inside it but the names of functions.

    >>> list(parts_of(("f", "a", ("g", "?x"))))
    [('f', 'a', ('g', '?x')), 'a', ('g', '?x'), '?x']
    """
    yield term
    if isinstance(term, tuple):
        yield from chain(*map(parts_of, term[1:]))


def variables(term: Term) -> set[str]:
    """The variables in a term or atom."""
    return {part for part in parts_of(term) if isinstance(part, str) and part.startswith("?")}


def text_of(term: Term) -> str:
    """A term in KIF."""
    return term if isinstance(term, str) else f"({' '.join(map(text_of, term))})"


def may_be_equal(one: Term, other: Term) -> bool:
    """Whether two terms can stand for the same, if each variable may stand for anything each time anew.

    >>> may_be_equal(("p", "?x", "a"), ("p", "b", "?x")), may_be_equal(("p", "a"), ("p", "b"))
    (True, False)
    """
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and one[0] == other[0] and all(map(may_be_equal, one[1:], other[1:]))
    return one == other or is_variable(one) or is_variable(other)
