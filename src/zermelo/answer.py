"""Answers: what an engine says of a game, before anybody has certified or checked it.

An engine makes no solution and calls no checker. It returns an :class:`Answer`; the pipeline
(:mod:`zermelo.solving`) has its claims checked and makes a :class:`~zermelo.solution.Solution` of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from zermelo.brief import fields_in_brief
from zermelo.certificate import Claim
from zermelo.game import Game, Role, Score

Status = Literal["solved", "bounded", "unknown"]


class Details(Protocol):
    """What only answers about one kind of game have, such as the assignment of a formula."""

    def to_json(self) -> Mapping[str, Any]:
        """The fields that it adds to the object that ``zermelo solve --json`` prints."""


@runtime_checkable
class ToldInRows(Protocol):
    """Details that have lines of their own in a report, each with a name and a text."""

    def rows(self) -> list[tuple[str, str]]:
        """The lines."""


@dataclass(frozen=True)
class Answer:
    """What an engine says of a game.

    ``value`` and ``bounds`` are the first role's score. Of an answer that is not ``solved``, ``bounds`` are proved,
    ``None`` where nothing better is proved than the rules say; ``move`` and ``estimate`` are a guess.

    >>> Answer("dp", "solved", value=1, bounds=(1, 1), winner="first").winner
    'first'
    """

    engine: str
    status: Status
    value: Score | None = None
    bounds: tuple[Score | None, Score | None] = (None, None)
    winner: Role | None = None
    move: Any = None
    line: Sequence[Any] = ()
    distance: int | None = None
    move_values: Mapping[str, Score | None] = field(default_factory=dict)
    values: Mapping[Role, Score] = field(default_factory=dict)
    """What each role gets, where an engine says more than what the first one does."""
    moves_by_role: Mapping[str, Mapping[Role, Score]] = field(default_factory=dict)
    """The same after each first move."""
    claims: tuple[Claim, ...] = ()
    complete: bool = True
    """Whether the claims together prove the value: half a proof is checked too, and verifies nothing."""
    others: bool = False
    """Whether the claims are those of a program of others: if the checker refutes them, they are dropped."""
    note: str = ""
    stopped_by: str = "none"
    stats: Mapping[str, Any] = field(default_factory=dict)
    details: Details | None = None
    estimate: float | None = None
    """Where nothing is proved: what the first role might get, after ``move`` if the turn is a player's."""
    estimate_from: str = ""
    """What the estimate rests on, or why there is none."""
    reached: str = ""
    """How far a run got that ended without an answer."""
    about: Game | None = field(default=None, repr=False)
    """The game that the claims speak of, where it is another statement of the one that was asked about."""

    __repr__ = fields_in_brief


@dataclass(frozen=True)
class Guess:
    """A legal move of the role to move, how the first role might do after it, and what that rests on, in words."""

    move: Any = None
    estimate: float | None = None
    rests_on: str = ""

    __repr__ = fields_in_brief


def joined(first: str, second: str) -> str:
    """Two notes in one.

    >>> joined("", "a"), joined("a", "b")
    ('a', 'a; b')
    """
    return f"{first}; {second}" if first and second else first or second
