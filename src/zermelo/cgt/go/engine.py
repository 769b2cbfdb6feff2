"""The engine of Go records: the regions as a sum, the best move with its proof."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from time import monotonic
from typing import Any

from zermelo.answer import Answer, Status
from zermelo.certificate import Claim
from zermelo.cgt.engines import SumDetails, score_facts
from zermelo.cgt.go.analysis import GoEndgame
from zermelo.cgt.go.game import EndgameGame
from zermelo.cgt.go.ground import BLACK, WHITE
from zermelo.cgt.go.holding import as_data as pockets_as_data
from zermelo.cgt.scores.sums import solve_sum
from zermelo.engine import Engine, Task, to_its_end


def solve_endgame(game: EndgameGame, task: Task | None = None) -> Answer:
    """The score of an endgame for either starter and the best move; bounds where a ko matters.

    With a region that stays unsettled there are bounds too, and the note has the reason. What rests on judgement has no
    claims, so that it is never called verified.

    >>> from zermelo.cgt.go.record import parse_record
    >>> game = EndgameGame(parse_record("(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca])"))
    >>> answer = solve_endgame(game)
    >>> answer.details.left_first, answer.details.to_json()["move"]
    ('0', 'B3')
    """
    task = task or Task()
    limits = task.limits
    game.limits = limits
    endgame = game.endgame
    facts: dict[str, Any] = endgame.to_json()
    for name, colour in (("left_first", BLACK), ("right_first", WHITE)):
        low, high = (None, None) if endgame.scores is None else endgame.scores[colour]
        facts[name] = str(low) if low is not None and low == high else None
    bounds = (None, None) if endgame.scores is None else endgame.scores[game.position.to_move]
    stats = {"seconds": round(monotonic() - limits.started, 6), "nodes": sum(r.positions for r in endgame.regions)}
    if not endgame.exact or endgame.score is None:
        status: Status = "unknown" if endgame.scores is None else "bounded"
        cause = "limit" if endgame.limited else "none"
        note = unanswered(game)
        details = SumDetails.of(facts)
        return Answer(GO, status, bounds=bounds, note=note, stopped_by=cause, stats=stats, details=details)
    certify = task.options.certify and endgame.proved
    answer = solve_sum(game.components, limits, watch=task.watch, certify=certify)
    score = Fraction(endgame.score)
    return Answer(
        engine=GO,
        status="solved",
        value=score,
        bounds=(score, score),
        winner="draw" if score == 0 else game.roles[score < 0],
        claims=_held(endgame, answer.claims),
        note=judged_note(endgame),
        stats={
            "seconds": round(monotonic() - limits.started, 6),
            "nodes": sum(region.positions for region in endgame.regions) + answer.nodes,
        },
        details=SumDetails.of(score_facts(answer) | facts),
    )


def _held(endgame: GoEndgame, claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Claims about the sum, with the pockets whose answers settle the rest of the board."""
    if not endgame.holding.pockets:
        return claims
    pockets = pockets_as_data(endgame.holding.pockets)
    return tuple(replace(claim, rule="held", data={"pockets": pockets, "sum": claim.data}) for claim in claims)


def judged_note(endgame: GoEndgame) -> str:
    """What of the answer is not proved."""
    if endgame.proved:
        return ""
    if not endgame.judged:
        return "not verified: a seki counts as it stands, which other rules may see otherwise"
    count = f"{len(endgame.judged)} of {len(endgame.labels)} points"
    return f"not verified: {count} are judged by playing them out, not proved"


def unanswered(game: EndgameGame) -> str:
    """Why there is no score, in one line."""
    endgame = game.endgame
    unsettled = [f"region {region.name}: {region.reason}" for region in endgame.regions if not region.settled]
    if unsettled:
        return "; ".join(unsettled)
    if endgame.limited:
        return "the limit was reached"
    kos = ", ".join(region.name for region in endgame.regions if region.status == "ko")
    return f"a ko in region {kos}: it depends on threats, and on the rule of repetition (superko or not)"


GO = "go"
ENGINE = Engine(
    GO,
    "the regions of a record as a sum, each settled by search",
    GO,
    to_its_end(EndgameGame, "an endgame", lambda game, _, task: solve_endgame(game, task)),
    ("record",),
)
