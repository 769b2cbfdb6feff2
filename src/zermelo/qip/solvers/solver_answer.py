"""What a solver of programs says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from zermelo.limits import Limits
from zermelo.progress import Watch
from zermelo.qip.programs.program import Program
from zermelo.qip.proofs.derivation import Derivation
from zermelo.qip.proofs.proof import Proof

Status = Literal["optimal", "infeasible", "unknown"]


@dataclass(frozen=True)
class Answer:
    """The value of a program (its own objective, not the normal form's), or why there is none.

    ``exists`` shows that the value can be reached, ``forall`` that it cannot be beaten, or that the program is
    infeasible. ``bounds`` are what is known where a limit came first: the value lies between them; ``None`` is none.
    ``cause`` says what stopped the solver, be it while it wrote down the proof of a known answer.
    """

    status: Status
    value: Fraction | None = None
    bounds: tuple[Fraction | None, Fraction | None] = (None, None)
    exists: Proof | None = None
    forall: Proof | Derivation | None = None
    nodes: int = 0
    cause: str = "none"
    stats: Mapping[str, int | float | str] = field(default_factory=dict)


Solver = Callable[[Program, Limits, Watch], Answer]
"""A technique: obeys the limits, can be interrupted; ``NotApplicableError`` for programs that it does not take."""
