"""Games of the library that are boards with values too: nim as heaps, wythoff as a queen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zermelo.answer import Answer
from zermelo.cgt.engines import solve_sum_game
from zermelo.cgt.game import BoardSum
from zermelo.encoding import Encoding
from zermelo.engine import Task
from zermelo.errors import NotApplicableError
from zermelo.game import Game

TWINS = {"nim": "nimheaps", "wythoff": "wytqueens"}
"""Games of the library that are rulesets as well, by both names."""


def board_twin(target: str) -> BoardSum | None:
    """The boards of a target whose game of the library is solved otherwise unless an engine for sums is asked for.

    >>> board_twin("nim:3,4").roles
    ('left', 'right')
    """
    name, _, board = target.partition(":")
    return BoardSum.named(f"{TWINS[name]}:{board}") if name in TWINS else None


def answer_by_board(names: Sequence[str], game: Game, task: Task) -> Answer:
    """What engines for sums say of the board that a game of the library is too; the claims speak of the board."""
    twin = None if why_no_twin(game) else board_twin(game.title)
    if twin is None or "sum" in names:
        raise NotApplicableError(f"{'+'.join(names)} takes sums in brackets and boards with values, not this game")
    return replace(solve_sum_game(twin, "+".join(names), task), about=twin)


def why_no_twin(game: Game) -> str | None:
    """Why a game is no board with a value; ``None`` if it is one.

    >>> from zermelo.games import make_game
    >>> why_no_twin(make_game("nim:3,4")), why_no_twin(make_game("hex:3"))
    (None, 'of the games of the library, only nim and wythoff are boards with values')
    """
    if game.title.partition(":")[0] not in TWINS:
        return f"of the games of the library, only {' and '.join(TWINS)} are boards with values"
    return "moves have been made: the board is taken from its start" if game.line else None


ENCODING = Encoding(
    "board",
    "the board with a value that a game of the library is too",
    "board",
    answer_by_board,
    ("game",),
    why_not=why_no_twin,
)
