"""What is written shorter than in brackets: nim heaps, ups, tiny games and copies.

They are read where they stand: who trusts a sum of numbers and brackets need not trust this.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zermelo.check.read.sum import Piece, Reading

MOST_SIZE_DIGITS = 9
"""Longer sizes of nim heaps and numbers of ups are taken for mistakes."""
MOST_POWERS = 1_000
"""Higher powers of up are refused."""


class Shorthand:
    """The short forms of one text under way.

    >>> from zermelo.check.read.sum import text_as_sum
    >>> text_as_sum("+_2") == text_as_sum("{0||0|-2}")
    True
    """

    def __init__(self, reading: Reading) -> None:
        self.wrong, self.one, self.nodes = reading.wrong, reading.one, reading.nodes

    def multiplied(self, row: Sequence[Piece], at: int, terms: list[int]) -> int:
        """So many copies of the bracket that follows; the number stands before, perhaps with a minus."""
        count = self.nodes.nodes[terms.pop()]
        negative = count.kind == "minus"
        count = self.nodes.nodes[count.left[0]] if negative else count
        if count.kind != "number" or count.amount.denominator != 1:
            self.wrong(row[at].at, "this * multiplies, expected a whole number before it")
        copies = self.nodes.add("copies", count.amount, [self.one(row[at + 1])])
        terms.append(self.nodes.add("minus", left=[copies]) if negative else copies)
        return at + 2

    def tiny(self, sign: str, game: int) -> int:
        """+_G = {0 | {0 | -G}}, and -_G is the negative of that."""
        add = self.nodes.add
        zero = add("number")
        reply = add("options", left=[zero], right=[add("minus", left=[game])])
        tiny = add("options", left=[zero], right=[reply])
        return tiny if sign == "tiny" else add("minus", left=[tiny])

    def named(self, kind: str, text: str, at: int) -> int:
        """The game that a star or ups name."""
        if kind == "star":
            return self.nodes.add("star", self.size(text[1:].strip("[]") or "1", at + 1))
        if text[-1] in "]>r":
            return self.power(text, at)
        arrows = text.rstrip("0123456789")
        digits = text[len(arrows) :]
        count = 2 if arrows in "⇑⇓" else len(arrows)
        if digits and count > 1:
            self.wrong(at, f"{text} counts its arrows twice, expected {text[0]}{digits}")
        size = self.size(digits or str(count), at + len(arrows))
        return self.nodes.add("up", size if text[0] in "^↑⇑" else -size)

    def power(self, text: str, at: int) -> int:
        """^[n] = {^[n-1] | *}, ^<n> = {0 | v[n-1]*}, the same of down, and upstar."""
        add = self.nodes.add
        star, up, zero = add("star", Fraction(1)), add("up", Fraction(1)), add("number")
        if text == "upstar":
            return add("sum", left=[up, star])
        count, single = int(self.size(text[2:-1], at)), text[1] == "<"
        if not int(single) <= count <= MOST_POWERS:
            self.wrong(at, f"{text}, expected a power from {int(single)} to {MOST_POWERS}")
        powers = [zero, up]
        while len(powers) <= count:
            powers.append(add("options", left=[powers[-1]], right=[star]))
        found = powers[count]
        if single and count > 1:
            lower = add("minus", left=[powers[count - 1]])
            found = add("options", left=[zero], right=[add("sum", left=[lower, star])])
        return found if text[0] in "^↑" else add("minus", left=[found])

    def size(self, digits: str, at: int) -> Fraction:
        """The size that digits state."""
        if len(digits) > MOST_SIZE_DIGITS:
            self.wrong(at, f"a size of {len(digits)} digits, expected at most {MOST_SIZE_DIGITS}")
        return Fraction(int(digits))
