"""``zermelo learn``: values of a rulesheet by self-play, kept in a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.screen import LiveLine, redraws
from zermelo.cli.shared_options import AsJson, MemoryLimit, TimeLimit, limits_of

if TYPE_CHECKING:
    from zermelo.gdl.ground import GroundReasoner
    from zermelo.learn.self_play import Look
    from zermelo.learn.values import Practice, Values

SECONDS = 60.0
"""How long learning takes if nothing else is said."""


def learn(
    rules: Annotated[str, typer.Argument(metavar="GAME", help="A rulesheet file, or gdl:NAME of the library.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where the values go (.npz).")],
    games: Annotated[int | None, typer.Option(min=1, metavar="N", help="Games to learn from, in all.")] = None,
    time_limit: TimeLimit = None,
    anew: Annotated[bool, typer.Option("--anew", help="Forget what the file holds.")] = False,
    seed: Annotated[int | None, typer.Option(min=0, help="Of the games. [1]")] = None,
    rate: Annotated[float | None, typer.Option(help="Of learning. [1]")] = None,
    trace: Annotated[float | None, typer.Option(help="Lambda: 0 from the next position, 1 from the end. [0.5]")] = None,
    explore: Annotated[float | None, typer.Option(help="How often any move is played. [0.1]")] = None,
    tuples: Annotated[int | None, typer.Option(min=0, max=4096, help="Tuples of cells, about. [256]")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draws the learning curve (.svg).")] = None,
    memory_limit: MemoryLimit = 4096,
    as_json: AsJson = False,
) -> None:
    """Learns what positions of a rulesheet are worth, by self-play.

    Learning goes on where the file stands, if there is one. It ends after --games in all, after --time-limit seconds
    (60 unless there is --games), or at Ctrl-C; what was learnt is kept each time. Players use the file as
    mac-ucb(values=FILE).
    """
    from zermelo.files import need_writable, write_text
    from zermelo.gdl.ground import ground
    from zermelo.gdl.library import sheet_of
    from zermelo.learn.self_play import learn as learn_on
    from zermelo.learn.values import write_values

    limits = limits_of(SECONDS if time_limit is None and games is None else time_limit, memory_limit)
    need_writable(output, "values")
    if plot is not None:
        need_writable(plot, "plot")
    game = ground(sheet_of(rules), limits)
    asked = {"seed": seed, "rate": rate, "trace": trace, "explore": explore}
    values = _at_first(game, output, anew, {name: one for name, one in asked.items() if one is not None}, tuples)
    before = values.games
    report = _Report(sys.stderr, [name for name in game.roles if name != "random"])
    try:
        values = learn_on(
            game,
            values,
            games=games,
            limits=limits,
            watch=report.show,
            keep=lambda learnt: write_values(output, learnt),
        )
    finally:
        report.close()
    write_values(output, values)
    if plot is not None:
        write_text(plot, curve_svg(rules, game, values))
    told = _told(rules, output, game, values, before)
    print(json.dumps(told) if as_json else _text(told))


def _at_first(game: GroundReasoner, output: Path, anew: bool, asked: dict[str, Any], tuples: int | None) -> Values:
    """The values of the file, or untaught ones; settings cannot change while learning goes on."""
    from dataclasses import replace

    from zermelo.errors import ArgumentError
    from zermelo.learn.features import TUPLES
    from zermelo.learn.values import Practice, read_values, untaught

    if anew or not output.exists():
        return untaught(game, replace(Practice(), **asked), tuples=TUPLES if tuples is None else tuples)
    values = read_values(output, game)
    practice: Practice = values.practice
    changed = [name for name, one in asked.items() if getattr(practice, name) != one]
    if changed or tuples is not None:
        name = changed[0] if changed else "tuples"
        raise ArgumentError(f"--{name} cannot change what {output} has begun with, expected --anew or another file")
    print(f"{output}: goes on after {values.games:,} games", file=sys.stderr)
    return values


class _Report:
    """Progress: a line redrawn on a terminal, lines elsewhere."""

    def __init__(self, stream: Any, players: list[str]):
        self._stream, self._players = stream, players
        self._line = LiveLine(stream) if redraws(stream) else None
        self._next = 0.0

    def show(self, look: Look) -> None:
        """Tells how far learning is."""
        if not self._line and look.seconds < self._next:
            return
        self._next = max(look.seconds + 2, look.seconds * 1.2)
        scores = ", ".join(f"{name} {100 * one:.0f}" for name, one in zip(self._players, look.scores, strict=True))
        text = f"{look.games:>10,} games  error {look.error:.3f}  against random: {scores}"
        if self._line:
            self._line.draw(f"{look.seconds:7.1f}s{text}")
        else:
            print(f"{look.seconds:7.1f}s{text}", file=self._stream, flush=True)

    def close(self) -> None:
        """Leaves a clean line behind."""
        if self._line:
            self._line.wipe()


def curve_svg(rules: str, game: GroundReasoner, values: Values) -> str:
    """The learning curve as a picture: each player against random moves, and the error of values."""
    from zermelo.arena.plots import Chart, Curve, Panel, Spot, svg_of
    from zermelo.arena.statistics import Interval

    def curve(name: str, column: int) -> Curve:
        spots = (Spot(row[0], row[column], Interval(row[column], row[column])) for row in values.history.tolist())
        return Curve(name, tuple(spots))

    players = [name for name in game.roles if name != "random"]
    curves = [curve(f"{name} against random moves", 3 + place) for place, name in enumerate(players)]
    panel = Panel(rules.removeprefix("gdl:"), (*curves, curve("distance of values from outcomes", 2)), None)
    return svg_of(Chart("Values learnt by self-play", "games", (panel,), dots=False, up="score or distance, %"))


def _told(rules: str, output: Path, game: GroundReasoner, values: Values, before: int) -> dict[str, Any]:
    row = values.history[-1].tolist() if len(values.history) else []
    players = [name for name in game.roles if name != "random"]
    return {
        "target": rules,
        "file": str(output),
        "games": values.games,
        "games_before": before,
        "seconds": row[1] if row else 0.0,
        "weights": len(values.weights),
        "tuples": values.features.tuples,
        "error": row[2] if row else None,
        "against_random": dict(zip(players, row[3:], strict=True)) if row else {},
    }


def _text(told: dict[str, Any]) -> str:
    scores = ", ".join(f"{name} {100 * score:.0f}" for name, score in told["against_random"].items())
    return (
        f"{told['target']}: {told['games']:,} games in {told['seconds']:.1f} s, "
        f"{told['tuples']} tuples, {told['weights']:,} weights\n"
        f"  file     {told['file']}\n  error    {told['error'] or 0:.3f} from outcomes\n"
        f"  score    {scores} against random moves"
    )
