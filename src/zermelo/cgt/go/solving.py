"""From a Go record to a checked solution: the regions as a sum, the best move with its proof."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from time import monotonic
from typing import Any

from zermelo.certificate import Certificate
from zermelo.cgt.go.game import EndgameGame
from zermelo.cgt.go.ground import BLACK, WHITE
from zermelo.cgt.solving import score_facts
from zermelo.cgt.sums import solve_sum
from zermelo.checked import checked
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.run import Watch, no_watch
from zermelo.solution import Solution, Status


def solve_endgame(
    game: EndgameGame,
    limits: Limits | None = None,
    options: Options | None = None,
    target: str = "",
    watch: Watch = no_watch,
) -> Solution:
    """The score of an endgame for either starter and the best move; bounds where a ko matters.

    A region that is not settled is refused: then the solution is ``unknown``, and its note has the reason.

    >>> from zermelo.cgt.go.record import parse_record
    >>> game = EndgameGame(parse_record("(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca])"))
    >>> solution = solve_endgame(game)
    >>> solution.room["left_first"], solution.room["move"], solution.verified
    ('0', 'B3', True)
    """
    limits, options = limits or Limits(), options or Options()
    game.limits = limits
    endgame = game.endgame
    room: dict[str, Any] = endgame.to_json()
    for name, colour in (("left_first", BLACK), ("right_first", WHITE)):
        low, high = (None, None) if endgame.scores is None else endgame.scores[colour]
        room[name] = str(low) if low is not None and low == high else None
    bounds = (None, None) if endgame.scores is None else endgame.scores[game.position.to_move]
    stats = {"seconds": round(monotonic() - limits.started, 6), "nodes": sum(r.positions for r in endgame.regions)}
    if not endgame.exact or endgame.score is None:
        status: Status = "unknown" if endgame.scores is None else "bounded"
        cause = "limit" if endgame.limited else "none"
        note = unanswered(game)
        return Solution(target, game, "go", status, bounds=bounds, note=note, stopped_by=cause, stats=stats, room=room)
    answer = solve_sum(game.components, limits, watch=watch, certify=options.certify)
    score = Fraction(endgame.score)
    solution = Solution(
        target=target,
        game=game,
        engine="go",
        status="solved",
        value=score,
        bounds=(score, score),
        winner="draw" if score == 0 else game.roles[score < 0],
        certificate=Certificate(target, answer.claims) if answer.claims else None,
        stats=stats | {"nodes": int(stats["nodes"]) + answer.nodes},
        room=score_facts(answer) | room,
    )
    found = checked(solution, options, limits)
    return replace(found, stats=dict(found.stats) | {"seconds": round(monotonic() - limits.started, 6)})


def unanswered(game: EndgameGame) -> str:
    """Why there is no score, in one line."""
    endgame = game.endgame
    refused = [f"region {region.name}: {region.reason}" for region in endgame.regions if region.status == "refused"]
    if refused:
        return "; ".join(refused)
    if endgame.limited:
        return "the limit was reached"
    kos = ", ".join(region.name for region in endgame.regions if region.status == "ko")
    return f"a ko in region {kos}: it depends on threats, and on the rule of repetition (superko or not)"
