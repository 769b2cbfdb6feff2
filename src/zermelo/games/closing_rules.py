"""The rules that close positions of connect, k in a row, hex and dots and boxes: see ``docs/formats/layers.md``.

Each is a test that a checker makes, and the plan by which the owner of a strategy plays on (:mod:`zermelo.closing`).
What proves each of them is on that page; the tests play the plans out against every reply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zermelo.closing import ClosingRule, Plan, any_move, at_once, paired
from zermelo.game import Score
from zermelo.games.grid import EMPTY

if TYPE_CHECKING:
    from zermelo.games.connect import Connect
    from zermelo.games.dotsandboxes import DotsAndBoxes
    from zermelo.games.hex import Hex
    from zermelo.games.mnk import MNK

Pair = tuple[int, int]


class Rows:
    """Stones of connect or k in a row as numbers, whose bits are cells: the first cell is the highest bit.

    >>> from zermelo.games.mnk import MNK
    >>> rows = Rows(MNK(2, 3, 3))
    >>> bin(rows.stones("x.oo.x", "x")), rows.complete(0b111000), rows.complete(0b011100)
    ('0b100001', True, False)
    """

    def __init__(self, game: Connect | MNK) -> None:
        self.game, self.cells = game, game.rows * game.columns
        self.full = (1 << self.cells) - 1
        self.masks = {mark: str.maketrans({other: str(int(other == mark)) for other in ".xo"}) for mark in ".xo"}
        self.odd_above = self.of(cell for cell in range(self.cells) if cell // game.columns % 2)
        self.bottom = self.of(range(self.cells - game.columns, self.cells))
        reach, steps = game.k - 1, ((0, 1), (1, 0), (1, 1), (1, -1))
        self.ways: list[tuple[int, int]] = []
        for down, right in steps:
            fits = self.of(
                row * game.columns + column
                for row in range(game.rows - down * reach)
                for column in range(game.columns)
                if 0 <= column + right * reach < game.columns
            )
            if fits:
                self.ways.append((down * game.columns + right, fits))

    def of(self, cells: Iterable[int]) -> int:
        """The number of a set of cells."""
        return sum(1 << (self.cells - 1 - cell) for cell in cells)

    def stones(self, position: str, mark: str) -> int:
        """The cells with a mark."""
        return int(position.translate(self.masks[mark]), 2)

    def complete(self, stones: int) -> bool:
        """Whether they hold a line."""
        for step, fits in self.ways:
            run = stones & fits
            for times in range(1, self.game.k):
                run &= stones << times * step
            if run:
                return True
        return False

    def landings(self, free: int) -> int:
        """The lowest free cell of each column."""
        return free & (~free << self.game.columns | self.bottom) & self.full


def row_at_once(game: Connect | MNK, *, falls: bool = False) -> ClosingRule:
    """The rule ``at-once``, quicker: a move that ends the game makes a line or fills the board. Stones may fall down.

    >>> from zermelo.games.connect import Connect
    >>> rule = row_at_once(Connect(2, 3, 3), falls=True)
    >>> rule.closes("oo.xx.", 0, 1), rule.closes("oo.xx.", 1, 1), rule.closes("xx.oo.", 0, 1)
    (True, False, False)
    """
    rows, plan = Rows(game), at_once(game).plan

    def closes(position: str, owner: int, at_least: Score) -> bool:
        if game.turn(position) != game.roles[owner] or at_least > 1:
            return False
        own, free = rows.stones(position, game.roles[owner]), rows.stones(position, EMPTY)
        if at_least <= 0 and not free & (free - 1):
            return True
        left = rows.landings(free) if falls else free
        while left:
            cell = left & -left
            if rows.complete(own | cell):
                return True
            left ^= cell
        return False

    return ClosingRule(closes, plan)


def broken_lines(game: Connect | MNK) -> ClosingRule:
    """Every line holds a stone of the owner, so nobody else completes one.

    >>> from zermelo.games.connect import Connect
    >>> rule = broken_lines(Connect(2, 3, 3))
    >>> rule.closes("...oxo", 0, 0), rule.closes(".x.oxo", 0, 0)
    (False, True)
    """
    rows = Rows(game)

    def closes(position: str, owner: int, at_least: Score) -> bool:
        return at_least <= 0 and not rows.complete(rows.full ^ rows.stones(position, game.roles[owner]))

    return ClosingRule(closes, lambda *asked: any_move(game, "lines"))


def claimeven(game: Connect) -> ClosingRule:
    """The owner follows in the column of the other, who gets only the cells that this leaves him (Allis 1988).

    >>> from zermelo.games.connect import Connect
    >>> claimeven(Connect(2, 3, 3)).closes("......", 1, 0), claimeven(Connect(4, 3, 4)).closes("............", 1, 0)
    (False, True)
    """
    rows, columns = Rows(game), game.columns

    def closes(position: str, owner: int, at_least: Score) -> bool:
        free = rows.stones(position, EMPTY)
        follows = game.turn(position) == game.roles[owner]
        if (free.bit_count() % 2 == 0) == follows or at_least > 1:
            return False
        led = rows.landings(free) | (free & rows.odd_above)
        if rows.complete(rows.stones(position, game.roles[1 - owner]) | led):
            return False
        return at_least <= 0 or rows.complete(rows.stones(position, game.roles[owner]) | (free & ~led))

    def odd(position: str) -> int:
        return next(c for c in range(columns) if position[c::columns].count(EMPTY) % 2)

    def answer(before: str, move: int, after: str) -> int:
        return move if before[move::columns].count(EMPTY) % 2 == 0 else odd(after)

    return ClosingRule(closes, lambda *asked: Plan("claimeven", odd, answer))


class LinePairs:
    """Each line that the owner has not broken gets two free cells of its own (Hales and Jewett 1963).

    >>> from zermelo.games.mnk import MNK
    >>> game = MNK(4, 4, 4)
    >>> LinePairs(game).rule.closes("x" + "." * 15, 1, 0), LinePairs(game).rule.closes("xo.ox..oo..x.xo.", 1, 0)
    (False, True)
    """

    def __init__(self, game: MNK) -> None:
        self.game, self.rows = game, Rows(game)
        self.rule = ClosingRule(
            lambda position, owner, at_least: at_least <= 0 and self.pairs(position, owner) is not None,
            lambda position, owner, at_least: paired(game, _partners(self.pairs(position, owner))),
        )

    @cached_property
    def lines(self) -> list[int]:
        """All lines: across, down, down to the right, down to the left; each kind by its first cell."""
        game, found = self.game, []
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)) if game.k > 1 else ((0, 1),):
            for row in range(game.rows - down * (game.k - 1)):
                for column in range(game.columns):
                    if 0 <= column + right * (game.k - 1) < game.columns:
                        first, step = row * game.columns + column, down * game.columns + right
                        found.append(self.rows.of(range(first, first + step * (game.k - 1) + 1, step)))
        return found

    def pairs(self, position: str, owner: int) -> list[Pair] | None:
        """The pairs in the order of the lines or, if that leads nowhere, in the reverse order."""
        found = self.taken(self.rows.stones(position, self.game.roles[owner]), self.rows.stones(position, EMPTY))
        return None if found is None else [self._cells(pair) for pair in found]

    def taken(self, own: int, free: int) -> list[int] | None:
        """The same of cells as numbers: those of the owner, and those that are free."""
        found = _pairs_taken(self.lines, own, free)
        return found if found is not None else _pairs_taken(self.lines[::-1], own, free)

    def _cells(self, pair: int) -> Pair:
        high, low = pair.bit_length() - 1, (pair & -pair).bit_length() - 1
        return self.rows.cells - 1 - high, self.rows.cells - 1 - low


def _pairs_taken(lines: list[int], own: int, free: int) -> list[int] | None:
    """Two free cells for each line that the owner has not broken and that does not hold a pair yet."""
    pairs: list[int] = []
    for line in lines:
        if line & own:
            continue
        for pair in pairs:
            if line & pair == pair:
                break
        else:
            left = line & free
            first = 1 << left.bit_length() >> 1
            second = 1 << (left ^ first).bit_length() >> 1
            if not second:
                return None
            pairs.append(first | second)
            free &= ~(first | second)
    return pairs


class BridgePairs:
    """The owner's stones are joined from side to side by pairs of cells of which he gets one (Berge 1977).

    >>> from zermelo.games.hex import Hex
    >>> rule = BridgePairs(Hex(3)).rule
    >>> rule.closes("....b....", 0, 1), rule.closes("....b....", 1, 1)
    (True, False)
    """

    def __init__(self, game: Hex) -> None:
        self.game = game
        self.rule = ClosingRule(
            lambda position, owner, at_least: at_least <= 1 and self.pairs(position, owner) is not None,
            lambda position, owner, at_least: paired(game, _partners(self.pairs(position, owner))),
        )

    @cached_property
    def places(self) -> tuple[list[tuple[Pair, Pair]], ...]:
        """For each role two cells that touch and the two places that touch both, in order; -1 and -2 are its sides."""
        return tuple(list(self._places(role)) for role in (0, 1))

    def _places(self, role: int) -> Iterator[tuple[Pair, Pair]]:
        size = self.game.size
        for row in range(size):
            for column in range(size):
                for second, ends in (
                    ((row, column + 1), ((row - 1, column + 1), (row + 1, column))),
                    ((row + 1, column), ((row, column + 1), (row + 1, column - 1))),
                    ((row + 1, column - 1), ((row, column - 1), (row + 1, column))),
                ):
                    joined = [self._place(role, *end) for end in ends]
                    if self._inside(*second) and None not in joined:
                        from_, to = (place for place in joined if place is not None)
                        yield (row * size + column, second[0] * size + second[1]), (from_, to)

    def _inside(self, row: int, column: int) -> bool:
        return 0 <= row < self.game.size and 0 <= column < self.game.size

    def _place(self, role: int, row: int, column: int) -> int | None:
        """A cell; or the side of the role that a place beyond the board lies behind."""
        if self._inside(row, column):
            return row * self.game.size + column
        along, across = (row, column) if role == 0 else (column, row)
        if not 0 <= across < self.game.size:
            return None
        return -1 if along < 0 else -2

    def pairs(self, position: str, owner: int) -> list[Pair] | None:
        """The bridges taken in order or, if they join nothing, in the reverse order."""
        places = self.places[owner]
        found = self._taken(places, position, owner)
        return found if found is not None else self._taken(places[::-1], position, owner)

    def _taken(self, places: Sequence[tuple[Pair, Pair]], position: str, owner: int) -> list[Pair] | None:
        stones = {cell for cell, mark in enumerate(position) if mark == "bw"[owner]}
        leader = {place: place for place in (*stones, -1, -2)}

        def found(place: int) -> int:
            while leader[place] != place:
                place = leader[place]
            return place

        size = self.game.size
        for cell in stones:
            for near in self.game.neighbours[cell]:
                if near in stones:
                    leader[found(cell)] = found(near)
            along = (cell // size, cell % size)[owner]
            for side, edge in ((-1, 0), (-2, size - 1)):
                if along == edge:
                    leader[found(cell)] = found(side)
        pairs: list[Pair] = []
        used: set[int] = set()
        for (one, two), (from_, to) in places:
            free = position[one] == position[two] == EMPTY and one not in used and two not in used
            if free and from_ in leader and to in leader and found(from_) != found(to):
                leader[found(from_)] = found(to)
                pairs.append((one, two))
                used.update((one, two))
        return pairs if found(-1) == found(-2) else None


def safe_lead(game: DotsAndBoxes) -> ClosingRule:
    """The owner's lead is enough even if the other gets all that is left.

    >>> from zermelo.games.dotsandboxes import DotsAndBoxes
    >>> game = DotsAndBoxes(1, 1)
    >>> safe_lead(game).closes(game.start(), 0, 0), safe_lead(game).closes(game.start(), 0, -1)
    (False, True)
    """

    def closes(position: tuple[int, int, int], owner: int, at_least: Score) -> bool:
        lead = position[1] if owner == 0 else -position[1]
        return lead - game.open_boxes(position) >= at_least

    return ClosingRule(closes, lambda *asked: any_move(game, "lead"))


def _partners(pairs: Sequence[Pair] | None) -> Mapping[int, int]:
    return {cell: other for one, two in pairs or () for cell, other in ((one, two), (two, one))}


Rules = Mapping[str, Callable[[Any], ClosingRule]]
CONNECT: Rules = {"at-once": lambda game: row_at_once(game, falls=True), "lines": broken_lines, "claimeven": claimeven}
K_IN_A_ROW: Rules = {"at-once": row_at_once, "lines": broken_lines, "pairs": lambda game: LinePairs(game).rule}
HEX: Rules = {"bridges": lambda game: BridgePairs(game).rule}
DOTS_AND_BOXES: Rules = {"lead": safe_lead}
