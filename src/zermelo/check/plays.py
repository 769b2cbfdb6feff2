"""Tries all plays against functions at once: each gate is computed for every choice of the other role in one go.

A gate's values are an array of bits. Six variables are the bits of a word; the others are axes of the array, those of
one block together. An array has an axis of length 1 where the gate does not depend on that block, so what early blocks
settle is computed once, not once for every line that follows. Nothing is left to trust but the arrays' own arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from zermelo.qbf.circuit import Kind

Bits = NDArray[np.uint64]

MOST_BITS = 1 << 29
"""How many bits of gates are computed at most: about a tenth of a second. The work grows with them alone."""
MOST_VARIABLES = 26
"""Each block is an axis, and arrays have no more than 32."""
_IN_WORD = 6
_PATTERNS = tuple(sum(1 << bit for bit in range(64) if bit >> k & 1) for k in range(_IN_WORD))
_ALL = np.uint64(2**64 - 1)


@dataclass(slots=True)
class Gate:
    """A gate: its number, its :class:`Kind`, its inputs as literals (twice a number, plus one where negated)."""

    number: int
    kind: int
    inputs: Sequence[int]


@dataclass
class Plays:
    """All assignments of the variables of some blocks, and gates over them. Number 0 is the constant false.

    >>> plays = Plays([[1], [2]])
    >>> either = [Gate(3, Kind.OR, (2, 5))]
    >>> plays.affordable(either), plays.first(either, 6), plays.first(either, 7)
    (True, {1: False, 2: False}, {1: False, 2: True})
    """

    blocks: Sequence[Sequence[int]]
    variables: list[int] = field(init=False)
    axes: list[list[int]] = field(init=False)
    """The variables that are no bits of the word, block by block."""

    def __post_init__(self) -> None:
        self.variables = [variable for block in self.blocks for variable in block]
        packed = set(self.variables[:_IN_WORD])
        kept = [[variable for variable in block if variable not in packed] for block in self.blocks]
        self.axes = [block for block in kept if block]

    def affordable(self, gates: Sequence[Gate]) -> bool:
        """Whether there are few enough bits to compute."""
        if len(self.variables) > MOST_VARIABLES:
            return False
        depends = dict.fromkeys(self.variables[:_IN_WORD], 0) | {0: 0}
        for axis, block in enumerate(self.axes):
            depends |= dict.fromkeys(block, 1 << axis)
        lengths = [len(block) for block in self.axes]
        size: dict[int, int] = {}
        bits = 0
        for gate in gates:
            mask = 0
            for literal in gate.inputs:
                mask |= depends[literal >> 1]
            depends[gate.number] = mask
            if mask not in size:
                size[mask] = 64 << sum(length for axis, length in enumerate(lengths) if mask >> axis & 1)
            bits += size[mask]
        return bits <= MOST_BITS

    def first(
        self, gates: Sequence[Gate], output: int, look: Callable[[], None] = lambda: None
    ) -> dict[int, bool] | None:
        """An assignment that makes a literal true, or ``None`` if there is none. ``look`` is called now and then."""
        found = np.flatnonzero(bits := self._value(gates, output, look))
        if not len(found):
            return None
        place = np.unravel_index(found[0], bits.shape)
        word = int(bits[place])
        bit = (word & -word).bit_length() - 1
        chosen = {variable: bool(bit >> k & 1) for k, variable in enumerate(self.variables[:_IN_WORD])}
        for block, at in zip(reversed(self.axes), place, strict=True):
            chosen |= {variable: bool(int(at) >> k & 1) for k, variable in enumerate(block)}
        return chosen

    def _value(self, gates: Sequence[Gate], output: int, look: Callable[[], None]) -> Bits:
        value: dict[int, Bits] = dict(self._leaves())
        last = {literal >> 1: gate.number for gate in gates for literal in gate.inputs} | {output >> 1: -1}
        for done, gate in enumerate(gates):
            if done % 256 == 0:
                look()
            value[gate.number] = _computed(gate, value)
            for literal in gate.inputs:
                if literal > 1 and last[literal >> 1] == gate.number:
                    value.pop(literal >> 1, None)
        return ~value[output >> 1] if output & 1 else value[output >> 1]

    def _leaves(self) -> Iterator[tuple[int, Bits]]:
        shape = [1] * len(self.axes)
        yield 0, np.zeros(shape, np.uint64)
        for variable, pattern in zip(self.variables, _PATTERNS, strict=False):
            yield variable, np.full(shape, pattern, np.uint64)
        for axis, block in enumerate(self.axes):
            along = shape.copy()
            along[-1 - axis] = 1 << len(block)  # the outermost block last: what lies side by side is used together
            numbers = np.arange(1 << len(block), dtype=np.uint64)
            for k, variable in enumerate(block):
                yield variable, ((numbers >> np.uint64(k) & np.uint64(1)) * _ALL).reshape(along)


def _computed(gate: Gate, value: dict[int, Bits]) -> Bits:
    inputs = gate.inputs
    if gate.kind == Kind.AND:
        return _conjunction(inputs, value)
    if gate.kind == Kind.OR:
        return ~_conjunction([literal ^ 1 for literal in inputs], value)
    if gate.kind == Kind.XOR:
        different = value[inputs[0] >> 1] ^ value[inputs[1] >> 1]
        return ~different if (inputs[0] ^ inputs[1]) & 1 else different
    if gate.kind != Kind.ITE:
        raise ValueError("a gate with a quantifier")
    condition, then, otherwise = inputs
    return _conjunction((condition, then), value) | _conjunction((condition ^ 1, otherwise), value)


def _conjunction(literals: Sequence[int], value: dict[int, Bits]) -> Bits:
    """ "All of those that stand plain, and none of those that are negated": one operation for each input."""
    every: Bits | None = None
    some: Bits | None = None
    for literal in literals:
        bits = value[literal >> 1]
        if literal & 1:
            some = bits if some is None else some | bits
        else:
            every = bits if every is None else every & bits
    if some is None:
        return ~value[0] if every is None else every
    return ~some if every is None else every & ~some
