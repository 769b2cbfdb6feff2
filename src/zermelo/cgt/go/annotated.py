"""An analysed position as remarks in the record it comes from, for any editor of Go records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from zermelo.cgt.go.analysis import GoEndgame
from zermelo.cgt.go.ground import BLACK
from zermelo.cgt.go.playing import PASS
from zermelo.cgt.go.record import point_named
from zermelo.cgt.go.report import report
from zermelo.errors import InputError

Step = tuple[str, str, str]
"""A move of the best order of play: who, where, and the score that it keeps."""


def annotated(
    record: str, endgame: GoEndgame, move: int | None = None, made: Sequence[str] = (), order: Sequence[Step] = ()
) -> str:
    """The record with remarks where the endgame stands: after a number of its moves, and after moves that were tried.

    Everything that the record says stays. At the position, regions are labelled, the best move has a ring, what is
    settled is marked as territory, and the report is added to the comment. Moves that were tried follow the record, or
    are a variation where it goes on; there the best order of play is a variation too.

    >>> from zermelo.cgt.go.analysis import analyse_position
    >>> from zermelo.cgt.go.record import parse_record
    >>> game = "(;SZ[3]PB[Shusai]AB[aa][ab]AW[ca][cb];B[ac]C[Connects.];W[cc]SQ[aa][ca])"
    >>> text = annotated(game, analyse_position(parse_record(game)))
    >>> "PB[Shusai]" in text, "C[Connects.]" in text, "LB[bb:a][bc:a]" in text, "CR[ba]" in text
    (True, True, True, True)
    >>> parse_record(text).stones, parse_record(text).moves
    ('x.ox.ox.o', 2)
    """
    from sgfmill import sgf

    try:
        game = sgf.Sgf_game.from_string(record)
        node = _reached(game, move)
        goes_on = len(node) > 0
        colour = "b" if (endgame.position.to_move == BLACK) == (len(made) % 2 == 0) else "w"
        node = _played(node, colour, made, endgame.position.size)
        _mark(node, endgame, order)
        if goes_on and order:
            _played(node, order[0][0][0], [place for _, place, _ in order], endgame.position.size, order)
        return str(game.serialise().decode())
    except ValueError as error:
        raise InputError(f"the record cannot be written again: {error}") from None


def _reached(game: Any, last: int | None) -> Any:
    """The node of the main line after so many moves, with what is set up there."""
    moves, here = 0, game.get_root()
    for node in game.get_main_sequence():
        is_move = node.has_property("B") or node.has_property("W")
        if last is not None and is_move and moves == last:
            break
        here, moves = node, moves + is_move
    return here


def _played(node: Any, colour: str, moves: Iterable[str], size: int, order: Sequence[Step] = ()) -> Any:
    """The last node of moves in turn, which follow a node as a new variation."""
    for number, name in enumerate(moves):
        node = node.new_child()
        where = None if name.lower() == PASS else _place(point_named(name, size), size)
        node.set_move("bw"[(colour == "w") ^ (number % 2)], where)
        if order:
            node.set("C", f"Best order of play, move {number + 1}: keeps {order[number][2]}.")
    return node


def _mark(node: Any, endgame: GoEndgame, order: Sequence[Step]) -> None:
    position = endgame.position
    size = position.size
    best = None if endgame.best is None else endgame.best.point
    free = [(point, region.name) for region in endgame.regions for point in region.points]
    labels = [(_place(p, size), name) for p, name in free if position.stones[p] == "." and p != best]
    said = node.get("C") + "\n\n" if node.has_property("C") else ""
    line = "".join(f"\n  {number}. {who} {place}" for number, (who, place, _) in enumerate(order, 1))
    node.set("C", said + report(endgame) + (f"\nbest order of play{line}" if line else ""))
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
