"""A game taken up at a later position: after moves as people write them, or at a position itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from zermelo.errors import AmbiguousMoveError, IllegalMoveError, InputError
from zermelo.game import CHANCE, Game

_MOVE = re.compile(r"\((?:[^()]|\([^()]*\))*\)|\S+")
"""A move as people write it: a word, or words in brackets."""


def taken_up(game: Game, after: str | Sequence[Any] = (), position: Any = None) -> Game:
    """The game after moves, or from a position on; the game itself where neither is given.

    >>> from zermelo.games import make_game
    >>> taken_up(make_game("nim:3,4"), "0,3 1,2").start()
    ((0, 2), 0)
    """
    if position is not None and after:
        raise InputError("expected moves or a position, not both")
    if position is not None:
        from zermelo.continued import Placed

        return game.at([Placed(position, game.key(position))])
    line = moves_of(game, after) if isinstance(after, str) else list(after)
    return game.at(line) if line else game


def moves_of(game: Game, text: str) -> list[Any]:
    """The moves that people write so, each checked; where chance moves, the outcome is named like a move.

    >>> from zermelo.games import make_game
    >>> moves_of(make_game("nim:3,4"), "0,3 1,2")
    [(0, 3), (1, 2)]
    """
    line: list[Any] = []
    position = game.start()
    for number, word in enumerate(_MOVE.findall(text), 1):
        try:
            if game.result(position) is not None:
                raise IllegalMoveError("the game is over")
            move = _outcome(game, position, word) if game.turn(position) == CHANCE else game.parse_move(position, word)
        except (IllegalMoveError, AmbiguousMoveError) as error:
            raise InputError(f"--after, move {number} ({word!r}): {error}") from None
        line.append(move)
        position = game.play(position, move)
    return line


def _outcome(game: Game, position: Any, word: str) -> Any:
    named = [outcome for outcome, _ in game.chances(position) if game.move_text(outcome).lower() == word.lower()]
    if not named:
        raise IllegalMoveError(f"{word!r} is not an outcome of chance here")
    return named[0]
