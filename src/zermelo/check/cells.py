"""Games on cells, as the checker knows them: dominoes, stones that move and stones that are placed.

A position is its own text: rows with ``|`` between them. Cell ``i`` has ``i + 1`` to its right, and ``i`` plus the
length of a row and its stroke below it; steps off the board meet a stroke.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from zermelo.check.ruleset import STONES, Moves, Rules, itself

MOST_SIGNED = 1 << 17
"""So many images of boards are remembered."""


def letters(column: int) -> str:
    """The name of a column: a to z, then aa and so on.

    >>> letters(0), letters(26)
    ('a', 'aa')
    """
    return (letters(column // 26 - 1) if column >= 26 else "") + "abcdefghijklmnopqrstuvwxyz"[column % 26]


def _below(board: str) -> int:
    """The step from a cell to the one below it."""
    wall = board.find("|")
    return (len(board) if wall < 0 else wall) + 1


@lru_cache(maxsize=1 << 14)
def _named(cell: int, below: int) -> str:
    row, column = divmod(cell, below)
    return f"{letters(column)}{row + 1}"


def _cell(board: str, cell: int) -> str:
    return _named(cell, _below(board))


def _at(board: str, cell: int) -> str:
    return board[cell] if 0 <= cell < len(board) else "|"


def _with(board: str, changes: dict[int, str]) -> str:
    cells = list(board)
    for cell, content in changes.items():
        cells[cell] = content
    return "".join(cells)


def _straight(board: str) -> tuple[int, ...]:
    return 1, -1, _below(board), -_below(board)


def _around(board: str) -> tuple[int, ...]:
    below = _below(board)
    return *_straight(board), below + 1, below - 1, 1 - below, -below - 1


def groups(cells: set[int], near: Callable[[int], Iterable[int]]) -> list[set[int]]:
    """What hangs together, the first cells first.

    >>> groups({0, 1, 5}, lambda cell: [cell + 1, cell - 1])
    [{0, 1}, {5}]
    """
    left, found = set(cells), list[set[int]]()
    for seed in sorted(cells):
        if seed in left:
            left.discard(seed)
            group = [seed]
            for cell in group:
                for other in near(cell):
                    if other in left:
                        left.discard(other)
                        group.append(other)
            found.append(set(group))
    return found


def _connected(board: str, kinds: str, steps: Sequence[int]) -> list[set[int]]:
    """Cells of some kinds that steps join; by far the most time goes here, so nothing is called on the way."""
    cells = [cell for cell, content in enumerate(board) if content in kinds]
    left, found = set(cells), list[set[int]]()
    for seed in cells:
        if seed in left:
            left.remove(seed)
            group = [seed]
            for cell in group:
                for step in steps:
                    if cell + step in left:
                        left.remove(cell + step)
                        group.append(cell + step)
            found.append(set(group))
    return found


def _cut(board: str, part: set[int], outside: str = "#") -> str:
    """The smallest board that holds the part; whatever else lies on it is outside."""
    below = _below(board)
    columns = [cell % below for cell in part]
    west, east = min(columns), max(columns) + 1
    first, last = min(part) // below, max(part) // below
    rows = range(first * below, last * below + 1, below)
    return "|".join(
        ["".join([board[cell] if cell in part else outside for cell in range(row + west, row + east)]) for row in rows]
    )


# Symmetries of cells


def _turned(board: str) -> str:
    return "|".join(map("".join, zip(*board.split("|"), strict=True)))


def mirrored(board: str) -> list[str]:
    """A board and its mirror images.

    >>> mirrored("x.|oo")
    ['x.|oo', 'oo|x.', '.x|oo', 'oo|.x']
    """
    rows = board.split("|")
    turned = [row[::-1] for row in rows]
    return ["|".join(lines) for lines in (rows, rows[::-1], turned, turned[::-1])]


def _all_eight(board: str) -> list[str]:
    return mirrored(board) + mirrored(_turned(board))


def exchanged(board: str) -> str:
    """A board with the colours exchanged.

    >>> exchanged("x.o")
    'o.x'
    """
    return board.translate({ord("x"): "o", ord("o"): "x"})


class Images:
    """The first of all images of a board that are worth the same, or the negative if there are such.

    >>> Images(mirrored, exchanged)("x."), Images(mirrored)("x.")
    (('.o', True), ('.x', False))
    """

    def __init__(self, same: Callable[[str], list[str]], negative: Callable[[str], str] | None = None) -> None:
        self.same, self.negative = same, negative
        self.known: dict[str, tuple[str, bool]] = {}

    def __call__(self, board: str) -> tuple[str, bool]:
        found = self.known.get(board)
        if found is None:
            if len(self.known) >= MOST_SIGNED:
                self.known.clear()
            found = min(self.same(board)), False
            if self.negative is not None:
                found = min(found, (min(self.same(self.negative(board))), True))
            self.known[board] = found
        return found


# Dominoes on cells


def _dominoes(board: str, *steps: int) -> Moves:
    below = _below(board)
    for step in steps:
        for cell in range(len(board) - step):
            if board[cell] == board[cell + step] == ".":
                name = _named(cell, below) + _named(cell + step, below)
                yield name, f"{board[:cell]}#{board[cell + 1 : cell + step]}#{board[cell + step + 1 :]}"


def _domineering(board: str, side: int) -> Moves:
    return _dominoes(board, 1 if side else _below(board))


def _cram(board: str, side: int) -> Moves:
    del side
    return _dominoes(board, 1, _below(board))


def _rooms(board: str) -> list[str]:
    """Empty cells that hang together: a domino lies on two neighbours."""
    return [_cut(board, part) for part in _connected(board, ".", _straight(board)) if len(part) > 1]


def _fission(board: str, side: int) -> Moves:
    step = 1 if side else _below(board)
    for cell, content in enumerate(board):
        if content == "x" and _at(board, cell - step) == _at(board, cell + step) == ".":
            yield _cell(board, cell), _with(board, {cell - step: "x", cell: ".", cell + step: "x"})


# Stones that move


def _seen(board: str, start: int) -> Iterator[int]:
    for step in _around(board):
        cell = start + step
        while _at(board, cell) == ".":
            yield cell
            cell += step


def _amazons(board: str, side: int) -> Moves:
    queen = STONES[side]
    for cell in [at for at, content in enumerate(board) if content == queen]:
        for target in _seen(board, cell):
            moved = _with(board, {cell: ".", target: queen})
            for shot in _seen(moved, target):
                name = f"{_cell(board, cell)}{_cell(board, target)}/{_cell(board, shot)}"
                yield name, _with(moved, {shot: "#"})


def _walled_in(board: str) -> list[str]:
    """What is not blocked and hangs together by steps of a king, if there is a queen with room."""
    parts = [_cut(board, part) for part in _connected(board, ".xo", _around(board))]
    return [part for part in parts if "." in part and ("x" in part or "o" in part)]


def _clobber(prey: tuple[str, str], board: str, side: int) -> Moves:
    stone = STONES[side]
    for cell in [at for at, content in enumerate(board) if content == stone]:
        for step in _straight(board):
            if _at(board, cell + step) in prey[side]:
                after = _with(board, {cell: ".", cell + step: stone})
                yield _cell(board, cell) + _cell(board, cell + step), after


def _crowds(colours: int, board: str) -> list[str]:
    """Stones that hang together and that somebody may yet move; a stone moves onto a stone, so crowds never meet."""
    parts = [part for part in _connected(board, "xo", _straight(board)) if len(part) > 1]
    return [_cut(board, part, ".") for part in parts if len({board[cell] for cell in part}) >= colours]


def _konane(board: str, side: int) -> Moves:
    stone, prey = STONES[side], STONES[1 - side]
    for cell in [at for at, content in enumerate(board) if content == stone]:
        for step in _straight(board):
            changes, target = {cell: "."}, cell
            while _at(board, target + step) == prey and _at(board, target + 2 * step) == ".":
                changes[target + step] = "."
                target += 2 * step
                yield _cell(board, cell) + _cell(board, target), _with(board, changes | {target: stone})


def _jumps(board: str) -> list[str]:
    """Cells joined by jumps that some play might yet make; a jump looks at its own three cells and changes no other.

    Where stones might get to is overestimated: a stone stays where it was and also jumps, over whatever might be there.
    """
    reach = [{at for at, content in enumerate(board) if content == stone} for stone in STONES]
    links: dict[int, set[int]] = {}
    grew = True
    while grew:
        grew = False
        for mine, theirs in (reach, reach[::-1]):
            for cell in list(mine):
                for step in _straight(board):
                    over, target = cell + step, cell + 2 * step
                    if over in theirs and _at(board, target) in ".xo":
                        for one, other in ((cell, over), (over, target)):
                            links.setdefault(one, set()).add(other)
                            links.setdefault(other, set()).add(one)
                        grew = grew or target not in mine
                        mine.add(target)
    return [_cut(board, part) for part in groups(set(links), links.__getitem__)]


# Stones that are placed


def _colouring(unwanted: str, board: str, side: int) -> Moves:
    """``unwanted`` has for each side the colour that must not be beside its own."""
    for cell in _paintable(unwanted, board, side):
        yield _cell(board, cell), _with(board, {cell: STONES[side]})


def _paintable(unwanted: str, board: str, side: int) -> list[int]:
    steps = _straight(board)
    empty = [cell for cell, content in enumerate(board) if content == "."]
    return [cell for cell in empty if all(_at(board, cell + step) != unwanted[side] for step in steps)]


def _maps(unwanted: str, board: str) -> list[str]:
    """Empty cells that still bear on each other, with the coloured cells beside them.

    Two neighbours bear on each other if they may yet take two colours that must not be side by side. What a cell may
    take only ever shrinks, so such links never come back.
    """
    steps = _straight(board)
    may = [set(_paintable(unwanted, board, side)) for side in (0, 1)]
    against = [may[STONES.index(colour)] for colour in unwanted]

    def bears(cell: int) -> Iterator[int]:
        for step in steps:
            if any(cell in may[side] and cell + step in against[side] for side in (0, 1)):
                yield cell + step

    found = []
    for part in groups(may[0] | may[1], bears):
        beside = {cell + step for cell in part for step in steps if _at(board, cell + step) in STONES}
        found.append(_cut(board, part | beside))
    return found


def _breathes(board: str, stone: int) -> bool:
    colour, block = board[stone], [stone]
    for cell in block:
        for step in _straight(board):
            content = _at(board, cell + step)
            if content == ".":
                return True
            if content == colour and cell + step not in block:
                block.append(cell + step)
    return False


def all_breathe(board: str) -> bool:
    """Has every block of stones an empty cell beside it?

    >>> all_breathe("xo."), all_breathe("xo|.o")
    (False, True)
    """
    return all(_breathes(board, cell) for cell, content in enumerate(board) if content in STONES)


def _nogo(board: str, side: int) -> Moves:
    for cell, content in enumerate(board):
        if content == ".":
            after = _with(board, {cell: STONES[side]})
            touched = [cell, *(cell + step for step in _straight(board) if _at(after, cell + step) in STONES)]
            if all(_breathes(after, stone) for stone in touched):
                yield _cell(board, cell), after


def _breathing(board: str) -> list[str]:
    """Empty cells with the blocks beside them: blocks of different colours say nothing to each other."""
    steps = _straight(board)

    def near(cell: int) -> Iterator[int]:
        for step in steps:
            if {board[cell], _at(board, cell + step)} != {"x", "o"}:
                yield cell + step

    parts = groups({cell for cell, content in enumerate(board) if content in ".xo"}, near)
    return [_cut(board, part) for part in parts if any(board[cell] == "." for cell in part)]


_BY_COLOURS, _BY_TURNING = Images(_all_eight, exchanged), Images(mirrored, _turned)
_ALIKE, _MIRRORED = Images(_all_eight), Images(mirrored)

CELL_RULES: dict[str, Rules] = {
    "amazons": Rules(_amazons, _walled_in, _BY_COLOURS),
    "cannibal": Rules(partial(_clobber, ("xo", "xo")), partial(_crowds, 1), _BY_COLOURS),
    "clobber": Rules(partial(_clobber, ("o", "x")), partial(_crowds, 2), _BY_COLOURS),
    "col": Rules(partial(_colouring, "xo"), partial(_maps, "xo"), _BY_COLOURS),
    "cram": Rules(_cram, _rooms, _ALIKE),
    "domineering": Rules(_domineering, _rooms, _BY_TURNING),
    "fission": Rules(_fission, itself, _BY_TURNING),
    "konane": Rules(_konane, _jumps, _BY_COLOURS),
    "nogo": Rules(_nogo, _breathing, _BY_COLOURS),
    "snort": Rules(partial(_colouring, "ox"), partial(_maps, "ox"), _BY_COLOURS),
}
"""The rules of each game by its name."""
CELLS_ALIKE: dict[str, Callable[[Any], tuple[Any, bool]]] = {
    name: _MIRRORED if rules.signed is _BY_TURNING else _ALIKE for name, rules in CELL_RULES.items()
}
"""Symmetries that hold whoever moves, where both sides may make the moves of either."""
