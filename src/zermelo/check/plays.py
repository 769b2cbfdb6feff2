"""Tries all plays against functions at once: each gate is computed for many choices of the other role in one go.

The values of a gate are the bits of one integer: bit number ``p`` is its value in play ``p``, and the first variable is
the lowest binary digit of ``p``. Only so many variables are digits that integers stay small; the values of the others
are gone through one after the other. Nothing is left to trust but the integers of Python.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from zermelo.check.circuit import Circuit, outcome

DIGITS = 16
"""So many variables are digits at most: an integer of as many plays stays in a processor's cache."""
STEP = 1 << 15
"""What one operation of the interpreter costs, in bits that could be computed meanwhile."""
MOST_WORK = 1 << 34
"""How many bits are computed at most: some tenths of a second."""
MOST_BITS = 1 << 30
"""All integers together have at most so many bits."""


class Plays:
    """All assignments of the variables below a literal of a circuit, the lowest number chosen first.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> both = circuit.gate("and", [x ^ 1, y])
    >>> Plays(circuit, both).affordable(), Plays(circuit, both).first(), Plays(circuit, both ^ 1).first()
    (True, {1: 0, 2: 1}, {1: 0, 2: 0})
    """

    def __init__(self, circuit: Circuit, output: int) -> None:
        self.circuit, self.output = circuit, output
        nodes = circuit.below(output)
        self.variables = [node for node in nodes if circuit.kinds[node] == "variable"]
        self.digits, self.others = self.variables[:DIGITS], self.variables[DIGITS:]
        moving = set(self.others)
        for node in nodes:
            if any(literal >> 1 in moving for literal in circuit.inputs[node]):
                moving.add(node)
        self.settled = [node for node in nodes if node not in moving]
        """What depends on no others is computed once."""
        self.moving = [node for node in nodes if node in moving]

    def affordable(self) -> bool:
        """Whether few enough bits are to be computed, and to be kept."""
        bits, steps = 1 << len(self.digits), len(self.settled) + (len(self.moving) << len(self.others))
        kept = (len(self.settled) + len(self.moving)) * bits
        return kept <= MOST_BITS and steps * (bits + STEP) <= MOST_WORK

    def first(self, look: Callable[[], None] = lambda: None) -> dict[int, int] | None:
        """An assignment that makes the literal true, or ``None`` if there is none. ``look`` is called now and then."""
        ones = (1 << (1 << len(self.digits))) - 1
        # Of each 2^(k+1) plays variable k is false in the lower half: ones / (2^(2^k) + 1) has just these.
        digits = {variable: ones - ones // ((1 << (1 << k)) + 1) for k, variable in enumerate(self.digits)}
        settled = self.circuit.carried(self.settled, digits, outcome, ones)
        for chosen in product((0, 1), repeat=len(self.others)):
            look()
            others = {variable: ones * one for variable, one in zip(self.others, chosen, strict=True)}
            value = self.circuit.carried(self.moving, settled | others, outcome, ones)
            if plays := value[self.output >> 1] ^ ones * (self.output & 1):
                number = (plays & -plays).bit_length() - 1
                early = (number >> k & 1 for k in range(len(self.digits)))
                return dict(zip(self.variables, (*early, *chosen), strict=True))
        return None
