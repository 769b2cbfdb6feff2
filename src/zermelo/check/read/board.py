"""Boards with values and boards of dots and boxes, as the checker reads them (docs/formats/boards.md).

A target names a game and its boards, with ``+`` between them; how one is read, the rules of the game say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from zermelo.check.boards import IMPARTIAL, MODULES, rules_named
from zermelo.check.boards.ruleset import Rules
from zermelo.check.unplayed import Unplayed
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.source import Source

if TYPE_CHECKING:
    from zermelo.check.dots import Dots
    from zermelo.check.mixed import MixedBoards

DOTS = "dots:"


@dataclass(frozen=True)
class Boards:
    """Positions of one game side by side.

    >>> board_target("domineering: 1x2 + #.|..").canonical()
    'domineering:..+#.|..'
    """

    name: str
    positions: tuple[Any, ...]

    @cached_property
    def rules(self) -> Rules:
        """The rules of the game."""
        return rules_named(self.name)

    @property
    def ruled_boards(self) -> list[tuple[str, Rules, Any]]:
        """Each position with the name of the game and the rules."""
        return [(self.name, self.rules, position) for position in self.positions]

    def canonical(self) -> str:
        """The name of the game and its positions."""
        return f"{self.name}:{'+'.join(map(self.rules.text, self.positions))}"

    def game(self) -> Game:
        """Play on the boards, by rules of the checker's own."""
        return Unplayed(("left", "right"), self._played)

    def _played(self) -> Game:
        from zermelo.check.boardgame import BoardGame

        return BoardGame(self.ruled_boards)


def read(source: Source) -> Boards | Dots | MixedBoards:
    """The boards that a text states."""
    mixed = import_module("zermelo.check.mixed").mixed_sum(source) if "+" in source.text else None
    return mixed or board_target(source.text, source.name)


def board_target(text: str, name: str = "") -> Boards | Dots:
    """The boards of one game that a target names; ``InputError`` with the place where it names none."""
    kind, _, boards = text.partition(":")
    begin = len(text) - len(boards)
    if text.startswith(DOTS):
        from zermelo.check.dots import Dots, read_dots

        return Dots(tuple(_each(boards, partial(_wrong, name or text), begin, read_dots)))
    kind = kind.strip()
    if kind.removeprefix(IMPARTIAL) not in MODULES:
        raise InputError(f"no rules {kind!r}, expected one of dots, {', '.join(sorted(MODULES))}", file=name or text)
    return Boards(kind, tuple(_each(boards, partial(_wrong, name or text), begin, rules_named(kind).read)))


def _each(text: str, wrong: Callable[..., NoReturn], begin: int, read_board: Callable[..., Any]) -> Iterator[Any]:
    """Boards with + between them, each read without the blanks around it."""
    for board in text.split("+"):
        blanks = len(board) - len(board.lstrip())
        yield read_board(board.strip(), partial(wrong, begin + blanks))
        begin += len(board) + 1


def _wrong(name: str, begin: int, at: int, message: str) -> NoReturn:
    raise InputError(message, file=name, line=1, column=begin + at + 1)
