"""Coin turning games: coins of a row are turned, the last of them from heads to tails."""

from __future__ import annotations

from itertools import combinations

from zermelo.check.boards.ruleset import Moves, Rules, Wrong, letters

Position = tuple[str, str]
"""The name of a game, and the coins up to the last head: ``h`` and ``t``."""
GAMES = ("mock", "ruler", "turtles", "twins")
MOST_COINS = 200


def _others(game: str, last: int) -> list[tuple[int, ...]]:
    """Coins before the last that may be turned with it."""
    if game == "ruler":
        return [tuple(range(first, last)) for first in range(last + 1)]
    counts = {"mock": (0, 1, 2), "turtles": (0, 1), "twins": (1,)}[game]
    return [others for count in counts for others in combinations(range(last), count)]


def _read(text: str, wrong: Wrong) -> Position:
    name, colon, coins = text.partition(":")
    if not colon or name.strip() not in GAMES:
        wrong(0, f"unexpected {name[:20]!r}, expected one of {', '.join(GAMES)}, a colon and coins")
    row = coins.strip().lower()
    if set(row) - {"h", "t"} or len(row) > MOST_COINS:
        wrong(len(name) + 1, f"expected up to {MOST_COINS} coins H or T")
    return name.strip(), row.rstrip("t")


def _moves(position: Position, side: int) -> Moves:
    del side
    game, row = position
    for last in [at for at, coin in enumerate(row) if coin == "h"]:
        for others in _others(game, last):
            coins = list(row)
            for at in (*others, last):
                coins[at] = "t" if coins[at] == "h" else "h"
            names = map(letters, (*others, last))
            yield ("" if len(row) <= 26 else ",").join(names), (game, "".join(coins).rstrip("t"))


def _heads(position: Position) -> list[Position]:
    """Every head alone: to turn a coin back is to add a second copy of it, and equal impartial games cancel."""
    return [(position[0], "t" * at + "h") for at, coin in enumerate(position[1]) if coin == "h"]


RULES = {"turning": Rules(_read, _moves, _heads, text=lambda at: f"{at[0]}:{at[1].upper()}")}
"""The rules of each game by its name."""
