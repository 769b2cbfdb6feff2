"""What rules of a board are to the checker: moves, parts and symmetries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Moves = Iterable[tuple[str, Any]]
"""Names of moves, and the positions that they lead to."""
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

    ``parts`` takes a position apart into independent ones (those in which nobody will ever move may be missing);
    ``signed`` has one part for all that symmetries make equal or negative, and says whether it is the negative.

    >>> from zermelo.check.boards import rules_named
    >>> domineering = rules_named("domineering")
    >>> list(domineering.moves("..|.#", 0)), domineering.parts("..#|##.|##."), domineering.signed(".|.")
    ([('a1a2', '#.|##')], ['..', '.|.'], ('..', True))
    """

    moves: Callable[[Any, int], Moves]
    parts: Callable[[Any], Sequence[Any]] = itself
    signed: Callable[[Any], tuple[Any, bool]] = unsigned
    text: Callable[[Any], str] = str
