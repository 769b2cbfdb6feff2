"""The main line: what happens when the strategy is followed and the other side resists as long as it can."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from zermelo.certificate import Claim
from zermelo.game import CHANCE, Game

LONGEST_LINE = 1000
SECONDS = 1.0


def main_line(game: Game, start: Any, claims: Sequence[Claim], first: Any) -> tuple[Any, ...]:
    """A line of best play: roles with a claim follow it, others choose the reply that lasts longest.

    Cut after a thousand moves, at a repetition, where chance decides, and after a second: on boards that only
    a closed form can answer, a single list of moves may be long.
    """
    position, seen = start, {start}
    line: list[Any] = []
    end = monotonic() + SECONDS
    while game.result(position) is None and len(line) < LONGEST_LINE:
        if game.turn(position) == CHANCE or (line and monotonic() > end):
            break
        move = _best(game, position, claims)
        if move is None:
            if line or first is None:
                break
            move = first
        line.append(move)
        position = game.play(position, move)
        if position in seen:
            break
        seen.add(position)
    return tuple(line)


def layered_line(game: Game, start: Any, claims: Sequence[Claim], both: Callable[[], Sequence[int]]) -> tuple[Any, ...]:
    """A line of best play for claims that rest on layers: the one that lasts longest, or where both roles claim the
    value one on which ``both`` keep it, as the kernel plays it; empty where some claim has no layers.
    """
    if any(claim.layers is None for claim in claims):
        return ()
    layers = claims[0].layers
    assert layers is not None
    position, line = start, []
    for place in layers.line if len(claims) == 1 else both():
        line.append(game.moves(position)[place])
        position = game.play(position, line[-1])
    return tuple(line)


def _best(game: Game, position: Any, claims: Sequence[Claim]) -> Any:
    turn = game.turn(position)
    for claim in claims:
        if claim.role == turn:
            return claimed_move(game, position, claim)
    moves = game.moves(position)
    if len(moves) == 1 or len(moves) > 1000:
        return moves[0]
    tables = [claim for claim in claims if claim.table]
    if not tables:
        return next((move for move in moves if _goes_on(game, game.play(position, move), claims)), moves[0])
    return max(moves, key=lambda move: _resistance(game, game.play(position, move), tables))


def _goes_on(game: Game, position: Any, claims: Sequence[Claim]) -> bool:
    """Whether the game is not over after the answer: rules have no ranks, so this is what they tell."""
    if game.result(position) is not None:
        return False
    answers = [claimed_move(game, position, claim) for claim in claims if claim.role == game.turn(position)]
    return all(move is not None and game.result(game.play(position, move)) is None for move in answers)


def claimed_move(game: Game, position: Any, claim: Claim) -> Any:
    """What a claim's strategy plays here; ``None`` where it does not say."""
    if claim.rule is not None:
        return game.rule_move(position, claim)
    entry = claim.table.get(game.key(position))
    return None if entry is None else game.parse_move(position, entry[0])


def _resistance(game: Game, position: Any, claims: Sequence[Claim]) -> int:
    if game.result(position) is not None:
        return -1
    key = game.key(position)
    ranks = (claim.table[key][1] for claim in claims if key in claim.table)
    return max((rank or 0 for rank in ranks), default=0)
