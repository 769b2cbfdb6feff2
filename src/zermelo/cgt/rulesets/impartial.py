"""Any ruleset made impartial: both sides may make the moves of either, so that positions are nim heaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from zermelo.cgt.boards.native_nim import native_nim_value
from zermelo.cgt.boards.nim_value import NimValues
from zermelo.cgt.boards.ruleset import IMPARTIAL, SIDES, Option, Position, Ruleset, Side

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene


class Impartial(Ruleset):
    """Two sides that may both do what either may; cram is impartial domineering.

    >>> from zermelo.cgt.boards.ruleset import ruleset_named
    >>> [option.position for option in ruleset_named("impartial-clobber").options("xo", "left")]
    ['.x', 'o.']
    """

    impartial = True

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self._values = NimValues(self)
        self.name = f"{IMPARTIAL}{rules.name}"
        self.summary = f"{rules.summary}; both sides may do what either may"
        self.form = f"{IMPARTIAL}{rules.form}"

    def parse(self, text: str, place: str, column: int = 1) -> Position:
        """Reads what the ruleset reads."""
        return self.rules.parse(text, place, column)

    def options(self, position: Position, side: Side) -> Sequence[Option]:
        """The moves of both sides; where the same name means two moves, it says whose move it is."""
        found: dict[Hashable, tuple[Side, str]] = {}
        for mover in SIDES:
            for option in self.rules.options(position, mover):
                found.setdefault(option.position, (mover, option.move))
        times = Counter(move for _, move in found.values())
        return [
            Option(move if times[move] == 1 else f"{mover}:{move}", after) for after, (mover, move) in found.items()
        ]

    def regions(self, position: Position) -> Sequence[Position]:
        """The ruleset's parts: which cells bear on each other does not depend on who moves."""
        return self.rules.regions(position)

    def normal(self, position: Position) -> Position:
        """The ruleset's own."""
        return self.rules.normal(position)

    def nim_value(self, position: Position) -> int:
        """By search over the parts, by native rules where there are any."""
        found = native_nim_value(self.rules, position, both=True)
        return self._values.searched(position) if found is None else found

    def text(self, position: Position) -> str:
        """As in the ruleset."""
        return self.rules.text(position)

    def scene(self, position: Position) -> Scene:
        """As in the ruleset."""
        return self.rules.scene(position)
