"""The positions of a rulesheet, found natively where a question is decided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar, overload

from zermelo import _native
from zermelo.errors import LimitReachedError
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.reasoner import State
from zermelo.graph import Growing, NotGrownError
from zermelo.kernel_thread import control_for, run_native
from zermelo.limits import Limits

T = TypeVar("T")


class GrowingGroundGame(Growing):
    """A ground game from one of its states on.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> game = ground(rulesheet("tictactoe"))
    >>> growing = GrowingGroundGame(game, game.start(), Limits())
    >>> growing.ask(50)                                          # does x win?
    >>> growing.grow(100)
    >>> growing.score_range, growing.growth.nodes >= 100
    ((0, 100), True)
    """

    def __init__(self, game: GroundReasoner, state: State, limits: Limits) -> None:
        self._limits, self._taken = limits, 0
        packed = game.pack(state)
        self.visit = lambda count: None
        self._native = self._run(lambda control: _native.Growing(game.native, packed, control))
        super().__init__(self._native.scores)
        self.growth = self._native.growth
        self.positions = _States(game, self._native)
        self.score_range = (self.scores[0], self.scores[-1]) if self.scores else None

    @property
    def total(self) -> int:
        """What the goal values of two roles add up to."""
        return self._native.total if self.growth.roles == 2 else 0

    def grow(self, positions: int, widely: bool = False) -> None:
        """Natively, up to so many positions."""
        self._run(lambda control: self._native.grow(positions, widely, control), self.growth.expanded)

    def forget(self) -> None:
        """Nothing: the states are a part of the graph."""

    def _run(self, call: Callable[[_native.Control], T], expanded: int = 0) -> T:
        """A native call under what is left of the limits."""
        nodes = self._limits.nodes
        if nodes is not None and expanded >= nodes:
            raise LimitReachedError(f"limit reached after {expanded} positions")
        left = replace(
            self._limits,
            nodes=None if nodes is None else nodes - expanded,
            memory=max(self._limits.memory - self._taken, 1),
        )
        control = control_for(left)
        try:
            return run_native("grow", call, control, lambda progress: self.visit(expanded + progress.nodes))
        except _native.NotSearchable as error:
            raise NotGrownError(str(error)) from None
        except _native.Stopped:
            if control.cause == "interrupt":
                raise KeyboardInterrupt from None
            raise LimitReachedError(f"limit reached after {expanded + control.nodes} positions") from None
        finally:
            self._taken += control.memory


class _States(Sequence[State]):
    """The states that were met, by number."""

    def __init__(self, game: GroundReasoner, native: _native.Growing) -> None:
        self._game, self._native = game, native

    def __len__(self) -> int:
        return self._native.growth.nodes

    @overload
    def __getitem__(self, number: int) -> State: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[State]: ...
    def __getitem__(self, number: int | slice) -> State | Sequence[State]:
        if isinstance(number, slice):
            return [self[place] for place in range(*number.indices(len(self)))]
        place = number + len(self) if number < 0 else number
        if not 0 <= place < len(self):
            raise IndexError(number)
        return self._game.unpack(self._native.state(place))
