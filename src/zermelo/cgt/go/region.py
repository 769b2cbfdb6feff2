"""One region of a board: played out, valued, or refused with a reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from zermelo.brief import shown_in_brief
from zermelo.cgt.go.ground import (
    BLACK,
    COLOUR_NAMES,
    COLOURS,
    EMPTY,
    SIGN,
    WHITE,
    Ground,
    standing_score,
)
from zermelo.cgt.go.record import point_name
from zermelo.cgt.go.tree import Lines, Reading, Step, Worth, evaluate, explore, simplifiers
from zermelo.cgt.scores.scored import Tree, leaf, moved_by
from zermelo.cgt.scores.taxed import Kind, game_kind
from zermelo.cgt.thermographs.thermograph import Thermograph, thermograph
from zermelo.errors import LimitReachedError

MOST_EMPTY = 20
"""Regions with more empty points than this are not played out."""
MOST_CAPTURES = 2
"""How many captures in a cycle the loser of a ko is given when it is asked whether repetition matters."""

Scoring = Literal["territory", "area"]
Status = Literal["exact", "seki", "ko", "bounded", "refused"]


@dataclass(frozen=True)
class RegionMove:
    """A move in a region and what it leaves, at worst and at best for Black; None where a ko forbids it."""

    point: int
    colour: str
    captured: tuple[int, ...]
    low: Tree | None
    high: Tree | None

    _repr_html_ = shown_in_brief

    @property
    def assured(self) -> Tree | None:
        """What the mover is sure of after it, however repetition is ruled; None where it rests on winning a ko."""
        return self.low if self.colour == BLACK else self.high


@dataclass(frozen=True)
class Region:
    """Connected points that are not settled, and what they are worth.

    ``low`` and ``high`` are equal where the value is exact; where a ko matters they are what the region is worth if
    White, or Black, wins it. Where positions repeat in other ways, or a seki may come about, the region is *bounded*:
    it is worth at least the one and at most the other, however repetition is ruled and sekis are counted. A region
    that is too large to be played out is called *refused*; all of it may become White's, or Black's. A *seki* counts as
    it stands: whoever moves there first loses by it.
    """

    name: str
    points: tuple[int, ...]
    status: Status
    reason: str = ""
    low: Tree | None = None
    high: Tree | None = None
    moves: tuple[RegionMove, ...] = ()
    positions: int = 0
    lines: Lines | None = None
    """The lines of play, on a ground of the region's own."""
    places: tuple[int, ...] = ()
    """Where the points of that ground are on the board."""
    offset: int = 0
    """What is added to the region's own score, by territory: the stones that stand in it already."""

    _repr_html_ = shown_in_brief

    @property
    def valued(self) -> bool:
        """Is it worth one game?"""
        return self.status in ("exact", "seki")

    @property
    def settled(self) -> bool:
        """Is it known what it is worth, but for who wins a ko?"""
        return self.status not in ("bounded", "refused")

    @property
    def tree(self) -> Tree:
        """The game, where it is worth one."""
        if not self.valued or self.low is None:
            raise ValueError(f"region {self.name} has no exact value")
        return self.low

    @cached_property
    def thermographs(self) -> tuple[Thermograph, ...]:
        """One thermograph, or with a ko two: White wins it, Black wins it."""
        trees = dict.fromkeys(game for game in (self.low, self.high) if game is not None)
        return tuple(thermograph(game) for game in trees)

    @property
    def kind(self) -> Kind | None:
        """Whose sente the region is, where it is exact."""
        return game_kind(self.tree) if self.status == "exact" else None


def region_of(
    ground: Ground,
    part: str,
    *,
    name: str,
    size: int,
    scoring: Scoring = "territory",
    stop: Callable[[], bool] = lambda: False,
) -> Region:
    """Plays a part of a board out and says what it is worth.

    >>> from zermelo.cgt.go.ground import square
    >>> region = region_of(square(3), "XXX..OXXX", name="a", size=3)
    >>> region.status, str(region.tree)
    ('exact', '{1||0|0}')
    """
    points = tuple(point for point, stone in enumerate(part) if stone in (EMPTY, *COLOURS))
    stones = sum(SIGN.get(part[point], 0) for point in points)
    empty = sum(part[point] == EMPTY for point in points)
    if empty > MOST_EMPTY:
        reason = f"{empty} empty points, more than the {MOST_EMPTY} that are played out{_unsafe(ground, part, size)}"
        return _too_large(name, points, reason, stones if scoring == "territory" else 0)
    places, small, root = _cut_out(ground, part)
    try:
        valuer = _Valuer(explore(small, root, stop), scoring, stop)
        return valuer.region(name, points, places, stones)
    except LimitReachedError as error:
        reason = f"{error}{_unsafe(ground, part, size)}"
        return _too_large(name, points, reason, stones if scoring == "territory" else 0)


def _too_large(name: str, points: tuple[int, ...], reason: str, stones: int) -> Region:
    """A region that is not played out: who never moves there gets at least what is left if the other side owns it."""
    return Region(name, points, "refused", reason, leaf(-len(points) - stones), leaf(len(points) - stones))


def _cut_out(ground: Ground, part: str) -> tuple[tuple[int, ...], Ground, str]:
    """The part on a ground of its own: its places on the board, their neighbours, the position."""
    places = tuple(point for point, stone in enumerate(part) if stone != "#")
    number = {place: index for index, place in enumerate(places)}
    neighbours = tuple(tuple(number[n] for n in ground.neighbours[p] if n in number) for p in places)
    return places, Ground(neighbours), "".join(part[place] for place in places)


def _unsafe(ground: Ground, part: str, size: int) -> str:
    """Names the chains that are not known to be alive."""
    named = []
    for colour in COLOURS:
        for chain in ground.pieces(point for point, stone in enumerate(part) if stone == colour):
            side = COLOUR_NAMES[colour].lower()
            stones = f"a {side} stone" if len(chain) == 1 else f"{len(chain)} {side} stones"
            named.append(f"{stones} at {point_name(chain[0], size)}")
    if not named:
        return ""
    more = f" and {len(named) - 4} more" if len(named) > 4 else ""
    return (
        f"; not shown to be alive: {', '.join(named[:4])}{more} "
        "(mark what is alive with SQ or safe=, territory with TB or TW)"
    )


class _Valuer:
    """The value of one region under all readings that are needed."""

    def __init__(self, lines: Lines, scoring: Scoring, stop: Callable[[], bool]) -> None:
        self.lines, self.scoring, self.stop = lines, scoring, stop
        self.values = simplifiers()

    def region(self, name: str, points: tuple[int, ...], places: tuple[int, ...], stones: int) -> Region:
        count = len(self.lines.steps)
        offset = -stones if self.scoring == "territory" else 0
        white, black = nearer = self.readings(0)
        for captures in range(1, MOST_CAPTURES + 1):
            if not self.same(nearer[0].root, nearer[1].root):
                nearer = self.readings(captures)
        exact = self.same(nearer[0].root, nearer[1].root)
        if exact:
            white, black = nearer
        if any(self.seki_matters(worth) for worth in nearer):
            if all(self.lines.root in worth.sekis for worth in nearer):
                reason = "a seki: whoever moves first in it loses by that, so it counts as it stands"
                stands = leaf(standing_score(self.lines.ground, self.lines.root))
                value = self.from_area(stands, offset)
                return Region(name, points, "seki", reason, value, value, positions=count)
            reason = "good play may leave a seki, a position in which whoever moves loses by it"
            return self.bounded(name, points, reason, nearer, offset)
        if not exact and not simple_ko(self.lines):
            reason = "positions repeat in a way that is not a simple ko, and the value depends on it"
            return self.bounded(name, points, reason, nearer, offset)
        if not exact and self.scoring == "territory":
            white, black = (self.evaluated(Reading(winner, taxed=True)) for winner in (WHITE, BLACK))
        low = self.scored(white, offset)
        high = low if exact else self.scored(black, offset)
        moves = tuple(self.move(step, white, black, places, offset) for step in self.lines.steps[self.lines.root])
        reason = "" if exact else "a ko: worth the first if White wins it, the second if Black does"
        status: Status = "exact" if exact else "ko"
        return Region(name, points, status, reason, low, high, moves, count, self.lines, places, offset)

    def bounded(
        self, name: str, points: tuple[int, ...], reason: str, worths: tuple[Worth, Worth], offset: int
    ) -> Region:
        """What the region is worth if White wins all kos and sekis count the least for Black, and the other way."""
        white, black = worths
        if white.sekis:
            white = self.evaluated(replace(white.reading, seki="low"))
        if black.sekis:
            black = self.evaluated(replace(black.reading, seki="high"))
        low, high = self.from_area(white.root, offset), self.from_area(black.root, offset)
        return Region(name, points, "bounded", reason, low, high, positions=len(self.lines.steps))

    def readings(self, captures: int) -> tuple[Worth, Worth]:
        """The region if White wins its kos and if Black does."""
        white = self.evaluated(Reading(WHITE, captures))
        return white, self.evaluated(Reading(BLACK, captures)) if self.lines.cycles else white

    def evaluated(self, reading: Reading) -> Worth:
        return evaluate(self.lines, self.values, reading, self.stop)

    def seki_matters(self, worth: Worth) -> bool:
        """Would another score of its sekis change the value of the region?"""
        if not worth.sekis:
            return False
        readings = (replace(worth.reading, seki=seki) for seki in ("low", "high"))
        worst, best = (self.evaluated(reading) for reading in readings)
        return not self.same(worst.root, best.root)

    def same(self, one: Tree, other: Tree) -> bool:
        """Are two area games equal for every score? By parity that is equality after a tax of a point a move."""
        return one is other or self.values[1].cooled(one) is self.values[1].cooled(other)

    def scored(self, worth: Worth, offset: int) -> Tree:
        """The tree by the scoring that is asked for; where a ko matters it has been taxed on the way."""
        return moved_by(worth.taxed_root, offset) if worth.reading.taxed else self.from_area(worth.root, offset)

    def from_area(self, game: Tree, offset: int) -> Tree:
        return game if self.scoring == "area" else moved_by(self.values[1].cooled(game), offset)

    def move(self, step: Step, white: Worth, black: Worth, places: tuple[int, ...], offset: int) -> RegionMove:
        cost = -SIGN[step.colour] if self.scoring == "territory" else 0
        left = []
        for worth in (white, black):
            game = worth.after(self.values, step)
            if game is not None and worth.reading.taxed:  # the move is paid for already
                game = moved_by(game, offset)
            elif game is not None:
                game = self.from_area(game, offset + cost)
            left.append(game)
        captured = tuple(places[point] for point in step.captured)
        return RegionMove(places[step.point], step.colour, captured, *left)


def simple_ko(lines: Lines) -> bool:
    """Do positions repeat only two at a time, by the capture and recapture of single stones?

    >>> from zermelo.cgt.go.ground import Ground
    >>> simple_ko(explore(Ground(((1,), (0, 2), (1, 3), (2,))), "X..O"))
    True
    """
    members: dict[int, list[str]] = {}
    for position, cycle in lines.cycles.items():
        members.setdefault(cycle, []).append(position)
    return all(
        len(positions) == 2
        and all(
            len(step.captured) == 1
            for position in positions
            for step in lines.steps[position]
            if lines.in_cycle(position, step)
        )
        for positions in members.values()
    )
