"""Go: a record region by region, the best order of play, and the record with remarks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from zermelo.cgt.boards.ruleset import SIDES
from zermelo.cgt.go.annotated import annotated
from zermelo.cgt.go.game import EndgameGame
from zermelo.cgt.go.picture import endgame_svg
from zermelo.cgt.go.report import outcome_lines
from zermelo.cgt.scores.sums import best_move
from zermelo.errors import InputError, LimitReachedError
from zermelo.limits import Limits
from zermelo.web.samples import sample_text
from zermelo.web.tasks import Desk

if TYPE_CHECKING:
    from zermelo.web.worker import Emit

MOST_MOVES: Final = 60
"""Moves of the best order that are told."""


def go(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """The regions of a record with values and temperatures, which moves are best and in which order."""
    del desk, emit
    stated = asked.get("game")
    if not isinstance(stated, dict):
        raise InputError("expected a Go record")
    text = sample_text(stated["sample"]) if isinstance(stated.get("sample"), str) else stated.get("text")
    options = stated.get("options") or ""
    if not isinstance(text, str) or not isinstance(options, str):
        raise InputError("expected the text of a Go record (SGF)")
    game = EndgameGame.stated(text, str(stated.get("name") or stated.get("sample") or "record")[:100], options)
    game.limits = limits.part(max(0.5, (limits.seconds_left() or 8.0) * 0.6))
    endgame = game.endgame
    return endgame.to_json() | {
        "outcome": outcome_lines(endgame),
        "stones": endgame.position.stones,
        "labels": endgame.labels,
        "svg": endgame_svg(endgame),
        "order": _order(game, limits) if endgame.exact else [],
        "sgf": annotated(endgame),
    }


def _order(game: EndgameGame, limits: Limits) -> list[dict[str, str]]:
    """A line of best play: who moves in which region, and what is left of it; as far as the time allows."""
    order: list[dict[str, str]] = []
    position = game.start()
    while game.result(position) is None and len(order) < MOST_MOVES:
        components, turn = position
        share = limits.part((limits.seconds_left() or 2.0) / 4)
        try:
            place, option, _ = best_move(components, SIDES[turn], share)
        except LimitReachedError:
            break
        options = components[place].left if turn == 0 else components[place].right
        number = options.index(option)
        name = next(move[2] for move in game.moves(position) if move[:2] == (place, number))
        region = game.endgame.regions[place - 1].name
        order.append({"mover": game.roles[turn], "region": region, "leaves": name.partition(":")[2] or name})
        position = game.play(position, (place, number, name))
    return order
