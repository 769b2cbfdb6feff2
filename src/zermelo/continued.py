"""A game continued from a later position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.brief import fields_in_brief
from zermelo.errors import IllegalMoveError, InputError
from zermelo.game import Game, illegal, play_line
from zermelo.wrapper import GameWrapper

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.graph import GameGraph, Growing
    from zermelo.limits import Limits


@dataclass(frozen=True)
class Placed:
    """In the place of moves, a position that nobody reached by moves: it is set up."""

    position: Any
    key: str

    __repr__ = fields_in_brief

    def __str__(self) -> str:
        return f"[{self.key}]"


def position_after(game: Game, moves: Sequence[Any]) -> Any:
    """The position after moves, whose legality is not checked; the first may be a position that is set up.

    >>> from zermelo.games import make_game
    >>> position_after(make_game("nim:3,4"), [Placed(((1, 1), 0), "")])
    ((1, 1), 0)
    """
    position = game.start()
    for move in listed(moves):
        try:
            position = move.position if isinstance(move, Placed) else game.play(position, move)
        except (TypeError, ValueError, LookupError):
            raise illegal(game, move) from None
    return position


def listed(moves: object) -> Sequence[Any]:
    """The moves, where they are a list of some: a text is none, though it can be gone through letter by letter.

    >>> listed("0,3")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: '0,3' are no moves, expected a list of them; solve takes a text by after=
    """
    if isinstance(moves, str) or not isinstance(moves, Sequence):
        raise InputError(f"{moves!r} are no moves, expected a list of them; solve takes a text by after=")
    return moves


def need_end_with(line: Sequence[Any], moves: Sequence[Any]) -> None:
    """Refuses moves other than those that a line ends with, where a position tells the moves that lead to it.

    >>> need_end_with([(0, 1), (1, 5)], [(1, 5)])
    >>> need_end_with([(0, 1), (1, 5)], [(2, 5)])
    Traceback (most recent call last):
        ...
    zermelo.errors.IllegalMoveError: move 1 does not set the next variable
    """
    for back, move in enumerate(reversed(moves), 1):
        if not isinstance(move, Placed) and line[-back] != move:
            raise IllegalMoveError(f"move {len(moves) - back + 1} does not set the next variable")


class Continued(GameWrapper):
    """The same game with the position after some moves as its start.

    >>> from zermelo.games import make_game
    >>> Continued(make_game("nim:3,4"), [(0, 3)]).start()
    ((0, 4), 1)
    """

    def __init__(self, game: Game, line: Sequence[Any], kind: str = "game") -> None:
        super().__init__(game)
        self.kind = kind
        self._line = (*game.line, *listed(line))
        self._set_up: Game | None = None
        self._twin: _native.Game | None = None
        self._start = game.start()
        for move in line:
            self._start = move.position if isinstance(move, Placed) else play_line(game, [move], self._start)

    @property
    def line(self) -> tuple[Any, ...]:  # type: ignore[override]
        """The moves made so far."""
        return self._line

    @property
    def whole(self) -> Game:
        """The game that this is the rest of."""
        return self.inner

    def move_text(self, move: Any) -> str:
        return str(move) if isinstance(move, Placed) else self.inner.move_text(move)

    def at(self, moves: Sequence[Any]) -> Game:
        """The same game, taken up after some more moves."""
        return Continued(self, moves, self.kind)

    def start(self) -> Any:
        return self._start

    def native(self) -> _native.Game | None:
        """The twin of the game inside after the same moves, or of the game that a position was set up in."""
        game, moves = self._begun()
        if game is None or (twin := game.native()) is None:
            return None
        self.total = game.total
        if self._twin is None:
            position = game.start()
            for move in moves:
                twin = twin.after(list(game.moves(position)).index(move))
                position = game.play(position, move)
            self._twin = twin
        return self._twin

    def growing(self, position: Any, limits: Limits) -> Growing | None:
        """By the game inside, or by the game that a position was set up in."""
        game, _ = self._begun()
        return None if game is None else game.growing(position, limits)

    def _begun(self) -> tuple[Game | None, Sequence[Any]]:
        """The game whose native forms know the positions here, and the moves from its start on."""
        moves = self._line[len(self.inner.line) :]
        placed = [number for number, move in enumerate(moves) if isinstance(move, Placed)]
        if not placed:
            return self.inner, moves
        if self._set_up is None:
            self._set_up = self.inner.set_up(moves[placed[-1]].position)
        if self._set_up is not None:
            self._set_up.limits = self.limits
        return self._set_up, moves[placed[-1] + 1 :]

    # What the game inside knows of all its positions at once begins at its own start.

    def puzzle(self) -> _native.Game | None:
        return None

    def explored(self, limits: Limits, visit: Callable[[int], None]) -> GameGraph | None:
        del limits, visit
        return None
