"""Which variables are free in parts of a circuit with quantified gates.

A quantified gate binds its variables in its body alone. The same variable may be bound by several gates and by the
prefix; the innermost binding on the way from the output holds, as in every logic.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zermelo.qbf.circuit import QUANTIFIED, Circuit, Kind, Literal, cone


def free_masks(circuit: Circuit, nodes: Sequence[int], variables: Iterable[int]) -> dict[int, int]:
    """Of each of some nodes (closed under inputs, in order) which of the variables are free in it, as bits of a number.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> gate = circuit.conjunction([x, y])
    >>> bound = circuit.quantified(Kind.EXISTS, [x], gate)
    >>> masks = free_masks(circuit, range(len(circuit)), [x >> 1, y >> 1])
    >>> masks[gate >> 1], masks[bound >> 1]
    (3, 2)
    """
    bit = {variable: 1 << place for place, variable in enumerate(variables)}
    masks: dict[int, int] = {}
    for node in nodes:
        masks[node] = _mask(circuit, node, masks, bit)
    return masks


def escaping(circuit: Circuit, output: Literal, variables: Sequence[int]) -> list[int]:
    """Those of some variables that the output depends on outside of all gates that bind them.

    >>> circuit = Circuit()
    >>> x = circuit.variable()
    >>> y = circuit.variable()
    >>> bound = circuit.quantified(Kind.EXISTS, [x], circuit.conjunction([x, y]))
    >>> escaping(circuit, circuit.disjunction([bound, y]), [x >> 1, y >> 1]) == [y >> 1]
    True
    """
    bit = {variable: 1 << place for place, variable in enumerate(variables)}
    nodes = cone(circuit, [output])
    # A mask is dropped after its last use, so that a long chain holds a few of them at a time and not all.
    uses = dict.fromkeys(nodes, 0)
    uses[output >> 1] = 1
    for node in nodes:
        for literal in circuit.inputs[node]:
            uses[literal >> 1] += 1
    masks: dict[int, int] = {}
    for node in nodes:
        masks[node] = _mask(circuit, node, masks, bit)
        for literal in circuit.inputs[node]:
            uses[literal >> 1] -= 1
            if not uses[literal >> 1]:
                del masks[literal >> 1]
    return [variable for variable in variables if masks[output >> 1] & bit[variable]]


def _mask(circuit: Circuit, node: int, masks: dict[int, int], bit: dict[int, int]) -> int:
    kind = circuit.kind[node]
    if kind == Kind.VARIABLE:
        return bit.get(node, 0)
    inputs = circuit.inputs[node]
    if kind in QUANTIFIED:
        mask = masks[inputs[-1] >> 1]
        for literal in inputs[:-1]:
            mask &= ~bit.get(literal >> 1, 0)
        return mask
    mask = 0
    for literal in inputs:
        mask |= masks[literal >> 1]
    return mask


def exposed_at(circuit: Circuit, output: Literal, variable: int) -> int:
    """A gate that takes an escaping variable as an input outside of its scope; the variable where it is the output.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> gate = circuit.conjunction([x, y])
    >>> exposed_at(circuit, gate, x >> 1) == gate >> 1
    True
    """
    pending = [output >> 1]
    seen = set(pending)
    while pending:
        node = pending.pop()
        inputs = circuit.inputs[node]
        if circuit.kind[node] in QUANTIFIED:
            if 2 * variable in inputs[:-1]:
                continue
            inputs = inputs[-1:]
        for literal in inputs:
            if literal >> 1 == variable:
                return node
            if literal >> 1 not in seen:
                seen.add(literal >> 1)
                pending.append(literal >> 1)
    return variable
