"""KIF as the checker reads it: words and parentheses become nested tuples, and these become rules.

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
from typing import Union

from zermelo.check.sheets.terms import (
    CONNECTIVES,
    DEEPEST,
    MOST_WORDS,
    Atom,
    Formula,
    Place,
    Rule,
    Term,
    constant_name,
    relation_name,
)
from zermelo.errors import InputError

_PIECE = re.compile(r"\s+|;[^\n]*|[()]|[^\s();]+")
_ARROW = "<="
Group = Union[str, "list[Group]"]
"""A word, or what stands in a pair of parentheses."""


def rules_of_kif(text: str, name: str) -> list[Rule]:
    """The rules that a text in KIF states; ``InputError`` with the place where it states none."""
    found = []
    for group, place in _groups(text, name):
        try:
            found.append(_rule(group, place))
        except _Wrong as wrong:
            raise InputError(str(wrong), file=name, line=place[0], column=place[1]) from None
    return found


def term_of_kif(text: str) -> Term | None:
    """The term that a text in KIF is; ``None`` if it is none, or has variables.

    >>> term_of_kif("(mark 1 2)"), term_of_kif("noop"), term_of_kif("(mark")
    (('mark', '1', '2'), 'noop', None)
    """
    try:
        groups = list(_groups(text, "move"))
        term = _term(groups[0][0]) if len(groups) == 1 else None
    except (InputError, _Wrong):
        return None
    return None if term is None or "?" in str(term) else term


class _Wrong(Exception):  # noqa: N818  (never leaves this module)
    """What is wrong with a rule."""


def _groups(text: str, name: str) -> Iterator[tuple[Group, Place]]:
    """The words and lists of the text's top level with their places; a stack of our own, for any depth."""
    stack: list[tuple[list[Group], Place]] = []
    for piece, place in _pieces(text, name):
        if piece == "(":
            if len(stack) == DEEPEST:
                raise _error(f"nested deeper than {DEEPEST} levels", name, place)
            stack.append(([], place))
            continue
        done: tuple[Group, Place] = (piece, place)
        if piece == ")":
            if not stack:
                raise _error("this parenthesis closes nothing", name, place)
            done = stack.pop()
        if stack:
            stack[-1][0].append(done[0])
        else:
            yield done
    if stack:
        raise _error("this parenthesis is never closed", name, stack[-1][1])


def _pieces(text: str, name: str) -> Iterator[tuple[str, Place]]:
    """Words and parentheses with their places; comments count as words, so that all is bounded."""
    line, begin_of_line, count = 1, 0, 0
    for match in _PIECE.finditer(text):
        piece, begin = match.group(), match.start()
        place = (line, begin - begin_of_line + 1)
        if piece.isspace():
            if breaks := piece.count("\n"):
                line, begin_of_line = line + breaks, begin + piece.rindex("\n") + 1
            continue
        count += 1
        if count > MOST_WORDS:
            raise _error(f"more than {MOST_WORDS} words, expected a rulesheet", name, place)
        if piece.startswith(";"):
            continue
        if not piece.isprintable():
            raise _error(f"{piece!r} is not a word, expected printable text", name, place)
        yield piece, place


def _error(message: str, name: str, place: Place) -> InputError:
    return InputError(message, file=name, line=place[0], column=place[1])


def _rule(group: Group, place: Place) -> Rule:
    if isinstance(group, list) and group and group[0] == _ARROW:
        if len(group) == 1:
            raise _Wrong("an empty rule, expected (<= head body...)")
        return Rule(_atom(group[1], in_body=False), tuple(map(_formula, group[2:])), place)
    return Rule(_atom(group, in_body=False), (), place)


def _formula(group: Group) -> Formula:
    first = group[0] if isinstance(group, list) and group else ""
    word = first.lower() if isinstance(first, str) else ""
    if word in CONNECTIVES:
        if word == "not" and len(group) != 2:
            raise _Wrong(f"not has {len(group) - 1} arguments, expected one")
        return (word, *map(_formula, group[1:]))
    return _atom(group, in_body=True)


def _atom(group: Group, in_body: bool) -> Atom:
    term = _term(group)
    atom = term if isinstance(term, tuple) else (term,)
    name = relation_name(str(atom[0]))
    if name.startswith("?"):
        raise _Wrong(f"a variable ({name}) where a relation was expected")
    if name.lower() in (*CONNECTIVES, _ARROW) or (name == "distinct" and not in_body):
        raise _Wrong(f"{name} cannot stand here, expected a relation")
    return (name, *atom[1:])


def _term(group: Group) -> Term:
    """A term; ``(p)`` is ``p``. The reader bounds how deep groups are nested, and so the recursion."""
    if isinstance(group, str):
        if group == "?":
            raise _Wrong("a question mark alone, expected a variable such as ?x")
        return constant_name(group)
    if not group:
        raise _Wrong("() is empty, expected a name")
    name = group[0]
    if not isinstance(name, str) or name.startswith("?"):
        raise _Wrong("expected a name after a parenthesis")
    return (name, *map(_term, group[1:])) if len(group) > 1 else constant_name(name)
