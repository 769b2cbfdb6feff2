"""Positions on a grid of cells, written row by row with ``|`` between the rows.

A position is its own text, such as ``..#|x.o``. The cell to the right of number ``i`` is ``i + 1``, the one below it
``i + stride``; a walled text has strokes all around, so a step off the board meets one and needs no other test.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, ClassVar, Literal

from zermelo.cgt.boards.ruleset import Option, Position, Ruleset, Side
from zermelo.draw.shape import column_letters
from zermelo.errors import InputError

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

EMPTY, BLOCKED, WALL = ".", "#", "|"
STONES: dict[Side, str] = {"left": "x", "right": "o"}
OPPONENT = {"x": "o", "o": "x"}
PREY: dict[Side, str] = {"left": "o", "right": "x"}
ROOM: dict[Side, str] = {"left": EMPTY, "right": EMPTY}
COLOURS_EXCHANGED = str.maketrans(OPPONENT)
_ALL_CELLS = ".#xo"
MEANINGS = {EMPTY: "empty", BLOCKED: "blocked", "x": "Left", "o": "Right"}
MOST_CELLS = 10_000
"""A board of more cells is taken for a mistake."""

MOST_IMAGES = 1 << 17
"""Boards whose images are remembered: play comes back to the same ones."""

Symmetry = Literal["none", "mirrors", "square"]
"""Which images of a board are worth the same: none, the mirror images, or those turned by a quarter too."""
Negative = Literal["none", "turned", "colours", "reversed"]
"""Which image is worth the negative: none, the one with rows and columns exchanged, the one with the colours exchanged,
or the one read from the other end with the colours exchanged."""

_SIZE = re.compile(r"([0-9]{1,9})\s*[x*]\s*([0-9]{1,9})")


def stride_of(text: str) -> int:
    """The distance from a cell to the one below it.

    >>> stride_of("..#|x.o")
    4
    """
    wall = text.find(WALL)
    return (wall if wall >= 0 else len(text)) + 1


def walled(text: str) -> str:
    """The text with strokes behind it, so that steps off any edge, negative indices too, meet one.

    >>> board = walled("..|..")
    >>> board[0 - 1], board[0 - 3], board[1 + 1], board[3 + 3]
    ('|', '|', '|', '|')
    """
    return text + WALL * (stride_of(text) + 1)


def straight(stride: int) -> tuple[int, int, int, int]:
    """The steps to the four neighbours.

    >>> straight(4)
    (1, -1, 4, -4)
    """
    return 1, -1, stride, -stride


def around(stride: int) -> tuple[int, ...]:
    """The steps to the eight neighbours.

    >>> around(4)
    (1, -1, 4, -4, 5, -5, 3, -3)
    """
    return (*straight(stride), stride + 1, -stride - 1, stride - 1, 1 - stride)


@lru_cache(maxsize=MOST_CELLS)
def cell_name(cell: int, stride: int) -> str:
    """The name of a cell: columns a, b, c from the left, rows 1, 2, 3 from the top.

    >>> cell_name(6, 4)
    'c2'
    """
    row, column = divmod(cell, stride)
    return f"{column_letters(column)}{row + 1}"


def put(text: str, *changes: tuple[int, str]) -> str:
    """The text with some of its cells changed.

    >>> put("..|..", (0, "x"), (4, "#"))
    'x.|.#'
    """
    cells = list(text)
    for cell, content in changes:
        cells[cell] = content
    return "".join(cells)


def components(cells: Iterable[int], linked: Callable[[int], Iterable[int]]) -> list[set[int]]:
    """The connected parts of some cells; links that lead elsewhere are left out.

    >>> components([0, 1, 5], lambda cell: (cell + 1, cell - 1))
    [{0, 1}, {5}]
    """
    left = set(cells)
    found = []
    for seed in sorted(left):
        if seed not in left:
            continue
        left.discard(seed)
        part, stack = {seed}, [seed]
        while stack:
            for neighbour in linked(stack.pop()):
                if neighbour in left:
                    left.discard(neighbour)
                    part.add(neighbour)
                    stack.append(neighbour)
        found.append(part)
    return found


@cache
def _marking(kinds: str) -> dict[int, str]:
    return {code: "1" if chr(code) in kinds else "0" for code in range(128)}


def mask_of(text: str, kinds: str) -> int:
    """The cells that hold one of some kinds, as a number: cell i is bit i. Walls are bits that are never set.

    >>> bin(mask_of("..|x.", "x"))
    '0b1000'
    """
    return int(text[::-1].translate(_marking(kinds)) or "0", 2)


def neighbourhoods(cells: int, steps: Sequence[int]) -> list[int]:
    """The parts of some cells that are joined by steps, all as masks; steps are :func:`straight` or :func:`around`.

    >>> neighbourhoods(0b1000011, straight(4))
    [3, 64]
    """
    aside, down, *diagonal = [step for step in steps if step > 0]
    found = []
    while cells:
        part, grown = 0, cells & -cells
        while grown != part:
            part = grown
            grown |= part << aside | part >> aside | part << down | part >> down
            for step in diagonal:
                grown |= part << step | part >> step
            grown &= cells
        found.append(part)
        cells ^= part
    return found


def linked_parts(cells: int, reached: Callable[[int], int]) -> list[int]:
    """The parts of some cells, all as masks, where ``reached`` says which cells some are linked to.

    >>> linked_parts(0b100011, lambda part: part << 1 | part >> 1)
    [3, 32]
    """
    found = []
    while cells:
        part, grown = 0, cells & -cells
        while grown != part:
            part = grown
            grown |= reached(part) & cells
        found.append(part)
        cells ^= part
    return found


def beside(cells: int, stride: int) -> int:
    """The cells next to some, and what lies off the board there; all as masks.

    >>> bin(beside(0b1, 4))
    '0b10010'
    """
    return cells << 1 | cells >> 1 | cells << stride | cells >> stride


def cut_mask(text: str, mask: int, outside: str = BLOCKED) -> str:
    """The smallest board that holds some cells (a mask, of one at least); all others on it are ``outside``.

    >>> cut_mask("#...|#.x.|...o", 0b11000010)
    '.#|.x'
    """
    stride = stride_of(text)
    others = mask_of(text, _ALL_CELLS.replace(outside, "")) & ~mask
    first, last = ((mask & -mask).bit_length() - 1) // stride, (mask.bit_length() - 1) // stride
    columns, lines = 0, mask >> first * stride
    while lines:
        columns |= lines & ((1 << stride) - 1)
        lines >>= stride
    west = (columns & -columns).bit_length() - 1
    width = columns.bit_length() - west
    starts = range(first * stride + west, last * stride + west + 1, stride)
    if not others:
        return WALL.join([text[start : start + width] for start in starts])
    return WALL.join(
        ["".join([text[i] if mask >> i & 1 else outside for i in range(start, start + width)]) for start in starts]
    )


def images(text: str, turned: bool) -> list[str]:
    """The board, its mirror images and, if wanted, all of them with rows and columns exchanged.

    >>> images("x.|oo", turned=False)
    ['x.|oo', 'oo|x.', '.x|oo', 'oo|.x']
    """
    rows = text.split(WALL)
    shapes = [rows, ["".join(column) for column in zip(*rows, strict=True)]] if turned else [rows]
    found = []
    for shape in shapes:
        for lines in (shape, [row[::-1] for row in shape]):
            found += [WALL.join(lines), WALL.join(reversed(lines))]
    return found


def least_image(text: str, symmetry: Symmetry) -> str:
    """The first of the images of a board that are worth the same.

    >>> least_image("x.|oo", "mirrors")
    '.x|oo'
    """
    return text if symmetry == "none" else min(images(text, symmetry == "square"))


def negative_image(text: str, negative: Negative) -> str | None:
    """A board that is worth the negative, if there is one.

    >>> negative_image("x.|xo", "colours"), negative_image("xx.", "reversed")
    ('o.|ox', '.oo')
    """
    match negative:
        case "turned":
            return WALL.join(map("".join, zip(*text.split(WALL), strict=True)))
        case "colours":
            return text.translate(COLOURS_EXCHANGED)
        case "reversed":
            return text[::-1].translate(COLOURS_EXCHANGED)
        case "none":
            return None


@lru_cache(maxsize=MOST_IMAGES)
def signed_image(text: str, symmetry: Symmetry, negative: Negative) -> tuple[str, bool]:
    """The first of all images of a board, those worth the negative among them, and whether it is one of these.

    >>> signed_image("o.", "square", "colours")
    ('.o', False)
    >>> signed_image("x.", "square", "colours")
    ('.o', True)
    """
    same = least_image(text, symmetry)
    other = negative_image(text, negative)
    if other is None:
        return same, False
    least = least_image(other, symmetry)
    return (least, True) if least < same else (same, False)


class CellRuleset(Ruleset):
    """A game on a grid; the position is its text in small letters."""

    cells: ClassVar[str] = EMPTY + BLOCKED
    """What may stand in a cell."""
    one_row: ClassVar[bool] = False
    pieces: ClassVar[dict[str, str]] = {}
    """What is drawn for cells that are no stones."""
    symmetry: ClassVar[Symmetry] = "square"
    negative: ClassVar[Negative] = "none"
    uses: ClassVar[dict[Side, str] | None] = None
    """Kinds of cells of which there is one less after each move of a side, and never one more."""

    def parse(self, text: str, place: str, column: int = 1) -> str:
        """Reads rows of cells, or a size such as ``4x5`` (rows x columns) for the board at the start.

        >>> from zermelo.cgt.boards.ruleset import ruleset_named
        >>> ruleset_named("domineering").parse("..|.?", "domineering:..|.?", 13)
        Traceback (most recent call last):
            ...
        zermelo.errors.InputError: domineering:..|.?:1:17: unexpected '?', expected '.' (empty) or '#' (blocked)
        """
        size = _SIZE.fullmatch(text)
        if size:
            return self._sized(int(size[1]), int(size[2]), place, column)
        if not text:
            raise InputError("no board, expected rows of cells with | between them", file=place, line=1, column=column)
        board = text.lower()
        for index, cell in enumerate(board):
            if cell not in self.cells and not (cell == WALL and not self.one_row):
                message = f"unexpected {text[index]!r}, expected {self._expected()}"
                raise InputError(message, file=place, line=1, column=column + index)
        if len(board) > MOST_CELLS:
            raise InputError(f"a board of over {MOST_CELLS:,} cells", file=place, line=1, column=column)
        self._check_rows(board, place, column)
        self.check(board, place, column)
        return board

    def _sized(self, rows: int, columns: int, place: str, column: int) -> str:
        if rows < 1 or columns < 1 or rows * columns > MOST_CELLS or (self.one_row and rows > 1):
            limit = "one row" if self.one_row else "1 row and 1 column"
            message = f"a board of {rows} x {columns}, expected at least {limit} and at most {MOST_CELLS:,} cells"
            raise InputError(message, file=place, line=1, column=column)
        board = self.start(rows, columns)
        if board is None:
            message = f"{self.name} has no board to start from, expected its cells"
            raise InputError(message, file=place, line=1, column=column)
        return board

    def _expected(self) -> str:
        known = [f"{cell!r} ({self.meaning(cell)})" for cell in self.cells]
        return f"{', '.join(known[:-1])} or {known[-1]}"

    def meaning(self, cell: str) -> str:
        """What a cell's character stands for."""
        return MEANINGS[cell]

    def _check_rows(self, board: str, place: str, column: int) -> None:
        start, width = 0, stride_of(board) - 1
        for number, row in enumerate(board.split(WALL), 1):
            if len(row) != width or not row:
                message = f"row {number} has {len(row)} cells, expected {width or 'at least 1'} as in row 1"
                where = column + start + min(len(row), width)
                raise InputError(message, file=place, line=1, column=where)
            start += len(row) + 1

    def check(self, board: str, place: str, column: int) -> None:
        """Refuses boards that no play can reach, where the rules make no sense of them."""

    def start(self, rows: int, columns: int) -> str | None:
        """The board of that size at the start of a game, where there is a usual one."""
        return WALL.join([EMPTY * columns] * rows)

    def options(self, position: Position, side: Side) -> Sequence[Option]:
        """What a side may move to."""
        return [Option(move, board) for move, board in self.moves(position, side)]

    @abstractmethod
    def moves(self, board: str, side: Side) -> Iterator[tuple[str, str]]:
        """The moves of a side with their names."""

    def normal(self, position: Position) -> Position:
        """The first of the images of a board that are worth the same."""
        return least_image(position, self.symmetry)

    def signed(self, position: Position) -> tuple[Position, bool]:
        """The first of the images of a board that are worth the same or the negative."""
        return signed_image(position, self.symmetry, self.negative)

    def most_moves(self, position: Position, side: Side) -> int | None:
        """So many cells are of the kinds of which every move of the side uses one up."""
        return None if self.uses is None else sum(map(position.count, self.uses[side]))

    def text(self, position: Position) -> str:
        """The position is its text."""
        return str(position)

    def scene(self, position: Position) -> Scene:
        """The board with its stones and blocked cells."""
        from zermelo.draw.grid import cells_scene

        return cells_scene(self.text(position).split(WALL), letters_only=self.one_row, pieces=self.pieces)


def checkered(rows: int, columns: int) -> str:
    """Stones of both sides in turns.

    >>> checkered(2, 3)
    'xox|oxo'
    """
    return WALL.join("".join("xo"[(row + column) % 2] for column in range(columns)) for row in range(rows))
