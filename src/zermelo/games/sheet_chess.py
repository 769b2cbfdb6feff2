"""Positions of chess as facts of its rulesheet, from the notation of Forsyth and Edwards."""

from __future__ import annotations

import re
from typing import Final

from zermelo.errors import ArgumentError
from zermelo.games.sheet_sizes import facts

_PIECES: Final = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
_EXAMPLE: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
# For each castling: its side and name, and the squares on which its king and rook must stand.
_CASTLINGS: Final = {
    "K": ("white kingside", "e1", "h1"),
    "Q": ("white queenside", "e1", "a1"),
    "k": ("black kingside", "e8", "h8"),
    "q": ("black queenside", "e8", "a8"),
}
_TURNS: Final = {"w": "white", "b": "black"}
# Where a pawn that has just made a double step stands, and where it passed, for each side to move.
_PASSED: Final = {"w": ("p", "5", "6"), "b": ("P", "4", "3")}


def position_facts(fen: str) -> str:
    """The facts that set up a position; of the six fields the two clocks may be left out.

    >>> print(position_facts("8/8/4k3/8/2pP4/8/B4K2/8 b - d3"))
    (init (cell e 6 black king))
    (init (cell c 4 black pawn)) (init (cell d 4 white pawn))
    (init (cell a 2 white bishop)) (init (cell f 2 white king))
    (init (turn black))
    (init (passed d))
    >>> position_facts("8/8/8 w - -")
    Traceback (most recent call last):
        ...
    zermelo.errors.ArgumentError: gdl:chess:8/8/8 w - -: '8/8/8' is not a board of 8 x 8, expected a position ...
    """
    fields = fen.split()
    if not 4 <= len(fields) <= 6:
        raise _wrong(fen, f"{len(fields)} fields")
    placement, turn, castlings, passed = fields[:4]
    cells = _cells(fen, placement)
    if turn not in _TURNS:
        raise _wrong(fen, f"{turn!r} is not w or b")
    lines = []
    for rank in "87654321":
        pieces = [(file, cells[file + rank]) for file in "abcdefgh" if file + rank in cells]
        if pieces:
            lines.append(facts(*(("init", f"(cell {file} {rank} {_named(piece)})") for file, piece in pieces)))
    lines.append(f"(init (turn {_TURNS[turn]}))")
    for letter in castlings.replace("-", ""):
        name, king, rook = _CASTLINGS.get(letter, ("", "", ""))
        same = str.upper if letter.isupper() else str.lower
        if not name or cells.get(king) != same("k") or cells.get(rook) != same("r"):
            raise _wrong(fen, f"castling {letter!r} is not there")
        lines.append(f"(init (may_castle {name}))")
    if passed != "-":
        pawn, stands, passes = _PASSED[turn]
        if passed[1:] != passes or cells.get(passed[0] + stands) != pawn:
            raise _wrong(fen, f"no pawn has passed {passed}")
        lines.append(f"(init (passed {passed[0]}))")
    return "\n".join(lines)


def _cells(fen: str, placement: str) -> dict[str, str]:
    rows = [re.sub(r"[1-8]", lambda digit: "." * int(digit[0]), row) for row in placement.split("/")]
    if [len(row) for row in rows] != [8] * 8 or not set("".join(rows).lower()) <= {*_PIECES, "."}:
        raise _wrong(fen, f"{placement!r} is not a board of 8 x 8")
    if placement.count("k") != 1 or placement.count("K") != 1:
        raise _wrong(fen, "not one king a side")
    if "p" in (rows[0] + rows[7]).lower():
        raise _wrong(fen, "a pawn on the first or last rank")
    return {
        f"{'abcdefgh'[column]}{8 - row}": piece
        for row, pieces in enumerate(rows)
        for column, piece in enumerate(pieces)
        if piece != "."
    }


def _named(piece: str) -> str:
    return f"{'white' if piece.isupper() else 'black'} {_PIECES[piece.lower()]}"


def _wrong(fen: str, what: str) -> ArgumentError:
    return ArgumentError(f"{what}, expected a position such as {_EXAMPLE}", file=f"gdl:chess:{fen}")
