"""Random values for all variables of a formula, many at once: which first choice looks better. Proves nothing.

Node by node the values of all samples are the bits of one whole number, so that a gate takes one operation on such
numbers for each of its inputs.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from zermelo.errors import LimitReachedError
from zermelo.limits import Limits
from zermelo.qbf.circuit import Circuit, Kind, Literal, bits_of_gate
from zermelo.qbf.formula import Formula

SAMPLES = 1024
"""So many at a time."""
MOST = 1 << 16
_OFTEN = 1024


@dataclass
class Tally:
    """How often the formula held, altogether and with a variable true or false."""

    samples: int = 0
    true: int = 0
    with_true: int = 0
    true_with_true: int = 0

    def better(self, exists: bool) -> bool:
        """The value of the variable that serves the role who chooses it better; false where it makes no difference."""
        with_false, true_with_false = self.samples - self.with_true, self.true - self.true_with_true
        if not self.with_true or not with_false:
            return False
        gain = self.true_with_true * with_false - true_with_false * self.with_true
        return gain > 0 if exists else gain < 0


def sampled(formula: Formula, variable: int, limits: Limits, seed: int, most: int = MOST) -> Tally:
    """How often the formula holds at random, by the value of a variable, as far as the time allows.

    >>> from zermelo.qbf.formula import Block
    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> formula = Formula(circuit, (Block("exists", (x >> 1, y >> 1)),), circuit.conjunction((x, y)))
    >>> tally = sampled(formula, x >> 1, Limits(), seed=1, most=1024)
    >>> tally.samples, 0 < tally.true < 512, tally.better(exists=True)
    (1024, True, True)
    """
    chooser, tally = random.Random(seed), Tally()
    try:
        while tally.samples < min(most, MOST):
            bits = _bits(formula.circuit, chooser, limits)
            everything = (1 << SAMPLES) - 1
            true = bits[formula.output >> 1] ^ (everything if formula.output & 1 else 0)
            chosen = bits[variable]
            tally.samples += SAMPLES
            tally.true += true.bit_count()
            tally.with_true += chosen.bit_count()
            tally.true_with_true += (true & chosen).bit_count()
    except (LimitReachedError, KeyboardInterrupt):
        pass
    return tally


def _bits(circuit: Circuit, chooser: random.Random, limits: Limits) -> list[int]:
    """The values of every node, a bit for each sample."""
    everything = (1 << SAMPLES) - 1
    bits = [0] * len(circuit)

    def of(literal: Literal) -> int:
        return bits[literal >> 1] ^ everything if literal & 1 else bits[literal >> 1]

    for node in range(1, len(circuit)):
        if node % _OFTEN == 0 and limits.expired():
            raise LimitReachedError("stopped at the limit of time")
        kind = circuit.kind[node]
        if kind == Kind.VARIABLE:
            bits[node] = chooser.getrandbits(SAMPLES)
        else:
            bits[node] = bits_of_gate(kind, [of(literal) for literal in circuit.inputs[node]], everything)
    return bits
