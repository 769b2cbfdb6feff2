"""The images of boards that are kept as strings of cells, row by row, and of the edges of dots and boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from zermelo.closing import Image, Images

Cell = tuple[int, int]


def mirrored(rows: int, columns: int, *, with_role: bool = False) -> Images:
    """The columns in reverse order.

    >>> mirrored(2, 3).maps[0]("abcdef")
    'cbafed'
    """
    return Images("mirror", (_moved(rows, columns, lambda row, column: (row, columns - 1 - column), with_role),))


def half_turned() -> Images:
    """The board turned by half.

    >>> half_turned().maps[0]("abcdef")
    'fedcba'
    """
    return Images("turn", (lambda cells: cells[::-1],))


def squared(rows: int, columns: int, *, with_role: bool = False) -> Images:
    """Rows and columns in reverse order, and on a square board exchanged.

    >>> [image("abcd") for image in squared(2, 2).maps]
    ['badc', 'cdab', 'dcba', 'acbd', 'bdac', 'cadb', 'dbca']
    """
    return Images("square", tuple(_moved(rows, columns, turn, with_role) for turn in turns(rows, columns)))


def turns(rows: int, columns: int) -> Iterator[Callable[[int, int], Cell]]:
    """From where each cell of an image comes, for every image of a rectangle but itself."""
    for number in range(1, 8 if rows == columns else 4):

        def turn(row: int, column: int, number: int = number) -> Cell:
            row, column = (column, row) if number & 4 else (row, column)
            return (rows - 1 - row if number & 2 else row), (columns - 1 - column if number & 1 else column)

        yield turn


def _moved(rows: int, columns: int, source: Callable[[int, int], Cell], with_role: bool) -> Image:
    """The image of a position: a string of cells, alone or with the role to move."""
    places = [source(row, column) for row in range(rows) for column in range(columns)]
    order = [row * columns + column for row, column in places]

    def image(cells: str) -> str:
        return "".join([cells[place] for place in order])

    if with_role:
        return lambda position: (image(position[0]), position[1])
    return image


def turned_edges(ends: Sequence[tuple[Cell, Cell]], rows: int, columns: int) -> Images:
    """The images of drawn edges between ``rows`` by ``columns`` boxes: those of their dots.

    >>> across, down = [((0, 0), (0, 1)), ((1, 0), (1, 1))], [((0, 0), (1, 0)), ((0, 1), (1, 1))]
    >>> sorted({image((0b0001, 0, 1))[0] for image in turned_edges(across + down, 1, 1).maps})
    [1, 2, 4, 8]
    """
    numbers = {frozenset(pair): number for number, pair in enumerate(ends)}
    maps: list[Image] = []
    for turn in turns(rows + 1, columns + 1):
        order = [numbers[frozenset((turn(*one), turn(*two)))] for one, two in ends]

        def image(position: tuple[int, int, int], order: list[int] = order) -> Any:
            edges = sum(1 << to for to, source in enumerate(order) if position[0] >> source & 1)
            return (edges, *position[1:])

        maps.append(image)
    return Images("square", tuple(maps))
