"""An analysed position as remarks in the record it comes from, for any editor of Go records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from zermelo.cgt.go.analysis import GoEndgame
from zermelo.cgt.go.ground import BLACK, COLOUR_NAMES, OTHER
from zermelo.cgt.go.order import OrderedMove
from zermelo.cgt.go.playing import PASS
from zermelo.cgt.go.record import point_named
from zermelo.cgt.go.report import report
from zermelo.errors import InputError


def remarked(
    record: str,
    endgame: GoEndgame,
    move: int | None = None,
    made: Sequence[str] = (),
    order: Sequence[OrderedMove] = (),
    line: Sequence[int] = (),
) -> str:
    """The record with remarks where the endgame stands: after a number of moves of a line, and moves that were tried.

    Everything that the record says stays. At the position, regions are labelled, the best move has a ring, what is
    settled is marked as territory, and the report is added to the comment. Moves that were tried follow the record, or
    are a variation where it goes on; there the best order of play is a variation too.

    >>> from zermelo.cgt.go.analysis import analyse_position
    >>> from zermelo.cgt.go.record import parse_record
    >>> game = "(;SZ[3]PB[Shusai]AB[aa][ab]AW[ca][cb];B[ac]C[Connects.];W[cc]SQ[aa][ca])"
    >>> text = remarked(game, analyse_position(parse_record(game)))
    >>> "PB[Shusai]" in text, "C[Connects.]" in text, "LB[bb:a][bc:a]" in text, "CR[ba]" in text
    (True, True, True, True)
    >>> parse_record(text).stones, parse_record(text).moves
    ('x.ox.ox.o', 2)
    """
    from sgfmill import sgf

    try:
        game = sgf.Sgf_game.from_string(record)
        node = _reached(game, move, line)
        goes_on = len(node) > 0
        first = endgame.position.to_move if len(made) % 2 == 0 else OTHER[endgame.position.to_move]
        node = _played(node, _letter(first), made, endgame.position.size)
        _mark(node, endgame, order)
        if goes_on and order:
            names = [endgame.named(step.point) for step in order]
            _played(node, _letter(order[0].colour), names, endgame.position.size, order)
        return str(game.serialise().decode())
    except ValueError as error:
        raise InputError(f"the record cannot be written again: {error}") from None


def _letter(colour: str) -> str:
    return "b" if colour == BLACK else "w"


def _reached(game: Any, last: int | None, line: Sequence[int]) -> Any:
    """The node of a line after so many moves, with what is set up there."""
    here, choices = game.get_root(), iter(line)
    moves = int(_is_move(here))
    while len(here):
        place = next(choices, 1) - 1 if len(here) > 1 else 0
        node = here[min(place, len(here) - 1)]
        if last is not None and _is_move(node) and moves == last:
            break
        here, moves = node, moves + _is_move(node)
    return here


def _is_move(node: Any) -> bool:
    return bool(node.has_property("B") or node.has_property("W"))


def _played(node: Any, colour: str, moves: Iterable[str], size: int, order: Sequence[OrderedMove] = ()) -> Any:
    """The last node of moves in turn, which follow a node as a new variation."""
    for number, name in enumerate(moves):
        node = node.new_child()
        where = None if name.lower() == PASS else _place(point_named(name, size), size)
        node.set_move("bw"[(colour == "w") ^ (number % 2)], where)
        if order:
            node.set("C", f"Best order of play, move {number + 1}: keeps {order[number].score}.")
    return node


def _mark(node: Any, endgame: GoEndgame, order: Sequence[OrderedMove]) -> None:
    position = endgame.position
    size = position.size
    best = None if endgame.best is None else endgame.best.point
    free = [(point, region.name) for region in endgame.regions for point in region.points]
    labels = [(_place(p, size), name) for p, name in free if position.stones[p] == "." and p != best]
    said = node.get("C") + "\n\n" if node.has_property("C") else ""
    steps = [f"\n  {COLOUR_NAMES[step.colour].lower()} {endgame.named(step.point)}" for step in order]
    node.set("C", said + report(endgame) + (f"\nbest order of play{''.join(steps)}" if steps else ""))
    _set(node, "LB", labels)
    _set(node, "CR", [] if best is None else [_place(best, size)])
    _set(node, "SQ", [_place(point, size) for point in sorted(position.safe)])
    for mark, name in (("b", "TB"), ("w", "TW")):
        _set(node, name, [_place(point, size) for point, owner in enumerate(endgame.labels) if owner == mark])


def _set(node: Any, name: str, values: Sequence[Any]) -> None:
    """A property of a node, in the place of what the record had there."""
    if node.has_property(name):
        node.unset(name)
    if values:
        node.set(name, values)


def _place(point: int, size: int) -> tuple[int, int]:
    """A point as the library counts: rows from the bottom."""
    row, column = divmod(point, size)
    return size - 1 - row, column
