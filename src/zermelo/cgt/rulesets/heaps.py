"""Games on heaps of counters: nim, octal games, Kayles, Dawson's Kayles and chess, Grundy's game."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from zermelo.cgt.boards.octal import NimSequence, OctalCode
from zermelo.cgt.boards.ruleset import Option, Position, Ruleset, Side
from zermelo.errors import InputError

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

Heaps = tuple[int, ...]
"""The sizes of the heaps, the largest first; empty heaps are left out."""

MOST_DIGITS = 4000
"""Longer numbers are taken for a mistake."""


def parse_numbers(text: str, place: str, column: int, what: str = "heap") -> list[int]:
    """Numbers with commas between them.

    >>> parse_numbers("3, 4", "nim:3, 4", 5)
    [3, 4]
    """
    found = []
    start = 0
    for part in text.split(","):
        number = part.strip()
        if not re.fullmatch("[0-9]+", number) or len(number) > MOST_DIGITS:
            where = column + start + len(part) - len(part.lstrip())
            message = f"unexpected {number[:20]!r}, expected the size of a {what}, such as 12"
            raise InputError(message, file=place, line=1, column=where)
        found.append(int(number))
        start += len(part) + 1
    return found


def in_order(heaps: Iterable[int]) -> Heaps:
    """Heaps as a position.

    >>> in_order([1, 0, 5])
    (5, 1)
    """
    return tuple(sorted((heap for heap in heaps if heap), reverse=True))


def heap_moves(heaps: Heaps, leaves: Callable[[int], Iterable[Heaps]]) -> Iterator[tuple[str, Heaps]]:
    """Every move once, named by the heap and what is left of it, with the heaps after it; made one by one.

    >>> list(heap_moves((2, 2, 1), lambda heap: [(heap - 1,)]))
    [('2>1', (2, 1, 1)), ('1>0', (2, 2))]
    """
    found = set[Heaps]()
    for index, heap in enumerate(heaps):
        if index and heaps[index - 1] == heap:
            continue
        for left in leaves(heap):
            rest = in_order((*heaps[:index], *left, *heaps[index + 1 :]))
            if rest not in found:
                found.add(rest)
                yield f"{heap}>{','.join(map(str, left)) or '0'}", rest


def scene_of_heaps(heaps: Heaps, options: Sequence[Option]) -> Scene:
    """Heaps; a move that leaves one heap is one of the counters, one that leaves more belongs to the whole heap."""
    from zermelo.draw.heaps import counter, heaps_scene

    ways = {}
    for option in options:
        before, _, after = option.move.partition(">")
        heap = heaps.index(int(before)) + 1
        alone = after.isdigit()
        ways[option.move] = (counter(heap, int(before) - int(after), int(before)) if alone else str(heap),)
    return heaps_scene(heaps, ways=ways)


class HeapRuleset(Ruleset):
    """A game on heaps that are independent of each other, the same moves for both sides."""

    impartial = True

    def parse(self, text: str, place: str, column: int = 1) -> Position:
        """One size or more, with commas between them."""
        return in_order(parse_numbers(text, place, column))

    @abstractmethod
    def leaves(self, heap: int) -> Iterable[Heaps]:
        """What a move may make of one heap."""

    @abstractmethod
    def heap_value(self, heap: int) -> int:
        """The nim-value of one heap."""

    def options(self, position: Position, side: Side) -> Sequence[Option]:
        """What is left of one heap, the others as they are."""
        return [Option(name, rest) for name, rest in heap_moves(position, self.leaves)]

    def some_option(self, position: Position, side: Side) -> Option | None:
        """The first one."""
        return next((Option(name, rest) for name, rest in heap_moves(position, self.leaves)), None)

    def regions(self, position: Position) -> Sequence[Position]:
        """Every heap by itself."""
        return [(heap,) for heap in position]

    def nim_value(self, position: Position) -> int:
        """The nim-value of all heaps together (Sprague 1935, Grundy 1939).

        >>> Nim().nim_value((5, 4, 3))
        2
        """
        total = 0
        for heap in position:
            total ^= self.heap_value(heap)
        return total

    def text(self, position: Position) -> str:
        """The sizes with commas between them."""
        return ",".join(map(str, position)) or "0"

    def scene(self, position: Position) -> Scene:
        """The heaps side by side."""
        return scene_of_heaps(position, self.options(position, "left"))


class Nim(HeapRuleset):
    """Take any number of counters from one heap.

    >>> [option.move for option in Nim().options((2,), "left")]
    ['2>1', '2>0']
    """

    name = "nimheaps"
    summary = "take any number of counters from a heap"
    form = "nimheaps:HEAP,HEAP,..."
    example = "nimheaps:3,4,5"

    def leaves(self, heap: int) -> Iterable[Heaps]:
        """A smaller heap."""
        return ((rest,) if rest else () for rest in range(heap - 1, -1, -1))

    def heap_value(self, heap: int) -> int:
        """A heap's value is its size (Bouton 1901)."""
        return heap

    def coded(self, position: Position) -> list[tuple[OctalCode | None, int]]:
        """The heaps; nim needs no code."""
        return [(None, heap) for heap in position]


@cache
def nim_sequence(code: OctalCode) -> NimSequence:
    """The nim-sequence of a code, kept for the next time.

    >>> nim_sequence(OctalCode.parse("0.77")).value(12)
    4
    """
    return NimSequence(code)


class CodedHeaps(HeapRuleset):
    """A heap game of one octal code."""

    code: ClassVar[OctalCode]

    def leaves(self, heap: int) -> Iterable[Heaps]:
        """What the code allows."""
        return self.code.options(heap)

    def heap_value(self, heap: int) -> int:
        """From the nim-sequence."""
        return nim_sequence(self.code).value(heap)

    def coded(self, position: Position) -> list[tuple[OctalCode | None, int]]:
        """The heaps, each with the code."""
        return [(self.code, heap) for heap in position]


class Kayles(CodedHeaps):
    """Knock down one pin or two side by side; the rest of the row may fall in two (Dudeney 1908).

    >>> [option.move for option in Kayles().options((3,), "left")]
    ['3>2', '3>1,1', '3>1']
    >>> Kayles().nim_value((12,))
    4
    """

    name = "kayles"
    summary = "take one counter or two, and perhaps break the rest in two (0.77)"
    form = "kayles:HEAP,HEAP,..."
    example = "kayles:7,4"
    code = OctalCode((0, 7, 7))


class DawsonsKayles(CodedHeaps):
    """Take two counters, and perhaps break the rest in two.

    >>> DawsonsKayles().nim_value((6,))
    3
    """

    name = "dawson"
    summary = "Dawson's Kayles: take two counters, and perhaps break the rest in two (0.07)"
    form = "dawson:HEAP,HEAP,..."
    example = "dawson:9,5"
    code = OctalCode((0, 0, 7))


class DawsonsChess(CodedHeaps):
    """Three ranks of pawns that must capture: take one that stands alone, two at an end, three anywhere (Dawson 1935).

    >>> DawsonsChess().nim_value((5,))
    3
    """

    name = "dawsonschess"
    summary = "Dawson's Chess: take a lone counter, two at an end or three anywhere (0.137)"
    form = "dawsonschess:HEAP,HEAP,..."
    example = "dawsonschess:8,4"
    code = OctalCode((0, 1, 3, 7))


class Grundy(CodedHeaps):
    """Break a heap into two of different size (Grundy 1939).

    >>> [option.move for option in Grundy().options((5,), "right")]
    ['5>4,1', '5>3,2']
    """

    name = "grundy"
    summary = "break a heap into two of different size"
    form = "grundy:HEAP,HEAP,..."
    example = "grundy:8,5"
    code = OctalCode((4,), unequal=True)


class Octal(Ruleset):
    """Any game that a code states, which stands before the heaps.

    >>> rules = Octal()
    >>> position = rules.parse("0.137:12", "octal")
    >>> rules.nim_value(position), rules.text(position)
    (2, '0.137:12')
    """

    name = "octal"
    summary = "take counters and break heaps as an octal code says (Guy and Smith 1956)"
    form = "octal:CODE:HEAP,HEAP,... such as octal:0.137:12, octal:0.[3]:12 or octal:4!.0:12"
    example = "octal:0.137:12,5"
    impartial = True

    def parse(self, text: str, place: str, column: int = 1) -> tuple[OctalCode, Heaps]:
        """A code, a colon and heaps."""
        code, colon, heaps = text.partition(":")
        if not colon:
            message = f"unexpected {text[:20]!r}, expected a code, a colon and heaps, such as 0.77:12"
            raise InputError(message, file=place, line=1, column=column)
        made = OctalCode.parse(code.strip(), place, column + len(code) - len(code.lstrip()))
        return made, in_order(parse_numbers(heaps, place, column + len(code) + 1))

    def options(self, position: Position, side: Side) -> Sequence[Option]:
        """What the code allows."""
        code, heaps = position
        return [Option(name, (code, rest)) for name, rest in heap_moves(heaps, code.options)]

    def some_option(self, position: Position, side: Side) -> Option | None:
        """The first one."""
        code, heaps = position
        return next((Option(name, (code, rest)) for name, rest in heap_moves(heaps, code.options)), None)

    def regions(self, position: Position) -> Sequence[Position]:
        """Every heap by itself."""
        code, heaps = position
        return [(code, (heap,)) for heap in heaps]

    def nim_value(self, position: Position) -> int:
        """From the code's nim-sequence."""
        code, heaps = position
        total = 0
        for heap in heaps:
            total ^= nim_sequence(code).value(heap)
        return total

    def coded(self, position: Position) -> list[tuple[OctalCode | None, int]]:
        """The heaps, each with its code."""
        return [(position[0], heap) for heap in position[1]]

    def text(self, position: Position) -> str:
        """The code and the sizes."""
        code, heaps = position
        return f"{code}:{','.join(map(str, heaps)) or '0'}"

    def scene(self, position: Position) -> Scene:
        """The heaps side by side."""
        return scene_of_heaps(position[1], self.options(position, "left"))


class Hexadecimal(Octal):
    """The same, for codes in which a move may leave three heaps.

    >>> Hexadecimal().nim_value(Hexadecimal().parse("0.3F:18", ""))
    9
    """

    name = "hexadecimal"
    summary = "take counters and break heaps in up to three as a hexadecimal code says"
    form = "hexadecimal:CODE:HEAP,HEAP,... such as hexadecimal:0.3F:12"
    example = "hexadecimal:0.3F:12,5"
