"""A game under way: whose turn it is, what was played, how it ended. Knows no terminal and no engine."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from zermelo.certificate import score_text
from zermelo.errors import IllegalMoveError
from zermelo.game import CHANCE, Game, Role, Score
from zermelo.user_game import well_behaved

REPETITIONS = 3
"""So often may a position come up before play counts as endless."""


@dataclass(frozen=True)
class Ending:
    """How a game ended, in words and, unless somebody resigned or left, in scores."""

    words: str
    scores: tuple[Score, ...] | None = None


class Session:
    """One game from its start to its end.

    >>> from zermelo.games import make_game
    >>> session = Session(make_game("nim:1,2"))
    >>> session.play((1, 1)); session.play((0, 1)); session.play((1, 1))
    >>> session.ending.words
    'first wins.'
    """

    def __init__(self, game: Game, seed: int = 1) -> None:
        self.game = well_behaved(game)
        self.random = random.Random(seed)
        self._positions: list[Any] = [self.game.start()]
        self._moves: list[Any] = []
        self._movers: list[tuple[Role, ...]] = []
        self._seen = Counter(self._positions)
        self._resigned: Ending | None = None

    @property
    def position(self) -> Any:
        """Where play stands."""
        return self._positions[-1]

    @property
    def before(self) -> Any:
        """Where play stood before the last move; ``None`` at the start."""
        return self._positions[-2] if self._moves else None

    @property
    def line(self) -> tuple[Any, ...]:
        """What was played, outcomes of chance included."""
        return tuple(self._moves)

    @property
    def last(self) -> tuple[tuple[Role, ...], Any] | None:
        """Who moved last, and how."""
        return (self._movers[-1], self._moves[-1]) if self._moves else None

    @property
    def to_move(self) -> tuple[Role, ...]:
        """Who moves next: one role, ``CHANCE``, several roles at once; nobody once the game is over."""
        if self.ending is not None:
            return ()
        turn = self.game.turn(self.position)
        return turn if isinstance(turn, tuple) else (turn,)

    @property
    def ending(self) -> Ending | None:
        """How the game ended; ``None`` while it goes on."""
        if self._resigned is not None:
            return self._resigned
        scores = self.game.result(self.position)
        if scores is not None:
            return Ending(result_words(self.game, scores), scores)
        if self._seen[self.position] >= REPETITIONS or len(self._moves) >= self.game.longest:
            endless = self.game.endless or (0,) * len(self.game.roles)
            why = "The same position for the third time: play without end. "
            return Ending(why + result_words(self.game, endless), endless)
        return None

    def legal(self, role: Role) -> list[Any]:
        """The moves of a role whose turn it is."""
        turn = self.game.turn(self.position)
        return list(
            self.game.moves_of(self.position, role) if isinstance(turn, tuple) else self.game.moves(self.position)
        )

    def parse(self, role: Role, text: str) -> Any:
        """The legal move that a role writes so."""
        if isinstance(self.game.turn(self.position), str):
            return self.game.parse_move(self.position, text)
        wanted = text.strip().lower()
        for move in self.legal(role):
            if self.game.move_text(move).lower() == wanted:
                return move
        raise IllegalMoveError(f"{text.strip()!r} is not a legal move here")

    def play(self, move: Any) -> None:
        """Plays a move: a tuple of moves where several roles move at once."""
        movers = self.to_move
        if not movers:
            raise IllegalMoveError("the game is over")
        if len(movers) > 1:
            legal = len(move) == len(movers) and all(m in self.legal(r) for m, r in zip(move, movers, strict=True))
        elif movers == (CHANCE,):
            legal = any(move == outcome for outcome, _ in self.game.chances(self.position))
        else:
            legal = move in self.legal(movers[0])
        if not legal:
            raise IllegalMoveError(f"{self.game.move_text(move)} is not a legal move here")
        position = self.game.play(self.position, move)
        self._positions.append(position)
        self._moves.append(move)
        self._movers.append(movers)
        self._seen[position] += 1

    def roll(self) -> Any:
        """Lets chance move and returns the outcome, drawn with its probability from the session's seed."""
        chances = self.game.chances(self.position)
        # Exact: a uniform whole number below the common denominator, not a float.
        denominator = math.lcm(*(weight.denominator for _, weight in chances))
        ticket = self.random.randrange(denominator)
        for outcome, weight in chances:
            ticket -= int(weight * denominator)
            if ticket < 0:
                self.play(outcome)
                return outcome
        raise AssertionError("the probabilities add up to one")

    def take_back(self, roles: Collection[Role]) -> bool:
        """Goes back to the latest turn of one of these roles; ``False`` if there was none."""
        for ply in range(len(self._moves) - 1, -1, -1):
            if not set(self._movers[ply]).isdisjoint(roles):
                self._resigned = None
                self._seen.subtract(self._positions[ply + 1 :])
                del self._positions[ply + 1 :], self._moves[ply:], self._movers[ply:]
                return True
        return False

    def resign(self, role: Role) -> None:
        """Ends the game: one of two roles that resigns loses it."""
        others = [other for other in self.game.roles if other != role]
        if len(others) == 1:
            self._resigned = Ending(f"{role} resigns: {others[0]} wins.")
        else:
            self._resigned = Ending(f"{role} {'gives up' if not others else 'resigns'}.")


def result_words(game: Game, scores: tuple[Score, ...]) -> str:
    """A result in words, with the scores where they say more than who won.

    >>> from zermelo.games import make_game
    >>> nim = make_game("nim:1")
    >>> result_words(nim, (1, -1)), result_words(nim, (0, 0)), result_words(nim, (3, 5))
    ('first wins.', 'A draw.', 'second wins, 5 to 3.')
    """
    roles = game.roles
    if len(roles) == 1:
        return f"{'Solved' if scores[0] > 0 else 'Not solved'}: the score is {score_text(scores[0])}."
    if (verdict := game.verdict(scores[0])) is not None:
        return f"{verdict[1].capitalize()}."
    best = max(scores)
    winners = [role for role, score in zip(roles, scores, strict=True) if score == best]
    if len(roles) == 2:
        plain = set(scores) <= {-1, 0, 1} and sum(scores) == 0
        if len(winners) == 2:
            return "A draw." if plain else f"A draw, {score_text(best)} each."
        return (
            f"{winners[0]} wins." if plain else f"{winners[0]} wins, {score_text(best)} to {score_text(min(scores))}."
        )
    shown = ", ".join(f"{role} {score_text(score)}" for role, score in zip(roles, scores, strict=True))
    if len(winners) == len(roles):
        return f"A draw: {shown}."
    return f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'share the win'}: {shown}."
