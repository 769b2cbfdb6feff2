"""Writes down what the checker needs to see that a board or a sum in brackets has the value that is claimed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Protocol

from zermelo.cgt.boards.parts import Parts
from zermelo.cgt.boards.ruleset import SIDES, Position, Ruleset
from zermelo.cgt.values.arena import step_look
from zermelo.errors import LimitReachedError
from zermelo.limits import Limits, step_watch

MOST_PARTS = 200_000
"""Boards that fall into more different parts in the course of play get no certificate."""
MOST_OPTIONS = 2_000_000
"""Nor do values whose positions have more options than this all in all, such as nim heaps of a thousand."""


class Short(Hashable, Protocol):
    """A short game in canonical form."""

    @property
    def number(self) -> Fraction | None: ...
    @property
    def left(self) -> Sequence[Short]: ...
    @property
    def right(self) -> Sequence[Short]: ...


class GameList:
    """Games by their place in a list, options before what they are options of: the ``games`` of a certificate."""

    def __init__(self) -> None:
        self.entries: list[str | list[list[int]]] = []
        self._place: dict[Short, int] = {}
        self._seen = 0
        self._look = step_look()

    def place(self, root: Short) -> int:
        """Where a game stands in the list; it is added where it does not yet."""
        stack = [root]
        while stack:
            self._look()
            game = stack[-1]
            if game in self._place:
                stack.pop()
                continue
            if game.number is not None:
                self._add(game, str(game.number))
                continue
            left, right = game.left, game.right
            self._seen += len(left) + len(right)
            if self._seen > MOST_OPTIONS:
                raise LimitReachedError(f"over {MOST_OPTIONS:,} options to list")
            missing = [option for option in (*left, *right) if option not in self._place]
            if missing:
                stack.extend(missing)
            else:
                self._add(game, [[self._place[option] for option in side] for side in (left, right)])
        return self._place[root]

    def _add(self, game: Short, entry: str | list[list[int]]) -> None:
        self._place[game] = len(self.entries)
        self.entries.append(entry)


def sum_data(value: Short) -> dict[str, Any]:
    """What a claim says of a sum in brackets: the games, and which of them the sum is.

    >>> from zermelo.cgt.values.value import value_of
    >>> sum_data(value_of("{0|0}"))
    {'games': ['0', [[0], [0]]], 'root': 1}
    """
    games = GameList()
    root = games.place(value)
    return {"games": games.entries, "root": root}


def board_data(
    rules: Ruleset,
    boards: Sequence[Position],
    total: Short,
    value_of: Callable[[Position], Short],
    limits: Limits,
) -> dict[str, Any]:
    """What a claim says of boards: the games, which of them the sum is, and which each part is that can come up.

    Of parts that a symmetry of the rules makes equal, or negatives of each other, one is listed.
    """
    games, parts = GameList(), Parts(rules)
    listed: dict[str, int] = {}
    look = step_watch(replace(limits, nodes=None))
    heed = step_look()
    stack = [text for board in boards for text, _ in parts.of(board)]
    while stack:
        text = stack.pop()
        if text in listed:
            continue
        look()
        heed()
        if len(listed) >= MOST_PARTS:
            raise LimitReachedError(f"over {MOST_PARTS:,} parts")
        listed[text] = games.place(value_of(parts.positions[text]))
        for side in SIDES:
            stack.extend([part for after in parts.after(text, side) for part, _ in after if part not in listed])
    return {"games": games.entries, "root": games.place(total), "parts": listed}
