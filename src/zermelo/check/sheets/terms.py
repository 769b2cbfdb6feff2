"""Terms, formulas and rules of a rulesheet as nested tuples.

A variable is a text that begins with ``?``, a constant any other text, a function term a tuple of its name and its
arguments. An atom is such a tuple as well, also without arguments: ``("terminal",)``. The names ``not``, ``or`` and
``and`` build formulas of formulas; no relation may be called so.

>>> sorted(variables(("cell", "1", ("at", "?x"), "?y")))
['?x', '?y']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, product
from math import prod
from typing import Final, Union

from zermelo.errors import InputError

Term = Union[str, "tuple[Term, ...]"]
Atom = tuple[Term, ...]
Formula = tuple[Term, ...]
"""An atom; or ``("not", formula)``, ``("or", formula...)``, ``("and", formula...)``."""
Place = tuple[int, int]
"""Line and column in a text, from 1."""

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
MOST_ALTERNATIVES: Final = 20_000
"""Conjunctions that the body of a rule is spread into."""
MOST_WORDS: Final = 1_000_000
"""Words, parentheses and comments of a rulesheet."""


@dataclass(frozen=True)
class Rule:
    """A head that holds wherever all formulas of the body do."""

    head: Atom
    body: tuple[Formula, ...] = ()
    place: Place = field(default=(0, 0), compare=False)

    @cached_property
    def alternatives(self) -> list[tuple[Literal, ...]]:
        """The conjunctions of literals of which the body is the disjunction."""
        return alternatives(self.body)

    @cached_property
    def literals(self) -> list[Literal]:
        """The literals of the body, each once."""
        return list(dict.fromkeys(chain(*self.alternatives)))

    def bound(self, counts: Callable[[Atom], bool]) -> set[str]:
        """The variables that have a value wherever the body holds, by those of its atoms that count."""
        return set.intersection(*(bound(one, counts) for one in self.alternatives))


@dataclass(frozen=True)
class Sheet:
    """The rules in the order of the text, and the name that errors give it."""

    rules: tuple[Rule, ...]
    name: str = field(default="rulesheet", compare=False)

    def fault(self, message: str, rule: Rule | None = None) -> InputError:
        """An error about the sheet, at a rule if there is one to blame."""
        line, column = rule.place if rule is not None and rule.place[0] else (None, None)
        return InputError(message, file=self.name, line=line, column=column)


@dataclass(frozen=True)
class Literal:
    """An atom that holds, or one that fails."""

    holds: bool
    atom: Atom

    @property
    def binds(self) -> bool:
        """Whether it gives values to its variables."""
        return self.holds and self.atom[0] != "distinct"


_FALSE: Final = (Literal(True, ("distinct", "false", "false")),)
"""What stands for a disjunction of nothing: it never holds, and gives no variable a value."""


def alternatives(body: Sequence[Formula]) -> list[tuple[Literal, ...]]:
    """The conjunctions of literals of which a body is the disjunction; readers bound how deep formulas are nested.

    >>> [[literal.atom for literal in one] for one in alternatives([("p",), ("or", ("q",), ("r",))])]
    [[('p',), ('q',)], [('p',), ('r',)]]
    """
    return _spread(("and", *body), True)


def _spread(formula: Formula, holds: bool) -> list[tuple[Literal, ...]]:
    word, *rest = formula
    if word == "not":
        return _spread(rest[0], not holds)  # type: ignore[arg-type]
    if word not in CONNECTIVES:
        return [(Literal(holds, formula),)]
    parts = [_spread(part, holds) for part in rest]  # type: ignore[arg-type]
    if (word == "or") == holds:  # else the and of what is spread (De Morgan)
        return [one for part in parts for one in part] or [_FALSE]
    if prod(map(len, parts)) > MOST_ALTERNATIVES:
        raise InputError(
            f"a rule has more than {MOST_ALTERNATIVES} alternatives, expected fewer disjunctions in a body"
        )
    return [tuple(chain(*chosen)) for chosen in product(*parts)]


def bound(literals: Iterable[Literal], counts: Callable[[Atom], bool] = lambda atom: True) -> set[str]:
    """The variables to which a conjunction gives values."""
    return {name for literal in literals if literal.binds and counts(literal.atom) for name in variables(literal.atom)}


def relation_of(atom: Atom) -> tuple[str, int]:
    """The relation of an atom: its name and its number of arguments.

    >>> relation_of(("cell", "?x", "b"))
    ('cell', 2)
    """
    return str(atom[0]), len(atom) - 1


def is_variable(term: Term) -> bool:
    """Whether a term is a variable.

    >>> is_variable("?x"), is_variable("x")
    (True, False)
    """
    return isinstance(term, str) and term.startswith("?")


def variables(term: Term) -> set[str]:
    """The variables in a term or formula."""
    return {part for part in parts_of(term) if isinstance(part, str) and part.startswith("?")}


def parts_of(term: Term) -> Iterator[Term]:
    """A term, and everything inside it but the names of functions.

    >>> list(parts_of(("f", "a", ("g", "?x"))))
    [('f', 'a', ('g', '?x')), 'a', ('g', '?x'), '?x']
    """
    waiting = [term]
    while waiting:
        here = waiting.pop()
        yield here
        if isinstance(here, tuple):
            waiting.extend(reversed(here[1:]))


def text_of(term: Term) -> str:
    """A term in KIF.

    >>> text_of(("mark", "1", ("at", "?x")))
    '(mark 1 (at ?x))'
    """
    if isinstance(term, str):
        return term
    return f"({' '.join(map(text_of, term))})"


def may_be_equal(one: Term, other: Term) -> bool:
    """Whether two terms can stand for the same, if each variable may stand for anything each time anew.

    >>> may_be_equal(("p", "?x", "a"), ("p", "b", "?x")), may_be_equal(("p", "a"), ("p", "b"))
    (True, False)
    """
    if is_variable(one) or is_variable(other):
        return True
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return len(one) == len(other) and one[0] == other[0] and all(map(may_be_equal, one[1:], other[1:]))


def relation_name(name: str) -> str:
    """The name of a relation: those with a meaning may be written with capitals.

    >>> relation_name("ROLE"), relation_name("Cell")
    ('role', 'Cell')
    """
    return name.lower() if name.lower() in ARITY else name


def constant_name(name: str) -> str:
    """A constant: ``random`` may be written with capitals.

    >>> constant_name("RANDOM"), constant_name("White")
    ('random', 'White')
    """
    return RANDOM if name.lower() == RANDOM else name
