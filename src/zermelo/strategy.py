"""Strategies: what one role plays in every position it can meet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from zermelo.errors import IllegalMoveError
from zermelo.game import Game, Role


class Strategy(Protocol):
    """One interface for tables, rules and functions: ``strategy(position) -> move``."""

    @property
    def role(self) -> Role:
        """Who plays so."""

    def __call__(self, position: Any) -> Any:
        """The move to play."""


@dataclass(frozen=True)
class TableStrategy:
    """A strategy written out as a table from position keys to moves as people write them."""

    game: Game
    role: Role
    table: Mapping[str, str]

    def __call__(self, position: Any) -> Any:
        """The move to play.

        >>> import zermelo
        >>> strategy = zermelo.solve("nim:3,4").strategy
        >>> strategy(zermelo.game_of("nim:3,4").start())
        (1, 1)
        """
        text = self.table.get(self.game.key(position))
        if text is None:
            raise IllegalMoveError(f"the strategy of {self.role} does not meet this position")
        return self.game.parse_move(position, text)
