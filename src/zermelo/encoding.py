"""Encodings: arrows from one kind of game to another, with a way back.

An encoding lets engines of another kind answer about a game: it states the game in their terms, asks, and brings
answer, strategy and proof back to the terms of the game that was asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from zermelo.answer import Answer
from zermelo.engine import Task, takes
from zermelo.game import Game

Ask = Callable[[Game, Task], Answer]
"""Who is asked about a game that an encoding has made: engines, or another encoding and engines behind it."""


@dataclass(frozen=True)
class Encoding:
    """An arrow between two kinds.

    ``answer`` is given the names of engines that take the kind ``target``, the game and the task; what it returns
    speaks of the game. ``source`` is empty where whatever can be played move by move can be encoded. ``through`` is
    the same where another encoding follows: it is given who is to be asked in the place of engines by name.
    ``never`` has engines of the target's kind that take nothing that is made here, with the reason.
    """

    name: str
    summary: str
    target: str
    answer: Callable[[Sequence[str], Game, Task], Answer] = field(repr=False)
    source: tuple[str, ...] = ()
    why_not: Callable[[Game], str | None] = field(default=takes, repr=False)
    through: Callable[[Ask, Game, Task], Answer] | None = field(default=None, repr=False)
    never: Mapping[str, str] = field(default_factory=dict, repr=False)
