"""Wythoff's game as values: a queen goes home, or take from one of two heaps, or as many from both (Wythoff 1907)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from zermelo.cgt.boards.ruleset import Option, Position, Ruleset, Side
from zermelo.cgt.rulesets.heaps import parse_numbers
from zermelo.errors import InputError, LimitReachedError

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

MOST_CELLS = 4_000_000
"""Nim-values have no known rule: a table of this size is the most that is made."""


@cache
def nim_table(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """The nim-values of all pairs of heaps below the given sizes, each the least value in none of its three lines.

    >>> nim_table(3, 3)
    ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    """
    down, slanted = [0] * columns, [0] * (rows + columns)
    table = []
    for row in range(rows):
        across, line = 0, []
        for column in range(columns):
            taken = across | down[column] | slanted[row - column]
            least = ~taken & (taken + 1)
            across |= least
            down[column] |= least
            slanted[row - column] |= least
            line.append(least.bit_length() - 1)
        table.append(tuple(line))
    return tuple(table)


class WytQueens(Ruleset):
    """Take any number from one heap, or the same number from both; who cannot loses.

    >>> WytQueens().nim_value((2, 1)), [option.move for option in WytQueens().options((1, 1), "left")]
    (0, ['0,1', '1,0', '0,0'])
    """

    name = "wytqueens"
    summary = "Wythoff's game: take from one of two heaps, or as many from both"
    form = "wytqueens:HEAP,HEAP"
    example = "wytqueens:3,5"
    impartial = True

    def parse(self, text: str, place: str, column: int = 1) -> tuple[int, int]:
        """Two sizes."""
        sizes = parse_numbers(text, place, column)
        if len(sizes) != 2:
            message = f"{len(sizes)} heaps, expected two with a comma between them"
            raise InputError(message, file=place, line=1, column=column)
        return sizes[0], sizes[1]

    def options(self, position: Position, side: Side) -> Sequence[Option]:
        """Moves are named by the heaps after them."""
        one, other = position
        after = [(left, other) for left in range(one - 1, -1, -1)]
        after += [(one, left) for left in range(other - 1, -1, -1)]
        after += [(one - taken, other - taken) for taken in range(1, min(one, other) + 1)]
        return [Option(f"{left},{right}", (left, right)) for left, right in after]

    def nim_value(self, position: Position) -> int:
        """By a table of all smaller heaps."""
        one, other = map(int, sorted(position))
        if (one + 1) * (other + 1) > MOST_CELLS:
            message = f"heaps of {one:,} and {other:,} need a table of over {MOST_CELLS:,} values"
            raise LimitReachedError(message)
        table = nim_table(one + 1, other + 1)
        return table[one][other]

    def regions(self, position: Position) -> Sequence[Position]:
        """One piece: a move may touch both heaps."""
        return (position,) if any(position) else ()

    def text(self, position: Position) -> str:
        """The two sizes."""
        return f"{position[0]},{position[1]}"

    def scene(self, position: Position) -> Scene:
        """The two heaps; taking from both leads from a counter of one to a counter of the other."""
        from zermelo.draw.heaps import counter, heaps_scene

        one, other = position
        ways = {}
        for option in self.options(position, "left"):
            left, right = map(int, option.move.split(","))
            touched = ((1, one, left), (2, other, right))
            ways[option.move] = tuple(counter(heap, size - rest, size) for heap, size, rest in touched if rest < size)
        return heaps_scene(position, ways=ways)
