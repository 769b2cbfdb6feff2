"""Engines: whoever turns a game into an answer.

An engine says which kinds of games it takes, or why it does not take one; it runs under limits and returns an
:class:`~zermelo.answer.Answer`. Engines of one room may run side by side: ``a+b`` names both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.answer import Answer
from zermelo.brief import fields_in_brief
from zermelo.game import Game
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.progress import Watch, no_watch


@dataclass(frozen=True)
class Task:
    """What an engine is asked for: within which limits, with which options, who watches; ``target`` is for messages."""

    limits: Limits = field(default_factory=Limits)
    options: Options = field(default_factory=Options)
    target: str = ""
    watch: Watch = no_watch
    shared: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """What engines that are asked about one game may leave for each other, as the game explored."""

    __repr__ = fields_in_brief


def takes(game: Game) -> str | None:
    """The answer of an engine that takes every game of its kinds: there is no reason against it."""
    del game
    return None


@dataclass(frozen=True)
class Engine:
    """An engine: its name, which kinds it takes, what it does, where it comes from, how it runs.

    ``kinds`` are names of :mod:`kinds <zermelo.kind>`; empty for an engine that takes whatever can be played move by
    move. ``why_not`` has the reason why it does not take a game of its kinds. ``run`` is given the names that stand
    together in ``a+b``, all of this engine's ``room``; for one engine alone that is its own name.
    """

    name: str
    summary: str
    room: str
    run: Callable[[Sequence[str], Game, Task], Answer] = field(repr=False)
    kinds: tuple[str, ...] = ()
    reference: str = ""
    complexity: str = ""
    proves: str = "the value, by claims that are checked"
    portfolio: bool = False
    """Whether it only chooses among other engines of the table: then ``all`` need not ask it too."""
    why_not: Callable[[Game], str | None] = field(default=takes, repr=False)

    __repr__ = fields_in_brief
