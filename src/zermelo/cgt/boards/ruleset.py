"""Rulesets: boards on which the player who cannot move loses, so that every position has a value.

A ruleset says what a position is, what each side may move to, and into which independent parts it falls; values,
outcomes and play follow from that (:mod:`zermelo.cgt.boards.board_value`, :mod:`zermelo.cgt.game`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from zermelo.brief import fields_in_brief, introduced, shown_in_brief
from zermelo.errors import UnknownGameError

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

Side = Literal["left", "right"]
SIDES: tuple[Side, Side] = ("left", "right")
Position = Any
"""Any hashable object; every ruleset has its own."""


@dataclass(frozen=True)
class Option:
    """A move as a person would write it, and the position that it leads to.

    >>> Option("b2", "x").move
    'b2'
    """

    move: str
    position: Hashable

    __repr__ = fields_in_brief


class Ruleset(ABC):
    """The rules of one game for two sides under normal play."""

    name: str
    summary: str
    """One line for ``zermelo games``."""
    form: str
    """How a target is written, such as ``domineering:ROW|ROW|...``."""
    example: str = ""
    """A target that shows what boards look like."""
    impartial: bool = False
    """May both sides always make the same moves?"""

    _repr_html_ = shown_in_brief

    def __repr__(self) -> str:
        return introduced(self, self.name)

    @abstractmethod
    def parse(self, text: str, place: str, column: int = 1) -> Position:
        """Reads a position; errors are :class:`~zermelo.errors.InputError` with ``place`` as file.

        ``column`` is where the text begins in the place, so that errors point at the character they are about.
        """

    @abstractmethod
    def options(self, position: Position, side: Side) -> Sequence[Option]:
        """What a side may move to, in a fixed order."""

    def some_option(self, position: Position, side: Side) -> Option | None:
        """One of the options, if there is any. Rules with very many moves find one without a list of them."""
        return next(iter(self.options(position, side)), None)

    def can_move(self, position: Position, side: Side) -> bool:
        """Has a side a move?"""
        return self.some_option(position, side) is not None

    def regions(self, position: Position) -> Sequence[Position]:
        """Independent parts whose sum is the position; parts in which nobody can ever move may be left out."""
        return (position,)

    def normal(self, position: Position) -> Position:
        """One for all positions that a symmetry of the rules makes equal, so that a table need not tell them apart."""
        return position

    def signed(self, position: Position) -> tuple[Position, bool]:
        """One for all positions that a symmetry makes equal or negative, and whether the position is its negative."""
        return self.normal(position), False

    def most_moves(self, position: Position, side: Side) -> int | None:
        """A number that a side's moves never exceed, however both sides play on; None where none is at hand."""
        del position, side
        return None

    @abstractmethod
    def text(self, position: Position) -> str:
        """The position in the form that :meth:`parse` reads."""

    def shown(self, position: Position) -> str:
        """The position as text for people: row below row."""
        return self.text(position).replace("|", "\n")

    def scene(self, position: Position) -> Scene:
        """The position as shapes with named places; text where a ruleset has no picture."""
        from zermelo.draw.scene import text_scene

        return text_scene(self.shown(position))

    def scene_for(self, position: Position, side: Side) -> Scene:
        """The same with a side to move; on most boards both point at the same places."""
        del side
        return self.scene(position)


RULESETS: dict[str, str] = {
    "amazons": "zermelo.cgt.rulesets.amazons:Amazons",
    "arckayles": "zermelo.cgt.rulesets.graphs:ArcKayles",
    "cannibal": "zermelo.cgt.rulesets.clobber:CannibalClobber",
    "clobber": "zermelo.cgt.rulesets.clobber:Clobber",
    "col": "zermelo.cgt.rulesets.colouring:Col",
    "cram": "zermelo.cgt.rulesets.cram:Cram",
    "dawson": "zermelo.cgt.rulesets.heaps:DawsonsKayles",
    "dawsonschess": "zermelo.cgt.rulesets.heaps:DawsonsChess",
    "dominoes": "zermelo.cgt.rulesets.dominoes:TopplingDominoes",
    "domineering": "zermelo.cgt.rulesets.domineering:Domineering",
    "elephants": "zermelo.cgt.rulesets.toads:Elephants",
    "fission": "zermelo.cgt.rulesets.fission:Fission",
    "gentoads": "zermelo.cgt.rulesets.toads:GeneralToads",
    "graphcol": "zermelo.cgt.rulesets.graphs:GraphCol",
    "graphsnort": "zermelo.cgt.rulesets.graphs:GraphSnort",
    "grundy": "zermelo.cgt.rulesets.heaps:Grundy",
    "hackenbush": "zermelo.cgt.rulesets.hackenbush:Hackenbush",
    "hexadecimal": "zermelo.cgt.rulesets.heaps:Hexadecimal",
    "hexapawn": "zermelo.cgt.rulesets.hexapawn:Hexapawn",
    "kayles": "zermelo.cgt.rulesets.heaps:Kayles",
    "kingdirt": "zermelo.cgt.rulesets.kingdirt:KingDirt",
    "konane": "zermelo.cgt.rulesets.konane:Konane",
    "nimheaps": "zermelo.cgt.rulesets.heaps:Nim",
    "nodekayles": "zermelo.cgt.rulesets.graphs:NodeKayles",
    "nogo": "zermelo.cgt.rulesets.nogo:NoGo",
    "octal": "zermelo.cgt.rulesets.heaps:Octal",
    "partsub": "zermelo.cgt.rulesets.partsub:PartizanSubtraction",
    "sheep": "zermelo.cgt.rulesets.sheep:Sheep",
    "snort": "zermelo.cgt.rulesets.colouring:Snort",
    "toads": "zermelo.cgt.rulesets.toads:ToadsAndFrogs",
    "turning": "zermelo.cgt.rulesets.turning:CoinTurning",
    "wytqueens": "zermelo.cgt.rulesets.wytqueens:WytQueens",
}
"""Where each ruleset is: its name to ``module:Class``."""
IMPARTIAL = "impartial-"
"""Before a ruleset's name: both sides may make the moves of either."""


def is_ruleset(name: str) -> bool:
    """Whether there are rules of that name.

    >>> is_ruleset("tictactoe")
    False
    """
    return name.removeprefix(IMPARTIAL) in RULESETS


def ruleset_named(name: str) -> Ruleset:
    """The rules of that name.

    >>> ruleset_named("chess")
    Traceback (most recent call last):
        ...
    zermelo.errors.UnknownGameError: no ruleset 'chess', expected one of ...
    """
    if name.startswith(IMPARTIAL) and name.removeprefix(IMPARTIAL) in RULESETS:
        from zermelo.cgt.rulesets.impartial import Impartial

        return Impartial(ruleset_named(name.removeprefix(IMPARTIAL)))
    if name not in RULESETS:
        raise UnknownGameError(f"no ruleset {name!r}, expected one of {', '.join(sorted(RULESETS))}")
    module, made = RULESETS[name].split(":")
    ruleset = getattr(import_module(module), made)()
    assert isinstance(ruleset, Ruleset)
    return ruleset


def positions_of(target: str) -> tuple[Ruleset, list[Position]]:
    """The rules and the summands that a target such as ``domineering:..|..+...`` names.

    >>> positions_of("chess:e4")
    Traceback (most recent call last):
        ...
    zermelo.errors.UnknownGameError: no ruleset 'chess', expected one of ...
    """
    name, colon, boards = target.partition(":")
    ruleset = ruleset_named(name.strip())
    positions = []
    column = len(name) + len(colon) + 1
    for board in boards.split("+"):
        blank = len(board) - len(board.lstrip())
        positions.append(ruleset.parse(board.strip(), target, column + blank))
        column += len(board) + 1
    return ruleset, positions
