"""What positions fall into, each part named by one position for all that symmetries make equal or negative.

Plain Python over the rules alone: who writes a certificate down and who checks it both ask here.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.cgt.boards.ruleset import Position, Ruleset, Side

MOST_REMEMBERED = 1 << 18
"""Positions whose parts are remembered: most are reached by several moves, soon after each other."""

Signed = tuple[str, bool]
"""The text of a part, and whether the position has the negative of it."""


class Parts:
    """The parts of positions of one game.

    >>> from zermelo.cgt.boards.ruleset import ruleset_named
    >>> parts = Parts(ruleset_named("domineering"))
    >>> parts.of("..#|##.|##.")
    (('..', False), ('..', True))
    >>> parts.of("...|...")
    (('...|...', False),)
    >>> parts.after("...|...", "left")
    [(('..|..', False),), (('..', True), ('..', True))]
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.positions: dict[str, Position] = {}
        """Every part by its text."""
        self._known: dict[Position, tuple[Signed, ...]] = {}

    def of(self, position: Position) -> tuple[Signed, ...]:
        """The parts of a position; those in which nobody can ever move may be left out."""
        found = self._known.get(position)
        if found is None:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            found = tuple([self._named(region) for region in self.rules.regions(position)])
            self._known[position] = found
        return found

    def _named(self, region: Position) -> Signed:
        part, negated = self.rules.signed(region)
        text = self.rules.text(part)
        self.positions.setdefault(text, part)
        return text, negated

    def after(self, text: str, side: Side) -> Sequence[tuple[Signed, ...]]:
        """What each move of a side in a part leads to, part by part; moves that lead to the same are one."""
        moves = self.rules.options(self.positions[text], side)
        return list(dict.fromkeys([self.of(option.position) for option in moves]))
