"""Tries all plays against functions at once: each gate is computed for every choice of the other role in one go.

The values of a gate are the bits of one long integer: bit number ``p`` is its value in play ``p``, and the first
variable is the lowest binary digit of ``p``. A gate that depends on the first ``k`` variables alone has ``2**k`` bits,
which repeat; so what early choices settle is computed once, not once for every line that follows. Only so many
variables are digits that integers stay small. The values of the others are gone through one after the other, the last
one changing first, and whatever does not depend on what changed is kept. Nothing is left to trust but the integers of
Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from zermelo.check.circuit import Circuit

MOST_WORK = 1 << 34
"""How many bits are computed at most, by :meth:`Plays.work`: some tenths of a second."""
MOST_VARIABLES = 40
"""With more of them something has too many plays in any case."""
WIDEST = 20
"""An integer has at most two to the power of this many bits: it stays in a processor's cache."""
MOST_BITS = 1 << 30
"""All integers together have at most so many bits."""
STEP = 1 << 15
"""What one operation of the interpreter costs, in bits that could be computed meanwhile."""


class Plays:
    """All assignments of the variables below a literal of a circuit whose gates are conjunctions.

    Variables are chosen in the order of their numbers.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> both = circuit.gate("and", [x ^ 1, y])
    >>> Plays(circuit, both).affordable(), Plays(circuit, both).first(), Plays(circuit, both ^ 1).first()
    (True, {1: False, 2: True}, {1: False, 2: False})
    """

    def __init__(self, circuit: Circuit, output: int) -> None:
        self.output, self.inputs = output, circuit.inputs
        nodes = circuit.below(output)
        self.variables = [node for node in nodes if circuit.kinds[node] == "variable"]
        self.gates = [node for node in nodes if circuit.kinds[node] == "and"]
        self.width = min(WIDEST, len(self.variables), max(0, (MOST_BITS // (len(self.gates) + 1)).bit_length() - 1))
        """How many variables are digits."""
        self.reach = {0: 0} | {variable: place for place, variable in enumerate(self.variables, 1)}
        """Of each node: how many of the first variables it may depend on."""
        for gate in self.gates:
            self.reach[gate] = max(self.reach[literal >> 1] for literal in self.inputs[gate])
        self.value: dict[int, int] = {}
        self.length: dict[int, int] = {}
        """Of each value its number of bits, as a power of two."""
        self.ones = [(1 << (1 << digits)) - 1 for digits in range(self.width + 1)]

    def work(self) -> int:
        """About how many bits are to be computed."""
        bits = 0
        for gate in self.gates:
            reach = self.reach[gate]
            times, digits = max(0, reach - self.width), min(reach, self.width)
            bits += (len(self.inputs[gate]) + 1) * ((1 << digits) + STEP) << times
        return bits

    def affordable(self) -> bool:
        """Whether that is little enough."""
        return len(self.variables) <= MOST_VARIABLES and self.work() <= MOST_WORK

    def first(self, look: Callable[[], None] = lambda: None) -> dict[int, bool] | None:
        """An assignment that makes the literal true, or ``None`` if there is none. ``look`` is called now and then."""
        behind = self.variables[self.width :]
        self.value, self.length = {0: 0}, {0: 0}
        for place, variable in enumerate(self.variables[: self.width]):
            self.value[variable], self.length[variable] = self.ones[place] << (1 << place), place + 1
        for values, gates in self._rounds(behind):
            for variable, value in zip(behind, values, strict=True):
                self.value[variable], self.length[variable] = value, 0
            for done, gate in enumerate(gates):
                if done % 256 == 0:
                    look()
                digits = min(self.width, self.reach[gate])
                self.value[gate], self.length[gate] = self._conjunction(self.inputs[gate], digits), digits
            digits = self.length[self.output >> 1]
            if plays := self._conjunction([self.output], digits):
                play = (plays & -plays).bit_length() - 1
                early = [play >> place & 1 for place in range(self.width)]
                return dict(zip(self.variables, map(bool, (*early, *values)), strict=True))
        return None

    def _rounds(self, behind: Sequence[int]) -> Iterator[tuple[tuple[int, ...], Sequence[int]]]:
        """The values of the variables that are no digits, one after the other, and what is to be computed then."""
        count = len(behind)
        late: dict[int, list[int]] = {}
        yield (0,) * count, self.gates
        for number in range(1, 1 << count):
            first = len(self.variables) - (number & -number).bit_length()  # the first variable that changes
            if first not in late:
                late[first] = [gate for gate in self.gates if self.reach[gate] > first]
            yield tuple(number >> place & 1 for place in reversed(range(count))), late[first]

    def _conjunction(self, literals: Sequence[int], digits: int) -> int:
        """All of those that stand plain, and none of those that are negated."""
        every, some = self.ones[digits], 0
        for literal in literals:
            if literal & 1:
                some |= self._bits(literal >> 1, digits)
            else:
                every &= self._bits(literal >> 1, digits)
        return every ^ (every & some)

    def _bits(self, number: int, digits: int) -> int:
        """The value of a number over so many variables: as it is, repeated, or the part that repeats."""
        bits, length = self.value[number], self.length[number]
        if length > digits:
            return bits & self.ones[digits]
        if length < digits:
            for place in range(length, digits):
                bits |= bits << (1 << place)
            self.value[number], self.length[number] = bits, digits
        return bits
