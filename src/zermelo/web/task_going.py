"""Go: a record region by region, the best order of play, and the record with remarks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from zermelo.cgt.go.annotated import annotated
from zermelo.cgt.go.game import EndgameGame
from zermelo.cgt.go.ground import COLOUR_NAMES
from zermelo.cgt.go.order import best_order
from zermelo.cgt.go.picture import endgame_svg
from zermelo.cgt.go.playing import after_moves
from zermelo.cgt.go.record import parse_record
from zermelo.cgt.go.report import outcome_lines
from zermelo.errors import InputError
from zermelo.limits import Limits
from zermelo.web.samples import sample_text
from zermelo.web.tasks import Desk

if TYPE_CHECKING:
    from zermelo.web.worker import Emit

MOST_MOVES: Final = 400
"""Moves that may follow the record."""


def go(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """The regions of a record with values and temperatures, which moves are best and in which order."""
    del desk, emit
    stated = asked.get("game")
    if not isinstance(stated, dict):
        raise InputError("expected a Go record")
    text = sample_text(stated["sample"]) if isinstance(stated.get("sample"), str) else stated.get("text")
    options, moves = stated.get("options") or "", asked.get("moves") or []
    if not isinstance(text, str) or not isinstance(options, str):
        raise InputError("expected the text of a Go record (SGF)")
    if not isinstance(moves, list) or len(moves) > MOST_MOVES or not all(isinstance(move, str) for move in moves):
        raise InputError(f'"moves" is not a list of at most {MOST_MOVES} points')
    name = str(stated.get("name") or stated.get("sample") or "record")[:100]
    game = EndgameGame.stated(text, name, options)
    begin = game.position.moves
    game.position = after_moves(game.position, moves)
    game.limits = limits.part(max(0.5, (limits.seconds_left() or 8.0) * 0.6))
    endgame = game.endgame
    order = best_order(endgame, limits)
    points = [move.point for move in order]
    return endgame.to_json() | {
        "outcome": outcome_lines(endgame),
        "stones": endgame.position.stones,
        "labels": endgame.labels,
        "svg": endgame_svg(endgame, points if len(points) > 1 else ()),
        "order": [
            {
                "mover": COLOUR_NAMES[move.colour].lower(),
                "move": endgame.named(move.point),
                "region": move.region,
                "score": str(move.score),
            }
            for move in order
        ],
        "sgf": annotated(endgame),
        "made": moves,
        "move_number": begin,
        "length": parse_record(text, name).moves,
    }
