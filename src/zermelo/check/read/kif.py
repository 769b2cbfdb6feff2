"""KIF as the checker reads it: words and parentheses become nested lists, and these become rules.

>>> rules_of_kif("(ROLE x) (<= (legal x (mark ?n)) (true (free ?n)))", "small.kif")[1].head
('legal', 'x', ('mark', '?n'))
>>> rules_of_kif("(role x", "small.kif")
Traceback (most recent call last):
    ...
zermelo.errors.InputError: small.kif:1:1: this parenthesis is never closed
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Union

from zermelo.check.sheets.rules import CONNECTIVES, Formula, Place, Rule
from zermelo.check.sheets.terms import ARITY, DEEPEST, RANDOM, Atom, Term, variables
from zermelo.errors import InputError

MOST_WORDS: Final = 1_000_000
"""Words, parentheses and comments of a rulesheet."""
_PIECE = re.compile(r"\n|;[^\n]*|[()]|[^\s();]+")
Group = Union[str, "list[Group]"]
"""A word, or what stands in a pair of parentheses."""


class Wrong(Exception):  # noqa: N818  (never leaves the readers)
    """What is wrong, and where."""

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(message)
        self.place = place


def rules_of_kif(text: str, name: str) -> list[Rule]:
    """The rules that a text in KIF states; ``InputError`` with the place where it states none."""
    rules, place = [], (1, 1)
    try:
        for group, place in _groups(text):
            is_rule = isinstance(group, list) and len(group) > 1 and group[0] == "<="
            parts = list(group[1:]) if is_rule else [group]
            rules.append(Rule(_atom(parts[0], in_body=False), tuple(map(_formula, parts[1:])), place))
    except Wrong as wrong:
        line, column = wrong.place or place
        raise InputError(wrong.args[0], file=name, line=line, column=column) from None
    return rules


@lru_cache(1 << 16)
def ground_term(text: str) -> Term:
    """The term without variables that a text in KIF is; ``ValueError`` if it is none.

    >>> ground_term("(mark 1 2)"), ground_term("noop")
    (('mark', '1', '2'), 'noop')
    """
    try:
        [(group, _)] = _groups(text)
        term = _term(group)
    except Wrong as wrong:
        raise ValueError(*wrong.args) from None
    if variables(term):
        raise ValueError(f"variables in {text}")
    return term


def _groups(text: str) -> Iterator[tuple[Group, Place]]:
    """The words and lists of the text's top level with their places; a stack of our own, for any depth."""
    stack: list[tuple[list[Group], Place]] = []
    line, before, count = 1, -1, 0
    for match in _PIECE.finditer(text):
        piece, place = match.group(), (line, match.start() - before)
        if piece == "\n":
            line, before = line + 1, match.start()
            continue
        count += 1
        if count > MOST_WORDS:
            raise Wrong(f"more than {MOST_WORDS} words, expected a rulesheet", place)
        if piece == "(":
            if len(stack) == DEEPEST:
                raise Wrong(f"nested deeper than {DEEPEST} levels", place)
            stack.append(([], place))
        elif not piece.startswith(";"):
            if piece == ")" and not stack:
                raise Wrong("this parenthesis closes nothing", place)
            if not piece.isprintable():
                raise Wrong(f"{piece!r} is not a word, expected printable text", place)
            done: tuple[Group, Place] = stack.pop() if piece == ")" else (piece, place)
            if stack:
                stack[-1][0].append(done[0])
            else:
                yield done
    if stack:
        raise Wrong("this parenthesis is never closed", stack[-1][1])


def _formula(group: Group) -> Formula:
    word = group[0].lower() if isinstance(group, list) and group and isinstance(group[0], str) else ""
    if word not in CONNECTIVES:
        return _atom(group, in_body=True)
    if word == "not" and len(group) != 2:
        raise Wrong(f"not has {len(group) - 1} arguments, expected one")
    return (word, *map(_formula, group[1:]))


def _atom(group: Group, in_body: bool) -> Atom:
    term = _term(group)
    atom = term if isinstance(term, tuple) else (term,)
    name = relation_name(str(atom[0]))
    if name.startswith("?") or name.lower() in (*CONNECTIVES, "<=") or (name == "distinct" and not in_body):
        raise Wrong(f"{name} cannot stand here, expected a relation")
    return (name, *atom[1:])


def relation_name(name: str) -> str:
    """The name of a relation: those with a meaning may be written with capitals."""
    return name.lower() if name.lower() in ARITY else name


def constant_name(name: str) -> str:
    """A constant: ``random`` may be written with capitals."""
    return RANDOM if name.lower() == RANDOM else name


def _term(group: Group) -> Term:
    """A term; ``(p)`` is ``p``. The reader bounds how deep groups are nested, and so the recursion."""
    if isinstance(group, str):
        if group == "?":
            raise Wrong("a question mark alone, expected a variable such as ?x")
        return constant_name(group)
    if not group or not isinstance(group[0], str) or group[0].startswith("?"):
        raise Wrong("expected a name after a parenthesis")
    return (group[0], *map(_term, group[1:])) if len(group) > 1 else constant_name(group[0])
