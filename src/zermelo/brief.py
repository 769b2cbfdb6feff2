"""How objects introduce themselves: in one line, however much they hold.

An object that holds a table of a million moves says so; it does not print them. A class says what matters
(:func:`introduced`), or has its fields told as far as there is place (``__repr__ = fields_in_brief``). Notebooks show
the same as a small table (``_repr_html_ = shown_in_brief``).

>>> introduced([1, 2], "2 numbers", "", "both small")
'<list: 2 numbers, both small>'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from html import escape
from itertools import islice
from typing import Any, Final

LONGEST: Final = 110
"""Characters of an introduction; a line of a terminal has about as many."""
LONGEST_PART: Final = 60
FEW: Final = 3
"""So many entries of a collection are told."""
DEEPEST: Final = 3
"""Fields of fields are told so far down."""
MOST_BITS: Final = 128
"""Larger numbers are told by their size: Python itself refuses to write very large ones."""


def cut(text: str, longest: int = LONGEST) -> str:
    """A text in one line, with dots where something was left out; its last character stays.

    >>> cut("(1, 2, 3, 4)", 10), cut("short\\nlines")
    ('(1, 2,...)', 'short lines')
    """
    line = " ".join(text.split()) if "\n" in text else text
    return line if len(line) <= longest else f"{line[: longest - 4]}...{line[-1]}"


def introduced(thing: object, *facts: str) -> str:
    """The class of a thing and what is worth knowing of it, in one line; empty facts are left out."""
    told = ", ".join(fact for fact in facts if fact)
    return cut(f"<{type(thing).__name__}{': ' if told else ''}{told}>")


def counted(number: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "simulation"), counted(2000, "simulation")
    ('1 simulation', '2,000 simulations')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def fields_in_brief(thing: Any) -> str:
    """The fields of a dataclass, as it would print them itself, as far as there is place: made to be a ``__repr__``.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Heaps:
    ...     sizes: tuple[int, ...]
    ...     name: str = "heaps"
    ...     __repr__ = fields_in_brief
    >>> Heaps((3, 4)), Heaps(tuple(range(1000)))
    (Heaps(sizes=(3, 4), name='heaps'), Heaps(sizes=(0, 1, 2, ... 997 more), name='heaps'))
    """
    return cut(_fields(thing, 0))


def shown_in_brief(thing: Any) -> str:
    """A small table for a notebook, with the fields of a dataclass: made to be a ``_repr_html_``.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Heaps:
    ...     sizes: tuple[int, ...]
    ...     _repr_html_ = shown_in_brief
    >>> Heaps((3, 4))._repr_html_()
    '<table><caption>Heaps</caption><tr><th>sizes</th><td>(3, 4)</td></tr></table>'
    """
    told = [field for field in fields(thing) if field.repr] if is_dataclass(thing) else []
    title = type(thing).__qualname__ if told else repr(thing)
    rows = ((field.name, _part(getattr(thing, field.name), 1)) for field in told)
    cells = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f"<table><caption>{escape(cut(title))}</caption>{cells}</table>"


def _fields(thing: Any, depth: int) -> str:
    told = (f"{field.name}={_part(getattr(thing, field.name), depth + 1)}" for field in fields(thing) if field.repr)
    return f"{type(thing).__qualname__}({', '.join(told)})"


def _part(value: Any, depth: int) -> str:
    if isinstance(value, str | bytes):
        return cut(repr(value[:LONGEST]), LONGEST_PART)
    if isinstance(value, int | Fraction) and not isinstance(value, Enum):
        return _number(value)
    if depth > DEEPEST:
        return "..."
    if type(value) in _BRACKETS:
        opening, closing = _BRACKETS[type(value)]
        return f"{opening}{_some(value, depth)}{closing}"
    if isinstance(value, Mapping):
        return f"{{{_some(value, depth)}}}"
    if vars(type(value)).get("__repr__") is fields_in_brief:
        return _fields(value, depth)
    return cut(repr(value), LONGEST_PART)


_BRACKETS: Final[Mapping[type, tuple[str, str]]] = {
    tuple: ("(", ")"),
    list: ("[", "]"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
}


def _some(collection: Any, depth: int) -> str:
    entries: Iterable[Any] = islice(collection.items() if isinstance(collection, Mapping) else collection, FEW)
    if isinstance(collection, Mapping):
        told = [f"{_part(key, depth + 1)}: {_part(value, depth + 1)}" for key, value in entries]
    else:
        told = [_part(entry, depth + 1) for entry in entries]
    more = len(collection) - len(told)
    if more:
        return f"{', '.join(told)}, ... {more} more"
    return f"{told[0]}," if isinstance(collection, tuple) and len(told) == 1 else ", ".join(told)


def _number(value: int | Fraction) -> str:
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    return repr(value) if bits <= MOST_BITS else f"{'-' if value < 0 else ''}<number of {bits} bits>"
