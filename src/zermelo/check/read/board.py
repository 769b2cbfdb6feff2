"""Boards with values and boards of dots and boxes, as the checker reads them (docs/formats/boards.md)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NoReturn

from zermelo.check.boards import IMPARTIAL, RULES, rules_named
from zermelo.check.cells import all_breathe
from zermelo.check.rows import Strides, ordered, picture, stalk
from zermelo.check.ruleset import Rules
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.source import Source

MOST_CELLS, MOST_BOXES, MOST_DIGITS = 10_000, 400, 4_000
"""Larger boards and longer numbers are taken for mistakes."""
DOTS = "dots:"

Wrong = Callable[[int, str], NoReturn]
"""Refuses a text: where, from its beginning, and why."""


@dataclass(frozen=True)
class Boards:
    """Positions of one game side by side.

    >>> board_target("domineering: 1x2 + #.|..").canonical()
    'domineering:..+#.|..'
    """

    name: str
    positions: tuple[Any, ...]

    @cached_property
    def rules(self) -> Rules:
        """The rules of the game."""
        return rules_named(self.name)

    def canonical(self) -> str:
        """The name of the game and its positions."""
        return f"{self.name}:{'+'.join(map(self.rules.text, self.positions))}"

    def game(self) -> Game:
        """Play on the boards, by rules of the checker's own."""
        from zermelo.check.boardgame import BoardGame

        return BoardGame(self.rules, self.positions)


@dataclass(frozen=True)
class Dots:
    """Boards of dots and boxes side by side: rows of edges, across and down in turns.

    >>> board_target("dots:1x1").canonical()
    'dots:.|..|.'
    """

    boards: tuple[str, ...]

    def canonical(self) -> str:
        """The edges of the boards."""
        return DOTS + "+".join(self.boards)

    def game(self) -> Game:
        """Play on the boards, by rules of the checker's own."""
        from zermelo.check.boardgame import DotsGame

        return DotsGame(self.boards)


def read(source: Source) -> Boards | Dots:
    """The boards that a text states."""
    return board_target(source.text, source.name)


def of_game(game: Any) -> Boards | Dots | None:
    """The boards of a game of the engines; ``None`` where its rules are stated in Python by somebody else."""
    if hasattr(game, "boards"):
        return Dots(tuple(game.boards))
    rules = game.ruleset
    while True:
        if not type(rules).__module__.startswith("zermelo.cgt.") or rules.name.removeprefix(IMPARTIAL) not in RULES:
            return None
        if not hasattr(rules, "rules"):
            break
        rules = rules.rules
    texts = "+".join(map(game.ruleset.text, game.positions))
    return board_target(f"{game.ruleset.name}:{texts}")


def board_target(text: str, name: str = "") -> Boards | Dots:
    """The boards that a target names; ``InputError`` with the place where it names none."""
    kind, _, rest = text.partition(":")
    dots = text.startswith(DOTS)
    kind = kind.strip()
    if not dots and kind.removeprefix(IMPARTIAL) not in RULES:
        raise InputError(f"no rules {kind!r}, expected one of dots, {', '.join(sorted(RULES))}", file=name or text)
    found = []
    at = len(text) - len(rest)
    for board in rest.split("+"):
        begin = at + len(board) - len(board.lstrip())
        wrong = partial(_wrong, name or text, begin)
        parse = _dots if dots else _PARSERS.get(kind.removeprefix(IMPARTIAL), _heaps)
        found.append(parse(board.strip(), wrong))
        at += len(board) + 1
    return Dots(tuple(found)) if dots else Boards(kind, tuple(found))


def _wrong(name: str, begin: int, at: int, message: str) -> NoReturn:
    raise InputError(message, file=name, line=1, column=begin + at + 1)


# Cells


def _empty(rows: int, columns: int) -> str:
    return "|".join(["." * columns] * rows)


def _checkered(rows: int, columns: int) -> str:
    return "|".join(("xo" * columns)[row % 2 :][:columns] for row in range(rows))


def _stone_in_the_middle(rows: int, columns: int) -> str:
    row, column = (rows - 1) // 2, (columns - 1) // 2
    lines = [list("." * columns) for _ in range(rows)]
    lines[row][column] = "x"
    return "|".join("".join(line) for line in lines)


Start = Callable[[int, int], str]


def _cells(allowed: str, start: Start | None, text: str, wrong: Wrong, *, rows_allowed: bool = True) -> str:
    """Rows of cells, or a size such as ``4x5`` where the game has a usual start."""
    if size := _size(text, 9):
        rows, columns = size
        if not (rows and columns and rows * columns <= MOST_CELLS and (rows == 1 or rows_allowed)):
            wrong(0, f"a board of {rows} x {columns}, expected at least one cell and at most {MOST_CELLS:,}")
        if start is None:
            wrong(0, "this game has no board to start from, expected its cells")
        return start(rows, columns)
    if not text:
        wrong(0, "no board, expected rows of cells with | between them")
    if len(text) > MOST_CELLS:
        wrong(0, f"a board of over {MOST_CELLS:,} cells")
    rows_found = text.split("|")
    if len(rows_found) > 1 and not rows_allowed:
        wrong(len(rows_found[0]), "unexpected '|', expected one row")
    at = 0
    for row in rows_found:
        for place, cell in enumerate(row):
            if cell not in allowed + allowed.upper():
                wrong(at + place, f"unexpected {cell!r}, expected one of {' '.join(allowed)}")
        if not row or len(row) != len(rows_found[0]):
            wrong(at, f"a row of {len(row)} cells, expected {len(rows_found[0]) or 'at least 1'} as in the first row")
        at += len(row) + 1
    return text.lower()


def _size(text: str, digits: int) -> tuple[int, int] | None:
    numbers = [number.strip() for number in re.split("[x*]", text)]
    plain = all(re.fullmatch("[0-9]+", number) and len(number) <= digits for number in numbers)
    # A blank may stand beside the cross only, and the text has none at its ends.
    return (int(numbers[0]), int(numbers[1])) if plain and len(numbers) == 2 else None


def _stones_that_breathe(text: str, wrong: Wrong) -> str:
    board = _cells(".xo#", _empty, text, wrong)
    if not all_breathe(board):
        wrong(0, "a block without a liberty, expected one for every block")
    return board


def _dominoes(text: str, wrong: Wrong) -> str:
    return _cells("xo#", None, text, wrong, rows_allowed=False) if text else ""


_toads_and_frogs = partial(_cells, ".xo", None, rows_allowed=False)


def _general_toads(text: str, wrong: Wrong) -> tuple[Strides, str]:
    """Four numbers, a colon and a row."""
    numbers, colon, row = text.partition(":")
    found = [number.strip() for number in numbers.split(",")]
    if not colon or len(found) != 4 or not all(re.fullmatch("[0-9]{1,6}", number) for number in found):
        wrong(0, "expected the least slide, the longest slide, the longest jump, 0 or 1, then : and a row")
    least, most, jump = map(int, found[:3])
    if found[3] not in ("0", "1") or not 1 <= least <= most:
        wrong(0, "expected slides of at least 1, the longest not below the least, and 0 or 1 for friends")
    return Strides(least, most, jump, found[3] == "1"), _toads_and_frogs(row.strip(), wrong)


# Heaps


def _numbers(text: str, wrong: Wrong) -> list[int]:
    found, at = list[int](), 0
    for part in text.split(","):
        number = part.strip()
        if not re.fullmatch("[0-9]+", number) or len(number) > MOST_DIGITS:
            wrong(at, f"unexpected {number[:20]!r}, expected the size of a heap, such as 12")
        found.append(int(number))
        at += len(part) + 1
    return found


def _heaps(text: str, wrong: Wrong) -> tuple[int, ...]:
    return ordered(_numbers(text, wrong))


def _octal(text: str, wrong: Wrong) -> tuple[tuple[int, ...], tuple[int, ...]]:
    code, colon, heaps = text.partition(":")
    found = re.fullmatch(r"([04]?)\.([0-7]*)", code.strip())
    if not colon or found is None:
        wrong(0, f"unexpected {text[:20]!r}, expected an octal code, a colon and heaps, such as 0.77:12")
    digits = (found[1] or "0") + found[2].rstrip("0")
    return tuple(map(int, digits)), ordered(_numbers(heaps, wrong))


def _two_heaps(text: str, wrong: Wrong) -> tuple[int, ...]:
    found = _numbers(text, wrong)
    if len(found) != 2:
        wrong(0, f"{len(found)} heaps, expected two with a comma between them")
    return tuple(found)


# Edges


def _hackenbush(text: str, wrong: Wrong) -> Any:
    """A stalk by its colours, or edges ``END-END:COLOUR`` with commas or blanks between them."""
    if not text.strip("bBrRgG"):
        return stalk(text.lower())
    edges = []
    for piece in re.split(r",|\s+", re.sub(r"\s*([-:,])\s*", r"\1", text)):
        found = re.fullmatch(r"(\w+)-(\w+):([bBrRgG])", piece)
        if found is None:
            wrong(0, f"unexpected {piece[:12]!r}, expected an edge such as 0-a:b, with colour b, r or g")
        edges.append((found[1], found[2], found[3].lower()))
    standing = picture(edges)
    if len(standing) < len(edges):
        wrong(0, "an edge does not stand on the ground, expected a way down to 0")
    return standing


def _dots(text: str, wrong: Wrong) -> str:
    """Rows of edges, ``.`` open and ``#`` drawn, across and down in turns; or a size in boxes."""
    if size := _size(text, 4):
        rows, columns = size
        if not 0 < rows * columns <= MOST_BOXES:
            wrong(0, f"{rows} x {columns} boxes, expected 1 to {MOST_BOXES}")
        return "|".join("." * (columns + row % 2) for row in range(2 * rows + 1))
    found = text.split("|")
    columns = len(found[0])
    if set(text) - set(".#|"):
        wrong(0, "expected '.' (open), '#' (drawn) or '|'")
    if len(found) % 2 == 0 or len(found) < 3 or not columns:
        wrong(0, "expected an odd number of rows of edges, at least 3: across, down, across and so on")
    if any(len(row) != columns + place % 2 for place, row in enumerate(found)):
        wrong(0, f"expected {columns} and {columns + 1} edges in turns, as the first row has {columns}")
    if len(found) // 2 * columns > MOST_BOXES:
        wrong(0, f"over {MOST_BOXES} boxes")
    return text


_PARSERS: dict[str, Callable[[str, Wrong], Any]] = {
    "amazons": partial(_cells, ".xo#", None),
    "cannibal": partial(_cells, ".xo#", _checkered),
    "clobber": partial(_cells, ".xo#", _checkered),
    "col": partial(_cells, ".xo#", _empty),
    "cram": partial(_cells, ".#", _empty),
    "dominoes": _dominoes,
    "domineering": partial(_cells, ".#", _empty),
    "elephants": _toads_and_frogs,
    "fission": partial(_cells, ".x#", _stone_in_the_middle),
    "gentoads": _general_toads,
    "hackenbush": _hackenbush,
    "konane": partial(_cells, ".xo#", None),
    "nogo": _stones_that_breathe,
    "octal": _octal,
    "snort": partial(_cells, ".xo#", _empty),
    "toads": _toads_and_frogs,
    "wytqueens": _two_heaps,
}
"""Games that are not played on heaps with commas between them."""
