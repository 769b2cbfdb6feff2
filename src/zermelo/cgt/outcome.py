"""Who wins a sum of boards that are too large for their values: search over the parts that are left.

Small parts count by their value, all of them together as one game; large ones are searched. A value is moved in last:
with a number among the summands the others offer a winning move, if there is one, unless they are a number together
(the number avoidance theorem).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from zermelo.cgt.boardvalue import value_of_board
from zermelo.cgt.nimvalue import run
from zermelo.cgt.ruleset import Position, Ruleset, Side
from zermelo.cgt.value import Value, number
from zermelo.errors import LimitReachedError
from zermelo.limits import Limits, memory_watch

SMALL = 9
"""Parts whose text is no longer are worked out to their value."""
OFTEN = 1024
"""Positions between two looks at the clock."""

State = tuple[tuple[Position, ...], Value, bool]
"""The large parts, what all else is worth, and whether Left is to move."""


class Outcomes:
    """Who wins sums of one game's positions; what has been found is kept.

    >>> from zermelo.cgt.ruleset import positions_of
    >>> rules, boards = positions_of("toads:xx...oo+xx..o")
    >>> Outcomes(rules).first_wins(boards, "left")
    True
    """

    def __init__(self, ruleset: Ruleset, limits: Limits | None = None, small: int = SMALL) -> None:
        self.ruleset, self.limits, self.small = ruleset, limits or Limits(), small
        self._wins: dict[State, bool] = {}
        self._parts: dict[Position, tuple[tuple[Position, ...], Value]] = {}
        self._nothing = number(0)
        self._seen, self._over = 0, memory_watch(self.limits.memory)

    def first_wins(self, positions: Sequence[Position], side: Side, more: Value | None = None) -> bool:
        """Does the side that moves first win the sum of the positions, and of a value beside them?

        ``LimitReachedError`` where a limit comes first; asked again, the search goes on from what it knows.

        >>> from zermelo.cgt.ruleset import positions_of
        >>> rules, boards = positions_of("toads:xxx...ooo")
        >>> search = Outcomes(rules)
        >>> search.first_wins(boards, "right"), search.first_wins(boards, "right", number(-1))
        (False, True)
        """
        large: list[Position] = []
        total = self._nothing if more is None else more
        for position in positions:
            parts, worth = self._taken_apart(position)
            large += parts
            total += worth
        answer = run(self._first_wins((self._sorted(large), total, side == "left")))
        assert isinstance(answer, bool)
        return answer

    def _taken_apart(self, position: Position) -> tuple[tuple[Position, ...], Value]:
        if position not in self._parts:
            large, worth = [], self._nothing
            for part in self.ruleset.regions(position):
                normal = self.ruleset.normal(part)
                if len(self.ruleset.text(normal)) <= self.small:
                    worth += value_of_board(self.ruleset, [normal])
                else:
                    large.append(normal)
            self._parts[position] = tuple(large), worth
        return self._parts[position]

    def _sorted(self, parts: Sequence[Position]) -> tuple[Position, ...]:
        return tuple(sorted(parts, key=self.ruleset.text)) if len(parts) > 1 else tuple(parts)

    def _first_wins(self, state: State) -> Generator[Any, Any, bool]:
        if state in self._wins:
            return self._wins[state]
        parts, worth, left = state
        if not parts:
            return not (worth <= 0 if left else worth >= 0)
        self._look()
        won = False
        for after in self._moves(parts, worth, left):
            if not (yield self._first_wins(after)):
                won = True
                break
        self._wins[state] = won
        return won

    def _look(self) -> None:
        self._seen += 1
        if self.limits.nodes is not None and self._seen > self.limits.nodes:
            raise LimitReachedError("stopped at the limit of nodes")
        if self._seen % OFTEN == 0:
            if self.limits.expired():
                raise LimitReachedError("stopped at the limit of time")
            if self._over():
                raise LimitReachedError("stopped at the limit of memory")

    def _moves(self, parts: tuple[Position, ...], worth: Value, left: bool) -> Iterator[State]:
        for index, part in enumerate(parts):
            if index and parts[index - 1] == part:
                continue
            rest = parts[:index] + parts[index + 1 :]
            for option in self.ruleset.options(part, "left" if left else "right"):
                large, more = self._taken_apart(option.position)
                yield self._sorted(rest + large), (worth if more is self._nothing else worth + more), not left
        for value in worth.left if left else worth.right:
            yield parts, value, not left
