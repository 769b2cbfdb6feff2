"""Nim-values of positions in which both sides have the same moves, part by part.

A part is worth *n exactly if it loses together with a nim heap of n and with no smaller one. So a part is asked for
n = 0, 1, 2, ... whether any of its moves leads to a part that loses together with *n; most moves need not be looked at,
and of a move's parts all but the largest are evaluated first, the largest only compared (Lemoine and Viennot 2012).
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Protocol, runtime_checkable

from zermelo.cgt.boards.ruleset import Position, Ruleset
from zermelo.errors import LimitReachedError


@runtime_checkable
class NimValued(Protocol):
    """Rules that know their nim-values better than by search."""

    def nim_value(self, position: Position) -> int:
        """The nim-value of a position."""


class NimValues:
    """The nim-values of one game's positions; what has been found is kept.

    >>> from zermelo.cgt.boards.ruleset import ruleset_named
    >>> NimValues(ruleset_named("cram")).value("...|...|..#")
    2
    """

    def __init__(self, ruleset: Ruleset, most_parts: int = 5_000_000) -> None:
        if not ruleset.impartial:
            raise ValueError(f"{ruleset.name} is partizan: its positions have no nim-values")
        self.ruleset, self.most_parts = ruleset, most_parts
        self._values: dict[Position, int] = {}
        self._excluded: dict[Position, set[int]] = {}
        self._moves: dict[Position, list[list[Position]]] = {}

    def value(self, position: Position) -> int:
        """The nim-value of a position.

        >>> from zermelo.cgt.boards.ruleset import ruleset_named
        >>> NimValues(ruleset_named("kayles")).value((12,))
        4
        """
        if isinstance(self.ruleset, NimValued):
            return self.ruleset.nim_value(position)
        return self.searched(position)

    def searched(self, position: Position) -> int:
        """The nim-value by search, whatever the rules know themselves.

        >>> from zermelo.cgt.boards.ruleset import ruleset_named
        >>> NimValues(ruleset_named("kayles")).searched((12,))
        4
        """
        total = 0
        for part in self._parts(position):
            total ^= run_to_end(self._value(part))
        return total

    def _parts(self, position: Position) -> list[Position]:
        """The parts in their normal form, the largest last; two equal ones are worth nothing together."""
        odd: dict[Position, None] = {}
        for part in self.ruleset.regions(position):
            key = self.ruleset.normal(part)
            if key in odd:
                del odd[key]
            else:
                odd[key] = None
        return sorted(odd, key=lambda part: (len(self.ruleset.text(part)), self.ruleset.text(part)))

    def _options(self, part: Position) -> list[list[Position]]:
        """What moves make of a part, each a list of parts, the smallest first: they are settled the soonest."""
        if part not in self._moves:
            if len(self._moves) >= self.most_parts:
                raise LimitReachedError(f"over {self.most_parts:,} different parts of the board")
            found = {tuple(self._parts(option.position)): None for option in self.ruleset.options(part, "left")}
            self._moves[part] = sorted(map(list, found), key=self._work)
        return self._moves[part]

    def _work(self, parts: list[Position]) -> tuple[int, int]:
        sizes = [len(self.ruleset.text(part)) for part in parts]
        return max(sizes, default=0), sum(sizes)

    def _value(self, part: Position) -> Generator[Any, Any, int]:
        size = 0
        while not (yield self._loses(part, size)):
            size += 1
        return size

    def _loses(self, part: Position, size: int) -> Generator[Any, Any, bool]:
        """Does who moves first lose on this part together with a heap of this size?"""
        if part in self._values:
            return self._values[part] == size
        excluded = self._excluded.setdefault(part, set())
        if size in excluded:
            return False
        for smaller in range(size):
            if smaller not in excluded and (yield self._loses(part, smaller)):
                return False
        for parts in self._options(part):
            rest = size
            for other in parts[:-1]:
                rest ^= yield self._value(other)
            if (yield self._loses(parts[-1], rest)) if parts else rest == 0:
                excluded.add(size)
                return False
        self._values[part] = size
        return True


def run_to_end(task: Generator[Any, Any, Any]) -> Any:
    """Runs a task that waits for other tasks, without recursion: boards may take more moves than Python nests calls.

    >>> def double(number):
    ...     return 2 * number if number < 3 else (yield double(number - 1))
    ...     yield
    >>> run_to_end(double(5))
    4
    """
    stack, answer = [task], None
    while stack:
        try:
            stack.append(stack[-1].send(answer))
            answer = None
        except StopIteration as finished:
            stack.pop()
            answer = finished.value
    return answer
