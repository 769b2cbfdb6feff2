"""The functions of variables that were left open: for each play, a value that wins whatever follows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from zermelo import _native
from zermelo.errors import InputError, LimitReachedError
from zermelo.kernel_thread import control_for
from zermelo.limits import Limits
from zermelo.qbf.circuit import Kind, cone
from zermelo.qbf.formula import Formula
from zermelo.qbf.functions import Functions
from zermelo.qbf.packed import functions_from, packed


def completed(formula: Formula, functions: Functions, limits: Limits | None = None) -> Functions:
    """Functions for all variables of the owner; those that were there stay as they are.

    For each assignment of the open variables the variables after them are quantified away: what is left says when that
    assignment wins, and the first that does is chosen (native/qbf/sat/herbrand.hpp).

    >>> from zermelo.qbf.circuit import Circuit
    >>> from zermelo.qbf.formula import Block
    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> formula = Formula(circuit, (Block("exists", (x >> 1,)), Block("forall", (y >> 1,))), circuit.exclusive(x, y))
    >>> inner = Circuit()
    >>> inputs = {x >> 1: inner.variable() >> 1}
    >>> completed(formula, Functions("forall", inner, inputs, {}, (y >> 1,))).replies({x >> 1: True})
    {2: True}
    """
    if not functions.open:
        return functions
    arrays = packed(formula)
    # What holds for forall in a false formula holds for exists in the formula with all roles and the output exchanged.
    swap = int(functions.owner == "exists")
    native = _native.QbfFormula(
        arrays.exists ^ np.uint8(swap),
        arrays.first_variable,
        arrays.kind,
        arrays.first_input,
        arrays.input,
        arrays.output ^ swap,
    )
    place = {variable: number for number, variable in enumerate(arrays.variables, 1)}
    kinds, firsts, inputs, outputs = _gates(functions, place)
    left = np.array(sorted(place[variable] for variable in functions.open), np.uint32)
    control = control_for(limits or Limits())
    try:
        made = _native.qbf_complete(native, left, kinds, firsts, inputs, outputs, control)
    except ValueError as error:
        raise InputError(f"there is no function for {formula.name(functions.open[0])}: {error}") from None
    if made is None:
        raise LimitReachedError("the limit was reached before all functions were written down")
    return functions_from(formula, functions.owner, *made)


def _gates(
    functions: Functions, place: Mapping[int, int]
) -> tuple[NDArray[np.uint8], NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint32]]:
    """The gates as arrays, over variables that are numbered in the order of the prefix."""
    circuit = functions.circuit
    number = {0: 0} | {node: place[variable] for variable, node in functions.inputs.items()}
    kinds, firsts, inputs = bytearray(), [0], list[int]()
    for node in cone(circuit, functions.outputs.values()):
        if circuit.kind[node] <= Kind.VARIABLE:
            continue
        number[node] = 1 + len(place) + len(kinds)
        kinds.append(circuit.kind[node])
        inputs.extend(2 * number[literal >> 1] + (literal & 1) for literal in circuit.inputs[node])
        firsts.append(len(inputs))
    outputs = np.zeros(len(place), np.uint32)
    for variable, literal in functions.outputs.items():
        outputs[place[variable] - 1] = 2 * number[literal >> 1] + (literal & 1)
    return np.frombuffer(bytes(kinds), np.uint8), np.array(firsts, np.uint64), np.array(inputs, np.uint32), outputs
