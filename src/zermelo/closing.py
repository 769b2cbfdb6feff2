"""Positions that are decided at a glance, and boards that have images: what certificates of version 2 leave out.

A closing rule says of a position that a role gets at least some score from there on, whatever the others do. It says so
by a test that a checker can make, and it has a plan: the moves that keep the promise. A game names its rules
(:meth:`~zermelo.game.Game.closing`) and the images of its board (:meth:`~zermelo.game.Game.images`);
``docs/formats/layers.md`` defines them and says why they are right.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.game import Game, Score

Image = Callable[[Any], Any]
"""A position to its image."""


@dataclass(frozen=True)
class Images:
    """The word for a board's symmetries, and the images of a position but for itself.

    >>> mirror = Images("mirror", (lambda row: row[::-1],))
    >>> mirror.least("x.."), mirror.least("..x")
    ('..x', '..x')
    """

    word: str
    maps: tuple[Image, ...]

    def least(self, position: Any) -> Any:
        """One and the same for a position and all its images."""
        return min((position, *(image(position) for image in self.maps)))


@dataclass(frozen=True)
class Plan:
    """How a role plays on from a closed position. Plans with the same ``key`` are the same.

    ``answer`` takes the position before the other's move, that move, and the position after it; ``begin`` is for a
    position in which the role moves without having been answered to.
    """

    key: Hashable
    begin: Callable[[Any], Any] = field(compare=False)
    answer: Callable[[Any, Any, Any], Any] = field(compare=False)


@dataclass(frozen=True)
class ClosingRule:
    """A test and a plan. Both take a position that is not over, the role as its place, and the score claimed."""

    closes: Callable[[Any, int, Score], bool]
    plan: Callable[[Any, int, Score], Plan]


def at_once(game: Game) -> ClosingRule:
    """The role is to move, and one of its moves ends the game with at least what is claimed. For every game.

    >>> from zermelo.games import make_game
    >>> nim = make_game("nim:2")
    >>> rule = at_once(nim)
    >>> rule.closes(nim.start(), 0, 1), rule.closes(nim.start(), 1, 1), rule.plan(nim.start(), 0, 1).begin(nim.start())
    (True, False, (0, 2))
    """

    def ending(position: Any, role: int, at_least: Score) -> Any:
        if game.turn(position) == game.roles[role]:
            for move in game.moves(position):
                scores = game.result(game.play(position, move))
                if scores is not None and scores[role] >= at_least:
                    return move
        return None

    def plan(position: Any, role: int, at_least: Score) -> Plan:
        del position
        return Plan("at-once", lambda here: ending(here, role, at_least), lambda before, move, after: None)

    return ClosingRule(lambda *asked: ending(*asked) is not None, plan)


def any_move(game: Game, key: Hashable) -> Plan:
    """The plan where nothing can go wrong any more."""
    return Plan(key, lambda here: game.moves(here)[0], lambda before, move, after: game.moves(after)[0])


def paired(game: Game, partner: Mapping[Any, Any]) -> Plan:
    """The plan that answers a move in a pair of cells by the other cell of the pair."""

    def answer(before: Any, move: Any, after: Any) -> Any:
        del before
        legal = game.moves(after)
        return partner[move] if partner.get(move) in legal else legal[0]

    return Plan(("pairs", tuple(sorted(partner.items()))), lambda here: game.moves(here)[0], answer)


def closing_rule(game: Game, name: str) -> ClosingRule | None:
    """The rule of that name for a game; ``None`` where the game has none."""
    found = game.closing(name)
    return at_once(game) if found is None and name == "at-once" else found
