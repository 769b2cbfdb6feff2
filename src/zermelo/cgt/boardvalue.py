"""What boards are worth: the canonical value of a position, from those of what can be moved to.

Parts are worked out once each, options before what they are options of; nothing recurses on the length of play.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from zermelo._native import CgtArena
from zermelo.cgt.ruleset import SIDES, Position, Ruleset
from zermelo.cgt.value import Value, current_arena, nimber, number, options
from zermelo.errors import LimitReachedError
from zermelo.limits import Limits, memory_watch

OFTEN = 256
"""Positions between two looks at the limits."""

Known = dict[str, dict[Position, Value]]
"""What has been worked out, by ruleset."""
_known: list[tuple[CgtArena, Known]] = []
"""The arena in which it was worked out, as long as that is the current one."""


def value_of_board(ruleset: Ruleset, positions: Sequence[Position], limits: Limits | None = None) -> Value:
    """The value of a sum of positions of one game; ``LimitReachedError`` where a limit comes first.

    >>> from zermelo.cgt.ruleset import positions_of
    >>> str(value_of_board(*positions_of("domineering:..|..+..")))
    '-1+-1'
    """
    arena = current_arena()
    if not _known or _known[0][0] is not arena:
        _known[:] = [(arena, {})]
    known = _known[0][1].setdefault(ruleset.name, {})
    work = _Work(ruleset, known, limits or Limits())
    return _total([work.value(position) for position in positions])


class _Work:
    """One run over the positions that can come up."""

    def __init__(self, ruleset: Ruleset, known: dict[Position, Value], limits: Limits) -> None:
        self.ruleset, self.known, self.limits = ruleset, known, limits
        self.seen, self.over = 0, memory_watch(limits.memory)

    def value(self, position: Position) -> Value:
        """The value of one position: of its parts together."""
        return _total([self.part(region) for region in self.ruleset.regions(position)])

    def part(self, root: Position) -> Value:
        known = self.known
        if root in known:
            return known[root]
        nim_value = getattr(self.ruleset, "nim_value", None)
        if nim_value is not None:
            known[root] = nimber(nim_value(root))
            return known[root]
        moves: dict[Position, list[list[Sequence[Position]]]] = {}
        stack = [root]
        while stack:
            part = stack[-1]
            if part in known:
                stack.pop()
                continue
            if part not in moves:
                self.look()
                rules = self.ruleset
                moves[part] = [[rules.regions(o.position) for o in rules.options(part, side)] for side in SIDES]
                missing = {r for side in moves[part] for regions in side for r in regions if r not in known}
                if missing:
                    stack.extend(missing)
                    continue
            left, right = ([_total([known[r] for r in regions]) for regions in side] for side in moves.pop(part))
            known[part] = options(left, right)
            stack.pop()
        return known[root]

    def look(self) -> None:
        self.seen += 1
        if self.seen % OFTEN == 0:
            if self.limits.expired():
                raise LimitReachedError("stopped at the limit of time")
            if self.over():
                raise LimitReachedError("stopped at the limit of memory")
            if self.limits.nodes is not None and self.seen > self.limits.nodes:
                raise LimitReachedError("stopped at the limit of nodes")


def _total(values: Sequence[Value]) -> Value:
    return reduce(lambda total, value: total + value, values) if values else number(0)
