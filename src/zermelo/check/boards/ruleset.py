"""What the rules of a board are to the checker: how it is read, moves, parts and symmetries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

Moves = Iterable[tuple[str, Any]]
"""Names of moves, and the positions that they lead to."""
Wrong = Callable[[int, str], NoReturn]
"""Refuses the text of a board: where, from its beginning, and why."""
STONES = "xo"
"""Left's stone and Right's."""


def itself(position: Any) -> list[Any]:
    """A position that is not taken apart."""
    return [position]


def unsigned(part: Any) -> tuple[Any, bool]:
    """A part of a game whose symmetries are not used."""
    return part, False


@dataclass(frozen=True)
class Rules:
    """The rules of one game. Sides are 0, who is Left, and 1.

    ``read`` makes a position of its text; ``parts`` takes it apart into independent ones (those in which nobody will
    ever move may be missing); ``signed`` has one part for all that symmetries make equal or negative, and says whether
    it is the negative; ``alike`` is the same where both sides may make the moves of either.

    >>> from zermelo.check.boards import rules_named
    >>> domineering = rules_named("domineering")
    >>> list(domineering.moves("..|.#", 0)), domineering.parts("..#|##.|##."), domineering.signed(".|.")
    ([('a1a2', '#.|##')], ['..', '.|.'], ('..', True))
    """

    read: Callable[[str, Wrong], Any]
    moves: Callable[[Any, int], Moves]
    parts: Callable[[Any], Sequence[Any]] = itself
    signed: Callable[[Any], tuple[Any, bool]] = unsigned
    alike: Callable[[Any], tuple[Any, bool]] = unsigned
    text: Callable[[Any], str] = str


def letters(column: int) -> str:
    """The name of a column: a to z, then aa and so on.

    >>> letters(0), letters(26)
    ('a', 'aa')
    """
    return (letters(column // 26 - 1) if column >= 26 else "") + "abcdefghijklmnopqrstuvwxyz"[column % 26]


def size_of(text: str, digits: int) -> tuple[int, int] | None:
    """Rows and columns of a size such as ``4x5``, in at most so many digits each; ``None`` if it is no size.

    >>> size_of("4 x 5", 9), size_of("..|..", 9)
    ((4, 5), None)
    """
    numbers = [number.strip() for number in re.split("[x*]", text)]
    plain = all(re.fullmatch("[0-9]+", number) and len(number) <= digits for number in numbers)
    # A blank may stand beside the cross only, and the text has none at its ends.
    return (int(numbers[0]), int(numbers[1])) if plain and len(numbers) == 2 else None
