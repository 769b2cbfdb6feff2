"""``gomoku-qip``: rows of stones as the quantified program of a paper (:mod:`zermelo.qip.models.gomoku`).

The target is the program, not the board: it is solved, checked, shown and written out as one. To play it is to play on
the board, with a solver that looks at the program anew after each move, the moves so far given: :func:`board_of`.
"""

from __future__ import annotations

from zermelo.errors import ArgumentError
from zermelo.games.entry import Entry, integers
from zermelo.games.mnk import MNK
from zermelo.qip.game import ProgramGame
from zermelo.qip.models.gomoku import gomoku, short_gomoku

NAME = "gomoku-qip"
USAGE = f"{NAME}:N,K"
OTHERS = f"{NAME}:ROWS,COLUMNS,K or {NAME}:short:ROWS,COLUMNS,K"
LARGEST = 19
SHORT = "short:"


def board_of(target: str) -> MNK | None:
    """The game on the board that a target's program speaks of; ``None`` for other targets.

    >>> board_of("gomoku-qip:2,3").rows, board_of("nim:3") is None
    (2, True)
    """
    name, _, text = target.partition(":")
    if name != NAME:
        return None
    numbers = text.removeprefix(SHORT)
    offset = len(text) - len(numbers)
    size = integers(numbers, f"{USAGE}, {OTHERS}", most=LARGEST, whole=text, offset=offset)
    if len(size) not in (2, 3):
        message = f"{len(size)} number{'s' * (len(size) != 1)}, expected {USAGE}, {OTHERS}"
        raise ArgumentError(message, file=target, line=1, column=len(NAME) + 2 + offset)
    rows, columns, k = (size[0], *size) if len(size) == 2 else size
    return MNK(rows, columns, k)


def _make(text: str) -> ProgramGame:
    board = board_of(f"{NAME}:{text}")
    assert board is not None
    model = short_gomoku if text.startswith(SHORT) else gomoku
    game = ProgramGame(model(board.rows, board.columns, board.k))
    game.played_as = board
    return game


ENTRIES = (
    Entry(
        NAME,
        USAGE,
        "K in a row on N x N as a quantified program: the value is the winning move",
        "gomoku-qip:2,2",
        _make,
    ),
)
