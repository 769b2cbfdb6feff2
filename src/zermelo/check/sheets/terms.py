"""Terms and atoms of a rulesheet as nested tuples.

A variable is a text that begins with ``?``, a constant any other text, a function term a tuple of its name and its
arguments. An atom is such a tuple as well, also without arguments: ``("terminal",)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final, Union

Term = Union[str, "tuple[Term, ...]"]
Atom = tuple[Term, ...]
Relation = tuple[str, int]
"""A name and a number of arguments."""

ARITY: Final = {
    "role": 1, "init": 1, "true": 1, "legal": 2, "does": 2, "next": 1, "terminal": 0, "goal": 2,
    "base": 1, "input": 2, "sees": 2, "distinct": 2,
}  # fmt: skip
"""The relations with a fixed meaning, and how many arguments each has."""
RANDOM: Final = "random"
"""The role that is chance."""
DEEPEST: Final = 128
"""Levels of parentheses in a rule, as KIF writes it: so much may everything that follows recurse."""


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
