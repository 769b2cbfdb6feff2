"""What a role knows of a formula: a SAT instance that every way of winning must satisfy.

The instance of ``exists`` holds the circuit in one direction (a gate's variable may be true only if its inputs allow
it: Plaisted and Greenbaum 1986) with the output true, that of ``forall`` the dual with the output false. A block is
asked with what the outer blocks have already spoilt as assumptions; all later variables are free, the other role's
too, so that no answer means that the role has lost, and the failed assumptions say why. Refinements are clauses over
nodes: "of these, one must not be spoilt".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import monotonic

import pysolvers
from pysat.solvers import Cadical195

from zermelo.limits import Limits, memory_watch
from zermelo.qbf.cegar_layers import STRIDE, Layers, Node

CONFLICTS = 2000
"""Conflicts after which CaDiCaL gives control back: it cannot be interrupted otherwise."""
LOOKS = 64
"""SAT calls between two looks at the memory."""


class OutOfLimitError(Exception):
    """A limit was reached; its only argument is the cause as :class:`zermelo.qbf.solver_answer.Answer` names it."""


class Meter:
    """Counts SAT calls and stops the run at a limit."""

    def __init__(self, limits: Limits, show: Callable[[int], None]) -> None:
        self.limits, self.show = limits, show
        self.calls = 0
        self.shown = monotonic()
        self.too_large = memory_watch(limits.memory)

    def call(self) -> None:
        """One SAT call more."""
        if self.limits.nodes is not None and self.calls >= self.limits.nodes:
            raise OutOfLimitError("nodes")
        self.calls += 1
        if self.calls % LOOKS == 0:
            self.check()
        else:
            self.look()

    def check(self) -> None:
        """Checks the memory, and what :meth:`look` does."""
        if self.too_large():
            raise OutOfLimitError("memory")
        self.look()

    def look(self) -> None:
        """Checks the time and shows progress."""
        if self.limits.expired():
            raise OutOfLimitError("time")
        now = monotonic()
        if now - self.shown >= 0.25:
            self.shown = now
            self.show(self.calls)


class Abstraction:
    """The SAT instance of one role."""

    def __init__(self, layers: Layers, exists: bool, meter: Meter) -> None:
        self.exists, self.meter = exists, meter
        self.last_variable = len(layers.variables) - 1
        self.solver = Cadical195()
        self.model: Sequence[int] | None = None
        """Of the last call with an answer, while nothing was added since."""
        # Models reach up to the largest variable that was ever named.
        largest = len(layers.inputs) - 1
        self.solver.add_clause((largest, -largest))
        for gate in range(len(layers.variables), len(layers.inputs)):
            if gate % STRIDE == 0:
                meter.check()
            inputs = [self.literal(node) for node in layers.inputs[gate]]
            if bool(layers.conjunctive[gate]) == exists:
                for literal in inputs:
                    self.solver.add_clause((-gate, literal))
            else:
                self.solver.add_clause((-gate, *inputs))
        self.solver.add_clause((self.literal(layers.root),))
        # Gates false unless needed: then a model asks for little and stays good after other replies of the opponent.
        self.solver.set_phases([-gate for gate in range(len(layers.variables), len(layers.inputs))])

    def literal(self, node: Node) -> int:
        """The literal that says "this node is as the role wants it"."""
        return node if self.exists or node > self.last_variable else -node

    def assumption(self, node: Node) -> int:
        """The literal that says "this node is spoilt"."""
        return -node if self.exists or node > self.last_variable else node

    def node(self, assumption: int) -> Node:
        """The node that an assumption is about."""
        return -assumption if self.exists or -assumption > self.last_variable else assumption

    def refine(self, nodes: Iterable[Node]) -> None:
        """From now on one of these nodes must not be spoilt."""
        self.solver.add_clause([self.literal(node) for node in nodes])
        self.model = None

    def solve(self, assumptions: Sequence[int]) -> bool:
        """Whether the role may still win where these nodes are spoilt; if so, there is a model."""
        model = self.model
        if model is not None and all(model[abs(literal) - 1] == literal for literal in assumptions):
            return True
        self.meter.call()
        while True:
            answer = self.limited(assumptions, CONFLICTS)
            if answer is not None:
                break
            self.meter.look()
        if answer:
            self.model = self.solver.get_model()
        return answer

    def core(self) -> list[int]:
        """The assumptions that made the last call fail."""
        return self.solver.get_core() or []

    def limited(self, assumptions: Sequence[int], conflicts: int) -> bool | None:
        """One call with at most so many conflicts."""
        solver = self.solver
        pysolvers.cadical195_cbudget(solver.cadical, conflicts)
        # The last argument keeps the library from catching Ctrl-C by a long jump out of the solver.
        status = pysolvers.cadical195_solve_lim(solver.cadical, assumptions, 0)
        solver.status, solver.prev_assumps = (None if status == 0 else status > 0), assumptions
        answer: bool | None = solver.status
        return answer

    def minimised(self, core: list[int], attempts: int, conflicts: int) -> list[int]:
        """A core with fewer literals, the last ones dropped first; as many tries as allowed."""
        place = len(core) - 1
        while place >= 0 and attempts > 0 and len(core) > 1:
            attempts -= 1
            self.meter.call()
            if self.limited(core[:place] + core[place + 1 :], conflicts) is False:
                # Keeps the order, so that what was tried stays behind the place.
                failed = set(self.core())
                core = [literal for literal in core if literal in failed]
                place = min(place, len(core)) - 1
            else:
                place -= 1
        return core

    def close(self) -> None:
        """Frees the instance."""
        self.solver.delete()
