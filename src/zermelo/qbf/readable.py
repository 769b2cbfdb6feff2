"""Functions rewritten for reading: choices found again among and-gates, and-gates inside and-gates joined."""

from __future__ import annotations

from dataclasses import replace

from zermelo.qbf.circuit import FALSE, Circuit, Kind, Literal, cone, negate
from zermelo.qbf.functions import Functions


def readable(functions: Functions) -> Functions:
    """The same functions out of fewer, larger gates: conjunctions, choices and exclusive ors.

    An and-inverter graph writes "if c then t else e" as three gates, not(not(c and t) and not(not c and e)).

    >>> circuit = Circuit()
    >>> c, t, e = (circuit.variable() for _ in range(3))
    >>> two = [circuit.conjunction([c, t]) ^ 1, circuit.conjunction([c ^ 1, e]) ^ 1]
    >>> found = readable(Functions("exists", circuit, {1: 1, 2: 2, 3: 3}, {4: circuit.conjunction(two) ^ 1}))
    >>> found.circuit.kind[found.outputs[4] >> 1] == Kind.ITE
    True
    """
    return _joined(_with_choices(functions))


def _with_choices(functions: Functions) -> Functions:
    source, circuit = functions.circuit, Circuit()
    inputs = {variable: circuit.variable() >> 1 for variable in functions.inputs}
    image: dict[int, Literal] = {0: FALSE}
    image |= {node: 2 * inputs[variable] for variable, node in functions.inputs.items()}

    def literal(old: Literal) -> Literal:
        return image[old >> 1] ^ (old & 1)

    for node in cone(source, functions.outputs.values()):
        kind, parts = source.kind[node], source.inputs[node]
        if kind <= Kind.VARIABLE:
            continue
        if (found := _choice(source, node)) is not None:
            image[node] = negate(circuit.choice(*map(literal, found)))
        elif kind == Kind.AND:
            image[node] = circuit.conjunction(map(literal, parts))
        elif kind == Kind.OR:
            image[node] = negate(circuit.conjunction(negate(literal(part)) for part in parts))
        elif kind == Kind.XOR:
            image[node] = circuit.exclusive(*map(literal, parts))
        else:
            image[node] = circuit.choice(*map(literal, parts))
    outputs = {variable: literal(output) for variable, output in functions.outputs.items()}
    return replace(functions, circuit=circuit, inputs=inputs, outputs=outputs)


def _choice(circuit: Circuit, node: int) -> tuple[Literal, Literal, Literal] | None:
    """The condition and both branches, if the node is the negation of a choice."""
    pair = circuit.inputs[node]
    if circuit.kind[node] != Kind.AND or len(pair) != 2 or not all(part & 1 for part in pair):
        return None
    if any(circuit.kind[part >> 1] != Kind.AND or len(circuit.inputs[part >> 1]) != 2 for part in pair):
        return None
    one, other = circuit.inputs[pair[0] >> 1], circuit.inputs[pair[1] >> 1]
    for place, condition in enumerate(one):
        if negate(condition) in other:
            return condition, one[1 - place], other[1 - other.index(negate(condition))]
    return None


def _joined(functions: Functions) -> Functions:
    """Conjunctions that are used once, by another conjunction, become part of it."""
    source, circuit = functions.circuit, Circuit()
    nodes = cone(source, functions.outputs.values())
    uses = dict.fromkeys(nodes, 0)
    inside = set()
    for node in nodes:
        for part in source.inputs[node]:
            uses[part >> 1] += 1
            if source.kind[node] == Kind.AND == source.kind[part >> 1] and not part & 1:
                inside.add(part >> 1)
    for output in functions.outputs.values():
        uses[output >> 1] += 1
    inside = {node for node in inside if uses[node] == 1}
    inputs = {variable: circuit.variable() >> 1 for variable in functions.inputs}
    image: dict[int, Literal] = {0: FALSE}
    image |= {node: 2 * inputs[variable] for variable, node in functions.inputs.items()}

    def literal(old: Literal) -> Literal:
        return image[old >> 1] ^ (old & 1)

    for node in nodes:
        if source.kind[node] <= Kind.VARIABLE or node in inside:
            continue
        if source.kind[node] != Kind.AND:
            make = circuit.exclusive if source.kind[node] == Kind.XOR else circuit.choice
            image[node] = make(*map(literal, source.inputs[node]))
            continue
        parts, pending = [], list(source.inputs[node])
        while pending:
            part = pending.pop()
            if part >> 1 in inside and not part & 1:
                pending.extend(source.inputs[part >> 1])
            else:
                parts.append(literal(part))
        image[node] = circuit.conjunction(parts)
    outputs = {variable: literal(output) for variable, output in functions.outputs.items()}
    return replace(functions, circuit=circuit, inputs=inputs, outputs=outputs)
