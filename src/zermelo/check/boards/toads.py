"""Toads and frogs, elephants and rhinos, and the general game: animals slide and jump towards each other in a row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from zermelo.check.boards.cells import Images, exchanged, read_cells
from zermelo.check.boards.ruleset import STONES, Moves, Rules, Wrong, letters


@dataclass(frozen=True)
class Strides:
    """How far animals slide at least and at most, how many they jump over, and whether over friends too."""

    least: int = 1
    most: int = 1
    jump: int = 1
    friends: bool = False


def _toads_and_frogs(strides: Strides, row: str, side: int) -> Moves:
    animal, step = STONES[side], -1 if side else 1
    for cell in [at for at, content in enumerate(row) if content == animal]:
        way = row[:cell][::-1] if side else row[cell + 1 :]
        room = len(way) - len(way.lstrip("."))
        crowd = len(way) - len(way.lstrip("xo" if strides.friends else STONES[1 - side]))
        if room:
            lengths = list(range(strides.least, min(room, strides.most) + 1))
        else:
            lengths = [crowd + 1] if crowd <= strides.jump and way[crowd : crowd + 1] == "." else []
        for length in lengths:
            target = cell + step * length
            after = list(row)
            after[cell], after[target] = ".", animal
            yield letters(cell) + letters(target), "".join(after)


def _parted_row(jump: int, row: str) -> list[str]:
    """Parts between which nothing will ever pass, if animals jump over so many at most.

    Let j be one more. A block of animals that begins with j toads and ends with j frogs never moves again: every toad
    in it has j animals before it, and so has every frog; nobody jumps over it either. At the right end of a row, and
    before such a block, a block needs no frogs at its end, and toads alone may be any number; at the left end likewise
    with frogs. Where all on the left are frogs and all on the right toads, they part; if nobody jumps, so do a frog and
    the next toad to its right wherever they are.
    """
    toads, frogs = "x" * (jump + 1), "o" * (jump + 1)
    pieces, piece = list[str](), ""
    for _, run in groupby(row, ".".__eq__):
        block = "".join(run)
        begin, end = block.find(toads), block.rfind(frogs)
        if end > begin >= 0:
            pieces.append(piece + block[:begin])
            piece = block[end + len(frogs) :]
        else:
            piece += block
    pieces.append(piece)
    parts = [part for piece in pieces for part in _going_apart(jump, _loose(piece, toads, frogs))]
    return [part for part in parts if "." in part and ("x" in part or "o" in part)]


def _loose(piece: str, toads: str, frogs: str) -> str:
    """Without what is stuck at its two ends."""
    first = piece.partition(".")[0]
    stuck = first.rfind(frogs)
    begin = stuck + len(frogs) if stuck >= 0 else len(first) - len(first.lstrip("o"))
    rest = piece[begin:]
    last = rest.rpartition(".")[2]
    stuck = last.find(toads)
    kept = last[:stuck] if stuck >= 0 else last.rstrip("x")
    return rest[: len(rest) - len(last)] + kept


def _going_apart(jump: int, piece: str) -> list[str]:
    if jump:
        toad = piece.find("x")
        return [piece[:toad], piece[toad:]] if toad > piece.rfind("o") else [piece]
    parts, begin = list[str](), 0
    for at, content in enumerate(piece):
        if content == "o" and piece[at + 1 :].lstrip(".").startswith("x"):
            parts.append(piece[begin : at + 1])
            begin = at + 1
    parts.append(piece[begin:])
    return [part if "o" in part else part.lstrip(".") for part in parts]


def _general(position: tuple[Strides, str], side: int) -> Moves:
    strides, row = position
    return [(name, (strides, after)) for name, after in _toads_and_frogs(strides, row, side)]


def _general_text(position: tuple[Strides, str]) -> str:
    strides, row = position
    return f"{strides.least},{strides.most},{strides.jump},{int(strides.friends)}:{row}"


# Reading

_read_row = partial(read_cells, ".xo", None, one_row=True)


def _read_general(text: str, wrong: Wrong) -> tuple[Strides, str]:
    """Four numbers, a colon and a row."""
    numbers, colon, row = text.partition(":")
    found = [number.strip() for number in numbers.split(",")]
    if not colon or len(found) != 4 or not all(re.fullmatch("[0-9]{1,6}", number) for number in found):
        wrong(0, "expected the least slide, the longest slide, the longest jump, 0 or 1, then : and a row")
    least, most, jump = map(int, found[:3])
    if found[3] not in ("0", "1") or not 1 <= least <= most:
        wrong(0, "expected slides of at least 1, the longest not below the least, and 0 or 1 for friends")
    return Strides(least, most, jump, found[3] == "1"), _read_row(row.strip(), wrong)


def _reversed(board: str) -> str:
    return exchanged(board)[::-1]


_TURNED = Images(lambda row: [row], _reversed)

RULES = {
    "elephants": Rules(_read_row, partial(_toads_and_frogs, Strides(jump=0)), partial(_parted_row, 0), _TURNED),
    "gentoads": Rules(
        _read_general,
        _general,
        lambda at: [(at[0], part) for part in _parted_row(at[0].jump, at[1])],
        text=_general_text,
    ),
    "toads": Rules(_read_row, partial(_toads_and_frogs, Strides()), partial(_parted_row, 1), _TURNED),
}
"""The rules of each game by its name."""
