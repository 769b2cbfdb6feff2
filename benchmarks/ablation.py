"""``python -m benchmarks.ablation``: what each part of a player is worth, at equal processor time a move.

The first player meets each of the others, as a rule itself with one part switched off. Games come in pairs with seats
changed and the same dice. Where there is nobody to play against, each player plays for itself, and the score is the
first one's minus the other's, plus one half.

    python -m benchmarks.ablation mac-ucb "mac-ucb(backup=0)" "mac-ucb(prove=0)" --games othello,hex --rounds 20
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from statistics import fmean, stdev

from zermelo.arena.match import Table, model_of, play_number, table_of
from zermelo.arena.record import GameRecord
from zermelo.arena.statistics import Z95
from zermelo.play.player import Clock, read_clock
from zermelo.search.forward import ForwardModel

FIFTEEN = (
    "oware backgammon bomberman cantstop checkers chess chinesecheckers hex kaseklau orchard othello pacman pickomino"
    " tictactoe yahtzee"
)
"""The games of Koriche et al. (2016)."""


def round_score(records: list[GameRecord], player: str, alone: bool) -> float:
    """What a player has of a round: its mean share of first places, against a fair share of one half.

    >>> def game(players, scores):
    ...     return GameRecord("g", players, 0, 0, "1s", "", scores, 7, (9, 9), (9, 9), (1.0, 1.0))
    >>> round_score([game(("a", "b"), ("1", "0")), game(("b", "a"), ("1", "0"))], "a", False)
    0.5
    """
    if alone:
        score = {record.players[0]: fmean(float(x) for x in map(_number, record.scores)) for record in records}
        other = next(name for name in score if name != player)
        return 0.5 + score[player] - score[other]
    own = [
        float(points)
        for record in records
        for name, points in zip(record.players, record.points, strict=True)
        if name == player
    ]
    seats = len(records[0].players)
    return fmean(own) + 0.5 - 1 / seats


def _number(text: str) -> float:
    above, _, below = text.partition("/")
    return float(above) / float(below or 1)


def rounds(model: ForwardModel, table: Table, clock: Clock, seed: int) -> Iterator[list[GameRecord]]:
    """The games of one round after the other, without end."""
    number = 0
    while True:
        yield [play_number(model, table, clock, seed, number + i) for i in range(table.round)]
        number += table.round


def compare(game: str, first: str, second: str, clock: Clock, most: int, seconds: float, seed: int) -> str:
    """A row of the table: score with its interval by rounds, games, and the ratio of simulations a second."""
    model = model_of(game if "." in game else f"gdl:{game}")
    table = table_of(model, (first, second))
    scores, begin = [], time.process_time()
    made = {first: [0, 0.0], second: [0, 0.0]}
    for records in rounds(model, table, clock, seed):
        scores.append(round_score(records, first, table.alone))
        for record in records:
            for name, simulations, took in zip(record.players, record.simulations, record.seconds, strict=True):
                made[name][0] += simulations
                made[name][1] += took
        if len(scores) >= most or time.process_time() - begin > seconds:
            break
    half = Z95 * stdev(scores) / len(scores) ** 0.5 if len(scores) > 1 else 0.5
    speed = [simulations / took if took else 0.0 for simulations, took in made.values()]
    mean, share = 100 * fmean(scores), speed[0] / speed[1] if speed[1] else 0.0
    return f"| {game} | {second} | {mean:.1f} ± {100 * half:.1f} | {len(scores) * table.round} | {share:.2f} |"


def main() -> None:
    """Plays what was asked for and prints a row for each game and player."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("player")
    parser.add_argument("others", nargs="+")
    parser.add_argument("--games", default=FIFTEEN.replace(" ", ","))
    parser.add_argument("--clock", default="cpu:30ms")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument(
        "--seconds", type=float, default=60, help="processor time of one row, after which no round begins"
    )
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print("| game | against | score in per cent | games | simulations, ratio |\n|---|---|--:|--:|--:|")
    for game in arguments.games.split(","):
        for other in arguments.others:
            row = compare(game, arguments.player, other, read_clock(arguments.clock), arguments.rounds,
                          arguments.seconds, arguments.seed)  # fmt: skip
            print(row, flush=True)


if __name__ == "__main__":
    main()
