"""A game as a program, and how plays of the program are read as plays of the game.

The first role of the game is ``exists``, the second ``forall``, whoever moves first. Only moves are chosen: all other
variables are existential and follow from the moves by the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

from zermelo.certificate import score_text
from zermelo.encode.qbf.playback import Played
from zermelo.errors import DisagreementError
from zermelo.game import Game, Score
from zermelo.limits import Limits
from zermelo.qip.programs.packed import whole_factor
from zermelo.qip.programs.program import Program, bounds_of
from zermelo.qip.proofs.derivation import Derivation
from zermelo.qip.proofs.proof import Proof


class ProgramChoice(Protocol):
    """What one role chooses in one ply: variables of the program, and how their values are read as moves."""

    @property
    def places(self) -> Sequence[int]:
        """The numbers of the variables."""

    def move(self, game: Game, position: Any, values: Sequence[int]) -> Any:
        """The legal move that a play of the program says; ``None`` where it says none."""

    def values(self, game: Game, position: Any, move: Any) -> Mapping[int, int]:
        """Values by number that say a move; a move of ``None`` is the only one of a role that is not to move."""


class Meaning(Protocol):
    """What the values of a program say of the game."""

    def score(self, value: Fraction | None) -> Score | None:
        """The first role's score for a value, ``None`` of which is infeasible; ``None`` if it says nothing."""


@dataclass(frozen=True)
class EncodedProgram:
    """A program, for each ply the choice of each role, if it has one, and what the value means.

    >>> from zermelo.qip.programs.program import Row, Variable, terms
    >>> rows = (Row(terms({0: 1, 1: 1}), "=", Fraction(1)),)
    >>> EncodedProgram(Program((Variable("x"), Variable("g")), rows), (), AnyScore((0,))).settled(1, [1])
    0
    """

    program: Program
    plies: tuple[tuple[ProgramChoice | None, ProgramChoice | None], ...]
    meaning: Meaning

    @cached_property
    def chosen(self) -> frozenset[int]:
        """The variables that are chosen; all others follow from them."""
        return frozenset(
            place for choices in self.plies for choice in choices if choice is not None for place in choice.places
        )

    @cached_property
    def _settling(self) -> list[list[tuple[list[tuple[int, int]], int]]]:
        """For each variable the rows, as upper bounds in whole numbers, of which it is the last."""
        made: list[list[tuple[list[tuple[int, int]], int]]] = [[] for _ in self.program.variables]
        for row in self.program.rows:
            for bound in bounds_of(row):
                if bound.terms:
                    factor = whole_factor(bound, with_right=False)
                    whole = [(variable, int(c * factor)) for variable, c in bound.terms]
                    made[whole[-1][0]].append((whole, int(bound.right * factor // 1)))
        return made

    def settled(self, number: int, values: Sequence[int]) -> int:
        """The value of a variable that follows from those before it: the one with which all its rows hold."""
        variable = self.program.variables[number]
        for value in range(int(variable.lower or 0), int(variable.upper or 0) + 1):
            made = (*values, value)
            if all(sum(c * made[v] for v, c in row) <= right for row, right in self._settling[number]):
                return value
        raise DisagreementError(f"no value of {variable.name} keeps the rows")

    @property
    def sizes(self) -> dict[str, int]:
        """How large the program is."""
        return {
            "variables": len(self.program.variables),
            "blocks": len(self.program.blocks),
            "rows": len(self.program.rows),
        }


@dataclass(frozen=True)
class AnyScore:
    """Two scores at the most: the program is feasible exactly if the first role gets the highest."""

    scores: tuple[Score, ...]

    def __str__(self) -> str:
        return f"feasible exactly if exists gets {score_text(self.scores[-1])}"

    def score(self, value: Fraction | None) -> Score | None:
        """The highest, or the lowest where the program is infeasible; nothing where there is only one."""
        if value is not None:
            return self.scores[-1]
        return self.scores[0] if len(self.scores) > 1 else None


@dataclass(frozen=True)
class OwnScore:
    """The objective is the first role's score."""

    def __str__(self) -> str:
        return "the value is the score of exists"

    def score(self, value: Fraction | None) -> Score | None:
        """The value itself."""
        return value.numerator if value is not None and value.denominator == 1 else value


class ProgramEncoder(Protocol):
    """A game from its start on, ready to be turned into programs; see :class:`zermelo.encode.qbf.Encoder`.

    Where it does not ``grow``, one program of the whole length says all there is to say.
    """

    game: Game
    play: Game
    encoding: str
    length: int
    exact: bool
    grows: bool
    scores: tuple[Score, ...]
    total: Score

    def encode(self, plies: int, *, unfinished: bool = False) -> EncodedProgram:
        """The game up to so many plies; a line that is not over by then counts as the lowest score.

        With ``unfinished`` it counts as the highest.
        """

    def played(self, encoded: EncodedProgram, proof: Proof | Derivation, limits: Limits) -> Played:
        """What the owner of a proof plays in every position that it can meet."""
