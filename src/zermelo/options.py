"""What can be asked of a run beyond its limits."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final

from zermelo.brief import cut, shown_in_brief
from zermelo.errors import InputError
from zermelo.limits import Limits

ASKED = ("outcome", "value", "thermograph", "move")
"""What can be asked of a game that has a value."""
TIES: Final = ("first", "best-for-others", "worst-for-others")
"""Which of several moves that are best for the mover is taken: the first; the one with which the other roles get most
in all; the one with which they get least. Of moves that are equal in that too, the first."""


@dataclass(frozen=True)
class Options:
    """What can be asked of a run beyond its limits.

    >>> Options(seed=-1)
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: seed -1 is not in 0..18446744073709551615
    """

    depth: int | None = None
    simulations: int | None = None
    seed: int = 1
    symmetry: bool = True
    ties: str = "first"  # which of several moves that are best for a role is taken, where others care
    encoding: str | None = None  # how a game is stated to engines of another kind, by name
    certify: bool = True
    verify: bool = True
    move_values: bool = True
    ask: str | None = None  # of a game with a value: outcome, value, thermograph or move; else what is quickly found
    table: Path | None = None  # a file with values of regions of boards: read before, and written when there are more
    guess: bool = True  # a move and an estimate where a run ends without an answer
    brief: bool = False  # leave out of strategies what images and closing rules say
    parts: int = 1  # of a strategy, each in a file of its own
    checkpoint: Path | None = None  # a folder that keeps parts which are ready
    more_proof_seconds: float = 0.0  # beyond the time limit of the search, within that of the run
    proof_seconds: float | None = 60.0  # for writing the strategy down and for checking it, where no time limit is set

    _repr_html_ = shown_in_brief

    def __post_init__(self) -> None:
        whole_numbers = (
            ("depth", 1, (1 << 31) - 1),
            ("simulations", 1, (1 << 64) - 1),
            ("seed", 0, (1 << 64) - 1),
            ("parts", 1, 9999),
        )
        for name, least, most in whole_numbers:
            number = getattr(self, name)
            if number is not None and not (isinstance(number, int) and least <= number <= most):
                raise InputError(f"{name} {number} is not in {least}..{most}")
        if self.ask is not None and self.ask not in ASKED:
            raise InputError(f"unknown question {self.ask!r}, expected one of {', '.join(ASKED)}")
        if self.ties not in TIES:
            raise InputError(f"ties {self.ties!r} is none of {', '.join(TIES)}")

    def __repr__(self) -> str:
        changed = (each for each in fields(self) if getattr(self, each.name) != each.default)
        return cut(f"Options({', '.join(f'{each.name}={getattr(self, each.name)!r}' for each in changed)})")

    def proof_limits(self, limits: Limits) -> Limits:
        """The limits of writing a strategy down, and of checking it: some are far larger than their search.

        >>> Options(proof_seconds=5).proof_limits(Limits()).seconds, Options().proof_limits(Limits(seconds=1)).seconds
        (5, 1)
        """
        if limits.seconds is not None:
            more = self.more_proof_seconds
            return replace(limits, seconds=limits.seconds + more) if more else limits
        if self.proof_seconds is None:
            return limits
        return replace(limits, seconds=self.proof_seconds).restarted()
