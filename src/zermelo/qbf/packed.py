"""Formulas as arrays, the form in which the native kernels take them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zermelo.qbf.circuit import Circuit, Kind, Literal, cone, gate_of
from zermelo.qbf.formula import Formula, Quantifier
from zermelo.qbf.functions import Functions


@dataclass(frozen=True)
class Packed:
    """A formula in normal form with its nodes numbered anew.

    Node 0 is the constant, the next nodes are the variables in the order of the prefix, then come the gates in
    topological order. Block ``b`` binds the nodes ``first_variable[b]`` up to ``first_variable[b + 1] - 1`` (the first
    is node 1); gate ``g`` has the inputs ``input[first_input[g] : first_input[g + 1]]``.
    """

    exists: NDArray[np.uint8]
    first_variable: NDArray[np.uint32]
    kind: NDArray[np.uint8]
    first_input: NDArray[np.uint64]
    input: NDArray[np.uint32]
    output: int
    variables: tuple[int, ...]
    """The formula's own number of each variable; that of node ``i`` is at place ``i - 1``."""


def packed(formula: Formula) -> Packed:
    """The arrays of a formula.

    >>> from zermelo.qbf.formula import Block
    >>> circuit = Circuit()
    >>> y, x = circuit.variable(), circuit.variable()
    >>> output = circuit.disjunction([x, y ^ 1])
    >>> arrays = packed(Formula(circuit, (Block("forall", (x // 2,)), Block("exists", (y // 2,))), output))
    >>> arrays.input.tolist(), arrays.output, arrays.first_variable.tolist()
    ([5, 2], 6, [1, 2, 3])
    """
    if not formula.is_normal:
        raise ValueError("the formula is not in normal form")
    circuit = formula.circuit
    variables = tuple(variable for block in formula.prefix for variable in block.variables)
    number = {0: 0} | {variable: place for place, variable in enumerate(variables, 1)}
    kinds = bytearray()
    firsts, inputs = [0], list[int]()
    for node in cone(circuit, [formula.output]):
        if circuit.kind[node] <= Kind.VARIABLE:
            if node not in number:
                raise ValueError(f"variable {formula.name(node)} is bound by no block")
            continue
        number[node] = 1 + len(variables) + len(kinds)
        kinds.append(circuit.kind[node])
        inputs.extend(2 * number[literal >> 1] + (literal & 1) for literal in circuit.inputs[node])
        firsts.append(len(inputs))
    sizes = [len(block.variables) for block in formula.prefix]
    return Packed(
        np.array([block.quantifier == "exists" for block in formula.prefix], np.uint8),
        np.cumsum([1, *sizes], dtype=np.uint32),
        np.frombuffer(bytes(kinds), np.uint8),
        np.array(firsts, np.uint64),
        np.array(inputs, np.uint32),
        2 * number[formula.output >> 1] + (formula.output & 1),
        variables,
    )


def functions_from(
    formula: Formula,
    owner: Quantifier,
    kind: NDArray[np.uint8],
    first_input: NDArray[np.uint64],
    inputs: NDArray[np.uint32],
    outputs: NDArray[np.uint32],
) -> Functions:
    """The functions that a kernel wrote as gates over the nodes of :class:`Packed`.

    ``outputs`` holds one literal for each variable in the order of the prefix; those of the other role's are unused.
    """
    circuit = Circuit()
    image: list[Literal] = [0]
    leaves: dict[int, int] = {}
    own: list[tuple[int, Literal]] = []
    place = 0
    for block in formula.prefix:
        for variable in block.variables:
            if block.quantifier == owner:
                own.append((variable, int(outputs[place])))
                image.append(0)
            else:
                literal = circuit.variable()
                leaves[variable] = literal >> 1
                image.append(literal)
            place += 1
    begin, flat = first_input.tolist(), inputs.tolist()
    for gate, number in enumerate(kind.tolist()):
        literals = [image[i >> 1] ^ (i & 1) for i in flat[begin[gate] : begin[gate + 1]]]
        image.append(gate_of(circuit, Kind(number), literals))
    return Functions(owner, circuit, leaves, {variable: image[out >> 1] ^ (out & 1) for variable, out in own})
