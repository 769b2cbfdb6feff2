"""Reads layers of connect and k in a row many positions at a time, each of them in 64 bits of a long integer.

What :mod:`zermelo.check.layered` does for one position after the other is done here for thousands at once: a shift, an
``and`` or an ``or`` of long integers is one of all lanes. A lane holds the cells of a board, the first cell highest, as
in :class:`~zermelo.games.closing_rules.Rows`; a flag is the lowest bit of a lane. All positions of a layer have equally
many stones, so one role moves in all of them. Lines and steps never leave a lane, since masks keep what fits the board.

Only acceptance is found here. Where anything is not as it should be the slow reading begins anew, which says what is
wrong and where; so a fault of this module can refuse nothing, and tests compare what both accept.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, compress
from typing import Any, Final

from zermelo.game import Game, Score
from zermelo.games.closing_rules import LinePairs, Rows
from zermelo.games.connect import Connect
from zermelo.games.mnk import MNK
from zermelo.move_layers import Layers

LANE: Final = 64
CHUNK: Final = 1 << 13
"""So many positions at a time: the integers stay in a processor's cache."""
RULES: Final = frozenset({"at-once", "lines", "claimeven", "pairs"})

Positions = tuple[Sequence[int], Sequence[int]]
"""The stones of the first role and those of the second, for each position."""
Steps = list[tuple[int, int]]
"""Cells as a mask, and how far each of them goes up or, below 0, down."""


class Odd(Exception):  # noqa: N818  (no checker lets it out)
    """Something is not as it should be, or not for this module."""


def fits_lanes(game: Game, layers: Layers) -> bool:
    """Whether positions of a game are read in lanes.

    >>> from zermelo.games import make_game
    >>> [fits_lanes(make_game(name), Layers((), ())) for name in ("connect:6,7,4", "mnk:9,9,5", "hex:3")]
    [True, False, False]
    """
    known = sys.byteorder == "little" and type(game) in (Connect, MNK) and RULES.issuperset(layers.closed)
    return known and game.rows * game.columns <= LANE  # type: ignore[attr-defined]


def read_in_lanes(
    game: Connect | MNK, start: str, owner: int, at_least: Score, layers: Layers, look: Callable[[int], None]
) -> int | None:
    """How many positions were read, where a claim about play from a position that is open holds; ``None``: not known.

    >>> game, won = MNK(1, 3, 2), Layers((1, 1, 2), (b"\\x01\\x00", b"", bytes(4)))
    >>> read_in_lanes(game, "...", 0, 1, won, lambda read: None)
    4
    >>> read_in_lanes(game, "...", 0, 1, Layers((1, 1), won.moves[:2]), lambda read: None)  # play is not over
    """
    reading = _Reading(game, owner, at_least, layers, look)
    rows = reading.rows
    left: Positions = [rows.stones(start, "x")], [rows.stones(start, "o")]
    try:
        left, ply = reading.read(layers, left, len(start) - start.count("."))
        for part in layers.parts:
            if (part.images, part.closed, part.parts) != (layers.images, layers.closed, ()):
                return None
            begun = sum(part.positions[:1])
            beyond, _ = reading.read(part, (left[0][:begun], left[1][:begun]), ply)
            if beyond[0]:
                return None
            left = left[0][begun:], left[1][begun:]
    except Odd:
        return None
    return None if left[0] else reading.positions


class _Lanes:
    """What a board is made of, in so many lanes."""

    def __init__(self, rows: Rows, count: int) -> None:
        game = rows.game
        self.rows, self.count = rows, count
        self.ones = int.from_bytes(b"\1\0\0\0\0\0\0\0" * count, "little")
        self.full, self.bottom, self.odd_above = (self.ones * m for m in (rows.full, rows.bottom, rows.odd_above))
        self.ways = [(step, self.ones * fits) for step, fits in rows.ways]
        cells = range(rows.cells)
        tops = range(game.columns) if isinstance(game, Connect) else cells
        self.squares = [
            (
                self.ones * rows.of(cells[top :: game.columns] if isinstance(game, Connect) else [top]),
                rows.cells - 1 - top,
            )
            for top in tops
        ]
        """Where a move goes, in the order of moves, and the bit of the cell that is free if there is that move."""

    def flags(self, lanes: int) -> int:
        """Where lanes are not empty."""
        for half in (32, 16, 8, 4, 2, 1):
            lanes |= lanes >> half
        return lanes & self.ones

    def lines(self, stones: int) -> int:
        """Where the stones hold a line."""
        found = 0
        for step, fits in self.ways:
            run = stones & fits
            for times in range(1, self.rows.game.k):
                run &= stones << times * step
            found |= run
        return self.flags(found)

    def completing(self, stones: int) -> int:
        """The cells that lack a line of the stones."""
        found, k = 0, self.rows.game.k
        for step, fits in self.ways:
            shifted = [stones << times * step for times in range(k)]
            before = [fits]  # starts of lines whose first cells hold stones
            for each in shifted:
                before.append(before[-1] & each)
            after = fits  # starts of lines whose last cells do
            for times in range(k - 1, -1, -1):
                found |= (before[times] & after) >> times * step
                after &= shifted[times]
        return found

    def landings(self, free: int) -> int:
        """The cells to which a stone can go."""
        if isinstance(self.rows.game, MNK):
            return free
        return free & ((self.full ^ free) << self.rows.game.columns | self.bottom)


def _steps(moved: Iterable[tuple[int, int]], cells: int) -> Steps:
    """A way to move cells, from the pairs of a cell and the cell that it goes to."""
    masks: dict[int, int] = {}
    for cell, to in moved:
        masks[cell - to] = masks.get(cell - to, 0) | 1 << (cells - 1 - cell)
    return [(mask, up) for up, mask in masks.items()]


def _turns(game: Connect | MNK) -> list[Steps]:
    """Turns of the board whose products are all of its images and itself."""
    rows, columns = game.rows, game.columns
    cells = [(row, column) for row in range(rows) for column in range(columns)]

    def moved(to: Callable[[int, int], int]) -> Steps:
        return _steps(((row * columns + column, to(row, column)) for row, column in cells), rows * columns)

    turns = [moved(lambda row, column: row * columns + columns - 1 - column)]
    if isinstance(game, MNK):
        turns.append(moved(lambda row, column: (rows - 1 - row) * columns + column))
        if rows == columns:
            turns.append(moved(lambda row, column: column * columns + row))
    return turns


class _Reading:
    """One layer after the other; positions as two lists of whole numbers."""

    def __init__(
        self, game: Connect | MNK, owner: int, at_least: Score, layers: Layers, look: Callable[[int], None]
    ) -> None:
        self.rows, self.owner, self.at_least, self.look = Rows(game), owner, at_least, look
        self.cells = self.rows.cells
        self.closed = frozenset(layers.closed)
        self.pairs = LinePairs(game) if isinstance(game, MNK) and "pairs" in self.closed else None
        self.turns = _turns(game) if layers.images else []
        self.lanes = lru_cache(maxsize=2)(lambda count: _Lanes(self.rows, count))
        self.positions = 0

    def read(self, layers: Layers, left: Positions, ply: int) -> tuple[Positions, int]:
        """What lies beyond the last layer, and how many stones that has."""
        for number, count in enumerate(layers.positions):
            if len(left[0]) != count:
                raise Odd
            self.positions += count
            left = self.next_layer(left, ply, layers.places(number))
            ply += 1
        return left, ply

    def next_layer(self, layer: Positions, ply: int, places: Sequence[int]) -> Positions:
        """The open positions that moves lead to, each once, in the order in which they are met first."""
        if len(places) != (len(layer[0]) if ply % 2 == self.owner else 0):
            raise Odd
        seen: set[Any] = set()
        firsts, seconds = list[int](), list[int]()
        for begin in range(0, len(layer[0]), CHUNK):
            self.look(self.positions - len(layer[0]) + begin)
            part = layer[0][begin : begin + CHUNK], layer[1][begin : begin + CHUNK]
            keys, ones, others = self.after(part, ply, places[begin : begin + CHUNK])
            if self.pairs is None or self.at_least > 0:
                new = [key not in seen and not seen.add(key) for key in keys]  # type: ignore[func-returns-value]
            else:
                new = [self.is_new(key, one, two, seen) for key, one, two in zip(keys, ones, others, strict=True)]
            firsts += compress(ones, new)
            seconds += compress(others, new)
        return firsts, seconds

    def is_new(self, key: Any, first: int, second: int, seen: set[Any]) -> bool:
        """Whether a position is new and not closed by the rule ``pairs``, which may close one of two images alone."""
        assert self.pairs is not None
        own = first if self.owner == 0 else second
        if key in seen or self.pairs.taken(own, self.rows.full ^ (first | second)) is not None:
            return False
        seen.add(key)
        return True

    def after(self, part: Positions, ply: int, places: Sequence[int]) -> tuple[list[Any], list[int], list[int]]:
        """The positions that are not left like ends, in order, with what is the same for all of their images."""
        lanes = self.lanes(len(part[0]))
        both = _packed(part[0]), _packed(part[1])
        free = lanes.full ^ (both[0] | both[1])
        landings = lanes.landings(free)
        moves = [(landings & mask, free >> top & lanes.ones) for mask, top in lanes.squares]
        if ply % 2 == self.owner:
            moves = [(self.chosen(lanes, moves, places), lanes.ones)]
        columns: list[tuple[list[Any], list[int], list[int], list[int]]] = []
        for stones, there in moves:
            mine = both[ply % 2] | stones
            made = (mine, both[1]) if ply % 2 == 0 else (both[0], mine)
            if still_open := self.still_open(lanes, made, ply, there):
                columns.append((*self.listed(lanes, made), _unpacked(still_open, lanes.count)))
        *lists, wanted = ([*_in_turns([column[which] for column in columns])] for which in range(4))
        keys, firsts, seconds = (list(compress(each, wanted)) for each in lists)
        return keys, firsts, seconds

    def chosen(self, lanes: _Lanes, moves: list[tuple[int, int]], places: Sequence[int]) -> int:
        """The stones that the owner puts, by the place of each move among those that there are."""
        ones, stones, waiting, left = lanes.ones, 0, lanes.ones, _packed(places)
        for landing, there in moves:
            later = (left + 0xFFFF * ones) >> 16 & ones  # places are below 2 ** 16
            taken = there & waiting & ~later
            stones |= landing & taken * self.rows.full
            waiting ^= taken
            left -= there & later
        if waiting:
            raise Odd
        return stones

    def still_open(self, lanes: _Lanes, both: tuple[int, int], ply: int, there: int) -> int:
        """Where neither the game is over after a move nor a rule closes the position; ends give enough."""
        mover = ply % 2
        won = lanes.lines(both[mover]) & there
        if won and (1 if mover == self.owner else -1) < self.at_least:
            raise Odd
        there ^= won
        if ply + 1 == self.cells:
            if there and self.at_least > 0:
                raise Odd
            return 0
        return there & ~self.closes(lanes, both, ply + 1) if there and self.closed else there

    def closes(self, lanes: _Lanes, both: tuple[int, int], ply: int) -> int:
        """Where a rule that needs no pairs shows that the owner gets what is claimed."""
        own, other = both[self.owner], both[1 - self.owner]
        free, follows, closed = lanes.full ^ (own | other), ply % 2 == self.owner, 0
        landings = lanes.landings(free)
        if "at-once" in self.closed and follows and self.at_least <= 1:
            if self.at_least <= 0 and ply + 1 == self.cells:
                return lanes.ones
            closed |= lanes.flags(landings & lanes.completing(own))
        if "lines" in self.closed and self.at_least <= 0:
            closed |= lanes.ones ^ lanes.lines(lanes.full ^ own)
        if "claimeven" in self.closed and self.at_least <= 1 and ((self.cells - ply) % 2 == 1) == follows:
            led = landings | (free & lanes.odd_above)
            safe = lanes.ones ^ lanes.lines(other | led)
            closed |= safe if self.at_least <= 0 else safe & lanes.lines(own | (free & ~led))
        return closed

    def listed(self, lanes: _Lanes, both: tuple[int, int]) -> tuple[list[Any], list[int], list[int]]:
        """Positions one by one, and for each what is the same for all of its images."""
        images = [both]
        for steps in self.turns:
            images += [(_moved(lanes, steps, first), _moved(lanes, steps, second)) for first, second in images]
        lists = [(_unpacked(first, lanes.count), _unpacked(second, lanes.count)) for first, second in images]
        keys: list[list[Any]]
        if 2 * self.cells <= LANE:
            keys = [_unpacked(first | second << self.cells, lanes.count) for first, second in images]
        else:
            keys = [list(zip(*pair, strict=True)) for pair in lists]
        return (list(map(min, *keys)) if len(keys) > 1 else keys[0]), *lists[0]


def _moved(lanes: _Lanes, steps: Steps, board: int) -> int:
    made = 0
    for mask, up in steps:
        part = board & mask * lanes.ones
        made |= part << up if up >= 0 else part >> -up
    return made


def _packed(numbers: Sequence[int]) -> int:
    return int.from_bytes(array("Q", numbers).tobytes(), "little")


def _unpacked(lanes: int, count: int) -> list[int]:
    return memoryview(lanes.to_bytes(8 * count, "little")).cast("Q").tolist()


def _in_turns(columns: list[list[Any]]) -> Iterator[Any]:
    """The first of each, then the second of each, and so on."""
    return chain.from_iterable(zip(*columns, strict=True)) if len(columns) > 1 else iter(columns[0] if columns else ())
