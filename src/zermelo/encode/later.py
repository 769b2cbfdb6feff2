"""A game taken up at a later position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.game import Game, play_line
from zermelo.wrapper import GameWrapper

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.encode.graph import GameGraph
    from zermelo.limits import Limits


class Later(GameWrapper):
    """The same game with the position after some moves as its start.

    >>> from zermelo.games import make_game
    >>> Later(make_game("nim:3,4"), [(0, 3)]).start()
    ((0, 4), 1)
    """

    def __init__(self, game: Game, line: Sequence[Any]) -> None:
        super().__init__(game)
        self._line = (*game.line, *line)
        self._start = play_line(game, line)

    @property
    def line(self) -> tuple[Any, ...]:  # type: ignore[override]
        """The moves made so far."""
        return self._line

    @property
    def whole(self) -> Game:
        """The game that this is the rest of."""
        return self.inner

    def start(self) -> Any:
        return self._start

    # What the game inside knows of all its positions at once begins at its own start.

    def native(self) -> _native.Game | None:
        return None

    def puzzle(self) -> _native.Game | None:
        return None

    def explored(self, limits: Limits, visit: Callable[[int], None]) -> GameGraph | None:
        del limits, visit
        return None
