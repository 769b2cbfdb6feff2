"""Encodings: arrows from one kind of game to another, with a way back.

An encoding lets engines of another kind answer about a game: it states the game in their terms, asks, and brings
answer, strategy and proof back to the terms of the game that was asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from zermelo.answer import Answer
from zermelo.engine import Task, takes
from zermelo.game import Game


@dataclass(frozen=True)
class Encoding:
    """An arrow between two kinds.

    ``answer`` is given the names of engines that take the kind ``target``, the game and the task; what it returns
    speaks of the game. ``source`` is empty where whatever can be played move by move can be encoded.
    """

    name: str
    summary: str
    target: str
    answer: Callable[[Sequence[str], Game, Task], Answer] = field(repr=False)
    source: tuple[str, ...] = ()
    why_not: Callable[[Game], str | None] = field(default=takes, repr=False)
