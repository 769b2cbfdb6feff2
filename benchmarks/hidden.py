"""``python -m benchmarks.hidden``: three ways to play where roles perceive only part of what happens (GDL-II).

Each has the same belief (:mod:`zermelo.play.belief`) and the same processor time a move:

- ``sampled``: random games from believed positions;
- ``averaged``: a tree search from each of a few believed positions, the move that is best on average;
- ``informed``: one search among what roles know (:mod:`zermelo.play.information_sets`).

    python -m benchmarks.hidden SHEET.kif --games 40 --milliseconds 20
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import fmean

from zermelo import _native
from zermelo.errors import GameError
from zermelo.gdl.ground import GroundReasoner, ground
from zermelo.gdl.kif import read_kif
from zermelo.play.bandits import UCT, bandit_tree
from zermelo.play.belief import Belief
from zermelo.play.information_sets import InformationSearch
from zermelo.play.rollout import Rollouts
from zermelo.play.thinker import BELIEVED
from zermelo.search.forward import RulesheetModel

Way = Callable[[GroundReasoner, Belief, float, int], int]
"""A move for what is believed, within some seconds of processor time, by a seed."""


def sampled(game: GroundReasoner, belief: Belief, seconds: float, seed: int) -> int:
    """By random games."""
    believed = belief.sample(BELIEVED)
    value = dict.fromkeys(belief.legal(), 0.0)
    for state, weight in believed:
        games = Rollouts(belief.model, state, belief.role, seed)
        end = time.thread_time() + seconds / len(believed)
        while time.thread_time() < end:
            games.play(lambda: False)
        for move, mean in games.estimate().means.items():
            value[move] = value.get(move, 0.0) + weight * mean
    return max(value, key=lambda move: value[move])


def averaged(game: GroundReasoner, belief: Belief, seconds: float, seed: int) -> int:
    """By a tree for each of a few positions."""
    believed = belief.sample(BELIEVED)
    value = dict.fromkeys(belief.legal(), 0.0)
    tree = bandit_tree(game, seed, UCT)
    for state, weight in believed:
        tree.place(state)
        control = _native.Control(seconds / len(believed))
        control.count_processor()
        tree.run(1 << 40, seconds / len(believed), control)
        for move, visits, mean, *_ in tree.options(belief.role):
            value[move] = value.get(move, 0.0) + weight * mean * (visits > 0)
    return max(value, key=lambda move: value[move])


def informed(game: GroundReasoner, belief: Belief, seconds: float, seed: int) -> int:
    """By one search among what roles know."""
    search = InformationSearch(belief, seed)
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        search.play(lambda: False)
    return search.best()


WAYS: dict[str, Way] = {"sampled": sampled, "averaged": averaged, "informed": informed}


def play(game: GroundReasoner, ways: dict[int, Way], seconds: float, seed: int) -> dict[int, float]:
    """One game; what each seat has at its end."""
    model, dice = RulesheetModel(game), Random(seed)
    beliefs = {seat: Belief(model, seat, seed) for seat in model.seats}
    here = model.start()
    while not model.over(here):
        joint = []
        for role in range(len(model.roles)):
            legal = model.legal(here, role)
            if len(legal) == 1:
                joint.append(legal[0])
            elif role in ways:
                move = ways[role](game, beliefs[role], seconds, seed)
                joint.append(move if move in legal else dice.choice(legal))
            else:
                joint.append(dice.choice(legal))
        seen = {seat: model.sees(here, joint, seat) for seat in model.seats}
        here = model.play(here, joint)
        if not model.over(here):
            for seat in model.seats:
                beliefs[seat].advance(model.move_text(joint[seat]), seen[seat], seconds=5.0)
    return {seat: _points(model, here, seat) for seat in model.seats}


def _points(model: RulesheetModel, end: bytes, seat: int) -> float:
    """One half where the rules do not say who has won."""
    try:
        return float(model.score(end, seat))
    except GameError:
        return 0.5


def match(game: GroundReasoner, first: str, second: str, games: int, seconds: float) -> float:
    """The first one's mean share of points, seats changed after each game; alone, its own points."""
    seats = RulesheetModel(game).seats
    results = []
    for number in range(games):
        mine = seats[number % len(seats)]
        ways = {seat: WAYS[first if seat == mine else second] for seat in seats}
        points = play(game, ways, seconds, number // len(seats) + 1)
        others = [point for seat, point in points.items() if seat != mine]
        results.append((points[mine] + 1 - fmean(others)) / 2 if others else points[mine])
    return fmean(results)


def main() -> None:
    """Plays each way against the others and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sheets", nargs="+", type=Path)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--milliseconds", type=float, default=20)
    arguments = parser.parse_args()
    pairs = (("informed", "sampled"), ("averaged", "sampled"), ("informed", "averaged"))
    print("| game | " + " | ".join(f"{first} : {second}" for first, second in pairs) + " |\n|---|--:|--:|--:|")
    for path in arguments.sheets:
        game = ground(read_kif(path.read_text()))
        scores = [match(game, *pair, arguments.games, arguments.milliseconds / 1000) for pair in pairs]
        print(f"| {path.stem} | " + " | ".join(f"{100 * score:.1f}" for score in scores) + " |", flush=True)


if __name__ == "__main__":
    main()
