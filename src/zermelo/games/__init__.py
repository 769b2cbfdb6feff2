"""The library: one module a game, its rules in plain Python, its native twin by name.

>>> game = make_game("nim:3,4,5")
>>> game.roles
('first', 'second')
"""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

from zermelo.errors import InputError, UnknownGameError
from zermelo.game import Game
from zermelo.games.entry import Entry

# Library name -> module, so that naming one game imports one module.
_MODULES: dict[str, str] = {
    "coins": "coins",
    "dgr": "dgr",
    "geography": "geography",
    "goofspiel": "bidding",
    "nim": "nim",
    "oshizumo": "bidding",
    "pig": "pig",
    "subtraction": "subtraction",
    "wythoff": "wythoff",
    "connect": "connect",
    "gomoku": "mnk",
    "gomoku-qip": "zermelo.qip.models.library",
    "hex": "hex",
    "mnk": "mnk",
    "tictactoe": "mnk",
    "breakthrough": "breakthrough",
    "dotsandboxes": "dotsandboxes",
    "othello": "othello",
    "treblecross": "treblecross",
}
# Games whose rules another package has, if it is installed.
_BORROWED: dict[str, str] = {"open_spiel": "open_spiel"}


def is_library_game(name: str) -> bool:
    """Whether the library has a game of that name, or borrows it.

    >>> is_library_game("nim"), is_library_game("domineering")
    (True, False)
    """
    return name in _MODULES or name in _BORROWED


def entry_of(name: str) -> Entry:
    """The library entry of a name.

    >>> entry_of("nim").usage
    'nim:H,H,...'
    """
    module = _MODULES.get(name) or _BORROWED.get(name)
    if module is None:
        near = get_close_matches(name, _MODULES, 1)
        hint = f"did you mean {near[0]}?" if near else "`zermelo games` lists the library"
        raise UnknownGameError(f"unknown game {name!r}: {hint}")
    entries: dict[str, Entry] = {
        entry.name: entry for entry in import_module(module if "." in module else f"zermelo.games.{module}").ENTRIES
    }
    return entries[name]


def entries() -> list[Entry]:
    """Every game of the library itself, by name."""
    return [entry_of(name) for name in sorted(_MODULES)]


def make_game(target: str) -> Game:
    """The library game that a target such as ``"nim:3,4,5"`` names.

    >>> make_game("nim:3,4,5")
    <Nim: nim:3,4,5>
    """
    if not isinstance(target, str):
        raise InputError(f"{target!r} is no target, expected a text such as 'nim:3,4'")
    name, _, arguments = target.partition(":")
    game = entry_of(name).make(arguments)
    game.title = target
    return game
