"""``python -m benchmarks.decisions``: how often a player keeps what a position is worth, at equal processor time.

Few games tell little of small differences; decisions tell more. Positions come from games of weak players at Connect
Four and Othello, late enough that the native engine values every move at once, and only those count in which some moves
give away what others keep. What a player that fails loses is in points of 100 a game.

    python -m benchmarks.decisions mac-ucb "mac-ucb(prove=0)" uct --positions 100 --milliseconds 5
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import Any

from zermelo import _native
from zermelo.arena.match import model_of
from zermelo.play.library_model import model_of as library_model
from zermelo.play.player import Clock, make_player
from zermelo.search.forward import ForwardModel
from zermelo.search.game_model import GameModel

GAMES = {"connectfour": ("connect:6,7,4", 16, 26), "othello": ("othello", 46, 51)}
"""The rulesheet, the same game of the library, and between which plies positions are taken."""
SLIP = 0.2
"""So often the weak players play at random."""
SOLVE_SECONDS = 2.0


@dataclass(frozen=True)
class Problem:
    """A position of a rulesheet, whose turn it is, and what each move is worth to that seat, from 0 to 100."""

    position: bytes
    seat: int
    worth: dict[int, float]


def _plain(text: str) -> str:
    """``(place c 4)`` as the library writes it."""
    return "".join(text.strip("()").split()[1:])


def _value(twin: GameModel, position: object) -> float | None:
    """What a position is worth to the first role."""
    problem = twin.problem_at(position)
    if problem is None:
        return None
    native = problem.native
    if native.over:
        return 50.0 + 50.0 * native.score
    params = _native.SearchParams()
    params.table_bytes = 1 << 26
    found = native.search("alphabeta", params).solve(_native.Control(SOLVE_SECONDS))
    return 50.0 + 50.0 * found.lower if found.solved else None


def problems(game: str, count: int) -> list[Problem]:
    """So many positions that can be decided wrongly."""
    target, first, last = GAMES[game]
    model, twin = model_of(f"gdl:{game}"), library_model(target)
    assert isinstance(twin, GameModel)
    found: list[Problem] = []
    for seed in range(1, 100 * count):
        chance = Random(seed)
        here, there = model.start(), twin.start()
        players = [make_player("uct", model, seat=seat, seed=seed) for seat in model.seats]
        wanted = chance.randint(first, last)
        for _ in range(wanted):
            if model.over(here) or twin.over(there):
                break
            seat = next((s for s in model.seats if len(model.legal(here, s)) > 1), None)
            if seat is None:
                break
            names = {_plain(twin.move_text(m)) or twin.move_text(m): m for m in twin.legal(there, seat)}
            move = players[seat].choose(here, Clock(simulations=64)).move
            move = chance.choice(model.legal(here, seat)) if chance.random() < SLIP else move
            if _plain(model.move_text(move)) not in names:
                break
            here, there = _step(model, here, seat, move), _step(twin, there, seat, names[_plain(model.move_text(move))])
        else:
            problem = _problem(model, twin, here, there)
            if problem is not None:
                found.append(problem)
        if len(found) == count:
            break
    return found


def _step(model: ForwardModel, here: Any, seat: int, move: int) -> Any:
    joint = [move if role == seat else model.legal(here, role)[0] for role in range(len(model.roles))]
    return model.play(here, joint)


def _problem(model: ForwardModel, twin: GameModel, here: Any, there: Any) -> Problem | None:
    seat = next((s for s in model.seats if len(model.legal(here, s)) > 1), None)
    if model.over(here) or seat is None:
        return None
    names = {_plain(twin.move_text(m)) or twin.move_text(m): m for m in twin.legal(there, seat)}
    worth = {}
    for move in model.legal(here, seat):
        name = _plain(model.move_text(move))
        value = _value(twin, _step(twin, there, seat, names[name])) if name in names else None
        if value is None:
            return None
        worth[move] = value if seat == model.seats[0] else 100 - value
    return Problem(here, seat, worth) if len(set(worth.values())) > 1 else None


def main() -> None:
    """Prints how often each player keeps the value, and what it loses on average."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", nargs="+")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--milliseconds", type=float, default=5)
    arguments = parser.parse_args()
    clock = Clock(seconds=arguments.milliseconds / 1000, processor=True)
    print("| game | player | value kept, per cent | points lost | proved |\n|---|---|--:|--:|--:|")
    for game in arguments.games.split(","):
        model, given = model_of(f"gdl:{game}"), problems(game, arguments.positions)
        for name in arguments.players:
            lost, proved = [], []
            for number, problem in enumerate(given):
                decision = make_player(name, model, seat=problem.seat, seed=number).choose(problem.position, clock)
                lost.append(max(problem.worth.values()) - problem.worth[decision.move])
                proved.append(decision.proved)
            kept = 100 * fmean(points == 0 for points in lost)
            print(f"| {game} | {name} | {kept:.1f} | {fmean(lost):.2f} | {100 * fmean(proved):.0f} |", flush=True)


if __name__ == "__main__":
    main()
