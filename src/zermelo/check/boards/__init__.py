"""The rules of the boards that have values, as the checker knows them: one module a game, or a few that are alike.

They are written a second time here. The engines work with rules of their own, native ones for most games; what the two
say is compared by the tests on random boards, and with values that take no board apart. A check loads the rules of the
game that it is about and no others.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

from zermelo.check.boards.ruleset import Rules

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
    from zermelo.check.boards.impartial import impartial  # who meets no such game need not read it

    return impartial(rules)
