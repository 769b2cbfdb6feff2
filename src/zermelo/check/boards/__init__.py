"""The rules of the boards that have values, as the checker knows them: one module a game, or a few that are alike.

They are written a second time here. The engines work with rules of their own, native ones for most games; what the two
say is compared by the tests on random boards, and with values that take no board apart. A check loads the rules of the
game that it is about and no others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, Final

from zermelo.check.boards.ruleset import Moves, Rules

IMPARTIAL = "impartial-"
"""Before the name of a game: both sides may make the moves of either."""
MODULES: Final[dict[str, str]] = {
    "amazons": "amazons", "arckayles": "graphs", "cannibal": "clobber", "clobber": "clobber", "col": "colouring",
    "cram": "domineering", "dawson": "heaps", "dawsonschess": "heaps", "domineering": "domineering",
    "dominoes": "dominoes", "elephants": "toads", "fission": "fission", "gentoads": "toads", "graphcol": "graphs",
    "graphsnort": "graphs", "grundy": "heaps", "hackenbush": "hackenbush", "hexadecimal": "heaps",
    "hexapawn": "hexapawn", "kayles": "heaps", "kingdirt": "kingdirt", "konane": "konane", "nimheaps": "heaps",
    "nodekayles": "graphs", "nogo": "nogo", "octal": "heaps", "partsub": "partsub", "sheep": "sheep",
    "snort": "colouring", "toads": "toads", "turning": "turning", "wytqueens": "wytqueens",
}  # fmt: skip
"""The games by name, and the module that has the rules of each."""


def rules_named(name: str) -> Rules:
    """The rules of that name; ``KeyError`` where there are none.

    >>> [move for move, _ in rules_named("impartial-clobber").moves("xo", 0)]
    ['a1b1', 'b1a1']
    """
    plain = name.removeprefix(IMPARTIAL)
    rules: Rules = import_module(f"{__name__}.{MODULES[plain]}").RULES[plain]
    if name == plain:
        return rules
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
