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
    del game
    twin = board_twin(task.target)
    if twin is None or "sum" in names:
        raise NotApplicableError(f"{'+'.join(names)} takes sums in brackets and boards with values, not this game")
    return replace(solve_sum_game(twin, "+".join(names), task), about=twin)


ENCODING = Encoding("board", "the board with a value that a game of the library is too", "board", answer_by_board)
