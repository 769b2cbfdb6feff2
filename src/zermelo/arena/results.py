"""What games came to, player by player, as plain values: for ``match`` and for the end of a run.

>>> from zermelo.arena.match import model_of, play_number, table_of
>>> from zermelo.play.player import Clock
>>> model = model_of("gdl:nim:1")
>>> table = table_of(model, ("random", "uct"))
>>> games = [Played(play_number(model, table, Clock(simulations=1), 1, n), 2, False) for n in range(2)]
>>> [(line["player"], line["wins"], line["losses"], line["score"]) for line in by_player(games)]
[('random', 1, 1, 0.5), ('uct', 1, 1, 0.5)]
>>> [(line["seat"], line["wins"]) for line in by_seat(games, ("first", "second"))]
[(0, 2), (1, 0)]
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from zermelo.arena.record import GameRecord
from zermelo.arena.statistics import Tally, score_interval, tally_of, tally_of_results
from zermelo.arena.store import Played


def by_player(games: Sequence[Played]) -> list[dict[str, Any]]:
    """A line for each player, in the order in which they first appear: results, score with interval, and speed.

    A player that plays against itself has a line for each seat that it begins in.
    """
    records = [game.record for game in games]
    names = list(dict.fromkeys(name for record in records for name in record.players))
    if len(names) == 1 and not games[0].alone:
        return [_against_itself(records, names[0], seat) for seat in range(len(records[0].players))]
    found = []
    for name in names:
        own = [record for record in records if name in record.players]
        seats = [(record, seat) for record in own for seat, player in enumerate(record.players) if player == name]
        found.append({"player": name, **_counts(tally_of(own, name)), **_effort(seats)})
    return found


def _against_itself(records: Sequence[GameRecord], name: str, begin: int) -> dict[str, Any]:
    """The line of who has a seat in the first game, and the next one in each game that follows."""
    seats = [(record, (begin + record.number) % len(record.players)) for record in records]
    results = [record.points[seat] for record, seat in seats]
    tally = tally_of_results(results, Fraction(1, len(records[0].players)))
    return {"player": name, **_counts(tally), **_effort(seats)}


def by_seat(games: Sequence[Played], roles: Sequence[str] = ()) -> list[dict[str, Any]]:
    """A line for each seat, whoever had it: what the game itself gives to it."""
    if not games:
        return []
    seats = len(games[0].record.players)
    found = []
    for seat in range(seats):
        results = [Fraction(game.record.scores[seat]) if game.alone else game.record.points[seat] for game in games]
        name = {"role": roles[seat]} if roles else {}
        found.append({"seat": seat, **name, **_counts(tally_of_results(results, Fraction(1, seats)))})
    return found


def _counts(tally: Tally) -> dict[str, Any]:
    return {
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": round(float(tally.mean), 6),
        "interval": [round(end, 6) for end in score_interval(tally)],
    }


def _effort(seats: Sequence[tuple[GameRecord, int]]) -> dict[str, Any]:
    """What a player has spent in its seats; nodes are those of its largest tree in a game, on average."""
    simulations = sum(record.simulations[seat] for record, seat in seats)
    seconds = sum(record.seconds[seat] for record, seat in seats)
    return {
        "simulations": simulations,
        "simulations_per_second": round(simulations / seconds, 1) if seconds and simulations else None,
        "nodes": round(sum(record.nodes[seat] for record, seat in seats) / len(seats)),
        "seconds": round(seconds, 3),
        "cpu_seconds": round(sum(record.cpu_seconds[seat] for record, seat in seats if record.cpu_seconds), 3),
    }


def table_text(lines: Sequence[dict[str, Any]], *, alone: bool) -> str:
    """The lines of :func:`by_player` as a table for people.

    >>> print(table_text([], alone=False))
    player  games  wins  draws  losses   score     95 % interval       sims/s    nodes
    """
    width = max((len(str(line["player"])) for line in lines), default=6)
    middle = ("wins", "other", "zero") if alone else ("wins", "draws", "losses")
    rows = [
        f"{'player':<{max(width, 6)}}  {'games':>5}{middle[0]:>6}{middle[1]:>7}{middle[2]:>8}{'score':>8}"
        f"{'95 % interval':>18}{'sims/s':>13}{'nodes':>9}"
    ]
    for line in lines:
        low, high = line["interval"]
        rate = line["simulations_per_second"]
        rows.append(
            f"{line['player']:<{max(width, 6)}}  {line['games']:>5}{line['wins']:>6}{line['draws']:>7}"
            f"{line['losses']:>8}{line['score']:>8.3f}{f'{low:.3f} .. {high:.3f}':>18}"
            f"{'-' if rate is None else f'{rate:,.0f}':>13}{line['nodes']:>9,}"
        )
    return "\n".join(rows)
