"""Positions as JSON and back.

Positions are built of tuples, whole numbers, fractions, strings, bytes, frozensets and frozen dataclasses. Lists of
JSON stand for tuples; what JSON has no form for is an object with one field that names it. A class of its own, as the
scored trees of a sum, has a form if it can be written and read as text (:class:`Textual`).

>>> from zermelo.games import make_game
>>> game = make_game("nim:3,4")
>>> position_json(game.start())
[[3, 4], 0]
>>> position_from_json(game, [[3, 4], 0]) == game.start()
True
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

from zermelo.errors import GameError, InputError
from zermelo.game import Game


@runtime_checkable
class Textual(Protocol):
    """Something in a position that has a text from which it can be read again."""

    def position_text(self) -> str:
        """The text."""

    @classmethod
    def from_position_text(cls, text: str) -> Any:
        """What was written so; ``ValueError`` or ``InputError`` for a text that nothing is written as."""


def position_json(position: Any) -> Any:
    """A position as a value that ``json.dumps`` takes."""
    if position is None or (isinstance(position, bool | int | str) and not isinstance(position, Enum)):
        return position
    if isinstance(position, tuple) and type(position) is tuple:
        return [position_json(part) for part in position]
    if isinstance(position, Fraction):
        return {"fraction": str(position)}
    if isinstance(position, bytes):
        return {"bytes": position.hex()}
    if isinstance(position, frozenset):
        return {"set": sorted((position_json(part) for part in position), key=repr)}
    if isinstance(position, Enum):
        return {"member": [_class_name(type(position)), position.name]}
    if isinstance(position, tuple):
        return {"made": [_class_name(type(position)), *(position_json(part) for part in position)]}
    if is_dataclass(position) and not isinstance(position, type):
        parts = (position_json(getattr(position, field.name)) for field in fields(position) if field.init)
        return {"made": [_class_name(type(position)), *parts]}
    if isinstance(position, Textual):
        return {"text": [_class_name(type(position)), position.position_text()]}
    raise GameError(f"a position holds a {type(position).__name__}, which has no form in JSON")


def position_from_json(game: Game, data: Any) -> Any:
    """The position of a game that JSON states; ``InputError`` if it states none.

    Classes are looked up in modules that are loaded already, and only in ours and in that of the game.
    """
    if data is None or isinstance(data, bool | int | str):
        return data
    if isinstance(data, list):
        return tuple(position_from_json(game, part) for part in data)
    if isinstance(data, Mapping) and len(data) == 1:
        ((what, inner),) = data.items()
        try:
            return _READERS[what](game, inner)
        except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError):
            pass
    raise InputError(f"{str(data)[:60]!r} states no part of a position")


def _class_name(made: type) -> str:
    return f"{made.__module__}:{made.__qualname__}"


def _class_named(game: Game, name: str) -> Any:
    module, _, qualified = name.partition(":")
    if module.split(".")[0] != "zermelo" and module != type(game).__module__:
        raise ValueError(f"{module} is not the module of the game")
    found: Any = sys.modules[module]
    for part in qualified.split("."):
        found = getattr(found, part)
    if not (isinstance(found, type) and (is_dataclass(found) or issubclass(found, tuple | Enum | Textual))):
        raise ValueError(f"{name} is not a class of positions")
    return found


def _made(game: Game, inner: Any) -> Any:
    return _class_named(game, inner[0])(*(position_from_json(game, part) for part in inner[1:]))


def _read(game: Game, inner: Any) -> Any:
    found, text = inner
    return _class_named(game, found).from_position_text(text)


_READERS = {
    "fraction": lambda game, inner: Fraction(inner),
    "bytes": lambda game, inner: bytes.fromhex(inner),
    "set": lambda game, inner: frozenset(position_from_json(game, part) for part in inner),
    "member": lambda game, inner: _class_named(game, inner[0])[inner[1]],
    "made": _made,
    "text": _read,
}
