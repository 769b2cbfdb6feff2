"""The library of rulesheets, read: what :mod:`zermelo.games.sheet_texts` has as texts.

>>> "connectfour" in rulesheet_names()
True
>>> [str(rule) for rule in rulesheet("nim", "1,2").rules if rule.head.name == "heap"]
['(heap a 1)', '(heap b 2)']
"""

from __future__ import annotations

from zermelo.errors import need
from zermelo.games.sheet_texts import SheetEntry, rulesheet_entries, rulesheet_entry, rulesheet_names, rulesheet_text
from zermelo.gdl.kif import read_kif
from zermelo.gdl.syntax import Rulesheet

__all__ = [
    "SheetEntry",
    "rulesheet",
    "rulesheet_entries",
    "rulesheet_entry",
    "rulesheet_names",
    "rulesheet_text",
    "sheet_of",
]


def rulesheet(name: str, arguments: str = "") -> Rulesheet:
    """A rulesheet of the library, in another size if there are arguments.

    >>> len(rulesheet("tictactoe", "4,3,3").rules) > len(rulesheet("tictactoe").rules)
    True
    """
    need(name, str, "rulesheet", "a name, as 'tictactoe'")
    return read_kif(rulesheet_text(name, arguments), f"gdl:{name}:{arguments}" if arguments else f"gdl:{name}")


def sheet_of(target: str) -> Rulesheet:
    """The rulesheet of a file, or of the library where the target is ``gdl:NAME`` or ``gdl:NAME:ARGUMENTS``; validated.

    >>> sheet_of("gdl:nim:1,2").file
    'gdl:nim:1,2'
    """
    from zermelo.gdl.reader import read_rulesheet
    from zermelo.gdl.validate import require_valid

    sheet = read_rulesheet(target)
    require_valid(sheet)
    return sheet
