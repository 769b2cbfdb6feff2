"""Go: a record region by region, the best order of play, and the record with remarks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from zermelo.cgt.go.analysis import GoEndgame, analyse_position
from zermelo.cgt.go.annotated import annotated
from zermelo.cgt.go.game import EndgameGame
from zermelo.cgt.go.ground import COLOUR_NAMES
from zermelo.cgt.go.picture import endgame_svg
from zermelo.cgt.go.playing import after_move, after_moves
from zermelo.cgt.go.record import parse_record
from zermelo.cgt.go.report import outcome_lines
from zermelo.errors import InputError, LimitReachedError
from zermelo.limits import Limits
from zermelo.web.samples import sample_text
from zermelo.web.tasks import Desk

if TYPE_CHECKING:
    from zermelo.web.worker import Emit

MOST_MOVES: Final = 400
"""Moves that may follow the record."""
MOST_ORDERED: Final = 20
"""Moves of the best order that are told."""


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
    order = _order(game, endgame, limits)
    points = [step.pop("point") for step in order]
    steps = [(str(step["mover"]), str(step["move"]), str(step["score"])) for step in order]
    return endgame.to_json() | {
        "outcome": outcome_lines(endgame),
        "stones": endgame.position.stones,
        "labels": endgame.labels,
        "svg": endgame_svg(endgame, points if len(points) > 1 else ()),
        "order": order,
        "sgf": annotated(text, endgame, begin, moves, steps),
        "made": moves,
        "move_number": begin,
        "length": parse_record(text, name).moves,
    }


def _order(game: EndgameGame, endgame: GoEndgame, limits: Limits) -> list[dict[str, Any]]:
    """A line of best play on the board: each best move is made, and what is left looked at again."""
    order: list[dict[str, Any]] = []
    homes = {point: region.name for region in endgame.regions for point in region.points}
    here = endgame
    while here.best is not None and len(order) < MOST_ORDERED:
        point, mover = here.best.point, here.position.to_move
        step = {"mover": COLOUR_NAMES[mover].lower(), "move": here.named(point), "region": homes.get(point, "")}
        order.append({**step, "point": point, "score": str(here.best.score)})
        left = limits.seconds_left()
        if left is not None and left < 1.0:
            break
        try:
            later = after_move(here.position, point)
            share = limits.part((left or 4.0) / 3)
            here = analyse_position(later, scoring=game.scoring, komaster=game.komaster, safe=game.safe, limits=share)
        except (InputError, LimitReachedError):
            break  # a stone that was said to be alive is captured, or there is no time to look further
    return order
