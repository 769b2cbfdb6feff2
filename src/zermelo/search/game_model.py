"""The forward model of a :class:`~zermelo.game.Game`, of the library or of a Python class."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

from zermelo.errors import GameError, LimitReachedError, NotApplicableError
from zermelo.game import CHANCE, Game
from zermelo.gdl.syntax import RANDOM
from zermelo.limits import Limits
from zermelo.search.problem import Problem, problem_of
from zermelo.user_game import well_behaved

NOOP = 0
"""The move of every role that has no say in a position."""
GRAPH_POSITIONS = 20_000
"""Games without a native twin are written out as far as this, to learn their range of scores and of chance."""
GRAPH_SECONDS = 2.0
MOST_OUTCOMES = 10_000
"""Chances with a larger common denominator are refused: even outcomes would be too many."""
HANDLES = 10_000
"""So many positions are remembered for the search kernels."""


class GameModel:
    """A game of the library or of a Python class as players and referees see it.

    Positions are the game's own. Moves are numbered as they turn up: a move has one number as long as the model
    lives, and 0 is to pass where one has no say. Chance is a role of its own, the last, unless it is known that nothing
    is left to chance; outcomes of unequal probability are listed so often that each entry is as likely as the others.
    Scores go from 0 to 1, the lowest and the highest that any role can have: as the native twin says, or as the
    game written out says if it is small and may be explored; else they have to lie between -1 and 1.

    >>> from zermelo.games import make_game
    >>> model = GameModel(make_game("nim:1"))
    >>> [move] = model.legal(model.start(), 0)
    >>> end = model.play(model.start(), [move, NOOP])
    >>> model.move_text(move), model.over(end), model.score(end, 0), model.score(end, 1)
    ('0,1', True, Fraction(1, 1), Fraction(0, 1))
    """

    def __init__(self, game: Game, *, explore: bool = True):
        if game.hidden_information:
            raise NotApplicableError("some role does not see every move: expected a rulesheet where that is so")
        self.game = well_behaved(game)
        self.problem = _problem(self.game) if explore else None
        certain = self.problem is not None and not self.problem.has_chance
        self.seats = tuple(range(len(self.game.roles)))
        self.chance = None if certain else len(self.seats)
        chance_name = CHANCE if RANDOM in self.game.roles else RANDOM
        self.roles = self.game.roles if certain else (*self.game.roles, chance_name)
        self._moves: list[Any] = [None]
        self._numbers: dict[Any, int] = {}
        self._problems: OrderedDict[Any, Problem] = OrderedDict()

    def start(self) -> Any:
        """Where play begins."""
        position = self.game.start()
        if self.problem is not None:
            self._remember(position, self.problem)
        return position

    def over(self, position: Any) -> bool:
        """Whether play has ended."""
        return self.game.result(position) is not None

    def legal(self, position: Any, role: int) -> list[int]:
        """The moves of a role, in the order of the game; to pass where another role moves."""
        turn = self.game.turn(position)
        if role == self.chance:
            return self._outcomes(position) if turn == CHANCE else [NOOP]
        name = self.game.roles[role]
        if isinstance(turn, tuple):
            return [self.number_of(move) for move in self.game.moves_of(position, name)] if name in turn else [NOOP]
        return [self.number_of(move) for move in self.game.moves(position)] if name == turn else [NOOP]

    def play(self, position: Any, joint: Sequence[int]) -> Any:
        """The position after a legal move of each role."""
        turn = self.game.turn(position)
        if isinstance(turn, tuple):
            chosen = tuple(self._moves[joint[self.game.roles.index(name)]] for name in turn)
            return self.game.play(position, chosen)
        mover = self.chance if turn == CHANCE else self.game.roles.index(turn)
        if mover is None:
            raise GameError("chance moves, although no position of the native twin leaves anything to chance")
        move = self._moves[joint[mover]]
        after = self.game.play(position, move)
        if (problem := self._problems.get(position)) is not None and after not in self._problems:
            ways = [way for way, _ in self.game.chances(position)] if turn == CHANCE else self.game.moves(position)
            native = problem.native.after(list(ways).index(move))
            self._remember(after, replace(problem, native=native, start=after))
        return after

    def score(self, position: Any, role: int) -> Fraction:
        """What a role has at the end, from 0 to 1."""
        result = self.game.result(position)
        if result is None:
            raise GameError("play has not ended here, so nobody has a score")
        low, high = self.score_range
        score = Fraction(result[role])
        if not low <= score <= high:
            raise GameError(f"{self.game.roles[role]} has the score {score}, expected one from {low} to {high}")
        return (score - low) / (high - low) if low < high else Fraction(1, 2)

    def move_text(self, move: int) -> str:
        """The move as the game writes it."""
        return "noop" if move == NOOP else self.game.move_text(self._moves[move])

    @cached_property
    def score_range(self) -> tuple[Fraction, Fraction]:
        """The lowest and the highest score of any role.

        >>> from zermelo.games import make_game
        >>> GameModel(make_game("nim:3,4")).score_range
        (Fraction(-1, 1), Fraction(1, 1))
        """
        if self.problem is None:
            return Fraction(-1), Fraction(1)
        if self.problem.graph is not None:
            results = self.problem.graph.results.values()
            scores = [Fraction(score) for result in results for score in result]
        else:
            scores = [Fraction(self.problem.native.worst), Fraction(self.problem.native.best)]
            scores += [self.problem.total - score for score in scores if len(self.seats) == 2]
        return (min(scores), max(scores)) if scores else (Fraction(0), Fraction(0))

    def problem_at(self, position: Any) -> Problem | None:
        """The position made ready for the search kernels, if it was reached by :meth:`play` and they take the game.

        They take those of the library that have a native twin, and others that are small enough to be written out.

        >>> from zermelo.games import make_game
        >>> model = GameModel(make_game("nim:1,2"))
        >>> model.problem_at(model.start()).native.move_count
        3
        """
        return self._problems.get(position)

    def number_of(self, move: Any) -> int:
        """The number of a move of the game.

        >>> from zermelo.games import make_game
        >>> model = GameModel(make_game("nim:2"))
        >>> [model.number_of(move) for move in model.game.moves(model.start())] == model.legal(model.start(), 0)
        True
        """
        number = self._numbers.setdefault(move, len(self._moves))
        if number == len(self._moves):
            self._moves.append(move)
        return number

    def _outcomes(self, position: Any) -> list[int]:
        chances = [(outcome, Fraction(chance)) for outcome, chance in self.game.chances(position)]
        common = lcm(*(chance.denominator for _, chance in chances))
        if common > MOST_OUTCOMES:
            raise GameError(f"chances with the common denominator {common}, expected at most {MOST_OUTCOMES}")
        return [number for move, chance in chances for number in [self.number_of(move)] * int(chance * common)]

    def _remember(self, position: Any, problem: Problem) -> None:
        self._problems[position] = problem
        self._problems.move_to_end(position)
        if len(self._problems) > HANDLES:
            self._problems.popitem(last=False)


def _problem(game: Game) -> Problem | None:
    """The game made ready for the search kernels; ``None`` if it is too large to write out, or has moves at once."""
    try:
        return problem_of(game, Limits(GRAPH_SECONDS, nodes=GRAPH_POSITIONS))
    except (LimitReachedError, NotApplicableError):
        return None
