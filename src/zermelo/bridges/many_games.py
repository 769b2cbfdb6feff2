"""Many games of one rulesheet at once, for agents that learn: positions, legal moves and scores as arrays.

All games are played together in the bits of the native kernel (``native/gdl/batch``). A step takes a move of each role
in each game, as GDL has it; chance (``random``) moves by itself, by a seed.

>>> games = ManyGames("gdl:tictactoe", 3, seed=1)
>>> games.roles, games.moves("x")[0], games.legal("x").shape, games.legal("o").sum(axis=1).tolist()
(('x', 'o'), 'mark(a,1)', (3, 10), [1, 1, 1])
>>> first = {role: games.legal(role).argmax(axis=1) for role in games.roles}
>>> games.step(first)
>>> games.over.tolist(), games.legal("o").sum(axis=1).tolist()
([False, False, False], [8, 8, 8])
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy
from numpy.typing import NDArray

from zermelo import _native
from zermelo.errors import ArgumentError, IllegalMoveError, NotApplicableError
from zermelo.game import taken_as
from zermelo.gdl.game import RulesheetGame
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.syntax import RANDOM
from zermelo.solving.targets import game_of

Flags = NDArray[numpy.uint8]


def ground_of(stated: object) -> tuple[RulesheetGame, GroundReasoner]:
    """The rulesheet that states a game, and its ground game; refused where there is none.

    >>> ground_of("nim:1,2")
    Traceback (most recent call last):
    ...
    zermelo.errors.NotApplicableError: only rulesheets are played many at a time, expected one, as gdl:connectfour
    """
    stated_game = game_of(stated)
    if stated_game.kind != RulesheetGame.kind:
        raise NotApplicableError("only rulesheets are played many at a time, expected one, as gdl:connectfour")
    game = taken_as(RulesheetGame, stated_game)
    if game.ground is None:
        raise NotApplicableError(f"the rulesheet is {game.remark}: it cannot be played many games at a time")
    return game, game.ground


MOST = 1 << 24
"""So many games at once; more would take the memory of a large machine for the smallest rulesheet."""


def places_of(given: object, games: int, moves: int) -> NDArray[numpy.int64] | None:
    """A place among so many moves for each game; ``None`` if that is not what was given.

    >>> places_of([2, 0], 2, 3), places_of([2, 3], 2, 3), places_of([0.5, 1], 2, 3)
    (array([2, 0]), None, None)
    """
    places = numpy.asarray(given)
    fits = places.shape == (games,) and numpy.issubdtype(places.dtype, numpy.integer)
    return places.astype(numpy.int64) if fits and (places >= 0).all() and (places < moves).all() else None


def _generator(seed: object) -> numpy.random.Generator:
    if not isinstance(seed, int | numpy.integer) or seed < 0:
        raise ArgumentError(f"seed {seed!r}, expected a whole number from 0 on")
    return numpy.random.default_rng(int(seed))


class ManyGames:
    """Games of one rulesheet, all at the start at first. A move is its place among the moves of its role."""

    def __init__(self, stated: object, games: int, seed: int = 0) -> None:
        if not isinstance(games, int) or not 1 <= games <= MOST:
            raise ArgumentError(f"{games!r} games, expected a whole number from 1 to {MOST:,}")
        self.game, self.ground = ground_of(stated)
        self.count, self.roles = games, self.game.roles
        self._all = self.ground.roles
        self._native = _native.Batch(self.ground.native, games)
        self._chance = _generator(seed)

    @cached_property
    def _span(self) -> dict[str, slice]:
        """Of each role, chance included, where its moves lie among those of all."""
        first = self.ground.native.first_move
        return {role: slice(first[number], first[number + 1]) for number, role in enumerate(self._all)}

    def _moves_of(self, role: str) -> slice:
        if role not in self.roles:
            raise ArgumentError(f"{role!r} is no role of the game, expected one of {', '.join(self.roles)}")
        return self._span[self.game.rulesheet_role(role)]

    def moves(self, role: str) -> list[str]:
        """The moves of a role, in the order of their places.

        >>> ManyGames("gdl:nim:1", 1).moves("first")
        ['take(a,1)', 'noop']
        """
        return [self.game.move_text(move) for move in self.ground.moves[self._moves_of(role)]]

    @property
    def facts(self) -> tuple[str, ...]:
        """What may hold in a position, in the order of :attr:`positions`.

        >>> len(ManyGames("gdl:tictactoe", 1).facts)
        20
        """
        return self.ground.fluents

    @cached_property
    def positions(self) -> Flags:
        """A row for each game: 1 where a fact holds in its position.

        >>> ManyGames("gdl:tictactoe", 2).positions.sum(axis=1).tolist()
        [1, 1]
        """
        return self._native.fluents().reshape(self.count, -1)

    @cached_property
    def _legal(self) -> Flags:
        return self._native.legal().reshape(self.count, -1)

    def legal(self, role: str) -> Flags:
        """A row for each game: 1 where a move of the role is legal; nothing where the game is over.

        >>> ManyGames("gdl:tictactoe", 2).legal("x").sum(axis=1).tolist()
        [9, 9]
        """
        return self._legal[:, self._moves_of(role)]

    @cached_property
    def over(self) -> NDArray[numpy.bool_]:
        """Which games are over.

        >>> ManyGames("gdl:tictactoe", 2).over.tolist()
        [False, False]
        """
        return self._native.over().astype(numpy.bool_)

    def scores(self) -> NDArray[numpy.int64]:
        """A row for each game: what each role has where the game is over, and 0 where it is not.

        >>> ManyGames("gdl:tictactoe", 2).scores().tolist()
        [[0, 0], [0, 0]]
        """
        goals = self._native.goals().reshape(self.count, -1)
        of_players = [number for number, role in enumerate(self._all) if role != RANDOM]
        found: NDArray[numpy.int64] = numpy.where(self.over[:, None], goals[:, of_players], 0)
        if (found < 0).any():
            raise NotApplicableError("a game ended without exactly one score for each role")
        return found

    def step(self, places: Mapping[str, Any]) -> None:
        """Makes one move of each role in each game: its place among the moves of the role. Ended games stay so.

        >>> games = ManyGames("gdl:tictactoe", 2)
        >>> games.step({"x": [0, 1], "o": [0, 0]})
        Traceback (most recent call last):
        ...
        zermelo.errors.IllegalMoveError: a move is not legal in its game
        """
        moves = numpy.zeros((self.count, len(self._all)), numpy.uint32)
        for number, role in enumerate(self._all):
            span = self._span[role]
            given = self._drawn(span) if role == RANDOM else places.get(self._named(role), ())
            chosen = places_of(given, self.count, span.stop - span.start)
            if chosen is None:
                raise IllegalMoveError(f"{role} needs one move for each game, a place below {span.stop - span.start}")
            moves[:, number] = chosen + span.start
        try:
            self._native.step(moves.reshape(-1))
        except ValueError:
            raise IllegalMoveError("a move is not legal in its game") from None
        self._forget()

    def _named(self, role: str) -> str:
        """What a role of the rulesheet is called in the game."""
        return next(name for name in self.roles if self.game.rulesheet_role(name) == role)

    def draw_by(self, seed: int) -> None:
        """Lets chance move by this seed from now on.

        >>> ManyGames("gdl:tictactoe", 2).draw_by(7)
        """
        self._chance = _generator(seed)

    def _drawn(self, span: slice) -> NDArray[numpy.int64]:
        """A legal move of chance in each game, all equally likely."""
        weights = self._chance.random((self.count, span.stop - span.start)) * self._legal[:, span]
        drawn: NDArray[numpy.int64] = weights.argmax(axis=1)
        return drawn

    def begin(self, which: NDArray[numpy.bool_] | None = None) -> None:
        """Puts all games, or those that are marked, back at the start.

        >>> games = ManyGames("gdl:tictactoe", 2)
        >>> games.begin()
        """
        marked = numpy.ones(self.count, numpy.uint8) if which is None else which.astype(numpy.uint8)
        if marked.shape != (self.count,):
            raise ArgumentError(f"marks for {marked.shape} games, expected {self.count}")
        self._native.begin(marked)
        self._forget()

    def _forget(self) -> None:
        for name in ("positions", "_legal", "over"):
            self.__dict__.pop(name, None)
