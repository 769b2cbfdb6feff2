"""The positions of a rulesheet as a player asks for them, whichever reasoner answers.

>>> from zermelo.gdl.kif import read_kif
>>> from zermelo.gdl.reasoner import Reasoner
>>> sheet = read_kif("(role a) (init p) (legal a go) (<= terminal (not (true p))) (goal a 70)")
>>> positions = PlainPositions(Reasoner(sheet))
>>> after = positions.next(positions.start(), positions.legal(positions.start(), 0))
>>> after, positions.terminal(after), positions.goal(after, 0)
((), True, 70)
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from zermelo.errors import InputError
from zermelo.gdl.ground import GroundReasoner, InterpretedReasoner
from zermelo.gdl.reasoner import Reasoner, State

P = TypeVar("P", bound=Hashable)


class Positions(Protocol[P]):
    """Positions are of any kind that can be told apart; moves and percepts are KIF text, roles are numbers."""

    @property
    def roles(self) -> tuple[str, ...]: ...
    def start(self) -> P: ...
    def terminal(self, state: P) -> bool: ...
    def legal(self, state: P, role: int) -> list[str]: ...
    def next(self, state: P, joint: Sequence[str]) -> P: ...
    def sees(self, state: P, joint: Sequence[str], role: int) -> list[str]: ...
    def goal(self, state: P, role: int) -> int | None: ...


@dataclass(frozen=True)
class PackedPositions:
    """Those of a ground game, packed into bytes as its native side takes them."""

    game: GroundReasoner

    @property
    def roles(self) -> tuple[str, ...]:
        """The names of the roles."""
        return self.game.roles

    def start(self) -> bytes:
        """Where play begins."""
        return self.game.native.start()

    def terminal(self, state: bytes) -> bool:
        """Whether play is over."""
        return self.game.native.terminal(state)

    def legal(self, state: bytes, role: int) -> list[str]:
        """The moves of a role, sorted by their text."""
        return sorted(self.game.moves[move] for move in self.game.native.legal(state, role))

    def next(self, state: bytes, joint: Sequence[str]) -> bytes:
        """After a joint move of legal moves."""
        return self.game.native.next(state, self.game.joint(joint))

    def sees(self, state: bytes, joint: Sequence[str], role: int) -> list[str]:
        """What a role perceives of a step."""
        return [self.game.percepts[percept] for percept in self.game.native.sees(state, self.game.joint(joint), role)]

    def goal(self, state: bytes, role: int) -> int | None:
        """The goal value of a role, if there is just one."""
        values = self.game.native.goals(state, role)
        return values[0] if len(values) == 1 else None


@dataclass(frozen=True)
class PlainPositions:
    """Those of a reasoner that goes from state to state."""

    reasoner: Reasoner | InterpretedReasoner

    @property
    def roles(self) -> tuple[str, ...]:
        """The names of the roles."""
        return self.reasoner.roles

    def start(self) -> State:
        """Where play begins."""
        return self.reasoner.start()

    def terminal(self, state: State) -> bool:
        """Whether play is over."""
        return self.reasoner.terminal(state)

    def legal(self, state: State, role: int) -> list[str]:
        """The moves of a role, sorted by their text."""
        return self.reasoner.legal(state, self.roles[role])

    def next(self, state: State, joint: Sequence[str]) -> State:
        """After a joint move of legal moves."""
        return self.reasoner.next(state, joint)

    def sees(self, state: State, joint: Sequence[str], role: int) -> list[str]:
        """What a role perceives of a step."""
        return self.reasoner.sees(state, joint, self.roles[role])

    def goal(self, state: State, role: int) -> int | None:
        """The goal value of a role, if there is just one and it is a number."""
        values = self.reasoner.goals(state, self.roles[role])
        return int(values[0]) if len(values) == 1 and values[0].removeprefix("-").isdecimal() else None


def meant(text: str, known: Sequence[str]) -> str:
    """The known move that a text means: as it is written, or else in other letters.

    >>> meant("(MARK 1 2)", ["(mark 1 2)", "noop"])
    '(mark 1 2)'
    >>> meant("(mark 3 3)", ["noop"])
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: (mark 3 3) is not a legal move here
    """
    if text in known:
        return text
    found = [move for move in known if move.lower() == text.lower()]
    if len(found) != 1:
        raise InputError(f"{text[:80]} is not a legal move here")
    return found[0]
