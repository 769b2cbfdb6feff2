"""What a value is a function of: cells, tuples of them, counts, mobility; chosen from the ground game alone.

>>> from zermelo.gdl.ground import ground
>>> from zermelo.gdl.library import rulesheet
>>> from zermelo.learn.cells import sample
>>> game = ground(rulesheet("connectfour"))
>>> features = choose_features(game, sample(game, seed=1))
>>> features.outputs, features.logistic, features.tuples > 69, features.weights < 1 << 20
(1, True, True, True)
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass, fields
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from zermelo import _native
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.kif import read_term
from zermelo.gdl.syntax import RANDOM
from zermelo.learn.cells import Cells, Sample, find_cells
from zermelo.learn.tuples import Tuple, choose_tuples, context_of

TUPLES: Final = 256
"""Tuples of several cells, about."""
MOST_WEIGHTS: Final = 1 << 23
_MOST_COUNTS: Final = 96
_WIN_OR_LOSE: Final = 10
"""With more different goals than these, goals are points."""


@dataclass(frozen=True, eq=False)
class Features:
    """What values of a ground game are made of, as the kernel takes it (``native/gdl/values/value_model.hpp``)."""

    roles: int
    cell_of: NDArray[np.uint32]
    digit_of: NDArray[np.uint32]
    cell_size: NDArray[np.uint32]
    tuple_first: NDArray[np.uint32]
    tuple_cells: NDArray[np.uint32]
    tuple_table: NDArray[np.uint32]
    tables: int
    count_first: NDArray[np.uint32]
    count_of: NDArray[np.uint32]
    count_by: NDArray[np.int32]
    count_most: NDArray[np.int32]
    mobility: NDArray[np.uint32]
    mobility_most: int
    context: int
    outputs: int
    role_output: NDArray[np.int32]
    role_against: NDArray[np.uint8]
    logistic: bool

    @property
    def tuples(self) -> int:
        """How many tuples there are, single cells included."""
        return len(self.tuple_table)

    @property
    def weights(self) -> int:
        """How many weights they have."""
        contexts = 1 if self.context < 0 else int(self.cell_size[self.context])
        sizes: dict[int, int] = {}
        for number, table in enumerate(self.tuple_table.tolist()):
            inside = self.tuple_cells[self.tuple_first[number] : self.tuple_first[number + 1]]
            sizes[table] = prod(self.cell_size[inside].tolist())
        return contexts * self.outputs * (sum(sizes.values()) + len(self.count_most) + len(self.mobility))

    def parts(self) -> dict[str, Any]:
        """Each part by its name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def model(self, weights: NDArray[np.int32]) -> _native.ValueModel:
        """The kernel's model with these weights; ``ValueError`` where the parts do not fit together."""
        return _native.ValueModel(**self.parts(), weights=np.ascontiguousarray(weights, dtype=np.int32))


def digest(game: GroundReasoner) -> str:
    """A digest of the ground game: values of one game mean nothing in another.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> digest(ground(rulesheet("nim", "1,2"))) == digest(ground(rulesheet("nim", "1,3")))
    False
    """
    kind, first, inputs, block, nexts, legal, terminal, goal = game.native.circuit()
    known = hashlib.sha256()
    for texts in (game.roles, game.fluents, game.moves):
        known.update("\n".join(texts).encode() + b"\0")
    known.update(game.native.start())
    for array in (kind, first, inputs, block, nexts, legal, goal):
        known.update(np.ascontiguousarray(array).tobytes())
    known.update(str(terminal).encode())
    return known.hexdigest()


def choose_features(
    game: GroundReasoner, seen: Sample, seed: int = 1, tuples: int = TUPLES, mobility: bool = True
) -> Features:
    """The features of a ground game of which some states were seen; the same for a seed."""
    cells = find_cells(game, seen)
    context = context_of(game, cells, seen)
    chosen = _bounded(choose_tuples(game, cells, context, seed, tuples), cells, context, len(game.roles))
    counts = _counts(game, cells, seen)
    players = [role for role, name in enumerate(game.roles) if name != RANDOM]
    output, against, outputs = _outputs(len(game.roles), players, seen)
    goals = {int(value) for value in game.native.circuit()[7][1::3]}
    rows: list[list[tuple[int, int]]] = [[] for _ in game.fluents]
    for number, count in enumerate(counts):
        for fact, by in count.items():
            rows[fact].append((number, by))
    most = [max(int(np.abs(seen.states[:, list(one)] @ np.array(list(one.values()))).max()), 1) for one in counts]
    return Features(
        roles=len(game.roles),
        cell_of=cells.cell_of,
        digit_of=cells.digit_of,
        cell_size=cells.sizes,
        tuple_first=_starts([len(one.cells) for one in chosen]),
        tuple_cells=np.array([cell for one in chosen for cell in one.cells], dtype=np.uint32),
        tuple_table=np.array([one.table for one in chosen], dtype=np.uint32),
        tables=max(one.table for one in chosen) + 1,
        count_first=_starts([len(row) for row in rows]),
        count_of=np.array([number for row in rows for number, _ in row], dtype=np.uint32),
        count_by=np.array([by for row in rows for _, by in row], dtype=np.int32),
        count_most=np.array(most, dtype=np.int32),
        mobility=np.array(players if mobility and seen.choices > 1 else [], dtype=np.uint32),
        mobility_most=seen.choices,
        context=-1 if context is None else context,
        outputs=outputs,
        role_output=output,
        role_against=against,
        logistic=len(goals) <= _WIN_OR_LOSE,
    )


def _starts(sizes: list[int]) -> NDArray[np.uint32]:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.uint32)


def _bounded(chosen: list[Tuple], cells: Cells, context: int | None, roles: int) -> list[Tuple]:
    """As many of the tuples as have room; tables are numbered anew."""
    left = MOST_WEIGHTS // (roles * (1 if context is None else int(cells.sizes[context])))
    number: dict[int, int] = {}
    kept = []
    for one in chosen:
        if one.table not in number:
            size = prod(int(cells.sizes[cell]) for cell in one.cells)
            if size > left:
                continue
            left -= size
            number[one.table] = len(number)
        kept.append(Tuple(one.cells, number[one.table]))
    return kept


def _outputs(roles: int, players: list[int], seen: Sample) -> tuple[NDArray[np.int32], NDArray[np.uint8], int]:
    """One output where two players' goals always add up to 100, or all have the same goal; else one for each."""
    output, against = np.full(roles, -1, dtype=np.int32), np.zeros(roles, dtype=np.uint8)
    output[players] = range(len(players))
    if len(players) == 1 or len(seen.goals) == 0:
        return output, against, len(players)
    opposed = len(players) == 2 and bool((seen.goals.sum(axis=1) == 100).all())
    if opposed or bool((seen.goals == seen.goals[:, :1]).all()):
        output[players] = 0
        against[players[1:]] = opposed
        return output, against, 1
    return output, against, len(players)


def _counts(game: GroundReasoner, cells: Cells, seen: Sample) -> list[dict[int, int]]:
    """Sums over facts: counters by their numbers, and how many facts of a kind with some argument in common hold."""
    found: dict[tuple[str, int, str], dict[int, int]] = defaultdict(dict)
    for number, text in enumerate(game.fluents):
        fact = read_term(text)
        for place, arg in enumerate(fact.args):
            found[fact.name, place, str(arg)][number] = 1
    counters = [
        {
            int(fact): int(cells.number_of[fact])
            for fact in np.flatnonzero(cells.cell_of == cell)
            if cells.number_of[fact]
        }
        for cell, numeric in enumerate(cells.numeric)
        if numeric
    ]
    fit = []
    for count in found.values():
        sums = seen.states[:, list(count)].sum(axis=1, dtype=np.int64)
        if len(count) > 2 and sums.max(initial=0) > 1 and sums.min(initial=0) < sums.max(initial=0):
            fit.append((-float(sums.std()), count))
    pieces = [count for _, count in sorted(fit, key=lambda one: one[0])]
    return [count for count in [*counters, *pieces] if count][:_MOST_COUNTS]
