"""``python -m benchmarks.optimum``: how far each player is from the best there is, where that is known exactly.

Matching pennies and the orchard are won by all players together: the share of games won, beside the exact chance to win
under best play. Yahtzee is played alone (``gdl:yahtzee:1``): the mean score, beside that of the optimal strategy, which
plays too (``optimum``). All players have the same dice.

Luck makes such means vague. Where the value of every move is known, what a player's choices lose against the best ones
is added up along each game: the best value less the mean of these losses is what the player can expect (Kakade and
Langford 2002, the performance difference lemma), with hardly any luck in it.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf, sqrt
from statistics import fmean, stdev
from typing import Any

from benchmarks.yahtzee_optimum import Card, Optimum
from zermelo.arena.match import Dice, derived_seed
from zermelo.arena.statistics import Interval, wilson
from zermelo.play.library_model import model_of
from zermelo.play.player import Clock, Decision, Player, make_player, read_clock
from zermelo.search.forward import ForwardModel, RulesheetModel, joint_moves

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
    loss: Callable[[ForwardModel, Any, str], float] | None = None
    """What a move loses against the best one, in the same unit."""


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


@cache
def orchard_value(fruits: tuple[int, ...], raven: int, basket: int = 0) -> float:
    """The chance to win with such fruits, in rising order, and so many steps of the raven left, in per cent."""
    if not any(fruits):
        return 100.0
    if raven == 0:
        return 0.0
    picked = [_picked(fruits, tree) for tree in range(len(fruits)) if fruits[tree]]
    if basket:
        return max(orchard_value(rest, raven, basket - 1) for rest in picked)
    faces = [orchard_value(rest, raven) for rest in picked]
    return fmean([*faces, orchard_value(fruits, raven - 1), orchard_value(fruits, raven, 2)])


def _picked(fruits: tuple[int, ...], tree: int) -> tuple[int, ...]:
    return tuple(sorted((*fruits[:tree], fruits[tree] - 1, *fruits[tree + 1 :])))


def orchard_loss(model: ForwardModel, position: Any, move: str) -> float:
    """What picking from a tree loses."""
    words = facts(model, position)
    fruits = {fact[1]: int(fact[2]) for fact in words if fact[0] == "fruits"}
    raven = 9 - next(int(fact[1]) for fact in words if fact[0] == "raven")
    basket = next(int(fact[1]) for fact in words if fact[0] == "basket")
    trees = sorted(fruits, key=fruits.__getitem__)
    before = tuple(fruits[tree] for tree in trees)
    after = _picked(before, trees.index(_FACT.findall(move)[1]))
    return orchard_value(before, raven, basket) - orchard_value(after, raven, basket - 1)


def yahtzee_loss(model: ForwardModel, position: Any, move: str) -> float:
    """What throwing some dice again or filling a box loses."""
    card, shown, throws = yahtzee_card(model, position)
    dice = tuple(sorted(shown.values()))
    boxes = yahtzee_optimum().worth_of_boxes(card, dice)
    keeping = yahtzee_optimum().worth_of_keeping(card, dice, throws) if throws else {}
    best = max(*boxes.values(), *keeping.values(), -inf)
    verb, *words = _FACT.findall(move)
    if verb == "score":
        return best - boxes[words[0]]
    kept = tuple(sorted(shown[die] for die, fate in zip("abcde", words, strict=True) if fate == "keep"))
    return best - keeping[kept]


def yahtzee_card(model: ForwardModel, position: Any) -> tuple[Card, dict[str, int], int]:
    """The score card, what each die shows and how many throws are left."""
    words = facts(model, position)
    card = Card(
        frozenset(fact[2] for fact in words if fact[0] == "filled"),
        next(int(fact[2]) for fact in words if fact[0] == "upper_sum"),
        any(fact[0] == "fifty" for fact in words),
    )
    shown = {fact[1]: int(fact[2]) for fact in words if fact[0] == "shows"}
    return card, shown, next(int(fact[1]) for fact in words if fact[0] == "throws")


GAMES = (
    Game("matching pennies", "gdl:matchingpennies", lambda: 50.0, _goal, " %"),
    # `zermelo solve gdl:orchard` says the same as a fraction.
    Game("orchard", "gdl:orchard", lambda: orchard_value((10,) * 4, 9), _goal, " %", orchard_loss),
    Game("yahtzee", "gdl:yahtzee:1", lambda: yahtzee_optimum().value(Card()), yahtzee_score, "", yahtzee_loss),
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
        card, shown, throws = yahtzee_card(self._model, position)
        dice = tuple(sorted(shown.values()))
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
    losses: tuple[float, ...]
    simulations: int
    seconds: float

    @property
    def interval(self) -> Interval:
        """Wilson's where games are won or lost, else by the deviation of the results."""
        if set(self.results) <= {0.0, 100.0}:
            low, high = wilson(sum(self.results) / 100, len(self.results))
            return Interval(100 * low, 100 * high)
        return _around(self.results)


def _around(numbers: Sequence[float]) -> Interval:
    half = Z95 * stdev(numbers) / sqrt(len(numbers))
    return Interval(fmean(numbers) - half, fmean(numbers) + half)


@dataclass(frozen=True)
class Played:
    """One game: its end, what its moves lost, and what the players spent on it."""

    end: Any
    loss: float
    simulations: int
    seconds: float


def play(game: Game, model: ForwardModel, players: Mapping[int, Player], clock: Clock, seed: int) -> Played:
    """One game with the dice of a seed."""
    dice, position = Dice(seed), model.start()
    simulations, seconds, loss = 0, 0.0, 0.0
    while not model.over(position):
        joint = []
        for role, moves in enumerate(joint_moves(model, position)):
            if role == model.chance:
                joint.append(moves[dice.draw(len(moves))])
                continue
            decision = players[role].choose(position, clock)
            simulations, seconds = simulations + decision.simulations, seconds + decision.seconds
            joint.append(decision.move)
            if game.loss is not None and len(moves) > 1:
                loss += game.loss(model, position, model.move_text(decision.move))
        position = model.play(position, joint)
    return Played(position, loss, simulations, seconds)


def measured(game: Game, model: ForwardModel, name: str, clock: Clock, games: int) -> Distance:
    """Some games of a player, which takes all seats."""
    played = []
    for number in range(games):
        players: dict[int, Player] = {
            seat: YahtzeePlayer(model, seat)
            if name == OPTIMUM
            else make_player(name, model, seat, derived_seed("player", seat, number))
            for seat in model.seats
        }
        played.append(play(game, model, players, clock, number))
    return Distance(
        tuple(game.worth(model, one.end) for one in played),
        tuple(one.loss for one in played) if game.loss is not None else (),
        sum(one.simulations for one in played),
        sum(one.seconds for one in played),
    )


def row(game: Game, name: str, clock: Clock, found: Distance) -> str:
    """A row of the table."""
    low, high = found.interval
    best, mean = game.best(), fmean(found.results)
    rate = f"{found.simulations / found.seconds:,.0f}" if found.seconds else "-"
    expected = "-"
    if found.losses:
        less, more = _around(found.losses)
        expected = f"{best - (less + more) / 2:.2f} +- {(more - less) / 2:.2f}"
    spent = "-" if name in ("random", OPTIMUM) else str(clock)
    return (
        f"| {game.name} | {best:.4f}{game.unit} | {name} | {spent} | {len(found.results)} | {mean:.2f}{game.unit} "
        f"| {low:.2f} .. {high:.2f} | {expected} | {rate} |"
    )


HEAD = (
    "| game | best | player | clock | games | mean | 95 % | expected, by losses | sims/s |\n"
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
