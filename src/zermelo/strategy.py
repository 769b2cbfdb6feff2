"""Strategies: what one role plays in every position it can meet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from zermelo.certificate import Claim
from zermelo.errors import IllegalMoveError
from zermelo.game import Game, Role
from zermelo.rules import rule_move

if TYPE_CHECKING:
    from zermelo.qbf.functions import Functions
    from zermelo.qbf.game import FormulaGame


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


@dataclass(frozen=True)
class RuleStrategy:
    """A strategy stated as a rule, such as "pair the cells": the rule of a claim, for the role of the claim.

    It keeps what the claim says in play from the start position; a position that the strategy would not have
    let arise gets a legal move that promises nothing.
    """

    game: Game
    claim: Claim

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
        move = None if self.game.result(position) is not None else rule_move(self.game, position, self.claim)
        if move is None:
            raise IllegalMoveError(f"the rule {self.claim.rule!r} of {self.role} says nothing here")
        return move


@dataclass(frozen=True)
class FunctionsStrategy:
    """A strategy for a formula: a function of the other role's earlier choices for each variable of its own."""

    game: FormulaGame
    functions: Functions

    @property
    def role(self) -> Role:
        """Who plays so."""
        return self.functions.owner

    def __call__(self, position: bytes) -> int:
        """The move to play.

        >>> from zermelo.qbf.circuit import TRUE, Circuit
        >>> from zermelo.qbf.formula import Block, Formula
        >>> from zermelo.qbf.functions import Functions
        >>> from zermelo.qbf.game import FormulaGame
        >>> circuit = Circuit()
        >>> x = circuit.variable() // 2
        >>> game = FormulaGame(Formula(circuit, (Block("exists", (x,)),), 2 * x, {x: "x"}))
        >>> strategy = FunctionsStrategy(game, Functions("exists", Circuit(), {}, {x: TRUE}))
        >>> game.move_text(strategy(game.start()))
        'x=1'
        """
        from zermelo.qbf.game import function_move

        if self.game.result(position) is not None or self.game.turn(position) != self.role:
            raise IllegalMoveError(f"{self.role} does not move here")
        return function_move(self.game, position, self.functions)
