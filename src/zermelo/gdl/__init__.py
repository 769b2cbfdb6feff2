"""GDL and GDL-II: rulesheets of general game playing, read, validated, ground and played.

A rulesheet is a logic program. Its relations with a fixed meaning:

``role``, ``init``, ``base``, ``input``
    who plays; the facts of the start position; all facts and moves that may occur (hints, never needed).
``true``, ``does``
    in bodies: a fact of the position, a move of a role.
``legal``, ``next``, ``terminal``, ``goal``
    what may be done, the facts of the next position, whether play is over, the score of a role.
``random``, ``sees``
    GDL-II: the role that is chance; what a role perceives of a step.

The corridor of this room: :mod:`~zermelo.gdl.kif` and :mod:`~zermelo.gdl.infix` read text into the one syntax tree
of :mod:`~zermelo.gdl.syntax`; :mod:`~zermelo.gdl.validate` says what is wrong with it; :mod:`~zermelo.gdl.reasoner`
plays it in plain Python, one state at a time (the checker and the tests use it); :mod:`~zermelo.gdl.ground` turns
it into the ground game that the native kernels play; :mod:`~zermelo.gdl.game` makes it a :class:`zermelo.Game`.

>>> from zermelo.gdl import RulesheetGame, read_rules
>>> sheet = read_rules('''
...     (role you) (init (heap 2)) (next (heap 1)) (legal you take)
...     (<= terminal (true (heap 1))) (<= (goal you 100) terminal) (<= (goal you 0) (not terminal))''')
>>> game = RulesheetGame(sheet)
>>> sheet, game.moves(game.start()), game.result(game.play(game.start(), "take"))
(<Rulesheet: <rules>, 7 rules>, ['take'], (100,))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.lazy import lazy

if TYPE_CHECKING:
    from zermelo.gdl.finding import Finding
    from zermelo.gdl.game import RulesheetGame
    from zermelo.gdl.library import rulesheet, rulesheet_names
    from zermelo.gdl.printer import print_rules
    from zermelo.gdl.reader import read_rules, read_rulesheet
    from zermelo.gdl.reasoner import Reasoner
    from zermelo.gdl.syntax import Function, Rule, Rulesheet, Variable
    from zermelo.gdl.validate import check_rules

# Imported on first use: the modules of this package are needed one by one.
__getattr__, __dir__ = lazy(
    __name__,
    {
        "Finding": "finding",
        "Function": "syntax",
        "Reasoner": "reasoner",
        "Rule": "syntax",
        "Rulesheet": "syntax",
        "RulesheetGame": "game",
        "Variable": "syntax",
        "check_rules": "validate",
        "print_rules": "printer",
        "read_rules": "reader",
        "read_rulesheet": "reader",
        "rulesheet": "library",
        "rulesheet_names": "library",
    },
)

__all__ = [
    "Finding",
    "Function",
    "Reasoner",
    "Rule",
    "Rulesheet",
    "RulesheetGame",
    "Variable",
    "check_rules",
    "print_rules",
    "read_rules",
    "read_rulesheet",
    "rulesheet",
    "rulesheet_names",
]
