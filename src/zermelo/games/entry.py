"""What the library knows of a game before it is made, and how arguments are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zermelo.errors import ArgumentError
from zermelo.game import Game


@dataclass(frozen=True)
class Entry:
    """A library game: its name, how its target is written, and how to make it from the text after the colon."""

    name: str
    usage: str
    summary: str
    example: str
    make: Callable[[str], Game]


def integers(
    text: str,
    usage: str,
    *,
    count: int | None = None,
    least: int = 1,
    most: int = 10**9,
    whole: str | None = None,
    offset: int = 0,
) -> list[int]:
    """The comma-separated whole numbers of a target's arguments, checked.

    Where they are only a part of the arguments, ``whole`` is all of those and ``offset`` the part's place.

    >>> integers("3,5", "wythoff:A,B", count=2)
    [3, 5]
    >>> integers("3,x", "wythoff:A,B", count=2)
    Traceback (most recent call last):
        ...
    zermelo.errors.ArgumentError: wythoff:3,x:1:11: 'x' is not a whole number, expected wythoff:A,B
    """
    name = usage.partition(":")[0]
    target, column = f"{name}:{text if whole is None else whole}", len(name) + 2 + offset
    numbers = []
    for part in text.split(","):
        digits = part.strip()
        if not digits.lstrip("-").isdecimal() or not digits.isascii() or digits.count("-") > 1 or len(digits) > 18:
            found = f"{digits!r} is not a whole number" if digits else "a number is missing"
            raise ArgumentError(f"{found}, expected {usage}", file=target, line=1, column=column)
        number = int(digits)
        if not least <= number <= most:
            raise ArgumentError(
                f"{number} is not in {least}..{most}, expected {usage}", file=target, line=1, column=column
            )
        numbers.append(number)
        column += len(part) + 1
    if count is not None and len(numbers) != count:
        message = f"{len(numbers)} number{'s' * (len(numbers) != 1)}, expected {count}: {usage}"
        raise ArgumentError(message, file=target, line=1, column=len(name) + 2 + offset)
    return numbers
