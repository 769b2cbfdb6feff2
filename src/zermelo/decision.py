"""Decisions: what a player answers, and who may be asked.

There is one kind of player. It is asked in a position under a clock and answers with a decision: in matches and
tournaments, at the terminal, and over the protocol of general game playing. What a position is depends on who asks: in
a match it is one of the forward model; at the terminal, where moves may be taken back and proofs are about lines of
play, it is the line so far; where moves are hidden it is what the player believes.

>>> Decision("b2", "proved: a draw", proved=True).move
'b2'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from zermelo.game import Role, Score

SAFETY = 0.02
"""The part of a real clock that is kept back, so that a move is never late."""


@dataclass(frozen=True)
class Clock:
    """What a player may spend on a move: seconds, or simulations where play has to be the same on every machine.

    With ``processor`` the seconds are those of the processor, of all threads together; the referee of a match then says
    how long that is by the clock.

    >>> Clock(seconds=1.5), str(Clock(simulations=1000)), str(Clock(0.25, processor=True))
    (Clock(seconds=1.5, simulations=None), '1000sims', 'cpu:0.25s')
    """

    seconds: float | None = None
    simulations: int | None = None
    processor: bool = field(default=False, repr=False)

    def __str__(self) -> str:
        if self.seconds is None:
            return f"{self.simulations}sims"
        return f"{'cpu:' * self.processor}{self.seconds:g}s"

    @property
    def usable_seconds(self) -> float | None:
        """The seconds without the margin of safety."""
        return None if self.seconds is None else self.seconds * (1 - SAFETY)


@dataclass(frozen=True)
class Decision:
    """A move and what it rests on, in words and figures.

    ``value`` is what the player expects for its own seat, from 0 to 1; it is certain where ``proved``. ``score`` is the
    first role's proved score, in the game's own numbers, where that is known.
    """

    move: Any
    reason: str = ""
    simulations: int = 0
    nodes: int = 0
    seconds: float = 0.0
    value: float | None = None
    proved: bool = False
    score: Score | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@runtime_checkable
class Player(Protocol):
    """Chooses moves. It is asked about the positions of one game, in their order unless moves are taken back."""

    def choose(self, position: Any, clock: Clock, /) -> Decision:
        """The move to play."""


@dataclass(frozen=True)
class Advice:
    """What is known of a position: a best move, the proved value, and the proved value after each move."""

    move: Any
    value: Score | None = None
    move_values: dict[Any, Score | None] = field(default_factory=dict)
    reason: str = ""
    words: Mapping[Any, str] = field(default_factory=dict)
    """What each move leads to in words, where the first role's score does not say it."""


class Adviser(Player, Protocol):
    """A player who sits at the table with people: plays any role, after any line of play, and gives advice."""

    def choose(self, line: Sequence[Any], clock: Clock | None = None, /, *, role: Role | None = None) -> Decision:
        """The move to play after a line; ``role`` says for whom, where several roles move at once.

        Without a clock the limits count that the player was made with.
        """

    def advise(self, line: Sequence[Any]) -> Advice:
        """The best move for the role to move and, as far as the limits allow, the value of every move."""

    def outcome(self, value: Score) -> str:
        """What a proved value means, in words."""
