"""What one role can enforce in a program, as a graph of steps that can be checked one by one.

A proof belongs to one role, its owner. Its nodes are listed with what they lead to first, so the last one is the root.
Each node says at which variable (number in the prefix) it begins, and it holds in every situation in which the rows
have enough slack left; how much slack that is follows from the nodes below, so nothing of it is written down
(:mod:`zermelo.check.program` computes it, row by row: the weakest precondition of Dijkstra).

A variable that lies between a node's begin and its follower's, and that the node does not speak of, may take any value
within its bounds, whoever sets it.

* :class:`Choose`: the owner's next variables get values.
* :class:`Branch`: the other role's variable ``at`` has been set; each case leads on. Cases are intervals that cover
  all values. Where all later existential variables are continuous and no row of the uncertainty holds the variable, the
  two ends are enough in a proof of ``exists`` (Lorenz, Martin and Wolf, Polyhedral and algorithmic properties of
  quantified linear programs, 2010). A case of ``exists`` may say instead that ``forall`` breaks a row of his own.
* :class:`Refute`, in proofs of ``forall`` only: the rows that are left contradict each other, shown by multipliers
  (Farkas' lemma). Several scenarios may be combined: lines of play of ``forall`` against which the existential
  variables are the same as long as the lines are the same.
* ``END`` as a follower, in proofs of ``exists`` only: nothing is left to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from zermelo.brief import counted, introduced
from zermelo.qip.programs.program import Quantifier

END = -1
"""In place of a node: whatever variables are left may take any value, and all rows hold."""


@dataclass(frozen=True, slots=True)
class Choose:
    """The owner's next ``len(values)`` variables at or after ``at`` get these values; go on at node ``then``."""

    at: int
    values: tuple[Fraction | int, ...]
    then: int


@dataclass(frozen=True, slots=True)
class Case:
    """Values from ``lower`` to ``upper``: go on at node ``then``, or ``forall`` breaks row ``breaks`` of his own."""

    lower: Fraction | int
    upper: Fraction | int
    then: int = END
    breaks: int | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """The other role has set variable ``at``."""

    at: int
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Scenario:
    """``forall`` sets his next variables to ``choices``; the rows (numbers in the normal form) times their multipliers
    are added up. Row 0 is the objective."""

    choices: tuple[Fraction | int, ...]
    multipliers: Mapping[int, Fraction | int]


@dataclass(frozen=True, slots=True)
class Refute:
    """From variable ``at`` on, the sum over all scenarios leaves no slack."""

    at: int
    scenarios: tuple[Scenario, ...]


Node = Choose | Branch | Refute


@dataclass(frozen=True)
class Proof:
    """What ``owner`` enforces, and how: ``exists`` that the objective is no worse than ``value``; ``forall`` that it is
    no better, or, where ``value`` is ``None``, that the rows cannot be kept.

    >>> proof = Proof("exists", Fraction(3), (Choose(0, (3,), END),))
    >>> proof.root
    0
    """

    owner: Quantifier
    value: Fraction | None
    nodes: tuple[Node, ...]

    def __repr__(self) -> str:
        return introduced(
            self,
            self.owner,
            "cannot be kept" if self.value is None else f"value {self.value}",
            counted(len(self.nodes), "node"),
        )

    @property
    def root(self) -> int:
        """The number of the root; ``END`` where nothing needs to be said."""
        return len(self.nodes) - 1
