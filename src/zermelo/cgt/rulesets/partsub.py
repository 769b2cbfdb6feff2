"""Partizan subtraction: each side may take numbers of its own from a heap (Fraenkel and Kotzig 1987)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zermelo.cgt.boards.ruleset import Option, Position, Ruleset, Side
from zermelo.cgt.rulesets.heaps import heap_moves, in_order, parse_numbers
from zermelo.errors import InputError

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene


class PartizanSubtraction(Ruleset):
    """Left takes one of the first numbers, Right one of the second ones.

    >>> rules = PartizanSubtraction()
    >>> position = rules.parse("1,4/2,3:5", "")
    >>> [option.move for option in rules.options(position, "left")], rules.text(position)
    (['5>4', '5>1'], '1,4/2,3:5')
    """

    name = "partsub"
    summary = "take one of your own numbers of counters from a heap"
    form = "partsub:LEFT,.../RIGHT,...:HEAP,... such as partsub:1,4/2,3:12"
    example = "partsub:1,4/2,3:12,7"

    def parse(self, text: str, place: str, column: int = 1) -> Position:
        """What Left takes, a stroke, what Right takes, a colon and the heaps."""
        takes, colon, heaps = text.partition(":")
        left, stroke, right = takes.partition("/")
        if not colon or not stroke:
            message = f"unexpected {text[:20]!r}, expected numbers, a stroke, numbers, a colon and heaps"
            raise InputError(f"{message}, such as 1,4/2,3:12", file=place, line=1, column=column)
        sides = []
        for numbers, at in ((left, 0), (right, len(left) + 1)):
            found = parse_numbers(numbers, place, column + at, "number to take")
            if 0 in found:
                raise InputError("unexpected 0, expected to take something", file=place, line=1, column=column + at)
            sides.append(tuple(sorted(set(found))))
        return sides[0], sides[1], in_order(parse_numbers(heaps, place, column + len(takes) + 1))

    def options(self, position: Position, side: Side) -> Sequence[Option]:
        """One of the side's numbers, where there are as many counters."""
        left, right, heaps = position
        takes = left if side == "left" else right

        def leaves(heap: int) -> list[tuple[int, ...]]:
            return [(heap - taken,) if heap > taken else () for taken in takes if taken <= heap]

        return [Option(name, (left, right, rest)) for name, rest in heap_moves(heaps, leaves)]

    def regions(self, position: Position) -> Sequence[Position]:
        """Every heap by itself, unless it is too small for both."""
        left, right, heaps = position
        least = min(left + right)
        return [(left, right, (heap,)) for heap in heaps if heap >= least]

    def text(self, position: Position) -> str:
        """As it is read."""
        left, right, heaps = (",".join(map(str, numbers)) for numbers in position)
        return f"{left}/{right}:{heaps or '0'}"

    def scene(self, position: Position) -> Scene:
        """The heaps side by side."""
        return self.scene_for(position, "left")

    def scene_for(self, position: Position, side: Side) -> Scene:
        """With the moves of a side."""
        from zermelo.cgt.rulesets.heaps import scene_of_heaps

        return scene_of_heaps(position[2], self.options(position, side))
