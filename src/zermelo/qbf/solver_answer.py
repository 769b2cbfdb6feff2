"""What a solver of formulas says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from zermelo.limits import Limits
from zermelo.progress import Watch
from zermelo.qbf.formula import Formula
from zermelo.qbf.functions import Functions


@dataclass(frozen=True)
class Answer:
    """Whether a formula is true; ``None`` where a limit came first. ``functions`` are the winner's.

    ``cause`` says what stopped the solver, be it while it wrote down the functions of a known answer.
    """

    value: bool | None
    functions: Functions | None = None
    nodes: int = 0
    cause: str = "none"
    stats: Mapping[str, int | float | str] = field(default_factory=dict)


Solver = Callable[[Formula, Limits, Watch], Answer]
"""A technique: takes formulas in normal form (:attr:`Formula.is_normal`), obeys the limits, can be interrupted."""
