"""Data of claims, strictly read: lists of a known length, whole numbers, exact numbers; whatever else is a fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from zermelo.certificate import parse_score
from zermelo.check.quantified import Number, plain
from zermelo.check.verdict import Fault

T = TypeVar("T")


def fields(data: Mapping[str, Any], *names: str) -> list[Any]:
    """What the fields hold, of which there are no others.

    >>> fields({"value": 3, "nodes": []}, "value", "nodes")
    [3, []]
    """
    if set(data) != set(names):
        raise Fault(f"the data has not just the fields {', '.join(names)}")
    return [data[name] for name in names]


def numbered(what: str, items: object, read: Callable[[object], T]) -> tuple[T, ...]:
    """A list, of which faults say the number of the item."""
    made = []
    for place, item in enumerate(listed(items)):
        try:
            made.append(read(item))
        except Fault as fault:
            raise Fault(f"{what} {place}: {fault}") from None
    return tuple(made)


def several(item: object, read: Callable[[Any], T]) -> tuple[T, ...]:
    """A list whose items are all read in the same way."""
    return tuple(map(read, listed(item)))


def listed(item: object, *lengths: int) -> list[Any]:
    """A list, of one of the lengths if there are any."""
    if not isinstance(item, list) or (lengths and len(item) not in lengths):
        expected = f" of {' or '.join(map(str, lengths))}" if lengths else ""
        raise Fault(f"{item!r:.40} is not a list{expected}")
    return item


def number(item: object) -> Number:
    """An exact number: a whole one, or a text.

    >>> number(3), number("1/2")
    (3, Fraction(1, 2))
    """
    try:
        return plain(parse_score(item)) if isinstance(item, str) else whole(item)
    except (ValueError, Fault):
        raise Fault(f'{item!r:.40} is not a whole number or a text "p/q"') from None


def whole(item: object) -> int:
    """A whole number; ``True`` is none."""
    if type(item) is not int:
        raise Fault(f"{item!r:.40} is not a whole number")
    return item


def value(item: object) -> Fraction | None:
    """What the objective is said to come to; nothing where rows cannot be kept."""
    return None if item is None else Fraction(number(item))
