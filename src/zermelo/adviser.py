"""Advisers: whoever sits at the table with a person, chooses moves for any role and says what they rest on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from zermelo.game import Role, Score


@dataclass(frozen=True)
class Choice:
    """A move and what it rests on, in words; ``value`` is the first role's proved score, if there is one."""

    move: Any
    reason: str
    value: Score | None = None


@dataclass(frozen=True)
class Advice:
    """What is known of a position: a best move, the proved value, and the proved value after each move."""

    move: Any
    value: Score | None = None
    move_values: dict[Any, Score | None] = field(default_factory=dict)
    reason: str = ""


class Adviser(Protocol):
    """Chooses moves for any role of one game, after any line of play."""

    def choose(self, line: Sequence[Any], role: Role | None = None) -> Any:
        """The move to play after a line; ``role`` says for whom, where several roles move at once."""

    def consider(self, line: Sequence[Any], role: Role | None = None) -> Choice:
        """The move to play after a line, with its reason."""

    def advise(self, line: Sequence[Any]) -> Advice:
        """The best move for the role to move and, as far as the limits allow, the value of every move."""

    def outcome(self, value: Score) -> str:
        """What a proved value means, in words."""
