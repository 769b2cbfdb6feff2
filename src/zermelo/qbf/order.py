"""A formula whose nodes are numbered by what they are, so that others who read it can number them alike.

A proof about the program of a formula speaks of variables and rows by their numbers. The checker reads the formula by
itself, so the numbers must not depend on who read it, in which order.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from zermelo.qbf.circuit import Circuit, Kind, cone, gate_of
from zermelo.qbf.formula import Formula


def in_stated_order(formula: Formula) -> Formula:
    """The same prenex formula: variables in the order of the prefix, then gates by depth, equally deep ones by a hash.

    The hash of a gate is that of its kind and the hashes of its inputs, sorted but for ``ite``, with a minus sign where
    one is negated; that of a variable is its place in the prefix.

    >>> from zermelo.qbf.formula import Block
    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> formula = Formula(circuit, (Block("exists", (y // 2, x // 2)),), circuit.conjunction([x, y ^ 1]))
    >>> in_stated_order(formula).circuit.inputs[-1]
    (3, 4)
    """
    old, new = formula.circuit, Circuit()
    order = [variable for block in formula.prefix for variable in block.variables]
    said = {0: (0, "false"), **{variable: (0, str(place)) for place, variable in enumerate(order)}}
    gates = [node for node in cone(old, [formula.output]) if node not in said]
    for node in gates:
        kind, below = Kind(old.kind[node]), [said[literal >> 1] for literal in old.inputs[node]]
        parts = ["-" * (literal & 1) + text for literal, (_, text) in zip(old.inputs[node], below, strict=True)]
        text = " ".join([kind.name.lower(), *(parts if kind == Kind.ITE else sorted(parts))])
        said[node] = (1 + max(depth for depth, _ in below), sha256(text.encode()).hexdigest())
    image = {0: 0, **{variable: new.variable() for variable in order}}
    for node in sorted(gates, key=said.__getitem__):
        inputs = [image[literal >> 1] ^ (literal & 1) for literal in old.inputs[node]]
        image[node] = gate_of(new, Kind(old.kind[node]), inputs)
    prefix = tuple(replace(block, variables=tuple(image[v] >> 1 for v in block.variables)) for block in formula.prefix)
    names = {image[v] >> 1: name for v, name in formula.names.items() if v in said}
    return Formula(new, prefix, image[formula.output >> 1] ^ (formula.output & 1), names)
