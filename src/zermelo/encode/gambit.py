"""Games written as Gambit's files: the tree of every line of play (``.efg``), or one table (``.nfg``).

Where several roles move at once, they move one after the other in the tree, and each of them has one information set
for all that the others may have chosen. Positions that several lines reach are written once for each line.

>>> from zermelo.games import make_game
>>> print(extensive_text(make_game("nim:1"), Limits()), end="")
EFG 2 R "nim:1" { "first" "second" }
p "" 1 1 "" { "0,1" } 0
t "" 1 "" { 1, -1 }
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from zermelo.certificate import score_text
from zermelo.errors import InputError, LimitReachedError
from zermelo.game import CHANCE, Game
from zermelo.limits import Limits

MOST_NODES: Final = 5_000_000
"""Larger trees are not written: nobody reads them."""


@dataclass
class _Tree:
    """A tree that is being written, with numbers for its information sets and outcomes."""

    game: Game
    limits: Limits
    sets: dict[str, int] = field(default_factory=dict)
    """The information sets of each role so far."""
    outcomes: dict[tuple[Any, ...], int] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        waiting: list[tuple[Any, tuple[str, ...], tuple[Any, ...], dict[str, int]]] = [(self.game.start(), (), (), {})]
        count = 0
        while waiting:
            position, left, chosen, sets = waiting.pop()
            count += 1
            if count > MOST_NODES:
                raise LimitReachedError(f"the tree has more than {MOST_NODES:,} nodes")
            if count % 256 == 0 and self.limits.expired():
                raise LimitReachedError("the time limit was reached while the tree was written")
            if not left and (scores := self.game.result(position)) is not None:
                yield self.end(scores)
                continue
            turn = self.game.turn(position)
            if turn == CHANCE:
                outcomes = self.game.chances(position)
                names = " ".join(f"{_quoted(self.game.move_text(move))} {score_text(c)}" for move, c in outcomes)
                yield f'c "" {self.number(CHANCE)} "" {{ {names} }} 0'
                waiting += [(self.game.play(position, move), (), (), {}) for move, _ in reversed(outcomes)]
            elif isinstance(turn, tuple):
                left = left or turn
                sets = sets or {role: self.number(role) for role in turn}
                moves = self.game.moves_of(position, left[0])
                yield self.decision(left[0], sets[left[0]], moves)
                for move in reversed(moves):
                    joint = (*chosen, move)
                    after = left[1:]
                    waiting.append(
                        (position, after, joint, sets) if after else (self.game.play(position, joint), (), (), {})
                    )
            else:
                moves = self.game.moves(position)
                yield self.decision(turn, self.number(turn), moves)
                waiting += [(self.game.play(position, move), (), (), {}) for move in reversed(moves)]

    def number(self, role: str) -> int:
        """The number of a new information set of a role."""
        self.sets[role] = self.sets.get(role, 0) + 1
        return self.sets[role]

    def decision(self, role: str, number: int, moves: Sequence[Any]) -> str:
        names = " ".join(_quoted(self.game.move_text(move)) for move in moves)
        return f'p "" {self.game.roles.index(role) + 1} {number} "" {{ {names} }} 0'

    def end(self, scores: tuple[Any, ...]) -> str:
        number = self.outcomes.setdefault(scores, len(self.outcomes) + 1)
        return f't "" {number} "" {{ {", ".join(map(score_text, scores))} }}'


def extensive_text(game: Game, limits: Limits, name: str = "") -> str:
    """The tree of the game as an ``.efg`` file."""
    _need_open(game)
    return "\n".join([_head("EFG 2", game, name), *_Tree(game, limits).lines()]) + "\n"


def strategic_text(game: Game, name: str = "") -> str:
    """The table of a game in which everybody moves once, and all at once, as an ``.nfg`` file.

    >>> from zermelo.games import make_game
    >>> strategic_text(make_game("nim:1"))
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: not a game of one move of everybody at once, expected one for a table
    """
    _need_open(game)
    start = game.start()
    turn = () if game.result(start) is not None else game.turn(start)
    if turn != game.roles:
        raise InputError("not a game of one move of everybody at once, expected one for a table")
    choices = [game.moves_of(start, role) for role in game.roles]
    rows = []
    for backwards in product(*reversed(choices)):
        scores = game.result(game.play(start, backwards[::-1]))
        if scores is None:
            raise InputError("play goes on after the first move, expected a game of one move for a table")
        rows.append(" ".join(map(score_text, scores)))
    names = " ".join(f"{{ {' '.join(_quoted(game.move_text(move)) for move in moves)} }}" for moves in choices)
    return "\n".join([_head("NFG 1", game, name), f"{{ {names} }}", "", *rows]) + "\n"


def _need_open(game: Game) -> None:
    if game.hidden_information:
        raise InputError("some role does not see everything: such a game is not written as a tree")


def _head(kind: str, game: Game, name: str) -> str:
    return f"{kind} R {_quoted(name or game.title or type(game).__name__)} {{ {' '.join(map(_quoted, game.roles))} }}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
