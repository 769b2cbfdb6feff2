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
from zermelo.errors import InputError, LimitReachedError
from zermelo.game import Game, GameClass, taken_as
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.progress import Watch, no_watch

Tell = Callable[[Answer], None]
"""Who is told what is proved, before anybody explains or certifies it."""


def nobody(answer: Answer) -> None:
    """Is told, and does nothing."""
    del answer


@dataclass(frozen=True)
class Task:
    """What an engine is asked for: within which limits, with which options, who watches; ``target`` is for messages.

    An engine that goes on after its proof, for a certificate or for the values of other moves, has told ``proved`` the
    value before that, and a best move if it has one.
    """

    limits: Limits = field(default_factory=Limits)
    options: Options = field(default_factory=Options)
    target: str = ""
    watch: Watch = no_watch
    proved: Tell = nobody
    shared: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """What engines that are asked about one game may leave for each other, as the game explored."""

    __repr__ = fields_in_brief


def takes(game: Game) -> str | None:
    """The answer of an engine that takes every game of its kinds: there is no reason against it."""
    del game
    return None


Run = Callable[[Sequence[str], Game, Task], Answer]
"""How engines run: the names that stand together in ``a+b``, the game, and what is asked for."""


def to_its_end(wanted: type[GameClass], noun: str, solve: Callable[[GameClass, Sequence[str], Task], Answer]) -> Run:
    """How engines run that solve games of one class, named by a noun, to their end: they take no depth."""

    def run(names: Sequence[str], game: Game, task: Task) -> Answer:
        if task.options.depth is not None:
            raise InputError(f"{'+'.join(names)} takes no depth: {noun} is solved to its end")
        return solve(taken_as(wanted, game), names, task)

    return run


def or_stopped(solve: Callable[[], Answer], stopped: Callable[[str, str], Answer]) -> Answer:
    """The answer; at a limit, without memory or after Ctrl-C what ``stopped`` makes of the reason and its cause.

    >>> def solve():
    ...     raise MemoryError
    >>> or_stopped(solve, lambda note, cause: Answer("mine", "unknown", note=note, stopped_by=cause)).note
    'out of memory'
    """
    try:
        return solve()
    except LimitReachedError as error:
        return stopped(str(error), "limit")
    except MemoryError:
        return stopped("out of memory", "memory")
    except KeyboardInterrupt:
        return stopped("interrupted", "interrupt")


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
    run: Run = field(repr=False)
    kinds: tuple[str, ...] = ()
    reference: str = ""
    complexity: str = ""
    proves: str = "the value, by claims that are checked"
    portfolio: bool = False
    """Whether it only chooses among other engines of the table: then ``all`` need not ask it too."""
    why_not: Callable[[Game], str | None] = field(default=takes, repr=False)

    __repr__ = fields_in_brief
