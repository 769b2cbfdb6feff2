"""What Home shows: every game that can be named, with its rules in a sentence."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from zermelo.web.samples import SAMPLES

BOARDS: Final = {
    "amazons": "amazons:x...|....|...o",
    "cannibal": "cannibal:2x4",
    "dawson": "dawson:12",
    "dawsonschess": "dawsonschess:9",
    "dominoes": "dominoes:xo#xoo",
    "dots": "dots:2x2",
    "fission": "fission:....|.xx.|....",
    "gentoads": "gentoads:1,2,1,1:xx..oo",
    "grundy": "grundy:10",
    "hackenbush": "hackenbush:brgrb",
    "kayles": "kayles:12",
    "konane": "konane:xoxo|oxox|x..o|oxox",
    "nimheaps": "nimheaps:3,4,5",
    "nogo": "nogo:3x3",
    "octal": "octal:0.137:12",
    "toads": "toads:xx..oo",
}
"""Boards that are read more easily than the example of their ruleset."""
BETTER: Final = {"connect": "connect:4,4,4", "geography": "geography:random:8,2,1", "gomoku": "gomoku:9"}
"""Boards that are read more easily than the example of the library."""
TITLES: Final = {
    "tictactoe": "Tic-tac-toe",
    "hex": "Hex",
    "connect": "Connect",
    "mnk": "Three in a row",
    "gomoku": "Gomoku",
    "gomoku-qip": "Three in a row, as a program",
    "dotsandboxes": "Dots and boxes",
    "dgr": "Reliability",
    "wytqueens": "Wyt queens",
    "nimheaps": "Nim, as heaps",
    "col": "Col",
    "nogo": "NoGo",
    "octal": "Octal games",
    "toads": "Toads and frogs",
    "gentoads": "Toads and frogs, longer jumps",
    "elephants": "Elephants and rhinos",
    "dominoes": "Toppling dominoes",
    "dawson": "Dawson's Kayles",
    "dawsonschess": "Dawson's chess",
    "cannibal": "Cannibal clobber",
    "dots": "Dots and boxes, as a board",
    "graphcol": "Col on a graph",
    "graphsnort": "Snort on a graph",
    "nodekayles": "Node Kayles",
    "arckayles": "Arc Kayles",
    "partsub": "Partizan subtraction",
    "turning": "Coin turning",
    "hexadecimal": "Hexadecimal games",
    "kingdirt": "Kings and dirt",
    "sheep": "Battle sheep",
    "oshizumo": "Oshi-zumo",
}


@cache
def gallery() -> list[dict[str, Any]]:
    """Every card: what to name, a title, the rules in words, and the group it stands in.

    >>> {card["group"] for card in gallery()} >= {"Games", "Rulesheets", "Boards with values", "Statements"}
    True
    >>> next(card["title"] for card in gallery() if card["statement"] == {"target": "hex:4"})
    'Hex'
    """
    return [*_library(), *_boards(), *_rulesheets(), *_samples()]


def _card(group: str, title: str, words: str, roles: list[str], **statement: str) -> dict[str, Any]:
    return {"group": group, "title": title, "words": words, "roles": roles, "statement": statement}


def _sentence(summary: str) -> str:
    return summary[:1].upper() + summary[1:] + ("" if summary.endswith(".") else ".")


def _library() -> list[dict[str, Any]]:
    from zermelo.games import entries

    first = ("tictactoe", "hex", "connect", "nim")
    found = sorted(entries(), key=lambda entry: (first.index(entry.name) if entry.name in first else 9, entry.name))
    return [
        _card(
            "Games",
            TITLES.get(entry.name, entry.name.capitalize()),
            _sentence(entry.summary),
            list(entry.make((BETTER.get(entry.name) or entry.example).partition(":")[2]).roles),
            target=BETTER.get(entry.name) or entry.example,
        )
        | {"usage": entry.usage}
        for entry in found
    ]


def _boards() -> list[dict[str, Any]]:
    from zermelo.cgt.boards.ruleset import RULESETS, SIDES, ruleset_named
    from zermelo.cgt.rulesets.dots import DotsSum

    cards = []
    for name in sorted({*RULESETS, DotsSum.name}):
        rules = DotsSum if name == DotsSum.name else ruleset_named(name)
        title, board = TITLES.get(name, name.capitalize()), BOARDS.get(name, rules.example)
        card = _card("Boards with values", title, _sentence(rules.summary), list(SIDES), target=board)
        cards.append(card | {"usage": rules.form})
    return cards


def _rulesheets() -> list[dict[str, Any]]:
    from zermelo.gdl.library import rulesheet_entries
    from zermelo.gdl.syntax import RANDOM

    return [
        _card(
            "Rulesheets",
            entry.title,
            _sentence(entry.summary),
            [role for role in entry.roles if role != RANDOM],
            target=f"gdl:{entry.name}",
        )
        | {"usage": entry.usage}
        for entry in rulesheet_entries()
    ]


def _samples() -> list[dict[str, Any]]:
    return [_card("Statements", name, _sentence(words), [], sample=name) for name, words in SAMPLES.items()]
