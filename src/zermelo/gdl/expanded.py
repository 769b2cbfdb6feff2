"""All positions of a rulesheet as an explicit graph, found natively and put into words when they are asked for."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, overload

from zermelo import _native
from zermelo.errors import LimitReachedError
from zermelo.gdl.game import Halfway, Position
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.syntax import RANDOM
from zermelo.graph import CHANCE_TURN, GameGraph
from zermelo.kernel_thread import control_for, run_native
from zermelo.limits import Limits
from zermelo.progress import Progress


class Positions(Sequence[Position]):
    """The positions of an expansion, by number."""

    def __init__(self, game: GroundReasoner, expansion: _native.Expansion):
        self._game, self._expansion = game, expansion
        self._players = [number for number, role in enumerate(game.roles) if role != RANDOM]

    def __len__(self) -> int:
        return self._expansion.nodes

    @overload
    def __getitem__(self, number: int) -> Position: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Position]: ...
    def __getitem__(self, number: int | slice) -> Position | Sequence[Position]:
        if isinstance(number, slice):
            return [self[place] for place in range(*number.indices(len(self)))]
        place = number + len(self) if number < 0 else number
        if not 0 <= place < len(self):
            raise IndexError(number)
        packed = self._expansion.state(place)
        state = self._game.unpack(packed)
        pending = self._expansion.pending(place)
        if pending < 0:
            return state
        joint = []
        for role in self._players:
            legal = self._game.native.legal(packed, role)
            joint.append(self._game.moves[pending if pending in legal else legal[0]])
        return Halfway(state, tuple(joint))

    def __iter__(self) -> Iterator[Position]:
        return (self[place] for place in range(len(self)))


def expanded(game: GroundReasoner, limits: Limits, visit: Callable[[int], None]) -> GameGraph | None:
    """The graph of a ground game; ``None`` where it has none of one move at a time, which the plain rules explain.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> graph = expanded(ground(rulesheet("tictactoe")), Limits(), lambda count: None)
    >>> len(graph.positions), len(graph.results)
    (5478, 958)
    """

    def watch(progress: Progress) -> None:
        visit(progress.nodes)

    control = control_for(limits)
    try:
        expansion = run_native("expand", game.native.expand, control, watch)
    except _native.Stopped:
        if control.cause == "interrupt":
            raise KeyboardInterrupt from None
        raise LimitReachedError(f"limit reached after {control.nodes} positions") from None
    except _native.NotSearchable:
        return None
    return _graph(game, expansion)


def _graph(game: GroundReasoner, expansion: _native.Expansion) -> GameGraph:
    positions = Positions(game, expansion)
    first_edge, target, turn, ends, scores = expansion.take()
    players = sum(role != RANDOM for role in game.roles)
    rows = array("Q", first_edge.tobytes())
    results: dict[int, tuple[Any, ...]] = {
        node: tuple(values)
        for node, values in zip(ends.tolist(), scores.reshape(len(ends), players).tolist(), strict=True)
    }
    probability = {}
    if CHANCE_TURN in turn:
        for node in (turn == CHANCE_TURN).nonzero()[0].tolist():
            share = Fraction(1, rows[node + 1] - rows[node])
            for edge in range(rows[node], rows[node + 1]):
                probability[edge] = share
    kind = "L" if array("L").itemsize == 4 else "I"
    return GameGraph(positions, rows, array(kind, target.tobytes()), bytearray(turn.tobytes()), results, probability)
