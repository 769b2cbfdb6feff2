"""A game taken up at a later position: after moves as people write them, or at a position itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from zermelo.brief import cut
from zermelo.continued import Placed, listed
from zermelo.errors import AmbiguousMoveError, IllegalMoveError, InputError
from zermelo.game import CHANCE, Game, play_line

FEW = 8
"""So many legal moves are named where one was wrong."""
_MOVE = re.compile(r"""(?:'[^']*'|"[^"]*")(?!\S)|\((?:[^()]|\([^()]*\))*\)|\S+""")
"""A move as people write it: a word, or words in quotation marks or brackets."""


def taken_up(game: Game, after: str | Sequence[Any] = (), position: Any = None) -> Game:
    """The game after moves, or from a position on; the game itself where neither is given.

    >>> from zermelo.games import make_game
    >>> taken_up(make_game("nim:3,4"), "0,3 1,2").start()
    ((0, 2), 0)
    """
    if position is not None and after:
        raise InputError("expected moves or a position, not both")
    if position is not None:
        return game.at([Placed(position, position_key(game, position))])
    line = moves_of(game, after) if isinstance(after, str) else _meant(game, listed(after))
    return game.at(line) if line else game


def position_key(game: Game, position: Any) -> str:
    """The position as text, once it has turned out to be one of the game.

    >>> from zermelo.games import make_game
    >>> position_key(make_game("nim:3,4"), 5)
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: 5 is no position of this game: ...
    """
    try:
        hash(position)
        if game.result(position) is None:
            game.turn(position)
            game.moves(position)
        return game.key(position)
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        raise InputError(f"{cut(repr(position))} is no position of this game: {error}") from None


def _meant(game: Game, moves: Sequence[Any]) -> list[Any]:
    """Moves as the game has them; a text among them that is no move itself is one as people write it."""
    line: list[Any] = []
    for number, move in enumerate(moves, 1):
        here = play_line(game, line)
        as_written = isinstance(move, str) and move not in game.moves(here)
        line += _made_of(game, here, [(number, move)]) if as_written else [move]
    return line


def moves_of(game: Game, text: str) -> list[Any]:
    """The moves that people write so, each checked; where chance moves, the outcome is named like a move.

    >>> from zermelo.games import make_game
    >>> moves_of(make_game("nim:3,4"), "0,3 1,2")
    [(0, 3), (1, 2)]

    Where the name of a move has a blank in it, it stands in quotation marks.

    >>> from zermelo.solving import game_of
    >>> tree = 'EFG 2 R "" { "ann" } p "" 1 1 "" { "go on" "stop" } 0 t "" 1 "" { 1 } t "" 2 "" { 0 }'
    >>> moves_of(game_of(tree, "efg"), "'go on'")
    ['go on']
    """
    return _made_of(game, game.start(), ((number, _word(found)) for number, found in enumerate(_MOVE.findall(text), 1)))


def _word(found: str) -> str:
    """A move without the quotation marks around it."""
    quoted = len(found) > 1 and found[0] in "'\"" and found[0] == found[-1]
    return found[1:-1] if quoted else found


def _made_of(game: Game, position: Any, words: Iterable[tuple[int, str]]) -> list[Any]:
    """The moves that numbered words state from a position on."""
    line: list[Any] = []
    for number, word in words:
        try:
            if game.result(position) is not None:
                raise IllegalMoveError("the game is over")
            move = _outcome(game, position, word) if game.turn(position) == CHANCE else game.parse_move(position, word)
        except (IllegalMoveError, AmbiguousMoveError) as error:
            raise InputError(f"--after, move {number} ({word!r}): {error}{_hint(game, position)}") from None
        line.append(move)
        position = game.play(position, move)
    return line


def _hint(game: Game, position: Any) -> str:
    """Some of the moves that are legal, in words."""
    if game.result(position) is not None:
        return ""
    names = [_shown(game.move_text(move)) for move in game.moves(position)]
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    return f", expected {' or '.join(names)}" if len(names) == 1 else f", expected one of {' '.join(names[:FEW])}{more}"


def _shown(name: str) -> str:
    """The name of a move as it can stand in a line of moves."""
    return repr(name) if re.search(r"\s", name) else name


def _outcome(game: Game, position: Any, word: str) -> Any:
    named = [outcome for outcome, _ in game.chances(position) if game.move_text(outcome).lower() == word.lower()]
    if not named:
        raise IllegalMoveError(f"{word!r} is not an outcome of chance here")
    return named[0]
