"""Dots and boxes as a sum played for boxes: areas side by side, and whoever completes a box moves again.

Such a sum is not a sum of scored trees. A player who completes a box must move again, in whatever area; so the areas
share the turn, and no area has options of its own that would say what it adds to a sum. And nobody may wait: where
every move gives boxes away, one of them has to be made, while in a scored tree a number is left alone. What does carry
over is that areas are independent otherwise: the score of a sum depends only on which areas are left, not on where they
lie. Play in all of them together is searched, once for each collection of areas (Berlekamp, *The Dots and Boxes Game*;
the areas are those of strings and coins).
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.cgt.boards.nim_value import run_to_end
from zermelo.cgt.boards.ruleset import SIDES
from zermelo.cgt.rulesets.cells import components
from zermelo.draw.shape import edge_name
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.limits import Limits, step_watch

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

Point = tuple[int, int]
"""A place on a grid of half steps: dots are even-even, boxes odd-odd, edges lie between."""
Area = tuple[tuple[Point, ...], tuple[Point, ...]]
"""Open edges and the boxes beside them, in order."""
Position = tuple[tuple[str, ...], int, int]
"""The boards, Left's boxes minus Right's so far, and whose turn it is."""

_SIZE = re.compile(r"([0-9]{1,4})\s*[x*]\s*([0-9]{1,4})")
MOST_BOXES = 400


def parse_dots(text: str, place: str, column: int = 1) -> str:
    """A board as rows of edges, ``.`` open and ``#`` drawn: across, down, across and so on; or its size in boxes.

    >>> parse_dots("1x2", "dots:1x2")
    '..|...|..'
    >>> parse_dots(".|#.|..", "dots:.|#.|..", 6)
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: dots:.|#.|..:1:12: row 3 has 2 edges, expected 1
    """
    size = _SIZE.fullmatch(text)
    if size:
        rows, columns = int(size[1]), int(size[2])
        if not (rows and columns and rows * columns <= MOST_BOXES):
            message = f"{rows} x {columns} boxes, expected 1 to {MOST_BOXES}"
            raise InputError(message, file=place, line=1, column=column)
        return "|".join(["." * columns, *["." * (columns + 1), "." * columns] * rows])
    wrong = re.search("[^.#|]", text)
    if wrong:
        message = f"unexpected {wrong[0]!r}, expected '.' (open), '#' (drawn) or '|'"
        raise InputError(message, file=place, line=1, column=column + wrong.start())
    rows_of_edges = text.split("|")
    columns, start = len(rows_of_edges[0]), column
    if len(rows_of_edges) % 2 == 0 or len(rows_of_edges) < 3 or not columns:
        message = "expected an odd number of rows of edges, at least 3: across, down, across and so on"
        raise InputError(message, file=place, line=1, column=column)
    for index, row in enumerate(rows_of_edges):
        if len(row) != columns + index % 2:
            message = f"row {index + 1} has {len(row)} edges, expected {columns + index % 2}"
            where = start + min(len(row), columns + index % 2)
            raise InputError(message, file=place, line=1, column=where)
        start += len(row) + 1
    if len(rows_of_edges) // 2 * columns > MOST_BOXES:
        raise InputError(f"over {MOST_BOXES} boxes", file=place, line=1, column=column)
    return text


def areas(board: str) -> list[Area]:
    """The parts of a board that share no box, each in its normal form.

    >>> areas("#|#.|#")
    [(((0, 1),), ((1, 1),))]
    """
    rows = board.split("|")
    edges = {(r, 2 * c + (r + 1) % 2) for r, row in enumerate(rows) for c, edge in enumerate(row) if edge == "."}
    height, width = len(rows) - 1, 2 * len(rows[0])
    return _areas(edges, {(r, c) for r in range(1, height, 2) for c in range(1, width, 2)})


def _beside(point: Point) -> tuple[Point, ...]:
    r, c = point
    return ((r, c - 1), (r, c + 1)) if r % 2 else ((r - 1, c), (r + 1, c))


def _around(box: Point) -> tuple[Point, ...]:
    r, c = box
    return (r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)


def _areas(edges: set[Point], boxes: set[Point]) -> list[Area]:
    numbers = {edge: number for number, edge in enumerate(sorted(edges))}
    names = list(numbers)

    def linked(number: int) -> Iterator[int]:
        for box in _beside(names[number]):
            if box in boxes:
                yield from (numbers[edge] for edge in _around(box) if edge in numbers)

    found = []
    for part in components(range(len(names)), linked):
        inside = {names[number] for number in part}
        found.append(_normal(inside, {box for edge in inside for box in _beside(edge) if box in boxes}))
    return found


def _normal(edges: set[Point], boxes: set[Point]) -> Area:
    """The first of the eight images; the least box is put at 1, 1, so that places keep their parity."""
    images = []
    for turned in (False, True):
        for down in (1, -1):
            for across in (1, -1):

                def image(point: Point, turned: bool = turned, down: int = down, across: int = across) -> Point:
                    r, c = point[::-1] if turned else point
                    return r * down, c * across

                placed = [image(box) for box in boxes]
                top, left = min(r for r, _ in placed) - 1, min(c for _, c in placed) - 1
                moved = [
                    tuple(sorted((image(point)[0] - top, image(point)[1] - left) for point in points))
                    for points in (edges, boxes)
                ]
                images.append((moved[0], moved[1]))
    return min(images)


class Margins:
    """By how many boxes the side to move wins collections of areas; what has been found is kept.

    >>> Margins().margin(areas(parse_dots("1x1", "")))
    -1
    >>> Margins().margin(areas(parse_dots("1x2", "")))
    0
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self._known: dict[tuple[Area, ...], int] = {}
        self._moves: dict[Area, list[tuple[int, tuple[Area, ...]]]] = {}
        self._look = step_watch(limits or Limits(), often=1024)

    def margin(self, collection: Sequence[Area]) -> int:
        """The boxes of the side to move minus those of the other, from here on and under best play."""
        found = run_to_end(self._margin(tuple(sorted(collection))))
        assert isinstance(found, int)
        return found

    def _margin(self, collection: tuple[Area, ...]) -> Generator[Any, Any, int]:
        free = [area for area in collection if len(area[0]) == 1]
        if free:
            # An area of one edge is a box or two for whoever likes, and the move is kept: sooner is never worse.
            rest = tuple(area for area in collection if len(area[0]) > 1)
            after = yield self._margin(rest)
            return sum(len(area[1]) for area in free) + int(after)
        if not collection:
            return 0
        if collection not in self._known:
            self._look()
            best = None
            for index, area in enumerate(collection):
                if index and collection[index - 1] == area:
                    continue
                rest = collection[:index] + collection[index + 1 :]
                for taken, parts in self._options(area):
                    after = yield self._margin(tuple(sorted(rest + parts)))
                    score = taken + after if taken else -after
                    best = score if best is None else max(best, score)
            assert best is not None
            self._known[collection] = best
        return self._known[collection]

    def _options(self, area: Area) -> list[tuple[int, tuple[Area, ...]]]:
        """What a stroke does to an area: the boxes that it completes and the areas that are left."""
        if area not in self._moves:
            edges, boxes = set(area[0]), set(area[1])
            found: dict[tuple[int, tuple[Area, ...]], None] = {}
            for edge in area[0]:
                left = edges - {edge}
                done = [box for box in _beside(edge) if box in boxes and not any(e in left for e in _around(box))]
                found[len(done), tuple(sorted(_areas(left, boxes - set(done))))] = None
            self._moves[area] = sorted(found, key=lambda option: -option[0])
        return self._moves[area]


class DotsSum(Game):
    """Boards of dots and boxes side by side, played for boxes; Left begins.

    Who completes a box, or two, moves again. Edges are named by their two dots, as in ``a1b1``, with the number of the
    board before them if there are several.

    >>> game = DotsSum.named("dots:#|#.|.+1x1")
    >>> game.moves(game.start())[:3]
    ['1:b1b2', '1:a2b2', '2:a1b1']
    >>> game.score()
    0
    """

    kind = "dots"
    roles = SIDES
    name = "dots"
    summary = "dots and boxes: draw edges, a completed box moves again; the score is the boxes"
    form = "dots:ROW|ROW|... of edges across and down in turns, . open and # drawn, or dots:ROWSxCOLUMNS of boxes"
    example = "dots:2x3"

    def __init__(self, boards: Sequence[str]) -> None:
        self.boards = tuple(boards)

    @classmethod
    def named(cls, target: str) -> DotsSum:
        """The boards that a target names."""
        name, colon, texts = target.partition(":")
        boards, column = [], len(name) + len(colon) + 1
        for text in texts.split("+"):
            boards.append(parse_dots(text.strip(), target, column + len(text) - len(text.lstrip())))
            column += len(text) + 1
        return cls(boards)

    def score(self, limits: Limits | None = None) -> int:
        """Left's boxes minus Right's if Left begins; if Right begins it is the negative."""
        return Margins(limits).margin([area for board in self.boards for area in areas(board)])

    def start(self) -> Position:
        return self.boards, 0, 0

    def turn(self, position: Position) -> str:
        return self.roles[position[2]]

    def moves(self, position: Position) -> list[str]:
        found = []
        for number, board in enumerate(position[0]):
            prefix = f"{number + 1}:" if len(position[0]) > 1 else ""
            for index, row in enumerate(board.split("|")):
                found += [prefix + edge_name(index, c) for c, edge in enumerate(row) if edge == "."]
        return found

    def play(self, position: Position, move: str) -> Position:
        boards, lead, role = position
        number, colon, name = move.rpartition(":")
        which = int(number) - 1 if colon else 0
        before = boards[which].split("|")
        for index, row in enumerate(before):
            for c, edge in enumerate(row):
                if edge == "." and edge_name(index, c) == name:
                    after = [*before[:index], row[:c] + "#" + row[c + 1 :], *before[index + 1 :]]
                    taken = _completed(after) - _completed(before)
                    now = (*boards[:which], "|".join(after), *boards[which + 1 :])
                    return now, lead + (taken if role == 0 else -taken), role if taken else 1 - role
        raise InputError(f"{move} is not a legal move here")

    def result(self, position: Position) -> tuple[int, int] | None:
        return None if any("." in board for board in position[0]) else (position[1], -position[1])

    def text(self, position: Position) -> str:
        return "\n\n".join(_drawn(board.split("|")) for board in position[0])

    def scene(self, position: Position) -> Scene:
        from zermelo.draw.grid import dots_scene
        from zermelo.draw.scene import beside

        scenes = [dots_scene(board.split("|")) for board in position[0]]
        several = len(scenes) > 1
        return beside(scenes, [f"{index + 1}:" if several else "" for index in range(len(scenes))])


def _completed(rows: Sequence[str]) -> int:
    """How many boxes have all four sides."""
    return sum(
        rows[r - 1][c] == rows[r + 1][c] == rows[r][c] == rows[r][c + 1] == "#"
        for r in range(1, len(rows), 2)
        for c in range(len(rows[0]))
    )


def _drawn(rows: Sequence[str]) -> str:
    lines = []
    for index, row in enumerate(rows):
        if index % 2:
            lines.append("   ".join("|" if edge == "#" else " " for edge in row))
        else:
            lines.append("o" + "".join(("---" if edge == "#" else "   ") + "o" for edge in row))
    return "\n".join(line.rstrip() for line in lines)
