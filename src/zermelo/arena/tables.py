"""Tables of results: a row for each pairing, as text, Markdown, CSV or JSON.

>>> from zermelo.arena.record import GameRecord
>>> games = [GameRecord("gdl:nim", ("uct", "random"), 0, 1, "0.02s", "", ("1", "0"), 7, (900, 0), (310, 0), (0.1, 0.0)),
...     GameRecord("gdl:nim", ("random", "uct"), 1, 1, "0.02s", "", ("0", "1"), 7, (0, 900), (0, 310), (0.0, 0.1))]
>>> print(text_table(rows_of(games)))
game  clock  players       games  W-D-L  score %             Elo         SPRT  sims/s     nodes
nim   20 ms  uct : random  2      2-0-0  100.0 [34.2 100.0]  ∞ [-113 ∞]  open  9,000 : -  310 : 0
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from zermelo.arena.ratings import Rating
from zermelo.arena.record import GameRecord
from zermelo.arena.statistics import (
    EloDifference,
    Interval,
    SprtResult,
    Tally,
    difference_interval,
    elo_difference,
    is_alone,
    score_interval,
    sprt,
    tally_of,
)
from zermelo.errors import ArgumentError, InputError
from zermelo.files import write_text

ELO0, ELO1 = 0.0, 20.0
"""The hypotheses that are tested unless others are asked for: no stronger, or 20 points."""


@dataclass(frozen=True)
class Standing:
    """What one player of a pairing has reached, and what it took.

    ``simulations_per_second`` is of the seconds in which the player was asked; ``None`` where it simulates nothing.
    ``nodes`` is the size of its largest tree in a game, on average.
    """

    player: str
    tally: Tally
    interval: Interval
    simulations_per_second: float | None
    nodes: float


@dataclass(frozen=True)
class Row:
    """A pairing: the player that it is about comes first. ``cut`` counts the games that were stopped without an end.

    Opponents have an ``elo`` difference; players that play ``alone`` have that of their mean results, the first less
    the second, in ``difference``.
    """

    game: str
    clock: str
    alone: bool
    games: int
    standings: tuple[Standing, ...]
    elo: EloDifference | None
    difference: Interval | None
    test: SprtResult
    cut: int

    @property
    def first(self) -> Standing:
        """The player that the pairing is about."""
        return self.standings[0]


def pairings_of(records: Iterable[GameRecord]) -> list[list[GameRecord]]:
    """Games put together by game, clock and players, whatever their seats; players of a game alone go together.

    >>> pairings_of([])
    []
    """
    found: dict[tuple[str, str, tuple[str, ...]], list[GameRecord]] = {}
    for record in records:
        players = () if is_alone(record) else tuple(sorted(record.players))
        found.setdefault((record.game, record.clock, players), []).append(record)
    return [sorted(games, key=lambda record: record.number) for games in found.values()]


def players_of(records: Sequence[GameRecord]) -> list[str]:
    """The players of a pairing in the order of its first games: the first is the one that the pairing is about.

    >>> players_of([])
    []
    """
    ordered = sorted(records, key=lambda record: record.number)
    return list(dict.fromkeys(player for record in ordered for player in record.players))


def row_of(
    records: Sequence[GameRecord],
    *,
    elo0: float = ELO0,
    elo1: float = ELO1,
    alpha: float = 0.05,
    beta: float = 0.05,
) -> Row:
    """The row of one pairing, which must have games.

    >>> row_of([])
    Traceback (most recent call last):
        ...
    zermelo.errors.ArgumentError: no games, expected those of one pairing
    """
    if not records:
        raise ArgumentError("no games, expected those of one pairing")
    alone = all(is_alone(record) for record in records)
    players = players_of(records)
    standings = tuple(_standing(records, player, alone) for player in players)
    first = standings[0]
    return Row(
        records[0].game,
        records[0].clock,
        alone,
        first.tally.games,
        standings,
        None if alone else elo_difference(first.tally),
        difference_interval(first.tally, standings[1].tally) if alone and len(standings) > 1 else None,
        sprt(records, players[0], elo0=elo0, elo1=elo1, alpha=alpha, beta=beta),
        sum(record.cut for record in records),
    )


def rows_of(records: Iterable[GameRecord], *, elo0: float = ELO0, elo1: float = ELO1) -> list[Row]:
    """A row for each pairing, in the order of their first games.

    >>> rows_of([])
    []
    """
    return [row_of(games, elo0=elo0, elo1=elo1) for games in pairings_of(records)]


def _standing(records: Sequence[GameRecord], player: str, alone: bool) -> Standing:
    own = [record for record in records if player in record.players]
    tally = tally_of(own if alone else records, player)
    seats = [(record, seat) for record in own for seat, name in enumerate(record.players) if name == player]
    simulations = sum(record.simulations[seat] for record, seat in seats)
    seconds = sum(record.seconds[seat] for record, seat in seats)
    rate = simulations / seconds if simulations and seconds > 0 else None
    nodes = sum(record.nodes[seat] for record, seat in seats) / max(len(seats), 1)
    return Standing(player, tally, score_interval(tally), rate, nodes)


HEADINGS = ("game", "clock", "players", "games", "W-D-L", "score %", "Elo", "SPRT", "sims/s", "nodes")


def cells_of(row: Row) -> tuple[str, ...]:
    """A row as it is read, under :data:`HEADINGS`; what belongs to each player stands in the order of the players."""
    shown = row.standings if row.alone else row.standings[:1]
    return (
        row.game.removeprefix("gdl:"),
        clock_text(row.clock),
        _each(standing.player for standing in row.standings) + (" (alone)" if row.alone else ""),
        f"{row.games:,}" + (f" ({row.cut} cut)" if row.cut else ""),
        _each(f"{s.tally.wins}-{s.tally.draws}-{s.tally.losses}" for s in shown),
        _each(percent(s.tally.mean, s.interval) for s in shown),
        elo_text(row.elo) if row.elo else "-",
        row.test.verdict if row.test.games else "-",
        _each("-" if s.simulations_per_second is None else f"{s.simulations_per_second:,.0f}" for s in row.standings),
        _each(f"{s.nodes:,.0f}" for s in row.standings),
    )


def _each(words: Iterable[str]) -> str:
    return " : ".join(words)


def percent(mean: Fraction | float, interval: Interval) -> str:
    """A mean result with its interval.

    >>> percent(Fraction(2, 3), Interval(0.5, 0.8))
    '66.7 [50.0 80.0]'
    """
    return f"{100 * float(mean):.1f} [{100 * interval.low:.1f} {100 * interval.high:.1f}]"


def elo_text(elo: EloDifference) -> str:
    """A difference in Elo with its interval.

    >>> elo_text(EloDifference(12.3, Interval(-5.0, math.inf)))
    '+12 [-5 ∞]'
    """
    low, high = (_points(end).removeprefix("+") for end in elo.interval)
    return f"{_points(elo.value)} [{low} {high}]"


def _points(elo: float) -> str:
    return ("∞" if elo > 0 else "-∞") if math.isinf(elo) else f"{round(elo):+d}" if round(elo) else "0"


def clock_text(clock: str) -> str:
    """A clock of a record as people write it.

    >>> clock_text("0.02s"), clock_text("30s"), clock_text("100sims"), clock_text("cpu:0.02s")
    ('20 ms', '30 s', '100 sims', '20 ms of processor')
    """
    unit = "sims" if clock.endswith("sims") else "s"
    number = clock.removesuffix(unit).removeprefix("cpu:")
    text = f"{1000 * float(number):g} ms" if unit == "s" and float(number) < 1 else f"{number} {unit}"
    return f"{text} of processor" if clock.startswith("cpu:") else text


def text_table(rows: Sequence[Row]) -> str:
    """The table for a terminal.

    >>> text_table([])
    'game  clock  players  games  W-D-L  score %  Elo  SPRT  sims/s  nodes'
    """
    return aligned([HEADINGS, *map(cells_of, rows)])


def aligned(lines: Sequence[Sequence[str]]) -> str:
    """Lines of cells in columns, two spaces between them.

    >>> aligned([("a", "b"), ("long", "c")])
    'a     b\\nlong  c'
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def markdown_table(rows: Sequence[Row]) -> str:
    """The table for a page.

    >>> print(markdown_table([]))
    | game | clock | players | games | W-D-L | score % | Elo | SPRT | sims/s | nodes |
    |---|---|---|---|---|---|---|---|---|---|
    """
    return markdown([HEADINGS, *map(cells_of, rows)])


def markdown(lines: Sequence[Sequence[str]]) -> str:
    """Lines of cells as a table in Markdown, the first as its head.

    >>> print(markdown([("a",), ("1|2",)]))
    | a |
    |---|
    | 1\\|2 |
    """
    head, *body = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
    return "\n".join([head, "|" + "---|" * len(lines[0]), *body])


def json_of(row: Row) -> dict[str, Any]:
    """A row as plain values: exact numbers as text, nothing for what is infinite."""
    return {
        "game": row.game,
        "clock": row.clock,
        "alone": row.alone,
        "games": row.games,
        "cut": row.cut,
        "players": [
            {
                "player": standing.player,
                "games": standing.tally.games,
                "wins": standing.tally.wins,
                "draws": standing.tally.draws,
                "losses": standing.tally.losses,
                "points": str(standing.tally.points),
                "score": round(float(standing.tally.mean), 6),
                "interval": _finite(standing.interval),
                "expected": str(standing.tally.expected),
                "simulations_per_second": None
                if standing.simulations_per_second is None
                else round(standing.simulations_per_second, 1),
                "nodes": round(standing.nodes, 1),
            }
            for standing in row.standings
        ],
        "elo": None if row.elo is None else _finite([row.elo.value])[0],
        "elo_interval": None if row.elo is None else _finite(row.elo.interval),
        "difference": None if row.difference is None else _finite(row.difference),
        "sprt": {
            "verdict": row.test.verdict,
            "llr": round(row.test.llr, 6),
            "bounds": _finite([row.test.lower, row.test.upper]),
            "games": row.test.games,
            "elo0": row.test.elo0,
            "elo1": row.test.elo1,
        },
    }


def _finite(numbers: Iterable[float]) -> list[float | None]:
    return [round(number, 6) if math.isfinite(number) else None for number in numbers]


def json_table(rows: Sequence[Row]) -> str:
    """All rows as JSON.

    >>> json_table([])
    '[]'
    """
    return json.dumps([json_of(row) for row in rows], indent=2, ensure_ascii=False)


COLUMNS = (
    "game", "clock", "pairing", "player", "games", "wins", "draws", "losses", "score", "low", "high",
    "elo", "elo_low", "elo_high", "sprt", "llr", "simulations_per_second", "nodes", "cut",
)  # fmt: skip


def csv_table(rows: Sequence[Row]) -> str:
    """A line for each player of each pairing; Elo and the test are those of the pairing's first player.

    >>> csv_table([]).startswith("game,clock,pairing,player,games,wins")
    True
    """
    lines: list[Sequence[object]] = []
    for row in rows:
        told = json_of(row)
        for player in told["players"]:
            first = player is told["players"][0]
            elo = [told["elo"], *told["elo_interval"]] if first and row.elo else ["", "", ""]
            test = [row.test.verdict, told["sprt"]["llr"]] if first else ["", ""]
            counts = [player[key] for key in ("games", "wins", "draws", "losses", "score")]
            effort = [player["simulations_per_second"], player["nodes"], row.cut]
            names = _each(standing.player for standing in row.standings)
            line = [row.game, row.clock, names, player["player"], *counts, *player["interval"], *elo, *test, *effort]
            lines.append(line)
    return csv_text(COLUMNS, lines)


def csv_text(columns: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Lines as comma-separated values; ``None`` is left empty.

    >>> csv_text(["a", "b"], [[1, None]])
    'a,b\\n1,\\n'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(lines)
    return out.getvalue()


def ratings_table(found: Sequence[Rating]) -> list[tuple[str, ...]]:
    """Players and their Elo above the mean, as lines of cells with a head.

    >>> ratings_table([Rating("uct", 12.0, Interval(2.0, 22.0), 50)])
    [('player', 'Elo', 'games'), ('uct', '+12 [2 22]', '50')]
    """
    body = [(r.player, elo_text(EloDifference(r.elo, r.interval)), f"{r.games:,}") for r in found]
    return [("player", "Elo", "games"), *body]


def report(records: Iterable[GameRecord], folder: Path) -> list[Path]:
    """Writes tables and pictures of results into a folder, which is made if need be; returns what was written.

    ``results`` as Markdown, CSV and JSON; ``games``, ``time`` and ``share`` as SVG and CSV, those that there are.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     [path.name for path in report([], Path(name))]
    ['results.md', 'results.csv', 'results.json']
    """
    from zermelo.arena.plots import csv_of, progress_chart, share_chart, svg_of, time_chart
    from zermelo.arena.ratings import ratings

    games = list(records)
    rows = rows_of(games)
    rated = ratings(games)
    text = markdown_table(rows) + "\n" + ("\n" + markdown(ratings_table(rated)) + "\n" if len(rated) > 2 else "")
    written = {"results.md": text, "results.csv": csv_table(rows), "results.json": json_table(rows) + "\n"}
    for name, draw in (("games", progress_chart), ("time", time_chart), ("share", share_chart)):
        if (chart := draw(games)).panels:
            written |= {f"{name}.svg": svg_of(chart) + "\n", f"{name}.csv": csv_of(chart)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", file=str(folder)) from None
    for name, content in written.items():
        write_text(folder / name, content)
    return [folder / name for name in written]
