"""Moves on a board after the end of a record: the position that they lead to."""

from __future__ import annotations

from dataclasses import replace

from zermelo.cgt.go.ground import BLACK, COLOUR_NAMES, EMPTY, OTHER, played, square
from zermelo.cgt.go.record import GoPosition, point_name, point_named
from zermelo.errors import InputError

PASS = "pass"


def after_moves(position: GoPosition, moves: list[str]) -> GoPosition:
    """The position after moves of both sides in turn, each a point or ``pass``.

    >>> from zermelo.cgt.go.record import parse_record
    >>> position = parse_record("(;SZ[2]AB[aa]PL[W])")
    >>> later = after_moves(position, ["B2", "A1"])
    >>> later.stones, later.to_move, later.prisoners
    ('xox.', 'o', 0)
    >>> after_moves(later, ["A2"])
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: White plays at A2, where a stone stands, expected an empty point
    """
    for move in moves:
        point = None if move.lower() == PASS else point_named(move, position.size)
        position = after_move(position, point)
    return position


def after_move(position: GoPosition, point: int | None) -> GoPosition:
    """The position after a move of the side whose turn it is; without a point it passes.

    >>> from zermelo.cgt.go.record import parse_record
    >>> after_move(parse_record("(;SZ[2]AB[aa]PL[W])"), None).to_move
    'x'
    """
    colour = position.to_move
    if point is None:
        return replace(position, to_move=OTHER[colour], banned=None, passes=position.passes + 1)
    ground, who = square(position.size), f"{COLOUR_NAMES[colour]} plays at {point_name(point, position.size)}"
    if position.stones[point] != EMPTY:
        raise InputError(f"{who}, where a stone stands, expected an empty point")
    if point in position.territory:
        raise InputError(f"{who}, which the record marks as territory, expected a point that is not settled")
    found = played(ground, position.stones, point, colour)
    if found is None:
        raise InputError(f"{who}, which is suicide, expected a move that leaves a liberty")
    stones, captured = found
    if point == position.banned and len(captured) == 1:
        raise InputError(f"{who}, which retakes the ko at once, expected a move elsewhere first")
    free = [near for near in ground.neighbours[point] if stones[near] == EMPTY]
    is_ko = len(captured) == 1 and len(ground.chain(stones, point)) == 1 and free == list(captured)
    return replace(
        position,
        stones=stones,
        to_move=OTHER[colour],
        prisoners=position.prisoners + (len(captured) if colour == BLACK else -len(captured)),
        banned=captured[0] if is_ko else None,
        safe=position.safe - set(captured),
        moves=position.moves + 1,
        passes=0,
    )
