"""Coin turning games: turn coins of a row, the rightmost of them from heads to tails (*Winning Ways*, chapter 14).

Every position is the sum of its heads, each alone in the row: to turn a coin back is to add a second copy, and equal
games cancel.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from zermelo.cgt.boards.ruleset import Option, Position, Ruleset, Side
from zermelo.draw.shape import column_letters
from zermelo.errors import InputError

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

MOST_COINS = 200
"""Longer rows are taken for mistakes."""


def _up_to(count: int) -> Callable[[int], Iterator[tuple[int, ...]]]:
    def others(last: int) -> Iterator[tuple[int, ...]]:
        for number in range(count):
            yield from combinations(range(last), number)

    return others


def _one_other(last: int) -> Iterator[tuple[int, ...]]:
    yield from ((place,) for place in range(last))


def _run(last: int) -> Iterator[tuple[int, ...]]:
    yield from (tuple(range(first, last)) for first in range(last, -1, -1))


TURNS: dict[str, Callable[[int], Iterator[tuple[int, ...]]]] = {
    "mock": _up_to(3),
    "ruler": _run,
    "turtles": _up_to(2),
    "twins": _one_other,
}
"""For each game the other coins that may be turned together with one, all to the left of it."""


class CoinTurning(Ruleset):
    """Turning Turtles (one or two coins), Mock Turtles (up to three), Twins (two), Ruler (any side by side).

    >>> rules = CoinTurning()
    >>> [option.move for option in rules.options(rules.parse("twins:HTH", ""), "left")]
    ['ac', 'bc']
    """

    name = "turning"
    summary = "turn coins, the last of them from heads to tails: mock, ruler, turtles or twins"
    form = "turning:GAME:COINS of H and T, such as turning:ruler:HTTH"
    example = "turning:mock:THHTHTH"
    impartial = True

    def parse(self, text: str, place: str, column: int = 1) -> tuple[str, str]:
        """The name of a game, a colon and coins."""
        name, colon, coins = text.partition(":")
        if not colon or name.strip() not in TURNS:
            message = f"unexpected {name[:20]!r}, expected one of {', '.join(TURNS)}, a colon and coins"
            raise InputError(message, file=place, line=1, column=column)
        row = coins.strip().lower()
        wrong = re.search("[^ht]", row)
        if wrong or len(row) > MOST_COINS:
            message = f"unexpected {row[wrong.start() if wrong else 0]!r}, expected up to {MOST_COINS} coins H or T"
            at = len(name) + 1 + len(coins) - len(coins.lstrip()) + (wrong.start() if wrong else 0)
            raise InputError(message, file=place, line=1, column=column + at)
        return name.strip(), row.rstrip("t")

    def options(self, position: Position, side: Side) -> Sequence[Option]:
        """Named by the coins that are turned, with commas where a name has two letters."""
        name, row = position
        found = []
        for last, coin in enumerate(row):
            if coin == "h":
                for others in TURNS[name](last):
                    turned = {*others, last}
                    after = "".join("ht"[c == "h"] if at in turned else c for at, c in enumerate(row))
                    names = [column_letters(at) for at in sorted(turned)]
                    move = "".join(names) if len(row) <= 26 else ",".join(names)
                    found.append(Option(move, (name, after.rstrip("t"))))
        return found

    def regions(self, position: Position) -> Sequence[Position]:
        """Every head alone, where all other coins show tails."""
        name, row = position
        return [(name, "t" * at + "h") for at, coin in enumerate(row) if coin == "h"]

    def text(self, position: Position) -> str:
        """The game and the coins up to the last head."""
        return f"{position[0]}:{position[1].upper()}"

    def scene(self, position: Position) -> Scene:
        """Coins in a row."""
        from zermelo.draw.hands import coins_scene

        return coins_scene(["heads" if coin == "h" else "tails" for coin in position[1]])
