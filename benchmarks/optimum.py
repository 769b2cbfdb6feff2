"""``python -m benchmarks.optimum``: how far each player is from the best there is, where that is known exactly.

Matching pennies and the orchard are won by all players together: the share of games won, beside the exact chance to win
under best play. Yahtzee is played alone (``gdl:yahtzee:1``): the mean score, beside that of the optimal strategy, which
plays too (``optimum``). All players have the same dice.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from zermelo.arena.match import Dice, derived_seed
from zermelo.arena.statistics import Interval, wilson
from zermelo.games.yahtzee_optimum import Card, Optimum
from zermelo.play.forward import ForwardModel, RulesheetModel, joint_moves
from zermelo.play.library_model import model_of
from zermelo.play.player import Clock, Decision, Player, make_player, read_clock

Z95 = 1.959964
OPTIMUM = "optimum"
_FACT = re.compile(r"[\w]+")


@dataclass(frozen=True)
class Game:
    """A game with a known best. ``worth`` is what the end of a game counts."""

    name: str
    target: str
    best: Callable[[], float]
    worth: Callable[[ForwardModel, Any], float]
    unit: str = ""


def _goal(model: ForwardModel, end: Any) -> float:
    return 100 * float(model.score(end, model.seats[0]))


def facts(model: ForwardModel, position: Any) -> list[list[str]]:
    """What holds in a position of a rulesheet, each fact as its words."""
    assert isinstance(model, RulesheetModel)
    return [_FACT.findall(fact) for fact in model.game.unpack(position)]


def yahtzee_score(model: ForwardModel, end: Any) -> float:
    """The score on the card."""
    weight = {"hundreds": 100, "tens": 10, "ones": 1}
    return sum(weight[fact[0]] * int(fact[2]) for fact in facts(model, end) if fact[0] in weight)


@cache
def yahtzee_optimum() -> Optimum:
    """The optimal strategy, worked out once."""
    return Optimum()


GAMES = (
    Game("matching pennies", "gdl:matchingpennies", lambda: 50.0, _goal, " %"),
    # By `zermelo solve gdl:orchard`, as a fraction, and by a plain program in the tests.
    Game("orchard", "gdl:orchard", lambda: 68.40474981279716, _goal, " %"),
    Game("yahtzee", "gdl:yahtzee:1", lambda: yahtzee_optimum().value(Card()), yahtzee_score),
)


class YahtzeePlayer:
    """Plays yahtzee by the optimal strategy."""

    def __init__(self, model: ForwardModel, seat: int) -> None:
        self._model, self._seat = model, seat

    def choose(self, position: Any, clock: Clock) -> Decision:
        """The dice to throw again, or the box to fill."""
        del clock
        legal = {self._model.move_text(move): move for move in self._model.legal(position, self._seat)}
        if len(legal) == 1:
            return Decision(next(iter(legal.values())))
        table = facts(self._model, position)
        shown = {fact[1]: int(fact[2]) for fact in table if fact[0] == "shows"}
        dice = tuple(sorted(shown.values()))
        card = Card(
            frozenset(fact[2] for fact in table if fact[0] == "filled"),
            next(int(fact[2]) for fact in table if fact[0] == "upper_sum"),
            any(fact[0] == "fifty" for fact in table),
        )
        throws = next(int(fact[1]) for fact in table if fact[0] == "throws")
        optimum = yahtzee_optimum()
        kept = list(optimum.kept(card, dice, throws)) if throws else list(dice)
        if len(kept) == len(dice):
            return Decision(legal[f"(score {optimum.box(card, dice)})"])
        fates = []
        for die in "abcde":
            keep = shown[die] in kept
            fates.append("keep" if keep else "roll")
            if keep:
                kept.remove(shown[die])
        return Decision(legal[f"(throw {' '.join(fates)})"])


@dataclass(frozen=True)
class Distance:
    """The results of a player in a game."""

    results: tuple[float, ...]
    simulations: int
    seconds: float

    @property
    def interval(self) -> Interval:
        """Wilson's where games are won or lost, else by the deviation of the results."""
        if set(self.results) <= {0.0, 100.0}:
            low, high = wilson(sum(self.results) / 100, len(self.results))
            return Interval(100 * low, 100 * high)
        half = Z95 * stdev(self.results) / sqrt(len(self.results))
        return Interval(fmean(self.results) - half, fmean(self.results) + half)


def play(model: ForwardModel, players: Mapping[int, Player], clock: Clock, seed: int) -> tuple[Any, int, float]:
    """The end of a game, and what the players spent on it."""
    dice, position = Dice(seed), model.start()
    simulations, seconds = 0, 0.0
    while not model.over(position):
        joint = []
        for role, moves in enumerate(joint_moves(model, position)):
            if role == model.chance:
                joint.append(moves[dice.draw(len(moves))])
                continue
            decision = players[role].choose(position, clock)
            simulations, seconds = simulations + decision.simulations, seconds + decision.seconds
            joint.append(decision.move)
        position = model.play(position, joint)
    return position, simulations, seconds


def measured(game: Game, model: ForwardModel, name: str, clock: Clock, games: int) -> Distance:
    """Some games of a player, which takes all seats."""
    results, simulations, seconds = [], 0, 0.0
    for number in range(games):
        players: dict[int, Player] = {
            seat: YahtzeePlayer(model, seat)
            if name == OPTIMUM
            else make_player(name, model, seat, derived_seed("player", seat, number))
            for seat in model.seats
        }
        end, played, spent = play(model, players, clock, number)
        results.append(game.worth(model, end))
        simulations, seconds = simulations + played, seconds + spent
    return Distance(tuple(results), simulations, seconds)


def row(game: Game, name: str, clock: Clock, found: Distance) -> str:
    """A row of the table."""
    low, high = found.interval
    best, mean = game.best(), fmean(found.results)
    rate = f"{found.simulations / found.seconds:,.0f}" if found.seconds else "-"
    reached = "yes" if low <= best <= high else f"{mean - best:+.2f}{game.unit}"
    spent = "-" if name in ("random", OPTIMUM) else str(clock)
    return (
        f"| {game.name} | {best:.4f}{game.unit} | {name} | {spent} | {len(found.results)} | {mean:.2f}{game.unit} "
        f"| {low:.2f} .. {high:.2f} | {reached} | {rate} |"
    )


HEAD = (
    "| game | best | player | clock | games | mean | 95 % | best reached | sims/s |\n"
    "|---|--:|---|--:|--:|--:|--:|--:|--:|"
)


def main() -> None:
    """Prints the table as it comes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="names as in the table; all by default")
    parser.add_argument("--players", default="random,uct,mac-ucb,exact")
    parser.add_argument("--clock", default="1000sims", help="such as 100ms or 1000sims")
    parser.add_argument("--count", type=int, default=200, help="games of each player")
    arguments = parser.parse_args()
    clock = read_clock(arguments.clock)
    print(HEAD)
    for game in GAMES:
        if arguments.games and game.name not in arguments.games:
            continue
        model = model_of(game.target)
        for name in [OPTIMUM] * (game.name == "yahtzee") + re.findall(r"[\w-]+(?:\([^)]*\))?", arguments.players):
            print(row(game, name, clock, measured(game, model, name, clock, arguments.count)), flush=True)


if __name__ == "__main__":
    began = time.perf_counter()
    main()
    print(f"\n{time.perf_counter() - began:.0f} s")
