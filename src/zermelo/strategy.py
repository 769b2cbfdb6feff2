"""Strategies: what one role plays in every position it can meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import choices
from typing import Any, Protocol

from zermelo.brief import counted, introduced, shown_in_brief
from zermelo.certificate import Claim, parse_score
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

    _repr_html_ = shown_in_brief

    def __repr__(self) -> str:
        return introduced(self, self.role, counted(len(self.table), "position"))

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


@dataclass(frozen=True)
class RuleStrategy:
    """A strategy stated as a rule, such as "pair the cells": the rule of a claim, for the role of the claim.

    It keeps what the claim says in play from the start position; a position that the strategy would not have
    let arise gets a legal move that promises nothing.
    """

    game: Game
    claim: Claim

    _repr_html_ = shown_in_brief

    def __repr__(self) -> str:
        return introduced(self, self.role, f"by {self.claim.rule}")

    @property
    def role(self) -> Role:
        """Who plays so."""
        return self.claim.role

    def __call__(self, position: Any) -> Any:
        """The move to play.

        >>> from zermelo.games import make_game
        >>> game = make_game("nim:3,4,5")
        >>> RuleStrategy(game, Claim("first", 1, rule="nim-sum"))(game.start())
        (0, 2)
        """
        move = None if self.game.result(position) is not None else self.game.rule_move(position, self.claim)
        if move is None:
            raise IllegalMoveError(f"the rule {self.claim.rule!r} of {self.role} says nothing here")
        return move


@dataclass(frozen=True)
class MixedStrategy:
    """A strategy that mixes its moves: for each position a move, or moves with the chances at which they are played."""

    game: Game
    role: Role
    positions: Mapping[str, Sequence[Any]]

    _repr_html_ = shown_in_brief

    def __repr__(self) -> str:
        return introduced(self, self.role, counted(len(self.positions), "position"))

    def mixture(self, position: Any) -> dict[Any, Fraction]:
        """The moves that are played at all, each with its chance.

        >>> import zermelo
        >>> game = zermelo.game_of("goofspiel:2")
        >>> zermelo.solve(game).strategy.mixture(game.start())
        {2: Fraction(1, 1)}
        """
        entry = self.positions.get(self.game.key(position), ())
        if len(entry) < 2:
            raise IllegalMoveError(f"the strategy of {self.role} does not meet this position")
        said = {entry[1]: "1"} if isinstance(entry[1], str) else entry[1]
        several = isinstance(self.game.turn(position), tuple)
        moves = self.game.moves_of(position, self.role) if several else self.game.moves(position)
        named = {self.game.move_text(move): move for move in moves}
        return {named[text]: parse_score(chance) for text, chance in said.items()}

    def __call__(self, position: Any) -> Any:
        """The move to play, drawn by its chance."""
        mixture = self.mixture(position)
        return choices(list(mixture), [float(chance) for chance in mixture.values()])[0]


def strategy_of(game: Game, claim: Claim) -> Strategy | None:
    """The strategy by which a role keeps its claim; ``None`` if the claim states none.

    >>> from zermelo.games import make_game
    >>> strategy_of(make_game("nim:3,4,5"), Claim("first", 1, rule="nim-sum")).role
    'first'
    """
    if claim.rule == "expectation" and isinstance(positions := claim.data.get("positions"), Mapping):
        return MixedStrategy(game, claim.role, positions) if claim.role in game.roles else None
    if claim.rule is not None:
        return game.strategy(claim)
    table = {key: move for key, (move, _) in claim.table.items()}
    return TableStrategy(game, claim.role, table) if table else None
