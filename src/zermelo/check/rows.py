"""Games on rows, heaps and edges, as the checker knows them: animals, dominoes, counters, hackenbush."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, pairwise
from typing import Any

from zermelo.check.cells import Images, exchanged, groups, letters, mirrored
from zermelo.check.ruleset import STONES, Moves, Rules


def _toppling(row: str, side: int) -> Moves:
    for place, domino in enumerate(row):
        if domino in (STONES[side], "#"):
            yield f"{place + 1}<", row[place + 1 :]
            yield f"{place + 1}>", row[:place]


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
            lengths = [crowd + 1] if 0 < crowd <= strides.jump and way[crowd : crowd + 1] == "." else []
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
    for is_room, run in groupby(row, ".".__eq__):
        block = "".join(run)
        begin = -1 if is_room else block.find(toads)
        end = block.rfind(frogs) if begin >= 0 else -1
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


# Heaps

Heaps = tuple[int, ...]
"""Sizes, the largest first, none of them 0."""


def ordered(heaps: Iterable[int]) -> Heaps:
    """Heaps as a position.

    >>> ordered([1, 0, 5])
    (5, 1)
    """
    return tuple(sorted(filter(None, heaps), reverse=True))


def _heap_moves(left: Callable[[int], Iterable[Heaps]], heaps: Heaps, side: int) -> Moves:
    """``left`` says what a move may leave of one heap. Each position is named once."""
    del side
    found: dict[Heaps, str] = {}
    for heap in dict.fromkeys(heaps):
        others = list(heaps)
        others.remove(heap)
        for rest in left(heap):
            found.setdefault(ordered((*others, *rest)), f"{heap}>{','.join(map(str, rest)) or '0'}")
    return [(name, after) for after, name in found.items()]


def _smaller(heap: int) -> Iterator[Heaps]:
    return ((rest,) if rest else () for rest in range(heap - 1, -1, -1))


def _by_code(digits: tuple[int, ...], unequal: bool, heap: int) -> Iterator[Heaps]:
    """Digit k says what may be left of a heap when k counters are taken: 1 nothing, 2 a heap, 4 two, or their sums."""
    for taken, digit in enumerate(digits):
        rest = heap - taken
        if digit & 1 and taken and rest == 0:
            yield ()
        if digit & 2 and taken and rest > 0:
            yield (rest,)
        if digit & 4:
            yield from ((rest - less, less) for less in range(1, rest // 2 + 1) if not unequal or rest != 2 * less)


def _each_heap(heaps: Heaps) -> list[Heaps]:
    return [(heap,) for heap in heaps]


def _heap_text(heaps: Heaps) -> str:
    return ",".join(map(str, heaps)) or "0"


def _coded(*digits: int, unequal: bool = False) -> Rules:
    return Rules(partial(_heap_moves, partial(_by_code, digits, unequal)), _each_heap, text=_heap_text)


Octal = tuple[tuple[int, ...], Heaps]
"""The digits of a code, and the heaps."""


def _octal(position: Octal, side: int) -> Moves:
    code, heaps = position
    return [(name, (code, after)) for name, after in _heap_moves(partial(_by_code, code, False), heaps, side)]


def _octal_text(position: Octal) -> str:
    (before, *after), heaps = position
    return f"{before}.{''.join(map(str, after)) or '0'}:{_heap_text(heaps)}"


def _queens(position: tuple[int, int], side: int) -> Moves:
    del side
    one, other = position
    after = [(rest, other) for rest in range(one - 1, -1, -1)]
    after += [(one, rest) for rest in range(other - 1, -1, -1)]
    after += [(one - taken, other - taken) for taken in range(1, min(position) + 1)]
    return [(f"{left},{right}", (left, right)) for left, right in after]


def _queens_text(position: tuple[int, int]) -> str:
    return f"{position[0]},{position[1]}"


# Hackenbush

Edge = tuple[str, str, str]
"""Two ends in alphabetical order, and a colour."""
Picture = tuple[Edge, ...]
LONGEST_STALK = 27
"""Longer stalks are written edge by edge: after z the names of their ends are no longer in alphabetical order."""


def picture(edges: Iterable[Edge]) -> Picture:
    """What stands on the ground, which is 0, in alphabetical order.

    >>> picture([("a", "0", "b"), ("c", "d", "r")])
    (('0', 'a', 'b'),)
    """
    beside: dict[str, list[str]] = {}
    edges = list(edges)
    for one, other, _ in edges:
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
    ends = ["0"]
    standing = {"0"}
    for end in ends:
        new = [other for other in dict.fromkeys(beside.get(end, ())) if other not in standing]
        ends += new
        standing.update(new)
    return tuple(sorted((min(edge[:2]), max(edge[:2]), edge[2]) for edge in edges if edge[0] in standing))


def stalk(colours: str) -> Picture:
    """Edges on top of each other, from the ground up.

    >>> stalk("br")
    (('0', 'a', 'b'), ('a', 'b', 'r'))
    """
    ends = ["0", *map(letters, range(len(colours)))]
    return picture(zip(ends, ends[1:], colours, strict=False))


def _hackenbush(position: Picture, side: int) -> Moves:
    for edge in dict.fromkeys(position):
        if edge[2] in ("g", "br"[side]):
            rest = list(position)
            rest.remove(edge)
            yield _edge_text(edge), picture(rest)


def _pictures(position: Picture) -> list[Picture]:
    """Pictures that share nothing but the ground; equal ones should look alike, so their ends get new names."""
    ends: dict[str, list[int]] = {}
    for at, edge in enumerate(position):
        for end in set(edge[:2]) - {"0"}:
            ends.setdefault(end, []).append(at)
    parts = groups(
        set(range(len(position))), lambda at: [n for end in set(position[at][:2]) for n in ends.get(end, ())]
    )
    return [_renamed([position[at] for at in sorted(part)]) for part in parts]


def _renamed(edges: Sequence[Edge]) -> Picture:
    """Ends are named in the order in which a walk from the ground meets them: by colours, then those of few edges."""
    beside: dict[str, list[tuple[str, str]]] = {}
    for one, other, colour in edges:
        beside.setdefault(one, []).append((colour, other))
        beside.setdefault(other, []).append((colour, one))
    names, walk = {"0": "0"}, ["0"]
    for end in walk:
        for _, other in sorted(beside.get(end, ()), key=lambda link: (link[0], len(beside[link[1]]))):
            if other not in names:
                names[other] = letters(len(names) - 1)
                walk.append(other)
    return picture((names[one], names[other], colour) for one, other, colour in edges)


def _edge_text(edge: Edge) -> str:
    return f"{edge[0]}-{edge[1]}:{edge[2]}"


def _picture_text(position: Picture) -> str:
    """A stalk by its colours, any other picture by its edges."""
    if len(position) <= LONGEST_STALK:
        ends = ["0", *map(letters, range(len(position)))]
        colours = {edge[:2]: edge[2] for edge in position}
        shown = "".join(colours.get((min(pair), max(pair)), "") for pair in pairwise(ends))
        if stalk(shown) == position:
            return shown
    return ",".join(map(_edge_text, position))


def _reversed(board: str) -> str:
    return exchanged(board)[::-1]


ROW_RULES: dict[str, Rules] = {
    "dawson": _coded(0, 0, 7),
    "dawsonschess": _coded(0, 1, 3, 7),
    "dominoes": Rules(_toppling, lambda row: [row] if row else [], Images(mirrored, exchanged)),
    "elephants": Rules(
        partial(_toads_and_frogs, Strides(jump=0)), partial(_parted_row, 0), Images(lambda row: [row], _reversed)
    ),
    "gentoads": Rules(
        _general, lambda at: [(at[0], part) for part in _parted_row(at[0].jump, at[1])], text=_general_text
    ),
    "grundy": _coded(4, unequal=True),
    "hackenbush": Rules(_hackenbush, _pictures, text=_picture_text),
    "kayles": _coded(0, 7, 7),
    "nimheaps": Rules(partial(_heap_moves, _smaller), _each_heap, text=_heap_text),
    "octal": Rules(_octal, lambda at: [(at[0], (heap,)) for heap in at[1]], text=_octal_text),
    "toads": Rules(partial(_toads_and_frogs, Strides()), partial(_parted_row, 1), Images(lambda row: [row], _reversed)),
    "wytqueens": Rules(_queens, lambda at: [at] if any(at) else [], text=_queens_text),
}
"""The rules of each game by its name."""
ROWS_ALIKE: dict[str, Callable[[Any], tuple[Any, bool]]] = {"dominoes": Images(mirrored)}
"""Symmetries that hold whoever moves, where both sides may make the moves of either."""
