"""The rules of the boards that have values, as the checker knows them.

They are written a second time here. The engines work with rules of their own, native ones for most games; what the two
say is compared by the tests on random boards, and with values that take no board apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from zermelo.check.cells import CELL_RULES, CELLS_ALIKE
from zermelo.check.rows import ROW_RULES, ROWS_ALIKE
from zermelo.check.ruleset import Moves, Rules, unsigned

IMPARTIAL = "impartial-"
"""Before the name of a game: both sides may make the moves of either."""
RULES = CELL_RULES | ROW_RULES
"""The rules of each game by its name."""
_ALIKE = CELLS_ALIKE | ROWS_ALIKE


def rules_named(name: str) -> Rules:
    """The rules of that name; ``KeyError`` where there are none.

    >>> [move for move, _ in rules_named("impartial-clobber").moves("xo", 0)]
    ['a1b1', 'b1a1']
    """
    if name.startswith(IMPARTIAL):
        rules = RULES[name.removeprefix(IMPARTIAL)]
        plain = _ALIKE.get(name.removeprefix(IMPARTIAL), unsigned)
        return Rules(partial(_either, rules.moves), rules.parts, plain, rules.text)
    return RULES[name]


def _either(moves: Callable[[Any, int], Moves], position: Any, side: int) -> Moves:
    """The moves of both sides, whoever moves; where one name means two moves, it says whose."""
    del side
    found: dict[Any, tuple[str, str]] = {}
    for mover, whose in enumerate(("left", "right")):
        for name, after in moves(position, mover):
            found.setdefault(after, (whose, name))
    times = Counter(name for _, name in found.values())
    return [(name if times[name] == 1 else f"{whose}:{name}", after) for after, (whose, name) in found.items()]
