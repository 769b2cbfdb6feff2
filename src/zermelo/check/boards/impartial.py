"""Impartial variants of games: both sides may make the moves of either."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from zermelo.check.boards.ruleset import Moves, Rules


def impartial(rules: Rules) -> Rules:
    """The rules of the impartial variant."""
    return Rules(rules.read, partial(_either, rules.moves), rules.parts, rules.alike, rules.alike, rules.text)


def _either(moves: Callable[[Any, int], Moves], position: Any, side: int) -> Moves:
    """The moves of both sides, whoever moves; where one name means two moves, it says whose."""
    del side
    found: dict[Any, tuple[str, str]] = {}
    for mover, whose in enumerate(("left", "right")):
        for name, after in moves(position, mover):
            found.setdefault(after, (whose, name))
    times = Counter(name for _, name in found.values())
    return [(name if times[name] == 1 else f"{whose}:{name}", after) for after, (whose, name) in found.items()]
