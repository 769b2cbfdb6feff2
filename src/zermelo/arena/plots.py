"""Pictures of results: scores over the games played, over the time for a move, over the share of solving.

Each game has a panel of its own, all on the same axes; each pairing has a line with its interval as a band, told apart
by colour and by dashes. What chance alone would give is a thin line. The same numbers come as CSV.

>>> from zermelo.arena.record import GameRecord
>>> games = [GameRecord("gdl:nim", ("a", "b") if n % 2 == 0 else ("b", "a"), n, n // 2, "1s", "", ("1", "0"), 7, (9, 9),
...     (9, 9), (1.0, 1.0)) for n in range(20)]
>>> chart = progress_chart(games)
>>> chart.panels[0].title, len(chart.panels[0].curves[0].spots)
('nim', 20)
>>> svg_of(chart)[:4], csv_of(chart).splitlines()[2]
('<svg', 'nim,a : b,2,0.500000,0.094531,0.905469')
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from zermelo.arena.record import GameRecord
from zermelo.arena.statistics import Interval, bounded_interval, is_alone, result_of, score_interval, tally_of
from zermelo.arena.tables import clock_text, csv_text, pairings_of, players_of
from zermelo.draw.svg import at, clipped, label, number, picture
from zermelo.errors import ArgumentError
from zermelo.play.player import read_clock


@dataclass(frozen=True)
class Spot:
    """A mean result with its interval, at a place on the horizontal axis."""

    x: float
    mean: float
    interval: Interval


@dataclass(frozen=True)
class Curve:
    """A line of a panel; curves of the same name look alike in all panels."""

    name: str
    spots: tuple[Spot, ...]


@dataclass(frozen=True)
class Panel:
    """One game. ``expected`` is what chance alone would give, if there is somebody to play against."""

    title: str
    curves: tuple[Curve, ...]
    expected: float | None = 0.5


@dataclass(frozen=True)
class Chart:
    """Panels on common axes. ``ticks`` of the horizontal axis are chosen if there are none; ``log`` spreads it out."""

    title: str
    across: str
    panels: tuple[Panel, ...]
    ticks: tuple[float, ...] = ()
    log: bool = False
    dots: bool = True
    up: str = "score of the first player, %"


def progress_chart(records: Iterable[GameRecord], title: str = "Score over the games played") -> Chart:
    """How the mean result settles as games are played (Fig. 5 of Koriche, Lagrue, Piette and Tabary 2016).

    >>> progress_chart([]).panels
    ()
    """
    games = list(records)
    clocks = {record.clock for record in games}
    found: list[tuple[str, Curve, float | None]] = []
    for pairing in pairings_of(games):
        for name, own, player in _lines(pairing):
            shown = name if len(clocks) == 1 else f"{name}, {clock_text(pairing[0].clock)}"
            found.append((pairing[0].game, Curve(shown, _running(own, player)), _expected(own, player)))
    return Chart(title, "games", _panels(found), dots=False)


def time_chart(records: Iterable[GameRecord], title: str = "Score over the time for a move") -> Chart:
    """The mean result for each clock (Table 4 of Koriche et al.); pairings with one clock only are left out.

    >>> time_chart([]).panels
    ()
    """
    games = list(records)
    timed = [record for record in games if not record.clock.endswith("sims")]
    across = "milliseconds for a move" if timed else "simulations for a move"
    return _swept(timed or games, title, across, lambda record, name: (name, _clock_number(record.clock)), log=True)


def share_chart(records: Iterable[GameRecord], title: str = "Score over the share of time for solving") -> Chart:
    """The mean result for each share of time that a player spends on solving (Fig. 6 of Koriche et al.).

    Players are those with a setting ``share``, as in ``mac-ucb(share=0.9)``; it is taken out of the name of the curve.

    >>> share_chart([]).panels
    ()
    """
    games = list(records)
    clocks = {r.clock for r in games if any(without_share(player)[1] is not None for player in r.players)}

    def place(record: GameRecord, name: str) -> tuple[str, float] | None:
        plain, share = without_share(name)
        shown = plain if len(clocks) == 1 else f"{plain}, {clock_text(record.clock)}"
        return None if share is None else (shown, 100 * float(share))

    return _swept(games, title, "share of time for solving, %", place)


def without_share(name: str) -> tuple[str, Fraction | None]:
    """A pairing's name without the setting ``share`` of its first player, and that setting.

    >>> without_share("mac-ucb(share=0.9,exploration=1) : uct"), without_share("uct : random")
    (('mac-ucb(exploration=1) : uct', Fraction(9, 10)), ('uct : random', None))
    """
    player, colon, others = name.partition(" : ")
    base, parenthesis, inside = player.partition("(")
    if not parenthesis:
        return name, None
    settings = [part.strip() for part in inside.removesuffix(")").split(",")]
    shares = [part.removeprefix("share=") for part in settings if part.startswith("share=")]
    if not shares:
        return name, None
    kept = [part for part in settings if not part.startswith("share=")]
    try:
        share = Fraction(shares[0])
    except ValueError:
        raise ArgumentError(f"{player}: share is no number") from None
    return base + (f"({','.join(kept)})" if kept else "") + colon + others, share


def _clock_number(clock: str) -> float:
    read = read_clock(clock)
    return float(read.simulations or 0) if read.seconds is None else 1000 * read.seconds


def _lines(pairing: Sequence[GameRecord]) -> list[tuple[str, list[GameRecord], str]]:
    """The lines that a pairing is drawn as: its first player's, or one for each that plays alone."""
    players = players_of(pairing)
    if not all(is_alone(record) for record in pairing):
        return [(" : ".join(players), list(pairing), players[0])]
    return [
        (f"{player} (alone)", [record for record in pairing if player in record.players], player) for player in players
    ]


def _expected(records: Sequence[GameRecord], player: str) -> float | None:
    return None if is_alone(records[0]) else float(tally_of(records[:1], player).expected)


def _running(records: Sequence[GameRecord], player: str) -> tuple[Spot, ...]:
    points, unspread, spots = Fraction(0), Fraction(0), []
    for count, record in enumerate(records, 1):
        result = result_of(record, player)
        points, unspread = points + result, unspread + result * (1 - result)
        mean = float(points / count)
        spots.append(Spot(count, mean, bounded_interval(mean, float(unspread / count), count)))
    return tuple(spots)


def _swept(
    games: Sequence[GameRecord],
    title: str,
    across: str,
    place: Callable[[GameRecord, str], tuple[str, float] | None],
    log: bool = False,
) -> Chart:
    """Pairings that differ only in their place on the horizontal axis make up a curve, if there are two at least."""
    spots: dict[tuple[str, str], list[Spot]] = {}
    chance: dict[tuple[str, str], float | None] = {}
    for pairing in pairings_of(games):
        for name, own, player in _lines(pairing):
            if (at_place := place(own[0], name)) is not None:
                key = (own[0].game, at_place[0])
                tally = tally_of(own, player)
                spots.setdefault(key, []).append(Spot(at_place[1], float(tally.mean), score_interval(tally)))
                chance[key] = _expected(own, player)
    found = [
        (game, Curve(name, tuple(sorted(line, key=lambda spot: spot.x))), chance[game, name])
        for (game, name), line in spots.items()
        if len(line) > 1
    ]
    ticks = tuple(sorted({spot.x for _, curve, _ in found for spot in curve.spots}))
    return Chart(title, across, _panels(found), ticks if log else (), log)


def _panels(found: Sequence[tuple[str, Curve, float | None]]) -> tuple[Panel, ...]:
    games = list(dict.fromkeys(game for game, _, _ in found))
    panels = []
    for game in games:
        own = [(curve, expected) for name, curve, expected in found if name == game]
        panels.append(Panel(game.removeprefix("gdl:"), tuple(curve for curve, _ in own), own[0][1]))
    return tuple(panels)


def csv_of(chart: Chart) -> str:
    """The numbers of a chart.

    >>> csv_of(Chart("", "games", ()))
    'game,pairing,games,score,low,high\\n'
    """
    lines = [
        (panel.title, curve.name, f"{spot.x:.10g}", *(f"{v:.6f}" for v in (spot.mean, *spot.interval)))
        for panel in chart.panels
        for curve in panel.curves
        for spot in curve.spots
    ]
    return csv_text(("game", "pairing", chart.across, "score", "low", "high"), lines)


# Okabe and Ito's colours, which are told apart with any kind of colour vision; lighter on dark paper. Dashes tell the
# lines apart without any colour at all.
_SERIES = (
    ("#0072b2", "#56b4e9", ""),
    ("#d55e00", "#f08a3c", "7 3"),
    ("#009e73", "#2fd0a2", "2 3"),
    ("#b0568a", "#dd99c2", "9 3 2 3"),
    ("#8a6d00", "#f0e442", "4 2"),
    ("#4d4d4d", "#c8c8c8", "1 3"),
)
LEFT, RIGHT, TOP, BOTTOM = 52.0, 18.0, 54.0, 52.0
GAP_X, GAP_Y = 28.0, 30.0
MOST_SPOTS = 100
"""A line is drawn through at most so many of its spots: more cannot be seen."""


def svg_of(chart: Chart) -> str:
    """The picture of a chart.

    >>> "no results" in svg_of(Chart("Nothing", "games", ()))
    True
    """
    return _Drawing(chart).svg()


class _Drawing:
    """A chart being laid out: panels in rows, common axes, the legend below."""

    def __init__(self, chart: Chart):
        self.chart = chart
        many = len(chart.panels)
        self.columns = 1 if many <= 1 else 2 if many <= 4 else 3 if many <= 9 else 4
        self.width, self.height = ((560.0, 300.0), (300.0, 180.0), (230.0, 140.0), (190.0, 120.0))[self.columns - 1]
        self.rows = max(-(-many // self.columns), 1)
        self.names = list(dict.fromkeys(curve.name for panel in chart.panels for curve in panel.curves))
        places = [spot.x for panel in chart.panels for curve in panel.curves for spot in curve.spots]
        self.low, self.high = (min(places), max(places)) if places else (0.0, 1.0)
        if not chart.log:
            self.low = 0.0
        self.ticks = chart.ticks or _round_numbers(self.high)

    def svg(self) -> str:
        chart = self.chart
        across = LEFT + self.columns * self.width + (self.columns - 1) * GAP_X + RIGHT
        body = [_style(), label(across / 2, 20, chart.title, 15)]
        if not chart.panels:
            body.append(label(across / 2, TOP + self.height / 2, "no results", 12, kind="faint"))
        for place, panel in enumerate(chart.panels):
            body += self._panel(place, panel)
        bottom = TOP + self.rows * self.height + (self.rows - 1) * GAP_Y
        body.append(label(across / 2, bottom + 32, chart.across, 12))
        middle = (TOP + bottom) / 2
        turned = f' transform="rotate(-90 12 {number(middle)})"'
        body.append(label(12, middle, chart.up, 12, extra=turned))
        legend, lines = self._legend(across, bottom + BOTTOM)
        return picture(across, bottom + BOTTOM + 18 * lines, body + legend, chart.title)

    def _panel(self, place: int, panel: Panel) -> list[str]:
        row, column = divmod(place, self.columns)
        left = LEFT + column * (self.width + GAP_X)
        top = TOP + row * (self.height + GAP_Y)
        body = [f'<g transform="translate({at(left, top)})">']
        body.append(label(self.width / 2, -9, clipped(panel.title, 30), 12))
        for score in (0, 25, 50, 75, 100):
            y = self._y(score / 100)
            body.append(f'<path class="z-line" stroke-width="0.6" d="M0 {number(y)}H{number(self.width)}"/>')
            if column == 0:
                body.append(label(-7, y, str(score), 10, kind="ink", extra=' text-anchor="end"'))
        lowest = place + self.columns >= len(self.chart.panels)
        for tick in self.ticks:
            x = self._x(tick)
            body.append(f'<path class="z-line" stroke-width="0.8" d="M{at(x, self.height)}v4"/>')
            if lowest:
                body.append(label(x, self.height + 12, f"{tick:,g}", 10))
        if panel.expected is not None:
            level = number(self._y(panel.expected))
            body.append(f'<path class="z-rim" stroke-width="1" d="M0 {level}H{number(self.width)}"/>')
        body += [self._band(curve) for curve in panel.curves]
        for curve in panel.curves:
            body += self._line(curve)
        return [*body, "</g>"]

    def _band(self, curve: Curve) -> str:
        spots = _thinned(curve.spots)
        upper = [(self._x(spot.x), self._y(spot.interval.high)) for spot in spots]
        lower = [(self._x(spot.x), self._y(spot.interval.low)) for spot in reversed(spots)]
        outline = "L".join(at(*point) for point in upper + lower)
        return f'<path class="a-band a-{self._series(curve)}" d="M{outline}Z"/>'

    def _line(self, curve: Curve) -> list[str]:
        spots = _thinned(curve.spots)
        points = [(self._x(spot.x), self._y(spot.mean)) for spot in spots]
        drawn = [f'<path class="a-line a-{self._series(curve)}" d="M{"L".join(at(*point) for point in points)}"/>']
        if self.chart.dots:
            kind = f"a-dot a-{self._series(curve)}"
            drawn += [f'<circle class="{kind}" cx="{number(x)}" cy="{number(y)}" r="2.6"/>' for x, y in points]
        return drawn

    def _legend(self, across: float, top: float) -> tuple[list[str], int]:
        """The names of the curves, as many in a line as fit, and how many lines that takes."""
        body, x, line = [], LEFT, 0
        for series, name in enumerate(self.names):
            shown = clipped(name, 60)
            wide = 34 + 6.4 * len(shown) + 18
            if x > LEFT and x + wide > across:
                x, line = LEFT, line + 1
            y = top + 18 * line
            body.append(f'<path class="a-line a-{series % len(_SERIES)}" d="M{at(x, y)}h26"/>')
            body.append(label(x + 32, y, shown, 11, extra=' text-anchor="start"'))
            x += wide
        return body, line + 1 if self.names else 0

    def _series(self, curve: Curve) -> int:
        return self.names.index(curve.name) % len(_SERIES)

    def _x(self, x: float) -> float:
        low, high, value = (
            (math.log(v) for v in (self.low, self.high, x)) if self.chart.log else (self.low, self.high, x)
        )
        return self.width * (value - low) / (high - low) if high > low else self.width / 2

    def _y(self, score: float) -> float:
        return self.height * (1 - score)


def _style() -> str:
    def rules(column: int) -> str:
        return "".join(
            f".a-line.a-{n}{{stroke:{series[column]}}}.a-band.a-{n},.a-dot.a-{n}{{fill:{series[column]}}}"
            for n, series in enumerate(_SERIES)
        )

    dashes = "".join(f".a-line.a-{n}{{stroke-dasharray:{dash}}}" for n, (_, _, dash) in enumerate(_SERIES) if dash)
    plain = ".a-line{fill:none;stroke-width:2;stroke-linejoin:round}.a-band{opacity:.16}"
    return f"<style>{plain}{dashes}{rules(0)}@media (prefers-color-scheme:dark){{{rules(1)}}}</style>"


def _thinned(spots: Sequence[Spot]) -> list[Spot]:
    """At most :data:`MOST_SPOTS` of the spots, evenly, with the first and the last."""
    if len(spots) <= MOST_SPOTS:
        return list(spots)
    step = (len(spots) - 1) / (MOST_SPOTS - 1)
    return [spots[round(i * step)] for i in range(MOST_SPOTS)]


def _round_numbers(high: float) -> tuple[float, ...]:
    """From 0 up to ``high`` in steps of 1, 2, 2.5 or 5 times a power of ten, three to five of them."""
    power = 10.0 ** math.floor(math.log10(high)) if high > 0 else 1.0
    steps = [power * factor for factor in (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 2.5)]
    step = next((step for step, after in pairwise(steps) if high / step <= 5 and after > step), steps[-1])
    return tuple(step * i for i in range(int(high / step + 1e-9) + 1))
