"""The best order of play: each best move is made on the board, and what is left is looked at again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from zermelo.brief import shown_in_brief
from zermelo.cgt.go.analysis import GoEndgame, analyse_again
from zermelo.cgt.go.playing import after_move
from zermelo.errors import InputError, LimitReachedError
from zermelo.limits import Limits

MOST_ORDERED = 20
"""Moves of the best order that are told."""


@dataclass(frozen=True)
class OrderedMove:
    """A move of a line of best play, the region in which it is, and the score that the line leads to."""

    colour: str
    point: int
    region: str
    score: Fraction

    _repr_html_ = shown_in_brief


def best_order(endgame: GoEndgame, limits: Limits | None = None, most: int = MOST_ORDERED) -> Sequence[OrderedMove]:
    """A line of best play for both sides, from the side to move on; empty where no best move is known.

    >>> from zermelo.cgt.go.analysis import analyse_position
    >>> from zermelo.cgt.go.record import parse_record
    >>> endgame = analyse_position(parse_record("(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca])"))
    >>> [endgame.named(move.point) for move in best_order(endgame)]
    ['B3']
    """
    limits = limits or Limits()
    order: list[OrderedMove] = []
    homes = {point: region.name for region in endgame.regions for point in region.points}
    here = endgame
    while here.best is not None and len(order) < most:
        point = here.best.point
        order.append(OrderedMove(here.position.to_move, point, homes.get(point, ""), here.best.score))
        left = limits.seconds_left()
        if left is not None and left < 1.0:
            break
        try:
            here = analyse_again(here, after_move(here.position, point), limits.part((left or 12.0) / 3))
        except (InputError, LimitReachedError):
            break  # a stone that was said to be alive is captured, or there is no time to look further
    return order
