"""Positions that were set up, when a claim speaks of one.

A position that was set up stands in a claim among the moves, as its key in square brackets. The checker makes its own
position of that key, by a reader of its own, and takes it only if its own game writes that position in just that way.
So a claim speaks of the position that people read in it, whatever the engines made of it. Whether play can reach the
position from the start is not asked: what is claimed is what it is worth.

>>> from zermelo.check.read.board import board_target
>>> placed(board_target("domineering:...|...").game(), "##.|... right")
(('##.|...',), 1)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

from zermelo.brief import cut
from zermelo.check.instance import instance_of
from zermelo.check.unplayed import Unplayed
from zermelo.continued import Placed
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.taking_up import taken_up


def set_up(game: Game, after: str) -> Game:
    """The game from a position on that is written as claims write it, and after moves that may follow.

    >>> from zermelo.check.targets import game_to_check
    >>> set_up(game_to_check("domineering:...|..."), "[##.|... right] a2b2").start()
    (('##.|##.',), 0)
    """
    key, end, moves = after[1:].rpartition("]")
    if not end:
        raise InputError(f"{cut(after)!r} is no position, expected ] at its end")
    return taken_up(game.at([Placed(placed(game, key), key)]), moves)


def why_not_placed(game: Game) -> str | None:
    """Why no certificate about a position that was set up in this game can be checked; ``None`` if one can.

    >>> from zermelo.games import make_game
    >>> why_not_placed(make_game("nim:3,4")) is None  # by the rules of the library
    True
    """
    instance = instance_of(game)
    if instance is None:
        return None if game.source is None else "the position was set up, and the checker reads moves alone"
    if _class(_ruled(instance.game())) not in _READERS:
        return "the position was set up, and the checker reads moves alone"
    return None


def placed(own: Game, key: str) -> Any:
    """The position of a game of the checker's own that has this key; ``InputError`` if there is none."""
    own = _ruled(own)
    reader = _READERS.get(_class(own))
    if reader is None:
        raise InputError("the position was set up, and the checker reads moves alone")
    try:
        position = reader(own, key)
        if own.result(position) is None:
            own.moves(position)
    except (ValueError, LookupError, ZeroDivisionError) as error:
        raise InputError(f"{cut(key)!r} is no position of this game: {error}") from None
    if own.key(position) != key:
        raise InputError(f"{cut(key)!r} is no position of this game, which writes it {cut(own.key(position))!r}")
    return position


def _ruled(own: Game) -> Game:
    """The game that has the rules, also where they are fetched only when somebody moves."""
    return own.played if isinstance(own, Unplayed) else own


def _class(own: Game) -> str:
    return f"{type(own).__module__}.{type(own).__qualname__}"  # a class of somebody else may have the same name


def _state(own: Any, key: str) -> Any:
    """The facts of a state in KIF. A step that chance has not ended yet has a bar in it, which is no fact."""
    from zermelo.check.read.kif import ground_term
    from zermelo.check.sheets.terms import text_of

    del own
    term = ground_term(f"(state {key})")
    facts = () if isinstance(term, str) else term[1:]
    if "|" in facts:
        raise ValueError("expected facts in KIF")
    return tuple(sorted({text_of(fact) for fact in facts}))


def _boards(own: Any, key: str) -> Any:
    boards, _, side = key.rpartition(" ")
    texts = boards.split("+")
    if len(texts) != len(own.boards) or side not in own.roles:
        raise ValueError(f"expected {len(own.boards)} boards and who moves, left or right")
    read = [rules.read(text, _wrong) for (_, rules, _), text in zip(own.boards, texts, strict=True)]
    return tuple(read), own.roles.index(side)


def _dots(own: Any, key: str) -> Any:
    from zermelo.check.dots import read_dots

    found = re.fullmatch(r"\(\(('[.#|]+'(?:,'[.#|]+')*)\),(-?[0-9]{1,9}),([01])\)", key)
    if found is None:
        raise ValueError("expected boards, the score so far and who moves")
    boards = tuple(read_dots(text.strip("'"), _wrong) for text in found[1].split(","))
    if len(boards) != len(own.boards):
        raise ValueError(f"expected {len(own.boards)} boards")
    return boards, int(found[2]), int(found[3])


def _wrong(place: int, why: str) -> NoReturn:
    raise ValueError(f"at {place + 1}: {why}")


_READERS: dict[str, Callable[[Any, str], Any]] = {
    "zermelo.check.boardgame.BoardGame": _boards,
    "zermelo.check.dots.DotsGame": _dots,
    "zermelo.check.sheets.play.SheetGame": _state,
}
"""By the class of the checker's own game, what makes its positions of their keys."""
