"""The hard constraints of a network, searched natively: arc consistency, forward checking, all solutions.

Probabilities, utilities and the order of variables do not matter here: a stochastic variable is one like any other.
:mod:`zermelo.scsp.resolve` builds on this to find policies.

>>> from zermelo.scsp import read_network
>>> solver = Solver(read_network("examples/onestage.json"))
>>> solver.count(), solver.domains()[0]
(8, (0, 1, 2))
>>> solver.assume({0: 1, 1: 2})
True
>>> sorted(solver.solutions())
[(1, 2, 0), (1, 2, 1), (1, 2, 2)]
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Literal, TypeVar

import numpy as np

from zermelo import _native
from zermelo.errors import LimitReachedError, NotApplicableError
from zermelo.kernel_thread import control_for, run_native
from zermelo.limits import Limits, stopped_at
from zermelo.scsp.network import Network, Table, Values

Method = Literal["mac", "fc"]
T = TypeVar("T")

_FIRST_BATCH, _LAST_BATCH = 64, 1 << 16
_MOMENT = 0.1
"""Seconds."""


class Solver:
    """Searches the hard constraints of one network, under assumptions that come and go like a stack.

    ``mac`` maintains arc consistency by compact tables, ``fc`` only checks forward; both find the same. The
    network is compiled once: to try many states of a game, assume, search and retract.

    >>> from zermelo.scsp import read_network
    >>> solver = Solver(read_network("examples/pennies.json"), "fc")
    >>> solver.assume({0: 0}), len(list(solver.solutions(onto=(3, 4)))), solver.retract()
    (True, 2, None)
    """

    def __init__(self, network: Network, method: Method = "mac", limits: Limits | None = None) -> None:
        self.network = network
        self.limits = limits or Limits()
        sizes = [variable.size for variable in network.variables]
        control = control_for(self.limits)
        try:
            instance = native_instance(sizes, network.tables, control)
        except _native.Stopped:
            raise stopped_at(control.cause) from None
        self.native = _native.ScspSolver(instance, method == "fc")
        self._searched = 0

    @property
    def consistent(self) -> bool:
        """Whether no contradiction was found under the assumptions: necessary for a solution, not sufficient."""
        return self.native.consistent

    @property
    def nodes(self) -> int:
        """Assignments tried so far."""
        return self.native.nodes

    def assume(self, values: Mapping[int, int]) -> bool:
        """Gives variables values on top of what was assumed before; whether no contradiction was found."""
        given = np.array(list(values.items()), dtype=np.uint32).reshape(-1, 2)
        return self.native.assume(np.ascontiguousarray(given[:, 0]), np.ascontiguousarray(given[:, 1]))

    def retract(self) -> None:
        """Takes the last assumption back."""
        self.native.retract()

    def solutions(self, onto: Sequence[int] | None = None) -> Iterator[Values]:
        """All solutions in no particular order, or their different restrictions to some variables.

        One search at a time: whatever else the solver is asked ends it.
        """
        width = len(self.network.variables) if onto is None else len(onto)
        self.native.start(None if onto is None else list(onto))
        batch = _FIRST_BATCH
        while not self.native.exhausted:
            found = self._slice(partial(self.native.fill, batch))
            if found is not None:
                yield from map(tuple, found.reshape(-1, width).tolist() if width else [[]] * len(found))
            batch = min(2 * batch, _LAST_BATCH)

    def first(self) -> Values | None:
        """A solution; ``None`` where there is none.

        >>> from zermelo.scsp import read_network
        >>> Solver(read_network("examples/pennies.json")).first() is not None
        True
        """
        self.native.start(None)
        found = False
        while not found and not self.native.exhausted:
            found = self._slice(self.native.next) or False
        return tuple(map(self.native.value, range(len(self.network.variables)))) if found else None

    def count(self, onto: Sequence[int] | None = None) -> int:
        """How many solutions there are, or different restrictions of them."""
        self.native.start(None if onto is None else list(onto))
        total = 0
        try:
            while not self.native.exhausted:
                total += self._slice(self.native.count) or 0
        except OverflowError:
            raise NotApplicableError("the network has 2^64 solutions or more, which are not counted") from None
        return total

    def domains(self) -> tuple[Values, ...]:
        """The values that each variable still has under the assumptions; none at all after a contradiction."""
        return tuple(tuple(self.native.values(variable)) for variable in range(len(self.network.variables)))

    def make_singleton_consistent(self) -> bool:
        """Drops for good every value that contradicts arc consistency when assumed (Debruyne and Bessiere 1997).

        Takes all assumptions back. Whether no contradiction was found.
        """
        control = control_for(self.limits)
        try:
            return run_native("sac", self.native.make_singleton_consistent, control)
        except _native.Stopped:
            if control.cause == "interrupt" and threading.current_thread() is threading.main_thread():
                raise KeyboardInterrupt from None
            raise stopped_at(control.cause) from None

    def _slice(self, call: Callable[[_native.Control], T]) -> T | None:
        """What a search gives in a moment; ``None`` where that is nothing yet. It goes on from there when asked again.

        Between moments Python hears of Ctrl-C. A thread, as for kernels that cannot go on, takes longer to start than
        most searches take.
        """
        left = self.limits.seconds_left()
        nodes = None if self.limits.nodes is None else self.limits.nodes - self._searched
        if nodes is not None and nodes <= 0:
            raise LimitReachedError("stopped at the limit of nodes")
        if left is not None and left <= 0:
            raise LimitReachedError("stopped at the limit of time")
        control = _native.Control(_MOMENT if left is None else min(left, _MOMENT), nodes or 0, self.limits.bytes_left())
        try:
            return call(control)
        except _native.Stopped:
            if control.cause == "memory":
                raise LimitReachedError("stopped at the limit of memory") from None
            return None
        finally:
            self._searched += control.nodes


def native_instance(sizes: Sequence[int], tables: Sequence[Table], control: _native.Control) -> _native.ScspInstance:
    """Tables over variables of these sizes in the form that the kernel takes: arrays, tuples one after the other."""
    ends = np.cumsum([0, *(len(table.scope) for table in tables)])
    scope = np.fromiter(chain.from_iterable(table.scope for table in tables), np.uint32)
    # Sorted, so that the same network is always the same instance and rows of a value lie together.
    entries = np.fromiter(chain.from_iterable(chain.from_iterable(sorted(table.tuples)) for table in tables), np.int32)
    rows = np.array([len(table.tuples) for table in tables], dtype=np.uint64)
    return _native.ScspInstance(np.array(sizes, np.uint32), ends.astype(np.uint64), scope, rows, entries, control)
