"""Games that are boards side by side, and the rules of each."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from zermelo.check.boards.ruleset import Rules
from zermelo.check.instance import Instance
from zermelo.check.verdict import Fault
from zermelo.game import Game

SIDES = ("left", "right")


@runtime_checkable
class OnBoards(Protocol):
    """A reading that is positions side by side."""

    @property
    def ruled_boards(self) -> list[tuple[str, Rules, Any]]:
        """The positions, each with the name of its game and its rules."""


def boards_of(game: Game, stated: Instance | None) -> list[tuple[str, Rules, Any]]:
    """The boards; where somebody stated the rules in Python, these are the rules that count."""
    if isinstance(stated, OnBoards):
        return stated.ruled_boards
    if f"{type(game).__module__}.{type(game).__qualname__}" != "zermelo.cgt.game.BoardSum":
        raise Fault("values are for boards under normal play and for sums in brackets")
    ruleset = game.ruleset  # type: ignore[attr-defined]

    def moves(position: Any, side: int) -> list[tuple[str, Any]]:
        return [(option.move, option.position) for option in ruleset.options(position, SIDES[side])]

    rules = Rules(ruleset.parse, moves, ruleset.regions, ruleset.signed, text=ruleset.text)
    return [(ruleset.name, rules, board) for board in game.positions]  # type: ignore[attr-defined]
