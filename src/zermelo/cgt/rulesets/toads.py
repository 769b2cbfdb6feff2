"""Toads and frogs: toads go right, frogs go left, and jump over each other (Richard Guy; *Winning Ways* 1982)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.cgt.boards.ruleset import Option, Position, Ruleset, Side
from zermelo.cgt.rulesets.cells import EMPTY, OPPONENT, STONES, CellRuleset, put
from zermelo.draw.shape import column_letters
from zermelo.errors import InputError

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene


@dataclass(frozen=True)
class Strides:
    """How far animals go: they slide over empty cells, or jump over a row of others right in front of them."""

    least_slide: int = 1
    longest_slide: int = 1
    longest_jump: int = 1
    over_friends: bool = False

    def __str__(self) -> str:
        return f"{self.least_slide},{self.longest_slide},{self.longest_jump},{int(self.over_friends)}"


def animal_moves(board: str, side: Side, strides: Strides) -> Iterator[tuple[str, str]]:
    """An animal before an empty cell slides; one that is blocked jumps onto the first empty cell, if not too far.

    >>> list(animal_moves("x.ox", "left", Strides()))
    [('ab', '.xox')]
    >>> list(animal_moves("xo..", "left", Strides(1, 2, 1)))
    [('ac', '.ox.')]
    """
    animal, step = STONES[side], 1 if side == "left" else -1
    cells = f"{board}|"  # both board[-1] and board[len(board)] are the wall
    for cell, content in enumerate(board):
        if content != animal:
            continue
        target = cell + step
        if cells[target] == EMPTY:
            targets = []
            while cells[target] == EMPTY and abs(target - cell) <= strides.longest_slide:
                targets.append(target)
                target += step
            targets = targets[strides.least_slide - 1 :]
        else:
            over = "xo" if strides.over_friends else OPPONENT[animal]
            while cells[target] in over and abs(target - cell) <= strides.longest_jump:
                target += step
            targets = [target] if cells[target] == EMPTY else []
        for target in targets:
            after = put(board, (cell, EMPTY), (target, animal))
            yield f"{column_letters(cell)}{column_letters(target)}", after


def cut_row(board: str, strides: Strides) -> list[str]:
    """Parts of a row between which nothing will ever pass, without those in which nothing will ever move.

    Let j be one more than the most animals that can be jumped over. A block of animals that begins with j toads and
    ends with j frogs never moves again: every toad in it has j animals before it, and so has every frog. Nobody jumps
    over it either. At the right end of a row, and before such a block, a block needs no frogs at its end, and toads
    alone may be any number; at the left end likewise with frogs. Where only frogs are on the left and only toads on the
    right, they part; if nobody jumps, so do a frog and the next toad to its right wherever they are.

    >>> cut_row("x.xxoxooo.o", Strides())
    ['x.', '.o']
    >>> cut_row("o.o.x.x", Strides())
    ['.o.', 'x.']
    >>> cut_row("xo.ox", Strides(longest_jump=0))
    ['.o']
    """
    toads, frogs = "x" * (strides.longest_jump + 1), "o" * (strides.longest_jump + 1)
    stuck_at_ends = re.compile(f"^([xo]*{frogs}|o+)|({toads}[xo]*|x+)$")
    pieces = [stuck_at_ends.sub("", piece) for piece in re.split(f"{toads}[xo]*{frogs}", board)]
    parts = [part for piece in pieces for part in _parted(piece, strides)]
    return [part for part in parts if EMPTY in part and ("x" in part or "o" in part)]


def _parted(piece: str, strides: Strides) -> list[str]:
    """A piece of a row cut where what is on the left goes left and what is on the right goes right."""
    if strides.longest_jump == 0:
        return [part.lstrip(".") if "o" not in part else part for part in re.split("(?<=o)(?=[.]*x)", piece)]
    first_toad = piece.find("x")
    return [piece[:first_toad], piece[first_toad:]] if first_toad > piece.rfind("o") else [piece]


def cells_ahead(board: str, side: Side) -> int:
    """How far all animals of a side together are from the end of the row.

    >>> cells_ahead("x..x", "left"), cells_ahead(".o.o", "right")
    (3, 4)
    """
    row = board if side == "right" else board[::-1]
    return sum(cell for cell, content in enumerate(row) if content == STONES[side])


class ToadsAndFrogs(CellRuleset):
    """A toad (Left's) steps right or jumps over one frog, a frog (Right's) steps left or jumps over one toad.

    >>> [option.position for option in ToadsAndFrogs().options("xo.", "left")]
    ['.ox']
    """

    name = "toads"
    summary = "toads go right, frogs go left, jumping over one of the others"
    form = "toads:ROW of . x (toad) o (frog)"
    example = "toads:xx..oo"
    cells = ".xo"
    one_row = True
    symmetry = "none"
    negative = "reversed"

    def meaning(self, cell: str) -> str:
        """The animals."""
        return {"x": "a toad", "o": "a frog"}.get(cell) or super().meaning(cell)

    def start(self, rows: int, columns: int) -> str | None:
        """Rows differ in how many animals there are."""
        return None

    def moves(self, board: str, side: Side) -> Iterator[tuple[str, str]]:
        """Steps and jumps."""
        return animal_moves(board, side, Strides())

    def most_moves(self, position: Position, side: Side) -> int:
        """Every move brings an animal nearer to the end."""
        return cells_ahead(position, side)

    def regions(self, position: Position) -> Sequence[Position]:
        """Parts between which nothing passes."""
        return cut_row(position, Strides())


_STRIDES = re.compile(r"\s*([0-9]{1,6})\s*,\s*([0-9]{1,6})\s*,\s*([0-9]{1,6})\s*,\s*([01])\s*")


class GeneralToads(Ruleset):
    """Toads and frogs that slide and jump as far as four numbers say.

    The numbers are the least and the longest slide, the most animals jumped over, and 1 if friends may be jumped over.

    >>> rules = GeneralToads()
    >>> position = rules.parse("1,2,1,1:xx..", "toads")
    >>> [rules.text(option.position) for option in rules.options(position, "left")]
    ['1,2,1,1:.xx.', '1,2,1,1:x.x.', '1,2,1,1:x..x']
    """

    name = "gentoads"
    summary = "toads and frogs with slides and jumps of any length"
    form = "gentoads:LEAST,SLIDE,JUMP,FRIENDS:ROW of . x o"
    example = "gentoads:1,2,2,1:xx...oo"

    def parse(self, text: str, place: str, column: int = 1) -> tuple[Strides, str]:
        """Four numbers, a colon and the row."""
        numbers, colon, row = text.partition(":")
        found = _STRIDES.fullmatch(numbers)
        if not found or not colon:
            message = (
                f"unexpected {text!r}, expected least slide, longest slide, longest jump, 0 or 1, then : and a row"
            )
            raise InputError(message, file=place, line=1, column=column)
        least, longest, jump = int(found[1]), int(found[2]), int(found[3])
        if not 1 <= least <= longest:
            message = f"slides of {least} to {longest}, expected at least 1 and the longest not below the least"
            raise InputError(message, file=place, line=1, column=column)
        board = ToadsAndFrogs().parse(row.strip(), place, column + len(numbers) + 1 + len(row) - len(row.lstrip()))
        return Strides(least, longest, jump, found[4] == "1"), board

    def options(self, position: Position, side: Side) -> Sequence[Option]:
        """Slides and jumps."""
        strides, board = position
        return [Option(move, (strides, after)) for move, after in animal_moves(board, side, strides)]

    def regions(self, position: Position) -> Sequence[Position]:
        """Parts between which nothing passes."""
        strides, board = position
        return [(strides, part) for part in cut_row(board, strides)]

    def text(self, position: Position) -> str:
        """The numbers and the row."""
        return f"{position[0]}:{position[1]}"

    def scene(self, position: Position) -> Scene:
        """The row with its animals."""
        from zermelo.draw.grid import cells_scene

        return cells_scene([position[1]], letters_only=True)


class Elephants(CellRuleset):
    """Elephants (Left's) step right, rhinos (Right's) step left, onto empty cells; nobody jumps.

    >>> [option.position for option in Elephants().options("x.o", "right")]
    ['xo.']
    """

    name = "elephants"
    summary = "elephants go right, rhinos go left, nobody jumps"
    form = "elephants:ROW of . x (elephant) o (rhino)"
    example = "elephants:x.x..o.o"
    cells = ".xo"
    one_row = True
    symmetry = "none"
    negative = "reversed"

    def meaning(self, cell: str) -> str:
        """The animals."""
        return {"x": "an elephant", "o": "a rhino"}.get(cell) or super().meaning(cell)

    def start(self, rows: int, columns: int) -> str | None:
        """Rows differ in how many animals there are."""
        return None

    def moves(self, board: str, side: Side) -> Iterator[tuple[str, str]]:
        """Steps."""
        return animal_moves(board, side, Strides(longest_jump=0))

    def most_moves(self, position: Position, side: Side) -> int:
        """Every move brings an animal nearer to the end."""
        return cells_ahead(position, side)

    def regions(self, position: Position) -> Sequence[Position]:
        """Parts between an elephant and a rhino face to face, and between a rhino and the elephant behind it."""
        return cut_row(position, Strides(longest_jump=0))
